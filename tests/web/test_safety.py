"""What a stranger sends cannot do harm: headers, forms from elsewhere, bodies without end, ways out of a folder."""

from __future__ import annotations

import asyncio
import re
import threading
from dataclasses import replace
from pathlib import Path

import httpx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from markupsafe import escape
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

import unseen
import unseen.web
from unseen.core.errors import UnseenError
from unseen.engines.bounded import GIBIBYTE, Bounded
from unseen.predict import write_predictions
from unseen.web.database import Database
from unseen.web.judging import judged
from unseen.web.respond import Threads, endpoint
from unseen.web.safety import MOST_BYTES, UPLOAD, Refused
from unseen.web.site import Site
from unseen.web.study import Study

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
PACKAGE = Path(unseen.web.__file__).parent


def test_no_page_may_run_a_script_that_is_not_a_file_of_ours(client: TestClient) -> None:
    policy = client.get("/").headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy


@pytest.mark.parametrize("path", sorted((PACKAGE / "templates").glob("*.html")), ids=lambda path: path.name)
def test_templates_have_no_script_and_no_style_inside(path: Path) -> None:
    text = path.read_text()
    assert not re.search(r"<script(?![^>]*\bsrc=\"(/|{{ top }})?(static/|jatos\.js))", text)
    assert not re.search(r"\son\w+=|<style|style=|https?://(?!www\.w3)", text)


@pytest.mark.parametrize(
    "path", ["/static/../site.py", "/static/%2e%2e/site.py", "/static/..%2fsite.py", "/static//etc/passwd"]
)
def test_no_address_leads_out_of_the_folder_of_files(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_form_from_elsewhere_is_refused(client: TestClient, send) -> None:
    assert client.post("/test", data={"task": "cvr/shape"}).status_code == 403
    assert client.post("/test", data={"task": "cvr/shape", "form_token": "0" * 32}).status_code == 403
    other = TestClient(client.app, base_url="http://localhost")
    stolen = re.search(r'name="form-token" content="(\w+)"', other.get("/search").text)[1]
    assert client.post("/test", data={"task": "cvr/shape", "form_token": stolen}).status_code == 403
    assert send("/test", {"task": "cvr/shape"}).status_code == 200


def test_another_name_of_this_machine_is_refused(client: TestClient) -> None:
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400


def test_a_body_that_is_too_large_is_refused_before_and_while_it_is_read(client: TestClient) -> None:
    assert client.post("/test", content=b"x" * (MOST_BYTES + 1)).status_code == 413

    def endless():
        for _ in range(MOST_BYTES // 1000 + 2):
            yield b"x" * 1000

    assert client.post("/test", content=endless(), headers=FORM).status_code == 413


def test_administration_needs_the_token(client: TestClient, site) -> None:
    assert client.get("/admin").status_code == 403
    assert client.get("/admin?token=wrong").status_code == 403
    assert client.get(f"/admin?token={site.tokens.admin}").status_code == 200
    assert client.get("/admin").status_code == 200


def test_a_malformed_cookie_is_as_good_as_none(client: TestClient) -> None:
    answer = client.get("/", headers={"cookie": 'unseen_visitor="a b; ;;=\\"; x'})
    assert answer.status_code == 200
    assert "unseen_visitor=" in answer.headers["set-cookie"]


@pytest.mark.parametrize("path", ["/study/cvr/a%00b", "/test/%00", "/board/%00", "/cvr/sh%00ape", "/admin/%00.zip"])
def test_an_address_without_a_meaning_is_not_found(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_what_was_sent_as_json_must_be_an_object(send) -> None:
    assert send("/test", json=[1, 2]).status_code == 400


# ---------------------------------------------------------------------------- answers that a study asks for


@pytest.fixture
def asking(site: Site, tiny_study: Study) -> Study:
    """A study whose file says from which seed its examples are: the one that other pages show most."""
    study = replace(tiny_study, data_seed=0, tasks=("CVR/shape", "cvr/size", "cvr/color"))
    site.studies = {**site.studies, study.name: study}
    return study


ASKED = (
    "/cvr/shape/test/0",
    "/cvr/shape/test/0/3",
    "/picture/example/cvr/shape/test/0/3",
    "/cvr/shape+size=64/test/0/3",  # the same record in another look
    "/cvr/all/test/0/3",  # a task that shows the examples of others
)


def test_no_page_shows_examples_that_a_study_asks(client: TestClient, site: Site, asking: Study) -> None:
    for path in ASKED:
        answer = client.get(path)
        assert answer.status_code == 403, path
        assert "a study here asks these examples" in answer.text
    assert client.get("/cvr/shape/test/1/3").status_code == 200
    assert "/picture/example/cvr/shape/test/0/" not in client.get("/cvr/shape").text
    assert "/picture/example/cvr/shape/test_ood/0/" in client.get("/cvr/shape").text
    client.get(f"/admin?token={site.tokens.admin}")
    assert client.get(ASKED[1]).status_code == 200


def test_neither_a_test_nor_the_board_gives_answers_of_a_study_away(
    client: TestClient, site: Site, asking: Study, send, tmp_path: Path
) -> None:
    assert send("/test", {"task": "cvr/shape", "split": "test"}).status_code == 403
    assert send("/test", {"task": "cvr/shape", "split": "test_ood", "count": "1"}).status_code == 200
    path = tmp_path / "guess.parquet"
    write_predictions(path, unseen.task("cvr/shape"), "test", [np.eye(4)[1]], model="guess", indices=[3])
    answer = send("/board/new", {"name": "guess"}, files=[("predictions", ("a", path.read_bytes()))])
    assert answer.status_code == 403
    assert site.database.entries() == []


def test_the_page_of_a_run_shows_no_answers_of_a_study(client: TestClient, site: Site, asking: Study, make_run) -> None:
    make_run(right={"test": 9})
    path = "/results/run/cogitao/s2-translate/resnet/seed-0"
    assert client.get(path).status_code == 200
    site.studies = {**site.studies, "tiny": replace(asking, tasks=("cogitao/s2-translate",), blocks=1)}
    assert client.get(path).status_code == 403


def test_a_study_draws_examples_from_a_seed_that_nobody_can_know(site: Site, tiny_study: Study, tmp_path: Path) -> None:
    seed = site.seed_of(tiny_study)
    other = Site(Database(tmp_path / "other.db"))
    assert seed == site.seed_of(tiny_study)
    assert seed != other.seed_of(tiny_study)
    assert seed > 2**32  # too many to try
    assert site.seed_of(site.studies["covr-validate"]) == 0  # which judges the questions of the data set
    assert not any(site.is_asked(task, "test", 0) for task in ("cvr/shape", "covr/iid", "cogitao/c1-1"))
    other.database.close()


# ---------------------------------------------------------------------------- files of this machine


@pytest.mark.parametrize("option", ["vocabulary=site.db", "folder=..", "features=site.db", "paraphrases=site.db"])
def test_nobody_names_files_of_this_machine(client: TestClient, send, option: str) -> None:
    assert client.get(f"/covr/iid+{option}/test/0/1").status_code == 403
    assert client.get("/test", params={"task": f"covr/iid+{option}"}).status_code == 403
    for path in ("/etc/passwd", "%2Fetc%2Fpasswd"):
        name = f"covr/iid+{option.partition('=')[0]}={path}"
        assert send("/test", {"task": name}).status_code == 403
    assert f'name="{option.partition("=")[0]}"' not in client.get("/covr/iid").text


def test_an_upload_names_no_files_of_this_machine(tmp_path: Path) -> None:
    path = tmp_path / "mine.parquet"
    words = tmp_path / "words.txt"
    words.write_text("a\n")
    task = unseen.task(f"covr/iid+vocabulary={words}")
    write_predictions(path, task, "test", ["true"], model="x", indices=[0])
    with pytest.raises(Refused, match="names files of the machine"):
        judged(path.read_bytes())


# ---------------------------------------------------------------------------- whatever else one may send

LONG = "9" * 6000  # more digits than Python turns into a number


@pytest.mark.parametrize(
    "path",
    [
        f"/cvr/shape/test/{LONG}/1",
        f"/cvr/shape/test/0/{LONG}",
        f"/test/{{session}}/image/{LONG}/0",
        f"/test/{{session}}/image/0/{LONG}",
        "/test/{session}/image/-1/0",
        "/test/{session}/image/٣/0",
        "/cvr/shape/test/18446744073709551616/1",
    ],
)
def test_a_number_that_is_none_is_not_found(client: TestClient, send, path: str) -> None:
    begun = send("/test", {"task": "cvr/shape", "split": "test", "count": "1"}, follow_redirects=False)
    answer = client.get(path.format(session=begun.headers["location"].rpartition("/")[2]))
    assert answer.status_code == 404


def test_numbers_of_a_form_and_of_a_query_are_bounded(client: TestClient, site: Site, send) -> None:
    assert send("/test", {"task": "cvr/shape", "count": LONG}).status_code == 400
    begun = send("/test", {"task": "cvr/shape", "split": "test", "count": "1"}, follow_redirects=False)
    path = begun.headers["location"]
    assert client.get(f"{path}?told={LONG}").status_code == 200
    assert send(path, {"position": LONG, "choice": "1"}).status_code == 400
    assert client.get(f"/cvr/shape/test/0?from={LONG}").status_code == 200
    assert site.database.forget(f"cvr/shape/{LONG}") == site.database.forget("cvr/shape/99999999999") == 0


NAMES = ("<script>alert(1)</script>", "'; DROP TABLE sessions; --", '"><img src=x onerror=alert(1)>', "{{ 7 * 7 }}")


@pytest.mark.parametrize("name", NAMES)
def test_names_are_shown_as_they_are_and_run_nothing(client: TestClient, site: Site, send, name: str) -> None:
    path = send("/test", {"task": "cvr/shape", "split": "test", "count": "1"}, follow_redirects=False).headers[
        "location"
    ]
    send(path, {"choice": "1", "position": "0"})
    answer = send("/board/me", {"session": path.rpartition("/")[2], "name": name})
    assert answer.status_code == 200
    for shown in (answer.text, client.get("/board").text, client.get("/search", params={"q": name}).text):
        assert escape(name) in shown
        assert name not in shown or name == escape(name)
    assert len(site.database.entries()) == 1


@pytest.mark.parametrize("repeated", [False, True], ids=["one value", "a dictionary"])
def test_one_value_that_fills_the_memory_is_refused_and_others_are_served(tmp_path: Path, repeated: bool) -> None:
    value = pa.array([b"\0" * 300_000_000])
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 8), value) if repeated else value
    table = pa.table({"index": range(len(column)), "scores": column})
    pq.write_table(table, tmp_path / "bomb.parquet", compression="zstd", use_dictionary=repeated)
    content = (tmp_path / "bomb.parquet").read_bytes()
    assert len(content) < UPLOAD
    workers = Bounded(1, seconds=60, memory=GIBIBYTE // 2)
    with pytest.raises(UnseenError):
        workers.call(judged, content)
    assert workers.call(divmod, 7, 2) == (3, 1)
    workers.close()


def test_those_who_wait_for_slow_pages_hold_up_no_others() -> None:
    full = Threads(1)
    busy = threading.Event()

    def slow(request: Request, form: object) -> PlainTextResponse:
        busy.wait(30)
        return PlainTextResponse("slow")

    def quick(request: Request, form: object) -> PlainTextResponse:
        return PlainTextResponse("quick")

    routes = [Route("/slow", endpoint(slow, full)), Route("/quick", endpoint(quick, Threads(1)))]

    async def both() -> str:
        transport = httpx.ASGITransport(Starlette(routes=routes))
        async with httpx.AsyncClient(transport=transport, base_url="http://x") as many:
            waiting = [asyncio.create_task(many.get("/slow")) for _ in range(3)]
            await asyncio.sleep(0.1)
            answer = await asyncio.wait_for(many.get("/quick"), 10)
            busy.set()
            await asyncio.gather(*waiting)
            return answer.text

    assert asyncio.run(both()) == "quick"
