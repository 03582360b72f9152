"""The steps of a study: what a page is told of each, how a response is read, and what a person learns after it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unseen.core.catalogue import task as task_named
from unseen.core.errors import SpecError
from unseen.web import answers, items
from unseen.web.drawing import Address
from unseen.web.items import Item
from unseen.web.safety import clean
from unseen.web.site import Site
from unseen.web.study import Step, Study

ITEM_STEPS = (*items.SPELLED, "validate", "paraphrase", "check")  # a test's forms, and what is done to questions
MOST_TEXT = 2000  # characters of anything that people write
SLOWEST = 24 * 3600 * 1000  # milliseconds
ANNOUNCED = {
    "practice": "First come a few trials to practice on.",
    "block": "Block {number} of {of} begins.",
    "rule": "Block {number} of {of} begins. It follows a new rule.",
}


def item_of(site: Site, step: Step) -> Item:
    """Return the item of a step."""
    form = step["kind"] if step["kind"] in items.SPELLED else items.forms_of(task_named(step["item"][0]))[0]
    return site.drawn(items.item, Address(*step["item"]), form, by=site.studying)


def told(study: Study, step: Step) -> dict[str, Any]:
    """Return what the page of a study knows of a step before it comes: nothing of its item."""
    kind = step["kind"]
    about: dict[str, Any] = {"kind": kind}
    if kind == "consent":
        about["text"] = study.consent.strip()
    elif kind == "instructions":
        about["pages"] = study.instructions
    elif kind == "quiz":
        about["questions"] = [{"question": one.question, "options": one.options} for one in study.quiz]
    elif kind == "announce":
        practice = step["text"] == "practice"
        number = {} if practice else {"number": step["block"] + 1, "of": step["of"]}
        about["text"] = ANNOUNCED[step["text"]].format(**number)
    elif kind == "describe":
        about["text"] = study.describe
    elif kind == "pause":
        about["text"] = study.pause
    elif kind == "about":
        about["questions"] = [
            {"name": one.name, "question": one.question, "required": one.required} for one in study.questions
        ]
    elif kind == "debriefing":
        about["text"] = study.debriefing.strip()
    elif kind in ITEM_STEPS:
        about |= {"practice": step["block"] < 0, "trial": step["trial"]}
    return about


def shown(site: Site, step: Step) -> dict[str, Any]:
    """Return what is shown of an item when its step has come; with its answer where that is to be validated."""
    found = item_of(site, step)
    seen = found.shown
    about: dict[str, Any] = {
        "text": seen.text,
        "words": seen.words,
        "images": len(seen.pictures),
        "solved": len(seen.solved),
        "painting": seen.painting,
        "frames": seen.frames,
        "size": seen.size,
    }
    if step["kind"] == "validate":
        about["answer"] = found.told
    if step["kind"] == "check":
        about["paraphrase"] = step["paraphrase"]
    return about


def read_response(site: Site, study: Study, step: Step, given: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """Return a response, checked, and whether the step is done with it; what cannot be a response is refused."""
    kind = step["kind"]
    if kind == "consent":
        if given.get("agreed") is not True:
            raise SpecError("without consent the study cannot begin")
        return {"agreed": True}, True
    if kind == "quiz":
        chosen = given.get("answers")
        if (
            not isinstance(chosen, list)
            or len(chosen) != len(study.quiz)
            or not all(type(one) is int for one in chosen)
        ):
            raise SpecError("a quiz has one answer for each of its questions")
        return {"answers": chosen}, chosen == [one.answer for one in study.quiz]
    times = {name: _milliseconds(given[name]) for name in ("rt", "fixation") if name in given}
    if kind in items.SPELLED:
        return {**answers.read_answer(item_of(site, step).shown, given), **times}, True
    if kind == "confidence":
        value = given.get("confidence")
        if type(value) is not int or not 0 <= value <= 100:
            raise SpecError("a confidence is a number from 0 to 100")
        return {"confidence": value, **times}, True
    if kind in ("describe", "paraphrase"):
        return {"text": _text(given.get("text"), needed=kind == "paraphrase"), **times}, True
    if kind == "validate":
        answerable, right = given.get("answerable"), given.get("right")
        if type(answerable) is not bool or (answerable and type(right) is not bool):
            raise SpecError("say whether the question can be answered, and if so, whether its answer is right")
        about = {"answerable": answerable, "right": right if answerable else None}
        return {**about, "comment": _text(given.get("comment")), **times}, True
    if kind == "check":
        same, good = given.get("same"), given.get("good")
        if type(same) is not bool or type(good) is not bool:
            raise SpecError("say whether both ask the same, and whether it is good English")
        return {"same": same, "good": good, **times}, True
    return times, True  # announcements, pauses, questions about the person, the end


def read_facts(study: Study, given: Any) -> dict[str, str]:
    """Return what a person says of themselves: only what the study's file asks for."""
    if not isinstance(given, dict):
        raise SpecError("what a person says of themselves is a JSON object")
    facts = {}
    for one in study.questions:
        text = _text(given.get(one.name))
        if one.required and not text:
            raise SpecError(f"please answer: {one.question}")
        facts[one.name] = text
    return facts


def learned(site: Site, study: Study, plan: list[Step], position: int) -> dict[str, Any]:
    """Return what a person learns once a step is stored: the right answer, after the last step of its trial."""
    step = plan[position]
    following = plan[position + 1] if position + 1 < len(plan) else {}
    if not study.feedback or step.get("item") is None or following.get("item") == step["item"]:
        return {}
    found = item_of(site, step)
    return {"truth": found.truth, "spelled": found.told}


def _text(value: Any, *, needed: bool = False) -> str:
    text = clean(value).strip() if isinstance(value, str) else ""
    if len(text) > MOST_TEXT or (needed and not text):
        raise SpecError(f"a text has {'1 to' if needed else 'at most'} {MOST_TEXT} characters")
    return text


def _milliseconds(value: Any) -> float | None:
    if value is None:
        return None
    if type(value) not in (int, float) or not 0 <= value <= SLOWEST:
        raise SpecError("a time is a number of milliseconds")
    return round(float(value), 1)
