"""Take the test: every kind of task can be answered, answers stay what they were, and become a model's predictions."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

import unseen
from unseen.core.asking import form_of
from unseen.core.errors import SpecError
from unseen.predict import read_predictions
from unseen.web.answers import read_answer, regions
from unseen.web.drawing import Address
from unseen.web.items import Shown, item
from unseen.web.site import Site

TRUTH = {  # by form, the right answer to an example as a form sends it
    "odd": lambda example: {"choice": str(example.target["odd"])},
    "grid": lambda example: {"grid": json.dumps(example.target["grid"].tolist())},
    "question": lambda example: {"answer": f" {example.target['answer'].upper()} "},
    "choose": lambda example: {"choice": str(form_of(example.task.benchmark, "choose").truth(example))},
    "count": lambda example: {"count": str(form_of(example.task.benchmark, "count").truth(example))},
}
ASKED = {
    "choose": "svib/dsprites-sna",
    "count": "video/vmds",
    "odd": "cvr/inside",
    "grid": "cogitao/s1-rotate",
    "question": "covr/iid",
}


def begin(send, task: str, **how: str) -> str:
    answer = send("/test", {"task": task, "split": "test", "count": "2", **how}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


@pytest.mark.parametrize("form", ASKED)
def test_right_answers_score_everything_and_wrong_ones_nothing(client: TestClient, site: Site, send, form: str) -> None:
    path = begin(send, ASKED[form])
    session = site.database.session(path.rpartition("/")[2])
    for position, step in enumerate(session.plan):
        example = unseen.load(ASKED[form], "test")[step["item"][3]]
        assert client.get(path).status_code == 200
        told = send(path, {**TRUTH[form](example), "position": str(position)})
        assert ">Right<" in told.text
    end = client.get(f"{path}/end").text
    assert "<strong>100.0 %</strong>" in end


def test_answers_become_a_predictions_file_that_the_library_scores(
    client: TestClient, site: Site, send, tmp_path: Path
) -> None:
    path = begin(send, "cvr/inside")
    session = site.database.session(path.rpartition("/")[2])
    for position, choice in enumerate("01"):
        send(path, {"choice": choice, "position": str(position)})
    file = tmp_path / "mine.parquet"
    file.write_bytes(client.get(f"{path}/predictions.parquet").content)
    found = read_predictions(file)
    assert sorted(found.indices) == sorted(step["item"][3] for step in session.plan)
    assert unseen.score("cvr/inside", "test", file).count == 2
    truth = [unseen.load("cvr/inside", "test")[step["item"][3]].target["odd"] for step in session.plan]
    share = np.mean([one == given for one, given in zip(truth, (0, 1), strict=True)])
    assert unseen.score("cvr/inside", "test", file)["odd_accuracy"] == share


def test_the_first_answer_counts_whatever_the_back_button_sends(client: TestClient, site: Site, send) -> None:
    path = begin(send, "cvr/inside")
    session = path.rpartition("/")[2]
    send(path, {"choice": "1", "position": "0"})
    send(path, {"choice": "2", "position": "0"})
    assert site.database.answers(session)[0].response == {"choice": 1}
    assert site.database.position(session) == 1


def test_items_to_come_cannot_be_answered_or_looked_at(client: TestClient, send) -> None:
    path = begin(send, "cvr/inside")
    assert send(path, {"choice": "1", "position": "1"}).status_code == 400
    assert client.get(f"{path}/image/1/0").status_code == 404
    assert client.get(f"{path}/image/0/0").status_code == 200
    assert client.get(f"{path}/image/0/9").status_code == 404


@pytest.mark.parametrize("task", ["cvr/inside", "covr/iid", "cogitao/s1-rotate"])
def test_no_page_says_where_an_item_comes_from_or_what_its_answer_is(
    client: TestClient, site: Site, send, task: str
) -> None:
    path = begin(send, task)
    step = site.database.session(path.rpartition("/")[2]).plan[0]
    text = client.get(path).text
    assert Address(*step["item"]).path not in text
    assert f"/{step['item'][3]}" not in re.sub(r"/image/\d+/\d+", "", text)
    if task == "cogitao/s1-rotate":
        target = unseen.load(task, "test")[step["item"][3]].target["grid"].tolist()
        assert json.dumps(target) not in text.replace("&#34;", '"')


def test_the_four_images_are_drawn_and_sent_alike(client: TestClient, send) -> None:
    path = begin(send, "cvr/inside")
    answers = [client.get(f"{path}/image/0/{k}") for k in range(4)]
    headers = [
        {name: value for name, value in one.headers.items() if name not in ("content-length", "date")}
        for one in answers
    ]
    assert all(one == headers[0] for one in headers)
    chunks = [re.findall(rb"IHDR|PLTE|tEXt|tIME|IDAT|IEND", one.content) for one in answers]
    assert all(one == chunks[0] for one in chunks)  # nothing but pixels, in the same order


def middle(mask: np.ndarray) -> np.ndarray:
    """The pixel of an object where one would click."""
    places = np.argwhere(mask)
    return places[((places - places.mean(axis=0)) ** 2).sum(axis=1).argmin()]


def test_a_video_is_followed_by_clicks(client: TestClient, site: Site, send, tmp_path: Path) -> None:
    path = begin(send, "video/spmot", form="follow")
    session = site.database.session(path.rpartition("/")[2])
    marked = {}
    for position, step in enumerate(session.plan):
        example = unseen.load("video/spmot", "test")[step["item"][3]]
        ids = example.target["ids"]
        clicks = [
            [int(number), frame, int(x), int(y)]
            for frame in range(len(ids))
            for number in np.unique(ids[frame])
            if number
            for y, x in [middle(ids[frame] == number)]
        ]
        marked[example.index] = regions(example.inputs["frames"], clicks)
        assert send(path, {"clicks": json.dumps(clicks), "position": str(position)}).status_code == 200
    file = tmp_path / "mine.parquet"
    file.write_bytes(client.get(f"{path}/predictions.parquet").content)
    found = read_predictions(file)
    assert all(np.array_equal(ids, marked[index]) for index, ids in zip(found.indices, found.values, strict=True))
    assert (
        unseen.score("video/spmot", "test", file, metrics=["miou"])["miou"] > 0.7
    )  # sprites are blurred at their edges
    assert "mota" in client.get(f"{path}/end").text.lower()


def test_a_click_marks_what_has_its_color_and_hangs_together_with_it() -> None:
    frames = np.zeros((1, 5, 5, 3), np.uint8)
    frames[0, 1:3, 1:3] = 200
    frames[0, 4, 4] = 200
    assert regions(frames, [[7, 0, 1, 1]])[0].sum() == 4 * 7


@pytest.mark.parametrize(
    ("shown", "given"),
    [
        (Shown("odd"), {"choice": "4"}),
        (Shown("odd"), {}),
        (Shown("odd"), {"choice": True}),
        (Shown("question"), {"answer": " "}),
        (Shown("question"), {"answer": "x" * 201}),
        (Shown("grid", grid=[[0, 1]]), {"grid": "[[0]]"}),
        (Shown("grid", grid=[[0, 1]]), {"grid": "[[0, 10]]"}),
        (Shown("grid", grid=[[0, 1]]), {"grid": "[" * 5000}),
        (Shown("follow", frames=2, size=8), {"clicks": "[[1, 2, 0, 0]]"}),
        (Shown("follow", frames=2, size=8), {"clicks": "{}"}),
        (Shown("count"), {"count": "-1"}),
    ],
)
def test_what_cannot_be_an_answer_is_refused(shown: Shown, given: dict[str, object]) -> None:
    with pytest.raises(SpecError):
        read_answer(shown, given)


def test_people_of_the_paper_stand_beside_ones_score(client: TestClient, send) -> None:
    path = begin(send, "cvr/shape", count="1")
    send(path, {"choice": "1", "position": "0"})
    assert "People, as published" in client.get(f"{path}/end").text


def test_models_stand_beside_ones_score_on_the_very_same_items(client: TestClient, site: Site, send, make_run) -> None:
    make_run(right={"test": 1000}, answered=1000)
    path = begin(send, "cogitao/s2-translate", count="1")
    step = site.database.session(path.rpartition("/")[2]).plan[0]
    grid = np.zeros_like(unseen.load("cogitao/s2-translate", "test")[step["item"][3]].target["grid"])
    send(path, {"grid": json.dumps(grid.tolist()), "position": "0"})
    text = client.get(f"{path}/end").text
    assert re.search(r"<td>resnet</td><td>the very same</td><td class=\"number\">100.0</td>", text)


def test_an_item_keeps_what_is_shown_and_what_is_true_apart() -> None:
    found = item(Address("covr/iid", "test", 0, 3), "question")
    assert found.truth not in (found.shown.text, *found.shown.images)
