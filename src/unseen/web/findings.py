"""Runs and reports of the results folder as pages of the site."""

from __future__ import annotations

import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from unseen.core.catalogue import BENCHMARKS
from unseen.core.errors import UnknownName
from unseen.web.respond import Form, check_open, page, site_of


def results(request: Request, form: Form) -> Response:
    """Return the benchmarks that have results, and the runs that are at hand."""
    from unseen.runs import find_runs

    found = find_runs(site_of(request).runs)
    names = [(folder.relative_to(site_of(request).runs).as_posix()) for folder in found]
    return page(request, "results.html", benchmarks=BENCHMARKS.values(), runs=names)


def of_benchmark(request: Request, form: Form) -> Response:
    """Return every record of a benchmark next to its published tables."""
    from unseen.report.summary import finding_section, left_out_section, results

    name = request.path_params["benchmark"]
    found = results(name, records=site_of(request).records)
    body = "\n".join((*map(finding_section, found.findings), left_out_section(found.left_out)))
    return page(request, "findings.html", benchmark=BENCHMARKS[name], body=body)


def run(request: Request, form: Form) -> Response:
    """Return the page of a run: what was trained, what it scored, what its answers look like."""
    from unseen.runs import find_runs

    site, asked = site_of(request), request.path_params["run"]
    # only what is found in the folder has a page, so that no address leads out of it
    folders = {folder.relative_to(site.runs).as_posix(): folder for folder in find_runs(site.runs)}
    if asked not in folders:
        raise UnknownName(f"there is no run {asked} in {site.runs}")
    folder = folders[asked]
    body, places = site.kept.get(("run", asked, _changed(folder)), lambda: site.scoring.call(run_body, folder))
    for place in places:
        check_open(request, *place)
    return page(request, "findings.html", benchmark=None, body=body)


def _changed(folder: Path) -> float:
    return max((one.stat().st_mtime for one in folder.iterdir()), default=0.0)


def run_body(folder: Path) -> tuple[str, list[tuple[str, str, int]]]:
    """The inside of a run's page, and of which examples it shows answers; these are scored, in a process of its own."""
    from unseen.report.page import run_page
    from unseen.results.record import score_run
    from unseen.runs import open_run

    run = open_run(folder)
    written = run_page(run, score_run(run))
    inside = re.search(r"<main>\n(.*)\n</main>", written, re.DOTALL)
    places = [(run.task.id, split, run.config.data_seed) for split in run.predictions]
    return (inside[1] if inside else written), places
