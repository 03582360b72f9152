"""What people did is kept by any database alike: SQLite's files, and PostgreSQL."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from unseen.core.errors import DataError, UnknownName
from unseen.web.database import Database
from unseen.web.tables import METADATA


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    if request.param == "sqlite":
        found = Database(tmp_path / "new" / "site.db")
    else:
        said = dict(one.split("=") for one in request.getfixturevalue("postgres_server").split())
        found = Database(f"postgresql+psycopg://{said['user']}@/{said['dbname']}?host={said['host']}")
    yield found
    METADATA.drop_all(found.engine)
    found.close()


def entry(name: str) -> dict[str, object]:
    place = {"id": f"id-{name}", "task": "cvr/shape", "owner": "o", "session": None, "added": time.time()}
    return {**place, "name": name, "description": "", "link": ""}


def file(split: str = "test") -> dict[str, object]:
    scores = {"form": "", "metrics": {}}
    return {"split": split, "seed": 0, "predictions": b"\0\1", "digest": "d", "scores": scores, "scored": time.time()}


def test_the_first_answer_stays(database: Database) -> None:
    session = database.begin("test", "x", visitor="v", plan=[{"kind": "a"}, {"kind": "b"}])
    assert database.store(session.id, 0, {"choice": 1}).response == {"choice": 1}
    assert database.store(session.id, 0, {"choice": 2}).response == {"choice": 1}
    assert database.position(session.id) == 1
    assert database.session(session.id) == session


def test_what_is_not_done_may_be_tried_again(database: Database) -> None:
    session = database.begin("study", "x", visitor="v", plan=[])
    assert not database.store(session.id, 0, {"answers": [1]}, done=False).done
    assert database.position(session.id) == 0
    assert database.store(session.id, 0, {"answers": [0]}).tries == 2
    assert database.position(session.id) == 1


def test_numbers_are_given_once_whoever_comes_at_the_same_time(database: Database) -> None:
    with ThreadPoolExecutor(6) as pool:
        begun = [pool.submit(database.begin, "study", "x", visitor=str(k), plan=[]) for k in range(12)]
    assert sorted(one.result().number for one in begun) == list(range(12))


def test_a_person_is_found_by_their_id_or_by_their_browser(database: Database) -> None:
    first = database.begin("study", "x", visitor="v", plan=[], person="abc", arrival={"PROLIFIC_PID": "abc"})
    assert database.resumable("study", "x", visitor="another", person="abc") == first
    assert database.resumable("study", "x", visitor="v") == first
    assert database.resumable("study", "y", visitor="v") is None
    database.finish(first.id)
    assert database.resumable("study", "x", visitor="v") is None


def test_the_board_keeps_files_and_refuses_a_name_twice(database: Database) -> None:
    database.add_entry(entry("one"), [file(), file("test_ood")])
    with pytest.raises(DataError, match="choose another name"):
        database.add_entry({**entry("one"), "id": "other"}, [file()])
    assert list(database.entry("id-one")["files"]) == ["test", "test_ood"]
    assert database.predictions("id-one", "test") == b"\0\1"
    database.rescored("id-one", "test", {"form": "", "metrics": {"x": 1}})
    assert database.entry("id-one")["files"]["test"]["scores"]["metrics"] == {"x": 1}
    database.remove_entry("id-one")
    with pytest.raises(UnknownName):
        database.entry("id-one")


def test_forgetting_leaves_nothing_of_a_person_and_all_of_others(database: Database) -> None:
    mine = database.begin("study", "x", visitor="v", plan=[], person="abc", arrival={"PROLIFIC_PID": "abc"})
    other = database.begin("study", "x", visitor="w", plan=[])
    for session in (mine, other):
        database.store(session.id, 0, {"choice": 1})
        database.tell(session.id, {"age": "3"})
    database.add_entry({**entry("me"), "session": mine.id}, [file()])
    assert database.forget("abc") == 1
    assert database.entries() == []
    assert database.answers(mine.id) == {}
    assert database.person(other.id)["facts"] == {"age": "3"}
    assert database.forget("x/1") == 1
    assert database.sessions("study") == []


def test_the_secret_outlives_a_restart(tmp_path: Path) -> None:
    first = Database(tmp_path / "a.db")
    secret = first.secret()
    first.close()
    second = Database(tmp_path / "a.db")
    assert second.secret() == secret
    second.close()


@pytest.mark.parametrize("place", ["nodialect://x", "sqlite:////proc/nowhere/x.db"])
def test_a_database_that_cannot_be_opened_is_said_in_a_sentence(place: str) -> None:
    with pytest.raises(DataError):
        Database(place)
