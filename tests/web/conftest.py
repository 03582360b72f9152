"""A site over a database of its own; the tests of a process share what draws, which takes a while to start."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from unseen.engines.bounded import Bounded
from unseen.web.application import application
from unseen.web.database import Database
from unseen.web.site import KEPT_BYTES, Kept, Site
from unseen.web.study import Asked, Practice, Quiz, Study


@pytest.fixture(scope="session")
def workers() -> Iterator[Bounded]:
    found = Bounded(1, seconds=600)  # the first call may have to compile
    yield found
    found.close()


@pytest.fixture(scope="session")
def kept() -> Kept:
    return Kept(KEPT_BYTES)


@pytest.fixture
def site(tmp_path: Path, workers: Bounded, kept: Kept) -> Iterator[Site]:
    made = Site(Database(tmp_path / "site.db"), records=(str(tmp_path / "results"),), runs=tmp_path / "runs", kept=kept)
    made.__dict__["drawing"] = made.__dict__["studying"] = made.__dict__["scoring"] = (
        workers  # in place of those that would be started
    )
    yield made
    made.database.close()


@pytest.fixture
def client(site: Site) -> TestClient:
    """A browser without scripts."""
    return TestClient(application(site), base_url="http://localhost")


def form_token(client: TestClient) -> str:
    """The token that forms of this visitor carry."""
    found = re.search(r'name="form-token" content="(\w+)"', client.get("/search").text)
    assert found
    return found[1]


Send = Callable[..., Any]


@pytest.fixture
def send(client: TestClient) -> Send:
    """Send a form as a page of the site does; `json=` sends it as a script does."""

    def send(
        path: str, fields: dict[str, Any] | None = None, *, json: Any = None, by: TestClient = client, **how: Any
    ) -> Any:
        token = form_token(by)
        if json is not None:
            return by.post(path, json=json, headers={"X-Form-Token": token}, **how)
        return by.post(path, data={**(fields or {}), "form_token": token}, **how)

    return send


@pytest.fixture
def tiny_study() -> Study:
    """A study of two blocks of two trials, after one to practice on."""
    return Study(
        name="tiny",
        title="A tiny study",
        tasks=("cvr/shape", "cvr/size", "cvr/color"),
        blocks=2,
        trials=2,
        pool=10,
        confidence=True,
        fixation=True,
        describe="What was the rule?",
        pause="Take a break.",
        consent="May we?",
        instructions=("Look at this.",),
        quiz=(Quiz("How many are odd?", ("one", "two"), 0),),
        practice=Practice(("cvr/rot",)),
        questions=(Asked("age", "How old are you?"),),
    )
