from __future__ import annotations

from collections.abc import Iterator

import pytest

from unseen.benchmarks.covr.english.exclusivity import tabled
from unseen.benchmarks.covr.store import Memory, sql
from unseen.benchmarks.covr.store.query import Substitutions, families
from unseen.benchmarks.covr.store.sql import SQL, PostgreSQL, SQLite
from unseen.benchmarks.covr.world.scene import Scene
from unseen.benchmarks.covr.world.subgraph import Node, subgraphs
from unseen.core.errors import DataError, UnknownName


@pytest.fixture
def lite(tmp_path) -> Iterator[SQLite]:
    """An empty store in a file."""
    store = SQLite(tmp_path / "new" / "scenes.sqlite")
    yield store
    store.close()


@pytest.fixture
def post(postgres_server) -> Iterator[PostgreSQL]:
    """An empty store on the server."""
    store = PostgreSQL(postgres_server)
    yield store
    store.rollback()
    for table in sql.TABLES:
        store.execute(f"DROP TABLE {table}")
    store.commit()
    store.close()


@pytest.fixture(params=["lite", "post"])
def store(request) -> SQL:
    """An empty store, of both kinds."""
    return request.getfixturevalue(request.param)


def test_a_store_answers_as_the_index_in_memory_does(store, made):
    made = made[:120]
    memory = Memory(made)
    assert store.add(made) == len(made) == len(store)
    words = Substitutions(memory.attested(), tabled)
    asked = 0
    for scene in made[:4]:
        for subgraph in subgraphs(scene)[::29]:
            for count in (1, 2):
                for key, query in families(subgraph.node, words, multi_count=count).items():
                    assert store.find(query) == memory.find(query), (subgraph.node, key)
                    asked += 1
            found = {key: list(some) for key, some in store.distractors(subgraph.node).items()}
            assert found == {key: list(some) for key, some in memory.distractors(subgraph.node).items()}
            assert list(store.containing(subgraph.node)) == list(memory.containing(subgraph.node))
    assert asked > 100


def test_scenes_are_searched_some_at_a_time_and_all_of_them(store, made, monkeypatch):
    store.add(made[:60])
    node = Node("man")
    whole = store.containing(node).scenes
    monkeypatch.setattr(sql, "FETCHED", 4)
    assert store.containing(node).scenes == whole == Memory(made[:60]).containing(node).scenes
    store.most = 5
    assert len(store.containing(node)) == 5


def test_of_more_images_than_are_wanted_all_stores_give_the_same(store, made, monkeypatch):
    store.most = 7
    monkeypatch.setattr(sql, "FETCHED", 10)
    store.add(made[100:200])  # not in the order of ids
    store.add(made[:100])
    memory = Memory(made[:200], most=7)
    asked = [Node(name) for name in ("man", "woman", "table", "dog", "tree", "hat", "shirt")]
    found = [store.containing(node).scenes for node in asked]
    assert found == [memory.containing(node).scenes for node in asked]
    assert all(len(scenes) <= 7 for scenes in found)
    assert sum(len(scenes) == 7 for scenes in found) > 4
    assert len(set(map(tuple, found))) > 1, "searches begin in different places"


def test_modifiers_and_everything_else_of_a_scene_are_kept(store, kitchen):
    store.add([kitchen])
    assert store.scene("kitchen") == kitchen
    assert list(store) == [kitchen]
    man = next(s.node for s in subgraphs(kitchen) if s.node.edges and s.node.edges[0].modifiers)
    assert store.containing(man).scenes == ["kitchen"]


def test_a_build_that_was_interrupted_goes_on_where_it_stopped(store, made, monkeypatch):
    monkeypatch.setattr(sql, "STEP", 7)

    def interrupted() -> Iterator[Scene]:
        yield from made[:20]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.add(interrupted())
    assert len(store) == 14, "whole steps are kept, and nothing of the one that was not"
    assert store.add(made[:40]) == 26
    assert store.add(made[:40]) == 0
    assert list(store) == sorted(made[:40], key=lambda scene: scene.id)


def test_a_step_that_fails_leaves_nothing_behind(store, made, monkeypatch):
    whole = type(store).insert

    def fails(self, table, rows):
        if table == "lists":
            raise RuntimeError("the disk is gone")
        whole(self, table, rows)

    monkeypatch.setattr(type(store), "insert", fails)
    with pytest.raises(RuntimeError, match="the disk is gone"):
        store.add(made[:5])
    assert len(store) == 0
    assert store.execute("SELECT * FROM words") == []


def test_what_is_added_later_is_found_too(store, made):
    store.add(made[:5])
    store.distractors(Node("dog"))
    store.add(made)
    memory = Memory(made)
    for name in ("dog", "giraffe"):
        assert store.distractors(Node(name)).keys() == memory.distractors(Node(name)).keys()


def test_an_unknown_scene_is_refused(store):
    with pytest.raises(UnknownName, match="no scene named '5' in the store"):
        store.scene("5")


def test_a_store_in_a_file_stays_there(tmp_path, made):
    first = SQLite(tmp_path / "scenes.sqlite")
    first.add(made[:10])
    first.close()
    again = SQLite(tmp_path / "scenes.sqlite")
    assert len(again) == 10
    again.close()


def test_a_file_that_is_no_store_is_refused(tmp_path):
    (tmp_path / "scenes.sqlite").write_text("something else, and long enough for it to be no header of a database" * 20)
    with pytest.raises(DataError, match=r"scenes\.sqlite is no store of scenes"):
        SQLite(tmp_path / "scenes.sqlite")


def test_a_server_that_is_not_there_is_refused(postgres_server):
    with pytest.raises(DataError, match="could not open the store at 'host=/nowhere"):
        PostgreSQL("host=/nowhere user=postgres")
