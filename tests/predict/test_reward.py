"""Every example is a reward, and an environment of other libraries; a curriculum follows the learner."""

from __future__ import annotations

import pickle
import random

import pytest

import unseen
from unseen.core.asking import Manner, form_of
from unseen.core.errors import SpecError
from unseen.predict.curriculum import Curriculum, levels
from unseen.predict.environments import ReasoningGym, grpo_reward, grpo_rows, said
from unseen.predict.item import item_of
from unseen.predict.language.message import chat, message
from unseen.predict.reward import Reward


def test_asking_gives_what_a_test_asks():
    example = unseen.load("cvr/shape", "test")[3]
    item = item_of(example, Manner(rule=True))
    assert unseen.ask(example, rule=True) == chat(message(item.parts, item.manner))


def test_a_reward_is_a_number_with_a_reason():
    example = unseen.load("svib/dsprites-sa", "test")[0]
    right = '[{"color": "%s", "shape": "%s", "size": "%s"}, {"color": "%s", "shape": "%s", "size": "%s"}]'
    form = form_of(example.task.benchmark, "factors")
    looks = form.truth(example)
    words = [look[factor] for look in looks for factor in ("color", "shape", "size")]
    assert unseen.reward(example, right % tuple(words), form="factors") == 1
    other = next(one for one in ("green", "magenta", "blue", "orange") if one not in (words[0], words[3]))
    found = unseen.reward(example, right % (other, *words[1:]), form="factors")
    assert 0 < found < 1
    assert found.reason.startswith(f"named_factors is {float(found):.3g}; the right answer is [")
    assert pickle.loads(pickle.dumps(found)).reason == found.reason


def test_a_score_below_zero_is_a_reward_of_nothing():
    video = unseen.load("video/vmds", "test")[0]
    frames = video.record.frames
    nowhere = [[[0, 0, 1, 1]] * frames] * 9
    found = unseen.reward(video, str(nowhere), form="boxes")
    assert found == 0
    assert isinstance(found, Reward)


def test_a_reward_reads_text_and_nothing_else():
    with pytest.raises(SpecError, match="an answer is a text, not a int"):
        unseen.reward(unseen.load("cvr/shape", "test")[0], 3)


def test_rows_and_rewards_have_the_form_of_grpo():
    examples = unseen.load("cvr/shape", "train", seed=5)[10:14]
    rows = list(grpo_rows(examples))
    assert {len(row["images"]) for row in rows} == {4}
    assert rows[0]["images"][0].size == (128, 128)
    marks = [part["type"] for part in rows[0]["prompt"][0]["content"]]
    assert marks == ["text", "image"] * 4
    columns = {name: [row[name] for row in rows] for name in ("task", "split", "index", "data_seed")}
    right = [str(example.record.odd + 1) for example in examples]
    chats = [[{"role": "assistant", "content": text}] for text in right]
    function = grpo_reward()
    assert function(prompts=rows, completions=chats, completion_ids=None, **columns) == [1.0] * 4
    assert function(prompts=rows, completions=["?", *right[1:]], **columns) == [0.0, 1.0, 1.0, 1.0]
    assert function.__name__ == "unseen_reward"


def test_texts_without_images_are_plain_prompts():
    (row,) = grpo_rows(unseen.load("cogitao/c1-1", "train")[:1])
    assert isinstance(row["prompt"][0]["content"], str)
    assert "images" not in row


def test_the_text_of_a_completion_is_found():
    assert said([{"role": "assistant", "content": [{"type": "text", "text": "2"}]}]) == "2"
    assert said([]) == ""


@pytest.mark.parametrize("task", ["cogitao/c1-1", "covr/iid", "cvr/shape"])
def test_a_split_is_a_data_set_of_reasoning_gym(task):
    gym = ReasoningGym(task, "train", size=5, seed=1)
    for number, entry in enumerate(gym):
        assert entry.keys() == {"question", "answer", "metadata"}
        assert (entry["metadata"]["source_index"], entry["metadata"]["seed"]) == (number, 1)
        assert gym.score_answer(entry["answer"], entry) == 1.0
        assert gym.score_answer("none of this", entry) == 0.0
        assert gym.score_answer(None, entry) == 0.0
        assert ("messages" in entry["metadata"]) == (task != "cogitao/c1-1")
    with pytest.raises(IndexError):
        gym[5]


# ---------------------------------------------------------------------------- curriculum


def learner(course, skill, steps, seed=0):
    """Answer examples, rightly as often as a skill says; gives how often each level was drawn."""
    rng, drawn = random.Random(seed), {level.task.id: 0 for level in course.levels}
    for _ in range(steps):
        example = course.draw()
        drawn[example.task.id] += 1
        course.reward(example, float(rng.random() < skill[example.task.id]))
    return list(drawn.values())


TASKS = levels("cogitao/custom", depth=[1, 2, 3], grid=[10, 12, 16], transformations=["translate_up,rot90"] * 3)


def test_a_level_opens_when_the_one_before_is_solved():
    course = Curriculum(TASKS)
    assert len(course.open) == 1
    learner(course, dict.fromkeys(TASKS, 0.0), 100)
    assert len(course.open) == 1
    learner(course, dict.fromkeys(TASKS, 1.0), 300)
    assert len(course.open) == 3


def test_what_is_half_solved_is_drawn_most():
    course = Curriculum(TASKS, opens_at=0.4)
    learner(course, dict.fromkeys(TASKS, 1.0), 200)
    easy, middle, hard = learner(course, dict(zip(TASKS, (1.0, 0.5, 0.0), strict=True)), 600)
    assert middle > 2 * easy
    assert middle > 2 * hard
    assert min(easy, hard) > 0  # a change would be noticed


def test_no_example_of_a_level_is_drawn_twice_and_the_seed_decides_all():
    one, other, third = (Curriculum(TASKS, seed=seed) for seed in (3, 3, 4))
    drawn = [[course.draw() for _ in range(20)] for course in (one, other, third)]
    assert len({example.index for example in drawn[0]}) == 20
    assert [example.index for example in drawn[0]] == [example.index for example in drawn[1]]
    assert drawn[0][0].record != drawn[2][0].record


@pytest.mark.parametrize(("tasks", "options"), [([], {}), (TASKS, {"opens_at": 1.5}), (TASKS, {"tries": 0})])
def test_a_curriculum_that_cannot_be_is_refused(tasks, options):
    with pytest.raises(SpecError, match="a curriculum has a level at least"):
        Curriculum(tasks, **options)


def test_paths_have_as_many_values_of_every_option():
    with pytest.raises(SpecError, match="one value of every option for each level, and depth has 2, grid has 1"):
        levels("cogitao/custom", depth=[1, 2], grid=[8])
    with pytest.raises(SpecError, match="is no level of this curriculum"):
        Curriculum(TASKS).reward(unseen.load("cvr/shape", "train")[0], 1.0)
