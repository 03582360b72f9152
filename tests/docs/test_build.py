"""The site can be built, and its links lead somewhere."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from unseen.core.catalogue import BENCHMARKS, tasks

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site; building fails where a link or image leads nowhere."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run([sys.executable, "-W", "error", DOCS / "build.py", folder], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.slow
def test_every_task_and_rule_has_its_place(site: Path) -> None:
    text = "".join(path.read_text() for path in (site / "benchmarks").glob("*.html"))
    assert all(name in text for name in tasks())
    for benchmark in BENCHMARKS.values():
        assert all(f'id="{row["rule"]}"' in text for row in benchmark.file("rules").describe())


@pytest.mark.slow
def test_every_task_is_on_the_page_of_its_group(site: Path) -> None:
    for name in tasks():
        benchmark, _, task = name.partition("/")
        page = site / "benchmarks" / f"{benchmark}-{task.partition('-')[0]}.html"
        assert f">{name}<" in page.read_text(), name


@pytest.mark.slow
def test_pages_work_without_scripts_and_without_the_network(site: Path) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text()
        assert "<script" not in text
        assert 'src="http' not in text
        assert "{{" not in text


@pytest.mark.slow
def test_public_functions_are_in_the_reference(site: Path) -> None:
    text = (site / "api.html").read_text()
    assert all(f'id="unseen-{name}"' in text for name in ("load", "task", "tasks", "show", "score", "register"))
    assert '<span class="nb">str</span> <span class="o">=</span> <span class="s1">\'train\'</span>' in text


def test_without_opengl_pages_show_masks_and_say_so(tmp_path: Path) -> None:
    hidden = tmp_path / "moderngl.py"
    hidden.write_text("raise ImportError('as if it were not installed')")
    program = f"""
import pathlib, taskpages, unseen
for name in ("video/vor", "svib/clevr-sa"):
    print(taskpages.group_page(name.partition("/")[2], [unseen.task(name)], pathlib.Path({str(tmp_path)!r})))
"""
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, cwd=DOCS, env=environment
    )
    assert done.returncode == 0, done.stderr
    for file in ("video-vor-test.png", "svib-clevr-sa-test.png", "svib-clevr-sa-test_ood.png"):
        assert f"(/images/{file})\n\n*This site was built without OpenGL" in done.stdout
        assert (tmp_path / file).stat().st_size > 1000


def test_places_of_the_site_are_found_from_every_page() -> None:
    program = """
import build
page = build.Page("benchmarks/video-vor", "# VOR\\n\\n![frames](/images/vor.png) [how](/install.md#3-d-images)")
print(build.html_of(page, {"Guide": [page]}))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=DOCS)
    assert 'src="../images/vor.png"' in done.stdout, done.stderr
    assert 'href="../install.html#3-d-images"' in done.stdout


def test_the_navigation_is_a_tree_that_is_open_where_the_page_is() -> None:
    program = """
import build
places = ("index", "glossary", "benchmarks/cvr", "benchmarks/cvr-shape", "cvr", "benchmarks/cvr-rules", "speed")
pages = {place: build.Page(place, f"# {place}") for place in places}
pages |= {f"benchmarks/{name}": build.Page(f"benchmarks/{name}", f"# {name}") for name in build.BENCHMARKS}
tree = build.navigation(list(pages.values()))
print([page.place for page in tree["Guide"]], [page.place for page in tree["Benchmarks"]["cvr"]])
print(build.links_of(tree, pages["benchmarks/cvr-shape"]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=DOCS)
    places, links = done.stdout.splitlines()
    cvr = "['benchmarks/cvr', 'benchmarks/cvr-rules', 'cvr', 'benchmarks/cvr-shape']"
    assert places == f"['index', 'glossary'] {cvr}", done.stderr
    assert re.findall(r"<details open><summary>(.*?)<", links) == ["Benchmarks", "cvr"]
    assert links.count("aria-current=page") == 1
    assert 'href="../speed.html"' in links


def test_measured_speed_and_shortcuts_become_pages(tmp_path: Path) -> None:
    """Make all pages of a folder once, because most of the time goes into those that are not looked at."""
    row = {"name": "headline", "task": "cogitao/c1-1", "split": "train", "microseconds": 50.0, "per_second": 2e4}
    row |= {"published_ms": 80.0, "ratio": 1600.0, "target": 1000.0}
    rate = {**row, "name": "unpublished", "published_ms": None, "ratio": None}
    measured = {"benchmark": "cogitao", "count": 10, "examples": [row, rate], "others": []}
    (tmp_path / "speed").mkdir()
    (tmp_path / "speed" / "cogitao.json").write_text(json.dumps(measured))
    run = {"wall": 1.23, "cpu": 0.6}
    cold = {"name": "first example", "first": run, "compiled_after": 9.6, "next": run, "compiling_first": run}
    (tmp_path / "speed" / "cold_starts.json").write_text(json.dumps([cold]))
    finding = {"about": "a", "metric": "odd_accuracy", "bound": 0.35}
    findings = [
        {**finding, "solver": "ink", "value": 0.9, "reason": "more objects, more ink"},
        {**finding, "solver": "hue", "value": 0.27, "reason": ""},
        {**finding, "solver": "spread", "value": 0.31, "reason": ""},
    ]
    audit = {"task": "cvr/count", "split": "train", "count": 2000, "findings": findings, "worst": findings[2]}
    (tmp_path / "audit.json").write_text(json.dumps([audit]))
    program = f"""
import json, pathlib, reference
print(json.dumps(dict(reference.pages(pathlib.Path({str(tmp_path)!r})))))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=DOCS)
    assert done.returncode == 0, done.stderr
    pages = json.loads(done.stdout)
    assert "| headline | `cogitao/c1-1` train | 50 | 80 | 1,600 | 1,000 |" in pages["speed"]
    assert "| unpublished | `cogitao/c1-1` train | 50 |  |  | 1,000 / s |" in pages["speed"]
    assert "| first example | 1.2 | 0.6 | 10 | 1.2 | 1 |" in pages["speed"]
    assert "| `cvr/count` | train | spread | 0.31 | 0.35 | ink |" in pages["audit"]
    assert "| `cvr/count` | train | ink | 0.90 | more objects, more ink |" in pages["audit"]


def test_the_page_of_shortcuts_tells_the_best_solver_of_every_rule_and_why() -> None:
    finding = {"metric": "odd_accuracy", "bound": 0.5}
    findings = [
        {**finding, "solver": "ink", "value": 0.9, "reason": "more objects, more ink"},
        {**finding, "solver": "hue", "value": 0.27, "reason": ""},
        {**finding, "solver": "learned", "value": 0.31, "reason": ""},
    ]
    audit = {"task": "cvr/count", "split": "test_ood", "count": 1500, "findings": findings, "worst": findings[2]}
    program = f"import cvrpages; print(cvrpages.shortcuts([{audit!r}]))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=DOCS)
    assert "| count | generalization | ink | 0.90 | more objects, more ink | learned | 0.31 | 0.31 |" in done.stdout, (
        done.stderr
    )
    assert "Of 1,500 problems" in done.stdout


def test_what_is_measured_of_shortcuts_is_of_every_rule_and_clean() -> None:
    audits = json.loads((DOCS / "measured" / "audit.json").read_text())
    from unseen.benchmarks.cvr.rules import PUBLISHED

    places = [(f"cvr/{name.replace('_', '-')}", split) for name in PUBLISHED for split in ("train", "test_ood")]
    assert [(audit["task"], audit["split"]) for audit in audits] == places
    assert all(audit["clean"] and audit["count"] >= 500 for audit in audits)
    assert all(one["value"] <= 0.5 or one["reason"] for audit in audits for one in audit["findings"])
    assert all(any(one["solver"] == "learned" for one in audit["findings"]) for audit in audits)


def test_the_page_of_ranges_has_the_published_ones_beside_ours() -> None:
    program = """
import cvrpages
from unseen.benchmarks.cvr.rules import RULES
print(cvrpages.published_ranges(RULES))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=DOCS)
    assert done.returncode == 0, done.stderr
    line = next(line for line in done.stdout.splitlines() if line.startswith("| 1 pos | train | size |"))
    assert "| one for the problem, .2 to .4 | of each image, each its own, .2 to .4 |" in line
    assert line.endswith("| yes |")


def test_the_page_of_relations_is_drawn_from_the_rule_table() -> None:
    program = """
from types import SimpleNamespace as Rule
import cvrpages
names = ["shape", "position", "size"]
numbers = {number for _, found in cvrpages.SVRT.values() for number in found} | {20}
rules = [Rule(id=200 + i, name=name, relations=(name,)) for i, name in enumerate(names)]
rules += [Rule(id=i, name=f"rule_{i}", relations=("size", "shape")) for i in sorted(numbers)]
rules += [Rule(id=300, name="sym", relations=("shape", "position", "size"))]
print(cvrpages.page(rules, {20: Rule(accuracy=81.2), 200: Rule(accuracy=96.7)}))
print(len(numbers), sorted(cvrpages.SVRT))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=DOCS)
    assert done.returncode == 0, done.stderr
    *page, last = done.stdout.strip().splitlines()
    text = "\n".join(page)
    count, _, problems = last.partition(" ")
    assert json.loads(problems) == list(range(1, 24))
    assert f"size and shape: {count}" in text
    assert (
        "size and shape: 81.2; shape and alone: 96.7" in text or "shape and alone: 96.7; size and shape: 81.2" in text
    )
    assert f"| shape | {int(count) + 2} |" in text
    assert "| 7 | six shapes are three pairs, or two triples | [rule_68](benchmarks/cvr-rules.md#rule_68) |" in text
    assert "the 1 rules of more than two" in text
