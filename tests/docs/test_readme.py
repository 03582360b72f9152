"""What the README says is true: its programs and commands run as written, in order."""

from __future__ import annotations

import json
import re
from pathlib import Path

import unseen
from unseen.core.catalogue import BENCHMARKS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```(python|sh)\n(.*?)```", README, re.DOTALL)


def test_every_block_runs_as_written(tmp_path, run_blocks):
    """Run all blocks in one test, because a later one reads what an earlier one wrote."""
    blocks = [(language, code) for language, code in BLOCKS if "make " not in code]  # which runs this test
    run_blocks(blocks, tmp_path)
    for _, code in blocks:
        for file in re.findall(r"--output (\S+)|save\(\"(\S+)\"\)", code):
            assert (tmp_path / (file[0] or file[1])).exists()


def test_what_it_says_about_an_example_and_a_score_is_so(tmp_path, run_blocks):
    told = run_blocks([("python", BLOCKS[1][1] + "\nprint(example.scene['sequence'])")], tmp_path)
    assert told.splitlines() == ["0.0", "['translate_up', 'mirror_horizontal']"]


def test_every_verb_has_an_example():
    from unseen.cli.app import VERBS

    for verb in VERBS:
        assert f"unseen {verb} " in README, verb


def test_links_lead_somewhere():
    papers = {benchmark.file("paper").CITATION.url for benchmark in BENCHMARKS.values()}
    links = set(re.findall(r"\]\(([^)]+)\)", README))
    assert papers <= links
    for link in links - papers:
        assert (ROOT / link).exists(), link


def test_there_is_a_small_picture_of_each_benchmark():
    for name in BENCHMARKS:
        assert f"(docs/pictures/{name}.png)" in README
        assert (ROOT / "docs" / "pictures" / f"{name}.png").stat().st_size < 100_000


def test_the_citation_file_names_every_paper_and_this_version():
    text = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {unseen.__version__}\n" in text
    for benchmark in BENCHMARKS.values():
        cited = benchmark.file("paper").CITATION
        families = [f'family-names: "{author.partition(",")[0]}"' for author in cited.authors]
        for words in (cited.title.replace("\\&", "&"), cited.url, *families):
            assert words in text, words


def test_the_result_of_connected_regions_is_the_one_on_record():
    (record,) = (ROOT / "src/unseen/results/records/video/vmds").glob("regions-*.json")
    ours = json.loads(record.read_text())["scores"]["test"]["metrics"]["mota"]["value"]
    published = [row.mean for row in BENCHMARKS["video"].file("paper").TABLES["2"] if row.task == "vmds"]
    assert f"MOTA of {100 * ours:.1f} %" in README
    assert f"the best published model scores {max(published):.1f} %" in README
