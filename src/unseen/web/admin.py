"""For whoever runs the site: who is where in which study, data to take home, and the board."""

from __future__ import annotations

import hmac

from starlette.requests import Request
from starlette.responses import Response

from unseen.core.errors import SpecError
from unseen.web.experiment import study_of
from unseen.web.respond import Form, file, page, see, site_of
from unseen.web.safety import ADMIN, Refused


def overview(request: Request, form: Form) -> Response:
    """Studies with their sessions; the token in the address becomes a cookie."""
    site = site_of(request)
    given = request.query_params.get("token")
    if given is not None:
        if not hmac.compare_digest(given.encode(), site.tokens.admin.encode()):
            raise Refused("this token is not the one that `unseen serve` printed")
        answer = see("/admin")
        answer.set_cookie(
            ADMIN, given, httponly=True, samesite="strict", secure=request.url.scheme == "https", max_age=30 * 86400
        )
        return answer
    site.tokens.check_admin(request)
    rows = []
    for study in site.studies.values():
        sessions = site.database.sessions("study", study.name)
        done = sum(one.finished is not None for one in sessions)
        rows.append((study, len(sessions), done, [(one, site.database.position(one.id)) for one in sessions]))
    return page(request, "admin.html", studies=rows)


def download(request: Request, form: Form) -> Response:
    """Return all data of a study as one file, for whoever runs it."""
    from unseen.web.study_data import packed_study

    site = site_of(request)
    site.tokens.check_admin(request)
    study = study_of(request)
    return file(packed_study(site, study), "application/zip", name=f"{study.name}.zip")


def forget(request: Request, form: Form) -> Response:
    """Remove a person."""
    site = site_of(request)
    site.tokens.check_admin(request)
    id = str(form.get("id", "")).strip()
    if not id:
        raise SpecError("say whom to forget: the id that they came with, or study/number")
    count = site.database.forget(id)
    return page(request, "error.html", title="Forgotten", sentence=f"{count} sessions of {id} were removed.")
