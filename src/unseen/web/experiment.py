"""Pages of studies: people come, go through their steps, and get a code; nothing that was acknowledged is lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, replace
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from unseen.core.errors import SpecError, UnknownName, unknown
from unseen.web import items, steps
from unseen.web.database import Session
from unseen.web.drawing import Address
from unseen.web.respond import Form, file, number_in, page, see, site_of
from unseen.web.safety import clean
from unseen.web.site import Site
from unseen.web.study import Step, Study, shuffled, steps_of

ARRIVAL = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")  # in the address that Prolific sends people to
AHEAD = 1  # trials whose images may be fetched before their turn


def studies(request: Request, form: Form) -> Response:
    """Return the studies that one can take part in."""
    return page(request, "studies.html", studies=site_of(request).studies.values())


def study_of(request: Request) -> Study:
    """Return the study that an address names."""
    known = site_of(request).studies
    name = request.path_params["study"]
    if name not in known:
        raise unknown("study", name, known)
    return known[name]


def arrive(request: Request, form: Form) -> Response:
    """Tell where people arrive: a word of welcome, and a button to begin or to go on."""
    site, study = site_of(request), study_of(request)
    given = request.query_params
    arrival = {name: clean(given[name])[:200] for name in ARRIVAL if name in given}
    simulate = "simulate" in given
    if simulate:
        site.tokens.check_admin(request)
    found = None if simulate else _found(site, study, request.state.visitor, arrival.get(ARRIVAL[0], ""))
    return page(request, "arrive.html", study=study, arrival=arrival, found=found, simulate=simulate)


def _found(site: Site, study: Study, visitor: str, person: str) -> Session | None:
    return site.database.resumable("study", study.name, visitor=visitor, person=person)


def begin(request: Request, form: Form) -> Response:
    """Begin, or go on where the same person was."""
    site, study = site_of(request), study_of(request)
    arrival = {name: clean(str(form[name]))[:200] for name in ARRIVAL if form.get(name)}
    person, visitor = arrival.get(ARRIVAL[0], ""), request.state.visitor
    simulated = "simulate" in form
    if simulated:
        site.tokens.check_admin(request)
    session = None if simulated else _found(site, study, visitor, person)
    if session is None:
        session = site.database.begin(
            "study",
            study.name,
            visitor=visitor,
            plan=lambda number: plan_of(site, study, number, visitor),
            person=person,
            arrival=arrival,
            code=study.completion_code,
            simulated=simulated,
        )
    return see(f"/study/{study.name}/{session.id}")


def plan_of(site: Site, study: Study, number: int, visitor: str) -> list[Step]:
    """Return the steps of a person; who checks paraphrases gets those of others that fewest have checked."""
    plan = steps_of(study, number, site.seed_of(study))
    if study.form != "check":
        return _askable(site, study, plan)
    waiting = paraphrases(site, study, visitor)
    if not waiting:
        raise SpecError("there is nothing to check yet: nobody else has written a question in their own words")
    checks = [{"kind": "check", "block": 0, "trial": k, **one} for k, one in enumerate(waiting[: study.trials])]
    first = next(k for k, step in enumerate(plan) if step["kind"] == "check")
    return [*plan[:first], *checks, *(step for step in plan[first:] if step["kind"] != "check")]


def _askable(site: Site, study: Study, plan: list[Step]) -> list[Step]:
    """Put others of the pool in place of examples that cannot be asked, and leave steps out where none are left."""
    instead: dict[Address, Address | None] = {}
    for form in items.VIEWS:
        every = dict.fromkeys(Address(*step["item"]) for step in plan if step["kind"] == form)
        for task in dict.fromkeys(one.task for one in every):
            wanted = [one for one in every if one.task == task]
            pool = [replace(wanted[0], index=index) for index in shuffled(study, range(study.pool), "instead", task)]
            spare = [one for one in pool if one not in every]
            asked = site.studying.call(items.askable, [*wanted, *spare], form, len(wanted))
            others = (one for one in asked if one not in every)
            instead |= {one: one if one in asked else next(others, None) for one in wanted}
    return list(_with(instead, plan))


def _with(instead: dict[Address, Address | None], plan: list[Step]) -> Iterator[Step]:
    """The steps of a plan, some of them about other examples."""
    for step in plan:
        item = Address(*step["item"]) if "item" in step else None
        if item not in instead:
            yield step
        elif found := instead[item]:
            yield {**step, "item": list(astuple(found))}


def paraphrases(site: Site, study: Study, visitor: str) -> list[Step]:
    """Return what others wrote in their own words, those first that fewest have checked."""
    times: dict[tuple[str, int], int] = {}
    for session in site.database.sessions("study", study.name):
        for step in session.plan:
            if step["kind"] == "check":
                times[step["by"], step["at"]] = times.get((step["by"], step["at"]), 0) + 1
    found = []
    for session in site.database.sessions("study", study.of):
        if session.visitor == visitor or session.simulated:
            continue
        for position, answer in site.database.answers(session.id).items():
            step = session.plan[position]
            if step["kind"] == "paraphrase":
                about = {"item": step["item"], "paraphrase": answer.response["text"], "by": session.id, "at": position}
                found.append((times.get((session.id, position), 0), session.number, position, about))
    return [about for *_, about in sorted(found, key=lambda one: one[:3])]


def opened(request: Request) -> tuple[Site, Study, Session]:
    """Return the session that an address names."""
    site, study = site_of(request), study_of(request)
    session = site.database.session(request.path_params["session"])
    if (session.purpose, session.subject) != ("study", study.name):
        raise UnknownName("this session is of another study")
    return site, study, session


def run(request: Request, form: Form) -> Response:
    """Return the page on which a person goes through their steps."""
    _, study, session = opened(request)
    return page(request, "experiment.html", study=study, session=session)


def state(request: Request, form: Form) -> Response:
    """Tell where a person is, and the steps that are left."""
    site, study, session = opened(request)
    position = site.database.position(session.id)
    left = [steps.told(study, step) for step in session.plan[position:]]
    about: dict[str, Any] = {
        "position": position,
        "steps": left,
        "of": len(session.plan),
        "fixation": study.fixation,
        "feedback": study.feedback,
        "least_width": study.least_width,
        "simulate": session.simulated,
    }
    if position >= len(session.plan):
        about |= completion(study, session)
    return JSONResponse(about)


def completion(study: Study, session: Session) -> dict[str, str]:
    """Return the code that says that a person is done, and where to go with it."""
    return {"code": session.code, "link": study.completion_link.replace("{code}", session.code)}


def respond(request: Request, form: Form) -> Response:
    """Store the response to the step a person is at, and acknowledge it once it is on the disk."""
    site, study, session = opened(request)
    position = number_in(request, "position")
    if position >= len(session.plan) or not site.database.has_reached(session.id, position):
        raise SpecError("the steps of a study are taken in their order")
    step = session.plan[position]
    response, done = steps.read_response(site, study, step, form)
    if step["kind"] == "about":
        site.database.tell(session.id, steps.read_facts(study, form.get("facts")))
    stored = site.database.store(session.id, position, response, done=done or session.simulated)
    about: dict[str, Any] = {"stored": position, "again": not stored.done}
    if stored.done:
        about |= steps.learned(site, study, session.plan, position)
    if stored.done and position + 1 == len(session.plan):
        site.database.finish(session.id)
        about |= completion(study, session)
    return JSONResponse(about)


def item(request: Request, form: Form) -> Response:
    """Return what is shown of an item whose turn has come."""
    site, _, session = opened(request)
    return JSONResponse(steps.shown(site, _reached(site, session, number_in(request, "position"), ahead=0)))


def picture(request: Request, form: Form) -> Response:
    """Return an image of an item, under an address that says nothing about it, and not long before its turn."""
    site, _, session = opened(request)
    step = _reached(site, session, number_in(request, "position"), ahead=AHEAD)
    return file(steps.item_of(site, step).shown.picture(number_in(request, "number")), forever=True)


def _reached(site: Site, session: Session, position: int, *, ahead: int) -> Step:
    """The step at a position, if it has an item and its turn has come, or comes within so many items."""
    if position >= len(session.plan) or session.plan[position]["kind"] not in steps.ITEM_STEPS:
        raise UnknownName("there is nothing to see at this step")
    if not site.database.has_reached(session.id, position):
        here = site.database.position(session.id)
        if sum(step["kind"] in steps.ITEM_STEPS for step in session.plan[here:position]) > ahead:
            raise UnknownName("this step has not come yet")
    return session.plan[position]
