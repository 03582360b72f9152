"""The public face: `import unseen`."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import unseen
from unseen.core.catalogue import BENCHMARKS, EXTRA_ROWS
from unseen.core.errors import SpecError, UnseenError


@pytest.fixture
def tidy() -> Iterator[None]:
    """Forget what a test registered."""
    yield
    BENCHMARKS.remove("mine")
    EXTRA_ROWS.clear()


def test_benchmarks_are_found_by_attribute_without_an_import_of_their_own() -> None:
    program = "import unseen; print(unseen.benchmarks.cogitao.BENCHMARK.name, 'cogitao' in dir(unseen.benchmarks))"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "cogitao True\n"
    with pytest.raises(AttributeError, match="no attribute 'cogitoa'"):
        _ = unseen.benchmarks.cogitoa


def test_everything_public_is_there() -> None:
    assert all(hasattr(unseen, name) for name in unseen.__all__)


@pytest.mark.usefixtures("tidy")
def test_a_registered_benchmark_appears_with_its_tasks() -> None:
    unseen.register(replace(BENCHMARKS["cogitao"], name="mine"))
    assert "mine/c1-1" in unseen.tasks()
    assert unseen.load("mine/c1-1", "test")[0].inputs["grid"].shape == (20, 20)


@pytest.mark.usefixtures("tidy")
def test_a_registered_task_appears_in_its_benchmark() -> None:
    row = replace(unseen.task("cogitao/c1-1").row, name="mine", aliases=())
    unseen.register(row, benchmark="cogitao")
    assert "cogitao/mine" in unseen.tasks("cogitao")
    with pytest.raises(SpecError, match="a task named 'mine' already"):
        unseen.register(row, benchmark="cogitao")


def test_registering_says_what_is_missing() -> None:
    row = unseen.task("cogitao/c1-1").row
    with pytest.raises(SpecError, match="say whose task 'c1-1' is"):
        unseen.register(row)
    with pytest.raises(SpecError, match="only a task row belongs to a benchmark"):
        unseen.register(BENCHMARKS["cogitao"], benchmark="cogitao")


# ---------------------------------------------------------------------------- packages that are functions too


@pytest.mark.parametrize("before", ["", "import unseen.results.scoring, unseen.predict.predictions; "])
def test_results_is_a_function_whether_or_not_its_package_was_imported(before: str) -> None:
    program = f"{before}import unseen; print(unseen.results('cogitao', records=['shipped']))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == f"{unseen.results('cogitao', records=['shipped'])!r}\n", done.stderr


def test_a_training_its_predictions_and_their_scores_are_three_calls(
    tiny: str, small_task: str, tmp_path: Path
) -> None:
    from unseen.train import Recipe  # puts the package in the place of the function

    run = unseen.train(small_task, tiny, recipe=Recipe(max_steps=2), out=tmp_path)
    assert repr(run) == f"<Tiny on {small_task}, seed 0: {run.folder}>"
    path = unseen.predict(run, "test")
    assert path == run.predictions_file("test")
    scores = unseen.score(small_task, "test", path)
    assert scores.keys() == set(unseen.task(small_task).metrics) - {"stubbornness"}  # which takes paired sets
    assert unseen.predict(run.folder, "val").is_file()


def test_a_package_that_is_called_says_what_it_is_called_with() -> None:
    import unseen.train

    assert list(inspect.signature(unseen.train.called).parameters)[:2] == ["task", "model"]


# ---------------------------------------------------------------------------- notebooks


def test_an_example_is_a_picture_and_has_a_short_name() -> None:
    example = unseen.load("cogitao/c1-1", "test_ood")[3]
    assert repr(example) == "<example 3 of cogitao/c1-1 test_ood>"
    shown = Image.open(BytesIO(example._repr_png_()))
    assert np.array_equal(np.asarray(shown), np.asarray(example.show()))


def test_a_data_set_shows_its_first_examples() -> None:
    text = unseen.load("cogitao/c1-1", "val")[10:]._repr_html_()
    assert "990 examples of cogitao/c1-1 val, seed 0: " in text
    assert [f"<figcaption>{index}</figcaption>" in text for index in (9, 10, 11, 12, 13)] == [False, *[True] * 3, False]
    assert unseen.load("cogitao/c1-1", "val")[:1]._repr_html_().count("<img") == 1


def test_scores_are_a_table() -> None:
    answers = [example.target["grid"] for example in unseen.load("cogitao/s2-rotate", "test")]
    text = unseen.score("cogitao/s2-rotate", "test", answers, metrics=["grid_accuracy"])._repr_html_()
    assert "1,000 answers to cogitao/s2-rotate test" in text
    assert "<td>grid_accuracy</td><td class=number>1</td><td class=number>0.996 to 1</td>" in text


def test_a_name_too_long_for_a_folder_and_reserved_words_are_refused_in_a_sentence():
    with pytest.raises(UnseenError, match="no benchmark"):
        unseen.load("x" * 300)
    with pytest.raises(UnseenError, match="name"):
        unseen.load("cogitao/c1-1", name="x")
