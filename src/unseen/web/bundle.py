"""A study as a folder of files, for those who have no server of their own: a component for JATOS, or any web space.

folder/
    index.html
    static/                 scripts and style sheets
    people/0/plan.json      the steps of a person, with the right answers, which a page without a server has to know
    people/0/*.png
"""

from __future__ import annotations

import json
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

from unseen.core.errors import SpecError
from unseen.core.files import write_whole
from unseen.web import steps
from unseen.web.experiment import plan_of
from unseen.web.respond import templates
from unseen.web.site import Site
from unseen.web.study import Step, Study

MOST_PEOPLE = 1000
SUBMIT = ("jatos", "datapipe")
DATAPIPE = "https://pipe.jspsych.org/api/data/"


def bundle_study(site: Site, study: Study, folder: Path, *, people: int, submit: str) -> Path:
    """Write a study for so many people; `submit` is `jatos`, or `datapipe:` and the id of an experiment there."""
    kind, _, experiment = submit.partition(":")
    if kind not in SUBMIT or (kind == "datapipe") != experiment.isalnum():
        raise SpecError(f"answers go to jatos or to datapipe:EXPERIMENT, not to {submit!r}")
    if study.form == "check" or not 1 <= people <= MOST_PEOPLE:
        raise SpecError(
            f"a bundle is for 1 to {MOST_PEOPLE} people, and of a study whose steps need no other people's answers"
        )
    for number in range(people):
        _write_person(site, study, number, folder / "people" / str(number))
    static = Path(str(files("unseen.web") / "static"))
    shutil.copytree(static, folder / "static", dirs_exist_ok=True)
    write_whole(folder / "static" / "report.css", files("unseen.report").joinpath("style.css").read_bytes())
    page = (
        templates()
        .get_template("bundle.html")
        .render(study=study, kind=kind, experiment=experiment, pipe=DATAPIPE, people=people)
    )
    write_whole(folder / "index.html", page.encode())
    return folder / "index.html"


def _write_person(site: Site, study: Study, number: int, folder: Path) -> None:
    plan = plan_of(site, study, number, visitor="")
    about = {
        "fixation": study.fixation,
        "feedback": study.feedback,
        "least_width": study.least_width,
        "simulate": False,
    }
    code = study.completion_code or site.tokens.derived("bundle", study.name, str(number))[:8].upper()
    told = [_step(site, study, plan, at, folder) for at in range(len(plan))]
    link = study.completion_link.replace("{code}", code)
    write_whole(folder / "plan.json", json.dumps({"about": about, "steps": told, "code": code, "link": link}).encode())


def _step(site: Site, study: Study, plan: list[Step], at: int, folder: Path) -> dict[str, Any]:
    """A step with all that the page must know of it, and its images beside it."""
    step = plan[at]
    found: dict[str, Any] = {"told": steps.told(study, step), "about": {"kind": step["kind"], **_place(step)}}
    if step["kind"] == "quiz":
        found["answers"] = [one.answer for one in study.quiz]
    if step["kind"] in steps.ITEM_STEPS:
        images = steps.item_of(site, step).shown.pictures
        found["images"] = [f"{at}-{k}.png" for k in range(len(images))]
        for name, image in zip(found["images"], images, strict=True):
            write_whole(folder / name, image)
        found["shown"] = steps.shown(site, step)
    return {**found, **steps.learned(site, study, plan, at)}


def _place(step: Step) -> dict[str, Any]:
    return {name: step[name] for name in ("item", "block", "trial") if name in step}
