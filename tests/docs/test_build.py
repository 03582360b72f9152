"""The site can be built, and its links lead somewhere."""

from __future__ import annotations

import json
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


def test_measured_speed_becomes_a_page(tmp_path: Path) -> None:
    row = {"name": "headline", "task": "cogitao/c1-1", "split": "train", "microseconds": 50.0, "per_second": 2e4}
    row |= {"published_ms": 80.0, "ratio": 1600.0, "target": 1000.0}
    rate = {**row, "name": "unpublished", "published_ms": None, "ratio": None}
    measured = {"benchmark": "cogitao", "count": 10, "examples": [row, rate], "others": []}
    (tmp_path / "speed").mkdir()
    (tmp_path / "speed" / "cogitao.json").write_text(json.dumps(measured))
    program = f"import reference, pathlib; print(dict(reference.pages(pathlib.Path({str(tmp_path)!r})))['speed'])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=DOCS)
    assert "| headline | `cogitao/c1-1` train | 50 | 80 | 1,600 | 1,000 |" in done.stdout
    assert "| unpublished | `cogitao/c1-1` train | 50 |  |  | 1,000 / s |" in done.stdout
