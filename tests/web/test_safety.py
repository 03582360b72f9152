"""What a stranger sends cannot do harm: headers, forms from elsewhere, bodies without end, ways out of a folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import unseen.web
from unseen.web.safety import MOST_BYTES

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
