from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from unseen.benchmarks.covr.readers import gqa, images, imsitu, judgements, stream, visual_genome
from unseen.benchmarks.covr.world.scene import Modifier, Relation, to_gqa
from unseen.core.errors import DataError

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def written(path: Path, content: object, **form: object) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content, **form))
    return path


@given(st.dictionaries(st.text(max_size=4), values, max_size=6) | st.lists(values, max_size=6), st.integers(1, 9))
def test_a_file_is_read_entry_by_entry_whatever_the_window(tmp_path_factory, content, chunk):
    path = written(tmp_path_factory.mktemp("stream") / "some.json", content, indent=chunk % 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "CHUNK", chunk)
        read = [(key, value) for _, key, value in stream.entries(path)]
    expected = content.items() if isinstance(content, dict) else enumerate(content)
    assert read == [(str(key), value) for key, value in expected]


@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_broken_json_is_refused_with_its_place(tmp_path, monkeypatch, chunk):
    monkeypatch.setattr(stream, "CHUNK", chunk)
    path = written(tmp_path / "broken.json", '{"1": {"objects": {}},\n "2": {"objects": }}')
    with pytest.raises(DataError, match=r"broken\.json:2:19: broken JSON: expecting value"):
        list(gqa.read(path))
    with pytest.raises(
        DataError, match=r"cut\.json:1:8: broken JSON: expected ',' or '}', found 'the end of the file'"
    ):
        list(stream.entries(written(tmp_path / "cut.json", '{"1": 2')))
    with pytest.raises(DataError, match=r"expected '{' or '\['"):
        list(stream.entries(written(tmp_path / "number.json", "3")))


def test_a_file_that_is_missing_or_no_text_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"could not read .*none\.json: no such file"):
        list(gqa.read(tmp_path / "none.json"))
    (tmp_path / "archive.zip").write_bytes(b"PK\x03\x04\xff\xfe")
    with pytest.raises(DataError, match="not a text file in UTF-8"):
        list(gqa.read(tmp_path / "archive.zip"))


def test_gqa_scenes_are_read_as_they_were_written(tmp_path, made):
    path = written(tmp_path / "graphs.json", {scene.id: to_gqa(scene) for scene in made[:30]})
    assert list(gqa.read(path)) == made[:30]


def test_a_wrong_scene_is_refused_with_its_place(tmp_path):
    path = written(tmp_path / "graphs.json", '{"1": {"objects": {}},\n"2": {"things": {}}}')
    with pytest.raises(DataError, match=r"graphs\.json:2:1: scene '2' lacks 'objects'"):
        list(gqa.read(path))


def test_the_published_sample_is_read(shared_data):
    path = shared_data / "covr_samples" / "gqa_sceneGraphs_4images.json"
    if not path.exists():
        pytest.skip(f"the sample of GQA is not at {path}")
    scenes = list(gqa.read(path))
    assert len(scenes) == 4
    assert sum(len(scene.things) for scene in scenes) == 59
    relations = [relation.name for scene in scenes for thing in scene.things.values() for relation in thing.relations]
    assert len(relations) == 178 - 146, "sideways relations are left out"


# ---------------------------------------------------------------------------- Visual Genome

GENOME = [
    {
        "image_id": 7,
        "objects": [
            {"object_id": 1, "names": ["Man"], "x": 1, "y": 2, "w": 3, "h": 4, "attributes": ["tall", "tall "]},
            {"object_id": 2, "name": "horse", "attributes": None},
        ],
        "relationships": [
            {"relationship_id": 5, "predicate": "RIDING", "subject_id": 1, "object_id": 2},
            {"predicate": "riding", "subject_id": 1, "object_id": 2},
            {
                "predicate": "ON",
                "subject": {"object_id": 3, "names": ["hat"]},
                "object": {"object_id": 1, "name": "Man"},
            },
            {"predicate": "to the left of", "subject_id": 2, "object_id": 1},
        ],
    }
]


def test_visual_genome_is_read_in_both_of_its_forms(tmp_path):
    (scene,) = visual_genome.read(written(tmp_path / "genome.json", GENOME))
    assert scene.id == "7"
    assert {key: thing.name for key, thing in scene.things.items()} == {"1": "man", "2": "horse", "3": "hat"}
    assert scene.things["1"].attributes == ("tall",)
    assert scene.things["1"].box == (1, 2, 3, 4)
    assert scene.things["1"].relations == (Relation("riding", "2"),)
    assert scene.things["3"].relations == (Relation("on", "1"),)


def test_attributes_of_visual_genome_may_be_in_a_file_of_their_own(tmp_path):
    path = written(tmp_path / "genome.json", GENOME)
    more = [{"image_id": 7, "attributes": [{"object_id": 2, "attributes": ["Brown"]}]}]
    (scene,) = visual_genome.read(path, written(tmp_path / "attributes.json", more))
    assert scene.things["2"].attributes == ("brown",)
    more[0]["image_id"] = 8
    with pytest.raises(DataError, match="image 7 stands beside image 8 of the attributes"):
        list(visual_genome.read(path, written(tmp_path / "attributes.json", more)))


def test_a_wrong_image_of_visual_genome_is_refused_with_its_place(tmp_path):
    path = written(tmp_path / "genome.json", [{"objects": []}])
    with pytest.raises(DataError, match=r"genome\.json:1:2: an image lacks 'image_id'"):
        list(visual_genome.read(path))
    dangling = [{"image_id": 1, "objects": [], "relationships": [{"predicate": "on", "subject_id": 1, "object_id": 2}]}]
    dangling[0]["objects"] = [{"object_id": 1, "names": ["cup"]}]
    with pytest.raises(DataError, match="'on' '2', which is no object"):
        list(visual_genome.read(written(tmp_path / "dangling.json", dangling)))


# ---------------------------------------------------------------------------- imSitu

SPACE = {
    "nouns": {
        "n1": {"gloss": ["man", "adult male"]},
        "n2": {"gloss": ["wine bottle"]},
        "n3": {"gloss": ["corkscrew"]},
        "n4": {"gloss": ["kitchen"]},
    }
}
TEMPLATES = (
    "uncorking\tAGENT uncorks ITEM with TOOL at PLACE\n"
    "flapping\tAGENT flaps its BODYPART at PLACE\n"
    "snowing\tsnows at PLACE\n"
    "strolling\tAGENT strolls at PLACE\n"
)
FULL = {"agent": "n1", "item": "n2", "tool": "n3", "place": "n4"}


def situations(folder: Path, images: dict[str, object]) -> list:
    return list(
        imsitu.read(
            written(folder / "train.json", images),
            written(folder / "space.json", SPACE),
            written(folder / "templates.tab", TEMPLATES),
        )
    )


def test_a_situation_becomes_a_relation_with_modifiers(tmp_path):
    frames = [FULL | {"agent": ""}, FULL, FULL]
    (scene,) = situations(tmp_path, {"uncorking_3.jpg": {"verb": "uncorking", "frames": frames}})
    assert scene.id == "uncorking_3"
    assert [thing.name for thing in scene.things.values()] == ["man", "wine bottle", "corkscrew"]
    modifier = Modifier("uncorking:_with", "uncorking_3_2")
    assert scene.things["uncorking_3_0"].relations == (Relation("uncorking", "uncorking_3_1", (modifier,)),)


def test_an_empty_role_is_left_out_and_a_phrase_keeps_its_words(tmp_path):
    image = {"verb": "uncorking", "frames": [FULL | {"tool": ""}]}
    (scene,) = situations(tmp_path, {"uncorking_1.jpg": image})
    assert scene.things["uncorking_1_0"].relations[0].modifiers == ()
    image = {"verb": "flapping", "frames": [{"agent": "n1", "bodypart": "n2", "place": ""}]}
    (scene,) = situations(tmp_path, {"flapping_1.jpg": image})
    assert scene.things["flapping_1_0"].relations[0].name == "flapping its"


def test_situations_without_two_roles_are_left_out_or_empty(tmp_path):
    snowing = {"verb": "snowing", "frames": [{"place": "n4"}]}
    unfilled = {"verb": "uncorking", "frames": [FULL | {"item": ""}]}
    strolling = {"verb": "strolling", "frames": [{"agent": "n1", "place": "n4"}]}
    scenes = situations(tmp_path, {"s_1.jpg": snowing, "u_1.jpg": unfilled, "w_1.jpg": strolling})
    assert [scene.id for scene in scenes] == ["u_1", "w_1"]
    assert [[thing.name for thing in scene.things.values()] for scene in scenes] == [[], ["man"]]
    assert not scenes[1].things["w_1_0"].relations


def test_a_description_of_nouns_that_is_none_is_refused(tmp_path):
    image = {"a_1.jpg": {"verb": "uncorking", "frames": [FULL]}}
    for space, said in (([], "no description of imSitu's nouns"), ({"nouns": {"n1": {"gloss": []}}}, "no situation")):
        files = [written(tmp_path / "train.json", image), written(tmp_path / "space.json", space)]
        with pytest.raises(DataError, match=said):
            list(imsitu.read(*files, written(tmp_path / "templates.tab", TEMPLATES)))


def test_a_table_of_what_images_show_has_seven_columns_at_most(tmp_path):
    with pytest.raises(DataError, match="expected an attribute and a name"):
        judgements.complete(written(tmp_path / "seen.tsv", "1\t0.5" + "\tx" * 6))


def test_a_verb_or_noun_that_is_not_in_the_files_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"train\.json:1:2: image 'a_1\.jpg': 'juggling' is not in the files given"):
        situations(tmp_path, {"a_1.jpg": {"verb": "juggling", "frames": []}})
    with pytest.raises(DataError, match="'n9' is not in the files given"):
        situations(tmp_path, {"a_1.jpg": {"verb": "uncorking", "frames": [FULL | {"agent": "n9"}]}})
    with pytest.raises(DataError, match=r"bad\.tab:1: expected a verb, a tab and a template"):
        imsitu.read_templates(written(tmp_path / "bad.tab", "uncorking AGENT uncorks ITEM"))


# ---------------------------------------------------------------------------- images


def test_an_image_is_found_in_its_folder_by_the_scene(tmp_path):
    Image.new("RGB", (3, 2), (255, 0, 0)).save(tmp_path / "7.png")
    assert images.find(tmp_path, "7") == tmp_path / "7.png"
    assert np.array_equal(images.load(tmp_path, "7")[0, 0], (255, 0, 0))
    with pytest.raises(DataError, match="no image of scene '8'"):
        images.find(tmp_path, "8")
    (tmp_path / "9.jpg").write_text("no image")
    with pytest.raises(DataError, match=r"9\.jpg is no PNG or JPEG or WEBP file that can be read"):
        images.load(tmp_path, "9")
