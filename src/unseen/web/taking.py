"""Take the test: a few items of any task, one after the other, and in the end one's score beside others'."""

from __future__ import annotations

import json
import random
from dataclasses import astuple
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from unseen.core.analysis import IN, OUT
from unseen.core.catalogue import BENCHMARKS
from unseen.core.catalogue import task as task_named
from unseen.core.errors import SpecError, UnknownName, UnseenError
from unseen.core.task import Benchmark, Task
from unseen.web import answers, items, judging
from unseen.web.database import Session, steps_answered
from unseen.web.drawing import Address
from unseen.web.items import Item
from unseen.web.respond import Form, check_open, file, number_in, page, see, site_of
from unseen.web.safety import open_task, whole
from unseen.web.site import Site

COUNTS = (5, 10, 20, 50)
MOST_ITEMS = 100
FIRST = 1000  # examples of a split that items are drawn from: those that models are asked first
LONGEST_NAME = 60


def choose(request: Request, form: Form) -> Response:
    """Choose a task to be tested in."""
    wanted = request.query_params
    given = wanted.get("task", "")
    chosen = open_task(given) if given else None
    names = [wanted["benchmark"]] if wanted.get("benchmark") in BENCHMARKS else list(BENCHMARKS)
    if chosen:
        names = [chosen.benchmark.name]
    tasks = {name: [f"{name}/{row.name}" for row in BENCHMARKS[name].rows] for name in names}
    return page(
        request,
        "choose.html",
        chosen=chosen,
        tasks=tasks,
        firsts=[_first(one) for one in BENCHMARKS.values() if one.example and one.name in names],
        forms=items.forms_of(chosen) if chosen else (),
        splits=_splits(chosen) if chosen else (),
        counts=COUNTS,
        spelled=items.SPELLED,
    )


def _first(benchmark: Benchmark) -> tuple[Benchmark, str, str]:
    """A benchmark with the task that it is shown by, and what one does in it."""
    name = f"{benchmark.name}/{benchmark.example.partition(' ')[0]}"
    return benchmark, name, items.SPELLED[items.forms_of(task_named(name))[0]]


def _splits(task: Task) -> list[str]:
    """The splits of a task, what is held out first and what is trained on last."""
    return sorted(task.splits, key=lambda name: (name != OUT, name != IN, name == "train"))


def begin(request: Request, form: Form) -> Response:
    """Begin a test."""
    task = open_task(str(form.get("task", "")))
    split = str(form.get("split") or _splits(task)[0])
    size = task.split(split).size
    check_open(request, task.id, split, 0)
    how = str(form.get("form") or items.forms_of(task)[0])
    if how not in items.forms_of(task):
        raise UnknownName(f"{task.id} cannot be asked in the form {how!r}")
    count = whole(form.get("count") or COUNTS[1])
    if count is None or not 1 <= count <= MOST_ITEMS:
        raise SpecError(f"a test has 1 to {MOST_ITEMS} items")
    order = random.SystemRandom().sample(range(min(FIRST, size)), min(FIRST, size))
    every = [Address(task.id, split, 0, index) for index in order]
    chosen = site_of(request).drawing.call(items.askable, every, how, count)
    if not chosen:
        raise SpecError(f"no example of {task.id} {split} can be asked in the form {how}")
    plan = [{"kind": "item", "form": how, "item": list(astuple(address))} for address in chosen]
    session = site_of(request).database.begin("test", task.id, visitor=request.state.visitor, plan=plan)
    return see(f"/test/{session.id}")


def opened(request: Request) -> Session:
    """Return the test that an address names."""
    session = site_of(request).database.session(request.path_params["session"])
    if session.purpose != "test":
        raise UnknownName("this is no test")
    return session


def item_of(site: Site, step: dict[str, Any]) -> Item:
    """Return the item of a step."""
    return site.drawn(items.item, Address(*step["item"]), step["form"])


def show(request: Request, form: Form) -> Response:
    """Return the item that is next; with `told`, the right answer of one that was answered."""
    site, session = site_of(request), opened(request)
    position = site.database.position(session.id)
    told = whole(request.query_params.get("told"))
    if told is not None and told < position:
        return _tell(request, site, session, told, position)
    if position >= len(session.plan):
        return see(f"/test/{session.id}/end")
    step = session.plan[position]
    found = item_of(site, step)
    task = task_named(session.subject)
    return page(
        request,
        "item.html",
        session=session,
        position=position,
        shown=found.shown,
        data=json.dumps(found.shown.painting),
        asked=items.SPELLED[step["form"]],
        task=task,
    )


def _tell(request: Request, site: Site, session: Session, told: int, position: int) -> Response:
    step, answer = session.plan[told], site.database.answers(session.id)[told]
    found = item_of(site, step)
    return page(
        request,
        "told.html",
        session=session,
        position=told,
        following=position,
        shown=found.shown,
        response=answer.response,
        truth=found.truth,
        told=found.told,
        right=answers.is_right(found, answer.response),
        data=json.dumps({**found.shown.painting, "grid": answer.response.get("grid"), "truth": found.truth}),
        address=Address(*step["item"]),
    )


def answer(request: Request, form: Form) -> Response:
    """Store the answer to an item; the first one counts, whatever the back button sends."""
    site, session = site_of(request), opened(request)
    position = whole(form.get("position"))
    if position is None or position >= len(session.plan):
        raise SpecError("this test has no such item")
    if not site.database.has_reached(session.id, position):
        raise SpecError("items are answered in their order")
    shown = item_of(site, session.plan[position]).shown
    site.database.store(session.id, position, answers.read_answer(shown, form))
    if position + 1 == len(session.plan):
        site.database.finish(session.id)
    return see(f"/test/{session.id}?told={position}")


def picture(request: Request, form: Form) -> Response:
    """Return an image of an item, under an address that says nothing about it; those to come are not given yet."""
    site, session = site_of(request), opened(request)
    position = number_in(request, "position")
    if position >= len(session.plan) or not site.database.has_reached(session.id, position):
        raise UnknownName("there is no such image yet")
    return file(item_of(site, session.plan[position]).shown.picture(number_in(request, "number")))


# ---------------------------------------------------------------------------- the end


def responses(site: Site, session: Session) -> dict[int, dict[str, Any]]:
    """Return the answers of a test by the index of their example."""
    found = steps_answered(session.plan, site.database.answers(session.id))
    return {step["item"][3]: answer.response for step, answer in found}


def own_predictions(site: Site, session: Session, name: str = "a person") -> bytes:
    """Return the answers of a test as a predictions file."""
    answered = responses(site, session)
    if not answered:
        raise SpecError("nothing has been answered yet")
    step = session.plan[0]
    task, split, seed, _ = step["item"]
    return site.drawing.call(answers.predictions_file, task, split, seed, step["form"], answered, name)


def end(request: Request, form: Form) -> Response:
    """One's score, beside those of models and of people on the very same items."""
    from unseen.report.takers import published_people

    site, session = site_of(request), opened(request)
    answered = responses(site, session)
    content = own_predictions(site, session)
    task, split, seed, _ = session.plan[0]["item"]
    indices = tuple(sorted(answered))
    scores = site.scoring.call(judging.judged, content, indices)
    models = [] if scores["form"] else site.scoring.call(judging.same_items, site.runs, task, split, seed, indices)
    return page(
        request,
        "end.html",
        session=session,
        task=task_named(task),
        split=split,
        scores=scores,
        answered=len(answered),
        models=models,
        others=_board(site, task, split, seed, scores["form"], indices),
        people=published_people(task_named(task), split),
        longest=LONGEST_NAME,
        items=[
            (Address(*step["item"]), scores["right"].get(step["item"][3])) for step in session.plan[: len(answered)]
        ],
    )


def _board(
    site: Site, task: str, split: str, seed: int, form: str, indices: tuple[int, ...]
) -> list[tuple[str, float]]:
    """What entries of the board score on some examples, those that answered them all."""
    scored = []
    for entry in site.database.entries():
        one = entry["files"].get(split)
        if entry["task"] != task or one is None or one["seed"] != seed or one["scores"]["form"] != form:
            continue
        try:
            found = _of_entry(site, entry, split, indices)
        except UnseenError:
            continue
        if found["count"] == len(indices):
            value = next(iter(found["metrics"].values()))
            scored.append((entry["name"], value["shown"] * value["value"]))
    return scored


def _of_entry(site: Site, entry: dict[str, Any], split: str, indices: tuple[int, ...]) -> dict[str, Any]:
    """The scores of an entry on some examples, worked out once."""

    def score() -> dict[str, Any]:
        return site.scoring.call(judging.judged, site.database.predictions(entry["id"], split), indices)

    return site.kept.get((judging.__name__, entry["files"][split]["digest"], indices), score)


def predictions(request: Request, form: Form) -> Response:
    """Return the answers as a predictions file, to keep and to score at home."""
    site, session = site_of(request), opened(request)
    return file(own_predictions(site, session), "application/vnd.apache.parquet", name="predictions.parquet")
