"""Studies: who sees what is balanced, reproducible, and as the file says; a file that cannot be is refused."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unseen.benchmarks.cvr import paper
from unseen.core.errors import DataError
from unseen.web.study import Study, read_study, shipped_studies, steps_of, tasks_of

CVR = shipped_studies()["cvr"]


def test_the_shipped_study_is_the_published_protocol() -> None:
    plan = steps_of(CVR, 0)
    trials = [step for step in plan if step["kind"] == "odd"]
    assert [step["kind"] for step in plan[:3]] == ["consent", "instructions", "quiz"]
    assert sum(step["block"] == -1 for step in trials) == 3
    assert Counter(step["block"] for step in trials if step["block"] >= 0) == dict.fromkeys(range(paper.BLOCKS), 21)
    assert sum(step["kind"] == "describe" for step in plan) == paper.BLOCKS
    assert len(CVR.tasks) == len(paper.HUMANS)
    assert not set(CVR.practice.tasks) & set(CVR.tasks)
    assert plan[-1]["kind"] == "debriefing"
    for block in range(paper.BLOCKS):
        assert len({step["item"][0] for step in trials if step["block"] == block}) == 1


@given(st.integers(0, 60))
def test_nobody_sees_a_task_or_an_example_twice(number: int) -> None:
    plan = [step for step in steps_of(CVR, number) if step["kind"] == "odd"]
    assert len(set(tasks_of(CVR, number))) == CVR.blocks
    items = [tuple(step["item"]) for step in plan]
    assert len(set(items)) == len(items)


@given(st.integers(1, 80))
def test_tasks_come_up_equally_often_give_or_take_one(people: int) -> None:
    counts = Counter(task for number in range(people) for task in tasks_of(CVR, number))
    every = [counts[task] for task in CVR.tasks]
    assert max(every) - min(every) <= 1


def test_steps_follow_from_study_number_and_seed_alone() -> None:
    assert steps_of(CVR, 5) == steps_of(replace(CVR), 5)
    assert steps_of(CVR, 5) != steps_of(CVR, 6)
    assert steps_of(CVR, 5) != steps_of(replace(CVR, seed=1), 5)


def test_so_many_people_validate_the_same_questions() -> None:
    study = shipped_studies()["covr-validate"]
    seen = [[step["item"][3] for step in steps_of(study, number) if "item" in step] for number in range(6)]
    assert seen[0] == seen[1] == seen[2] != seen[3] == seen[5]
    assert not set(seen[0]) & set(seen[3])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = 3", "title"),
        ('title = "x"\ntasks = ["cvr/shape"]\nblocks = 1\ntrials = 2\nblock = 3', "block"),
        ('title = "x"\ntasks = ["cvr/nothing"]\nblocks = 1\ntrials = 2', "no task named"),
        ('title = "x"\ntasks = ["cvr/shape"]\nblocks = 2\ntrials = 2', "blocks need as many"),
        ('title = "x"\nform = "validate"\ntasks = ["video/vmds"]\nblocks = 1\ntrials = 2', "is a video task"),
        ('title = "x"\ntasks = ["cvr/shape"]\nblocks = 1\ntrials = 0', "trials"),
        ('title = "x"\ntasks = ["cvr/shape"]\nblocks = 1\ntrials = 2\npool = 5000', "pool"),
        (
            'title = "x"\ntasks = ["cvr/shape"]\nblocks = 1\ntrials = 2\n'
            '[[quiz]]\nquestion="?"\noptions=["a"]\nanswer=1',
            "no option",
        ),
        ("= 3", "no TOML"),
    ],
)
def test_a_file_that_cannot_be_is_refused_in_a_sentence(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(DataError, match=said):
        read_study(path)


def test_a_study_is_named_after_its_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('title = "x"\ntasks = ["cvr/shape"]\nblocks = 1\ntrials = 2')
    assert read_study(path).name == "mine"
    assert isinstance(read_study(path), Study)
