"""Scene graphs of one's own: any format, files of their own for val and test, any store, what others have judged."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import unseen
from unseen.benchmarks.covr.questions import corpus as corpora
from unseen.benchmarks.covr.questions.batch import make
from unseen.benchmarks.covr.questions.corpus import corpus, find_scene, share, shelves
from unseen.benchmarks.covr.readers import formats, judgements
from unseen.benchmarks.covr.spec import Spec
from unseen.benchmarks.covr.store import mapped
from unseen.benchmarks.covr.verify import check
from unseen.benchmarks.covr.world import flat
from unseen.benchmarks.covr.world.scene import Relation, Scene, Thing, to_gqa
from unseen.benchmarks.covr.world.subgraph import Edge, Node
from unseen.core.errors import DataError, SpecError
from unseen.core.random import path_key


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """A cache folder of the test's own, and nothing remembered from other tests."""
    monkeypatch.setenv("UNSEEN_CACHE", str(tmp_path / "cache"))
    for remembered in (corpora.shelves, corpora._corpus, corpora.digest):
        remembered.cache_clear()


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    """Two hundred scenes."""
    return [flat.scene(flat.World(), path_key(2, "test"), index) for index in range(200)]


def as_gqa(folder: Path, scenes: list[Scene], name: str = "gqa.json") -> str:
    (folder / name).write_text(json.dumps({scene.id: to_gqa(scene) for scene in scenes}))
    return str(folder / name)


def as_visual_genome(folder: Path, scenes: list[Scene]) -> str:
    """The scenes as Visual Genome has them, attributes in a file of their own; it has no modifiers."""
    images, attributes = [], []
    for scene in scenes:
        numbers = {key: 100 * len(images) + k for k, key in enumerate(scene.things)}
        boxes = {thing.id: dict(zip("xywh", thing.box, strict=True)) for thing in scene.things.values()}
        objects = [{"object_id": numbers[t.id], "names": [t.name], **boxes[t.id]} for t in scene.things.values()]
        relations = [
            {"predicate": r.name.upper(), "subject_id": numbers[t.id], "object_id": numbers[r.target]}
            for t in scene.things.values()
            for r in t.relations
        ]
        images.append({"image_id": scene.id, "objects": objects, "relationships": relations})
        told = [{"object_id": numbers[t.id], "attributes": list(t.attributes)} for t in scene.things.values()]
        attributes.append({"image_id": scene.id, "attributes": told})
    (folder / "attributes.json").write_text(json.dumps(attributes))
    (folder / "scene_graphs.json").write_text(json.dumps(images))
    return str(folder / "scene_graphs.json")


def as_imsitu(folder: Path) -> str:
    """Sixty situations: people who cut and paint with something."""
    nouns = {
        f"n{k:08}": word for k, word in enumerate(("man", "woman", "bread", "cake", "fence", "knife", "saw", "brush"))
    }
    ids = {word: key for key, word in nouns.items()}
    (folder / "imsitu_space.json").write_text(json.dumps({"nouns": {key: {"gloss": [nouns[key]]} for key in nouns}}))
    templates = "cutting\tAGENT cuts ITEM using TOOL at PLACE\npainting\tAGENT paints ITEM using TOOL at PLACE\n"
    (folder / "generation_templates.tab").write_text(templates)
    images = {}
    for k in range(60):
        verb, items, tools = (
            ("cutting", ("bread", "cake"), ("knife", "saw")),
            ("painting", ("fence", "cake"), ("brush",)),
        )[k % 2]
        said = {"agent": ("man", "woman")[k // 2 % 2], "item": items[k // 4 % 2], "tool": tools[k // 8 % len(tools)]}
        frame = {role: ids[word] for role, word in said.items()} | {"place": ""}
        images[f"{verb}_{k}.jpg"] = {"verb": verb, "frames": [frame] * 3}
    (folder / "train.json").write_text(json.dumps(images))
    return str(folder / "train.json")


def test_formats_are_told_apart_and_read_with_what_belongs_to_them(tmp_path, scenes):
    assert formats.format_of(Path(as_gqa(tmp_path, scenes[:3]))) == "gqa"
    genome = as_visual_genome(tmp_path, scenes[:3])
    assert formats.format_of(Path(genome)) == "visual-genome"
    assert [t.attributes for s in formats.read(genome) for t in s.things.values()] == [
        t.attributes for s in scenes[:3] for t in s.things.values()
    ]
    situations = as_imsitu(tmp_path)
    assert formats.format_of(Path(situations)) == "imsitu"
    first = next(iter(formats.read(situations)))
    assert first.things["cutting_0_0"].relations[0].modifiers[0].name == "cutting:_using"


@pytest.mark.parametrize("content", ["{}", "[]", "[3]", '{"a": {}}', '{"a": 5}'])
def test_a_file_of_no_known_format_is_refused(tmp_path, content):
    (tmp_path / "some.json").write_text(content)
    with pytest.raises(DataError, match="begins with no image of GQA"):
        formats.format_of(tmp_path / "some.json")


@pytest.mark.parametrize("form", ["gqa", "visual-genome", "imsitu"])
def test_every_format_gives_questions_that_are_proven(tmp_path, scenes, form):
    made = {"gqa": as_gqa, "visual-genome": as_visual_genome}
    file = made[form](tmp_path, scenes) if form in made else as_imsitu(tmp_path)
    spec = Spec(corpus=(file,))
    questions, _ = make(spec, 1, 0)
    assert len(questions) >= (60 if form != "imsitu" else 4)
    assert [wrong for question in questions for wrong in check(question, spec)] == []


def test_the_command_asks_about_scene_graphs_in_the_same_way(tmp_path, scenes):
    dataset = unseen.load("covr/custom", "val", corpus=as_gqa(tmp_path, scenes), size=64)
    assert dataset[0].inputs["images"][0].shape == (64, 64, 3)
    assert dataset.task.id.startswith("covr/custom+corpus=")


def test_files_for_val_and_test_of_their_own_are_not_trained_on(tmp_path, scenes):
    spec = Spec(corpus=(as_gqa(tmp_path, scenes[:100]),), corpus_val=(as_gqa(tmp_path, scenes[100:], "val.json"),))
    found = {images: set(shelf) for images, shelf in shelves(spec.corpus, spec.corpus_val).items()}
    assert found["train"] == {scene.id for scene in scenes[:100]}
    assert found["val"] | found["test"] == {scene.id for scene in scenes[100:]}
    assert not found["val"] & found["test"]
    assert 30 < len(found["val"]) < 70
    for images, ids in found.items():
        for scene_id in list(ids)[:5]:
            assert share(spec, find_scene(spec, scene_id)) == images


def test_objects_of_two_images_with_one_id_are_refused(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps({str(k): {"objects": {"7": {"name": "cup"}}} for k in range(20)}))
    with pytest.raises(DataError, match="has the id of one in another image"):
        shelves((str(tmp_path / "a.json"),), ())


def test_an_image_in_two_files_is_refused(tmp_path, scenes):
    files = as_gqa(tmp_path, scenes[:5]), as_gqa(tmp_path, scenes[4:9], "more.json")
    with pytest.raises(DataError, match="is there twice, or in two files"):
        shelves(files, ())


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_every_store_gives_the_same_questions(tmp_path, scenes, store, request, monkeypatch):
    if store == "postgres":
        address = dict(part.split("=", 1) for part in request.getfixturevalue("postgres_server").split())
        for name, value in {"PGHOST": "host", "PGUSER": "user", "PGDATABASE": "dbname", "PGPORT": "port"}.items():
            if value in address:
                monkeypatch.setenv(name, address[value])
    spec = Spec(corpus=(as_gqa(tmp_path, scenes),))
    expected = make(spec, 4, 0)[0]
    assert make(replace(spec, store=store), 4, 0)[0] == expected
    again = corpora._opened(replace(spec, store=store))
    assert len(again) == len(corpus(spec, 0).ids), "it is not filled twice"
    again.close()
    corpus(replace(spec, store=store), 0).store.close()


def test_files_are_read_once_and_then_mapped(tmp_path, scenes, monkeypatch):
    spec = Spec(corpus=(as_gqa(tmp_path, scenes),))
    expected = make(spec, 4, 0)[0]
    corpora.shelves.cache_clear()
    corpora._corpus.cache_clear()
    monkeypatch.setattr(corpora, "_read", None)  # would fail if it were called
    assert make(spec, 4, 0)[0] == expected
    assert find_scene(spec, expected[0].scenes[0]) == next(s for s in scenes if s.id == expected[0].scenes[0])


def test_scenes_come_back_from_the_cache_as_they_were_read(tmp_path, scenes, kitchen):
    large = Scene("large", {f"t{k}": Thing(f"t{k}", f"word {k % 9}", ("red",)) for k in range(12_000)})
    plain = Scene("plain", {"p": Thing("p", "cup"), "q": Thing("q", "cup", ("red",), (Relation("on", "p"),))})
    some = [*scenes[:40], kitchen, large, plain, Scene("empty", {})]
    found = shelves((as_gqa(tmp_path, some),), ())
    assert {key: scene for shelf in found.values() for key, scene in shelf.items()} == {s.id: s for s in some}


def test_a_damaged_file_of_the_cache_is_made_again(tmp_path, scenes):
    spec = Spec(corpus=(as_gqa(tmp_path, scenes[:40]),))
    before = {images: dict(shelf) for images, shelf in shelves(spec.corpus, ()).items()}
    for file in (tmp_path / "cache" / "covr" / "corpora").rglob("train"):
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
        assert mapped.read(file) is None
    corpora.shelves.cache_clear()
    assert {images: dict(shelf) for images, shelf in shelves(spec.corpus, ()).items()} == before


def test_a_changed_file_gives_other_scenes(tmp_path, scenes):
    file = as_gqa(tmp_path, scenes[:20])
    assert sum(map(len, shelves((file,), ()).values())) == 20
    as_gqa(tmp_path, scenes[:30])
    corpora.digest.cache_clear()
    corpora.shelves.cache_clear()
    assert sum(map(len, shelves((file,), ()).values())) == 30


def test_a_table_of_words_overrules_the_lexicon(tmp_path):
    (tmp_path / "words.tsv").write_text("# judged\nnoun\tman\tskier\t0.9\nrelation\ton\tnear\t0.2\n")
    judged = judgements.exclusive(tmp_path / "words.tsv")
    assert judged("noun", "man", "skier") == judged("noun", "skier", "man") == 0.9
    assert judged("relation", "on", "near") == 0.2
    assert judged("relation", "near", "on") == 0, "relations are directed"
    assert judged("noun", "man", "woman") == 1, "the lexicon speaks where the table is silent"


def test_a_table_of_words_decides_what_a_distractor_is(tmp_path, scenes):
    (tmp_path / "words.tsv").write_text("noun\tman\twoman\t0\nnoun\tman\tboy\t0\nnoun\tman\tgirl\t0\n")
    spec = Spec(corpus=(as_gqa(tmp_path, scenes),))
    man = Node("man", None, (Edge("wearing", Node("hat")),))
    plain = corpus(spec, 0).store.distractors(man)
    judged = corpus(replace(spec, exclusive=str(tmp_path / "words.tsv")), 0).store.distractors(man)
    assert any(match.graph.name in ("woman", "boy", "girl") for match in plain["0_name"])
    assert "0_name" not in judged or not any(match.graph.name in ("woman", "boy", "girl") for match in judged["0_name"])


def test_what_an_image_shows_beyond_its_graph_makes_it_no_distractor(tmp_path, scenes):
    spec = Spec(corpus=(as_gqa(tmp_path, scenes),))
    man = Node("man", None, (Edge("wearing", Node("hat")),))
    near = corpus(spec, 0).store.distractors(man)["2_name"]
    seen = near.scenes[0]
    (tmp_path / "seen.tsv").write_text(f"{seen}\t0.6\t\that\n{seen}\t0.6\t\tman\twearing\t\that\n")
    judged = corpus(replace(spec, complete=str(tmp_path / "seen.tsv")), 0).store.distractors(man)["2_name"]
    assert seen not in judged.scenes
    assert len(judged) >= len(near) - 1
    (tmp_path / "unsure.tsv").write_text(f"{seen}\t0.01\t\that\n{seen}\t0.6\t\tman\twearing\t\that\n")
    unsure = corpus(replace(spec, complete=str(tmp_path / "unsure.tsv")), 0).store.distractors(man)["2_name"]
    assert seen in unsure.scenes


@pytest.mark.parametrize(
    ("line", "reason"),
    [("noun\tman\twoman", "expected noun"), ("verb\ta\tb\t1", "as a kind"), ("noun\ta\tb\t1.5", "from 0 to 1")],
)
def test_a_wrong_table_of_words_is_refused_with_its_place(tmp_path, line, reason):
    (tmp_path / "words.tsv").write_text(f"noun\ta\tb\t1\n{line}\n")
    with pytest.raises(DataError, match=rf"words\.tsv:2: .*{reason}"):
        judgements.exclusive(tmp_path / "words.tsv")


@pytest.mark.parametrize("line", ["1\t0.5\tred", "1\t0.5\tred\t", "1\t0.5\t\tman\ton", "1\tx\t\tman"])
def test_a_wrong_table_of_images_is_refused_with_its_place(tmp_path, line):
    (tmp_path / "seen.tsv").write_text(line + "\n")
    with pytest.raises(DataError, match=r"seen\.tsv:1: expected"):
        judgements.complete(tmp_path / "seen.tsv")


@pytest.mark.parametrize(
    "option", [{"store": "sqlite"}, {"exclusive": "a.tsv"}, {"complete": "b"}, {"corpus_val": "c"}]
)
def test_options_of_scene_graphs_need_scene_graphs(option):
    with pytest.raises(SpecError, match="about scene graphs of one's own"):
        unseen.task("covr/custom", **option)
