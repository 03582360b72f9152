"""Registries: names, suggestions, and what other people's installed packages bring."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from unseen.core.errors import SpecError, UnknownName
from unseen.core.registry import Registry


def test_a_name_is_taken_only_once():
    things: Registry[int] = Registry("thing")
    things.add("one", 1)
    with pytest.raises(SpecError, match="a thing named 'one' is registered already; choose another name"):
        things.add("one", 2)


def test_an_unknown_name_gets_the_nearest_one():
    things: Registry[int] = Registry("thing", listing="unseen list")
    things.add("rotate", 1)
    with pytest.raises(UnknownName, match=r"no thing named 'rotat'. Did you mean 'rotate'\? List them: unseen list"):
        things["rotat"]


def test_what_cannot_be_imported_is_one_sentence_and_the_rest_goes_on():
    things: Registry[int] = Registry("thing")
    things.add("good", 1)
    things.add_lazy("bad", "no_such_module:thing")
    assert list(things) == ["good", "bad"]
    with pytest.raises(UnknownName, match="the thing 'bad' is registered but cannot be imported: ModuleNotFoundError"):
        things["bad"]
    with pytest.warns(UserWarning, match="'bad' is registered but cannot be imported"):
        assert things.values() == [1]


ENTRY_POINTS = """\
[unseen.benchmarks]
broken = no_such_module:BENCHMARK

[unseen.metrics]
always_one = third_party:always_one

[unseen.rules]
third_party = third_party

[unseen.tasks]
third_party = third_party_tasks
broken = no_such_module
"""

RULES = '''
from unseen.benchmarks.cogitao.rules import transformation
from unseen.metrics import metric


@transformation(unless=("less_than_2_cols",))
def drop_left_column(cells):
    """Cut the leftmost column of the box away."""
    return cells[:, 1:], (0, 1)


@metric(kind="grid")
def always_one(target, prediction):
    """One, whatever is predicted."""
    return 1, 1
'''

TASKS = """
from unseen.benchmarks.cogitao.spec import Spec
from unseen.benchmarks.cogitao.splits import Setting, five
from unseen.core.catalogue import register_task
from unseen.core.task import Row

train, ood = Spec(sequences=(("drop_left_column",),)), Spec(sequences=(("drop_left_column", "rot90"),))
register_task("cogitao", Row("third-party", "a task of another package", lambda options: five(train, ood), Setting))
"""


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """An environment in which another package is installed: its modules, and its metadata as pip leaves it."""
    (tmp_path / "third_party.py").write_text(RULES)
    (tmp_path / "third_party_tasks.py").write_text(TASKS)
    metadata = tmp_path / "third_party-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: third-party\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(ENTRY_POINTS)
    source = str(Path(__file__).parents[2] / "src")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), source])}


def run(code: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)


def test_an_installed_package_brings_rules_tasks_and_metrics(installed):
    done = run(
        "import unseen; from unseen.metrics import METRICS\n"
        "task = unseen.task('cogitao/third-party')\n"
        "example = unseen.load('cogitao/third-party+in_context=1', 'test_ood')\n"
        "print(task.id, [len(s.spec.sequences) for s in task.splits.values()], 'always_one' in METRICS)\n"
        "print(METRICS['always_one'].kind, 'cogitao/third-party' in unseen.tasks())\n"
        "print(unseen.load('cogitao/custom', sequences='drop_left_column', objects=1)[0].record.sequence)",
        installed,
    )
    assert done.stdout.splitlines() == [
        "cogitao/third-party [1, 1, 1, 1, 1] True",
        "grid True",
        "('drop_left_column',)",
    ]


def test_a_metric_of_an_installed_package_is_listed_and_scores(installed, tmp_path):
    code = """
import unseen
from unseen.cli import main
from unseen.predict import write_predictions

task = unseen.task("cogitao/s2-rotate")
answers = [example.inputs["grid"] for example in unseen.load(task.id, "test")]
print(task.score("test", answers, metrics=["always_one"]), unseen.score(task, "test", answers, metrics=["always_one"]))
write_predictions("copies.parquet", task, "test", answers)
for words in ("list --metrics", "score cogitao/s2-rotate test copies.parquet --metric always_one"):
    try:
        main(words.split())
    except SystemExit as ended:
        print("ended with", ended.code)
"""
    command = [sys.executable, "-c", code]
    told = subprocess.run(command, capture_output=True, text=True, env=installed, cwd=tmp_path, check=True).stdout
    assert told.startswith("{'always_one': 1.0} {'always_one': 1.0}")
    assert told.count("ended with 0") == 2
    assert "One, whatever is predicted." in told
    assert "1,000 predictions of copies.parquet" in told


def test_a_package_that_fails_is_a_one_line_warning(installed):
    done = run("import unseen; print(len(unseen.tasks()) > 80)", installed)
    assert done.stdout.strip() == "True"
    assert "unseen.tasks 'broken' cannot be imported: ModuleNotFoundError" in done.stderr
    assert "Traceback" not in done.stderr


def test_listing_names_benchmarks_without_importing_them(installed):
    code = "import sys; from unseen.core.catalogue import BENCHMARKS as b; print([*b], 'third_party' in sys.modules)"
    assert run(code, installed).stdout.strip() == "['cogitao', 'cvr', 'svib', 'video', 'covr', 'broken'] False"


def test_names_stay_in_the_order_of_their_registration_whatever_is_imported_first():
    colors = Registry("color")
    for name in ("red", "green", "blue"):
        colors.add_lazy(name, "unseen.core.registry:Registry")
    assert colors["blue"] is Registry
    assert list(colors) == ["red", "green", "blue"]
