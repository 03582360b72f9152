"""The load test runs, and what was acknowledged outlives a site that is killed in the middle of it."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from unseen.web.database import Database


@pytest.fixture
def study(script, tmp_path: Path) -> Path:
    path = tmp_path / "load.toml"
    path.write_text(script.STUDY)
    return path


async def crowd(script, address: str, people: int, acknowledged: dict[str, list[int]], process) -> None:
    """Many people answer as fast as they can until the site is gone; what it acknowledged is noted."""
    found = [script.Person(address) for _ in range(people)]
    for some in range(0, people, 20):
        await asyncio.gather(*(one.arrive() for one in found[some : some + 20]))

    async def answer(person) -> None:
        with suppress(httpx.HTTPError):
            while person.steps:
                _, _, at = await person.step()
                acknowledged.setdefault(person.path.rpartition("/")[2], []).append(at)

    async def kill() -> None:
        while sum(map(len, acknowledged.values())) < 2 * people:
            await asyncio.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)

    await asyncio.gather(kill(), *map(answer, found))
    for person in found:
        await person.client.aclose()


@pytest.mark.parametrize("people", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_killed_in_the_middle_of_many_sessions_every_acknowledged_answer_is_there(
    script, study: Path, tmp_path: Path, people: int
) -> None:
    random.seed(0)
    process, address = script.start(tmp_path, study)
    acknowledged: dict[str, list[int]] = {}
    try:
        asyncio.run(crowd(script, address, people, acknowledged, process))
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    assert process.returncode == -signal.SIGKILL
    database = Database(tmp_path / "site.db")
    lost = {
        (session, at) for session, given in acknowledged.items() for at in set(given) - set(database.answers(session))
    }
    database.close()
    assert sum(map(len, acknowledged.values())) >= 2 * people
    assert not lost
    process, address = script.start(tmp_path, study)  # and the site goes on
    try:
        session, given = next(iter(acknowledged.items()))
        state = httpx.get(f"{address}/study/load/{session}/state").json()
        assert state["position"] >= len(given)
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def test_a_small_load_is_measured(script, study: Path, tmp_path: Path) -> None:
    found = script.measure(tmp_path, study, people=2, seconds=1.0)
    assert found["trial_stored"]["count"] + found["example_page"]["count"] > 0
    assert found["example_page"]["p95_ms"] >= found["example_page"]["median_ms"] > 0
