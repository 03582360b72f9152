"""Every program in docs/extend.md runs as it stands."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

TEXT = (Path(__file__).parents[2] / "docs" / "extend.md").read_text()
SECTIONS = {
    section.partition("\n")[0]: re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    for section in TEXT.split("\n## ")[1:]
    if "```python" in section
}
LONGEST = 40  # lines of code of an example: without empty lines, comments and docstrings


ENTRY_POINTS = """
[unseen.benchmarks]
dots = dots:BENCHMARK
[unseen.rules]
rule = a_cvr_rule
transformation = a_transformation
[unseen.tasks]
task = a_task
[unseen.metrics]
same_colors = a_metric:same_colors
[unseen.models]
one-convolution = a_model:OneConvolution
"""
USES = re.compile(r"\n(print\(|task = |unseen\.register\(same|MODELS\.add)")  # where a program has added what it adds
COMMANDS = """
unseen list dots
unseen list cvr
unseen list cogitao
unseen list cogitao --rules
unseen list --metrics
unseen list --models
unseen show dots/mirror --output dots.png
unseen generate dots/mirror --out data --workers 1
unseen verify data
unseen audit dots/mirror test --count 20
unseen list dots/mirror
unseen train dots/mirror --model one-convolution --steps 1 --data data
unseen predict runs/dots/mirror/one-convolution/seed-0 test
unseen score runs/dots/mirror/one-convolution/seed-0
unseen score runs/dots/mirror/one-convolution/seed-0 --metric same_colors
unseen results dots --html report
"""
LISTED = ("cvr/color-contact-2", "cogitao/turn-large", "drop_left_column", "same_colors", "one-convolution")


def written(title: str, folder: Path) -> list[str]:
    """Write the files of a section to a folder; returns its programs."""
    programs = []
    for block in SECTIONS[title]:
        file = re.match(r"# (\S+\.py)\n", block)
        if file:
            path = folder / file[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block)
        else:
            programs.append(block)
    return programs


def code_lines(program: str) -> int:
    """How many lines of a program are code.

    >>> code_lines('# one\\n\\ndef two():\\n    "Words."\\n    return 2')
    2
    """
    tree = ast.parse(program)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
            program = program.replace(ast.get_source_segment(program, node.body[0]) or "", "", 1)
    return sum(1 for line in program.splitlines() if line.strip() and not line.strip().startswith("#"))


@pytest.mark.parametrize("title", SECTIONS)
def test_an_example_is_short_and_runs_as_it_stands(title: str, tmp_path: Path, run_blocks: Any) -> None:
    programs = written(title, tmp_path)
    files = [block for block in SECTIONS[title] if block not in programs]  # of one package
    assert all(code_lines(program) <= LONGEST for program in ["\n".join(files), *programs])
    assert run_blocks([("python", program) for program in programs], tmp_path)


def test_what_a_package_adds_is_listed_and_works_in_every_command(tmp_path: Path, run_blocks: Any) -> None:
    installed, here = tmp_path / "installed", tmp_path / "here"
    written("A benchmark", installed)
    for title in ("A CVR rule", "A transformation", "A task", "A metric", "A model"):
        added = USES.split(SECTIONS[title][0])[0]
        (installed / f"{title.lower().replace(' ', '_')}.py").write_text(added)
    here.mkdir()
    metadata = installed / "mine-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(ENTRY_POINTS)
    told = run_blocks([("sh", COMMANDS)], here, PYTHONPATH=str(installed))
    assert "Dots: mirror one dot" in told
    assert [name for name in LISTED if f"\n {name} " not in told] == []
    assert "35 examples checked, nothing wrong" in told
    assert "dots/mirror test: 5 predictions of one-convolution" in told
    assert (here / "results/dots/mirror/one-convolution-seed-0.json").is_file()
    assert "Lost dots. Dots that were put elsewhere, in percent." in told
    assert "<h2>Lost dots</h2>" in (here / "report/index.html").read_text()


def test_there_is_an_example_of_everything_that_can_be_added() -> None:
    for thing in (
        "transformation",
        "CVR rule",
        "color pattern",
        "object library",
        "task",
        "metric",
        "model",
        "benchmark",
    ):
        assert any(title.endswith(f" {thing}") for title in SECTIONS), thing
