"""The predictions file: what is written is read, for every kind of task; what is wrong is said in one sentence."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import unseen
from unseen.core.errors import DataError, SpecError, UnseenError
from unseen.core.task import KINDS
from unseen.data.columns import PICTURE
from unseen.predict import read_predictions, write_predictions
from unseen.predict.prediction_column import checked
from unseen.predict.predictions import METADATA

TASK = unseen.task("cogitao/s1-rotate")
SIZE = TASK.split("test").size
GRIDS = [np.full((1 + i % 3, 2 + i % 2), i % 10, np.int8) for i in range(SIZE)]

VALUES = {
    "grid": [np.array([[1, 2], [-1, 0]], np.int8), np.zeros((3, 1), np.int8), np.zeros((0, 0), np.int8)],
    "odd": [np.array([0.5, 0, 0, -1], np.float32)],
    "image": [np.arange(24, dtype=np.uint8).reshape(2, 4, 3), np.zeros((3, 3, 3), np.uint8)],
    "video": [np.arange(24, dtype=np.uint8).reshape(2, 3, 4), np.zeros((1, 3, 4), np.uint8)],
    "question": ["yes", "", "ünder the table"],
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "runs" / "predictions.parquet"


@pytest.fixture
def file(path):
    write_predictions(path, TASK, "test", GRIDS, model="copy", seed=3)
    return path


def rewritten(path, *, change=lambda table: table, about=None):
    """The file with a changed table or changed metadata."""
    table = pq.read_table(path)
    metadata = {METADATA: table.schema.metadata[METADATA]}
    if about is not None:
        metadata = {METADATA: json.dumps({**json.loads(metadata[METADATA]), **about}).encode()}
    pq.write_table(change(table).replace_schema_metadata(metadata), path)
    return path


def test_what_is_written_is_read(file):
    found = read_predictions(file)
    assert (found.task, found.split, found.seed, found.model) == ("cogitao/s1-rotate", "test", 3, "copy")
    assert found.indices == tuple(range(SIZE))
    assert len(found) == SIZE
    assert all(np.array_equal(one, other) for one, other in zip(found.values, GRIDS, strict=True))
    assert found.values[0].dtype == np.int8


def test_a_file_says_by_which_versions_it_was_made(file):
    about = json.loads(pq.read_schema(file).metadata[METADATA])
    assert about["versions"] == {"unseen": unseen.__version__, "cogitao": TASK.benchmark.version}


def test_the_digest_is_that_of_the_file(file):
    first = read_predictions(file).digest
    write_predictions(file, TASK, "test", GRIDS, model="copy", seed=3)
    assert read_predictions(file).digest == first
    write_predictions(file, TASK, "test", GRIDS, model="another", seed=3)
    assert read_predictions(file).digest != first


def test_a_part_of_a_split_is_written_with_its_indices(path):
    write_predictions(path, TASK, "test", GRIDS[:2], indices=[40, 7])
    assert read_predictions(path).indices == (40, 7)


def test_a_file_may_answer_nothing(path):
    write_predictions(path, TASK, "test", [], indices=[])
    assert read_predictions(path).values == []


def test_nothing_else_is_left_in_the_folder(file):
    assert [one.name for one in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_every_kind_of_prediction_survives_the_file(kind, path):
    task = replace(TASK, benchmark=replace(TASK.benchmark, kind=kind.name))
    values = VALUES[kind.name]
    write_predictions(path, task, "test", values, indices=range(len(values)))
    found = read_predictions(path).values
    assert all(np.array_equal(one, other) for one, other in zip(found, values, strict=True))


@pytest.mark.parametrize(
    ("value", "form", "sentence"),
    [
        ([1, 2, 3], "int8 (h, w)", r"a prediction is int8 \(h, w\), not int64 \(3,\)"),
        ([[1000]], "int8 (h, w)", r"not int64 \(1, 1\)"),
        ([[0.5]], "int8 (h, w)", r"not float64 \(1, 1\)"),
        ([[1], [2, 3]], "int8 (h, w)", "cannot be read as an array"),
        ([0.1, 0.2, 0.3], "float32 (4,)", r"a prediction is float32 \(4,\), not float64 \(3,\)"),
        ("no scores", "float32 (4,)", "cannot be read as an array"),
    ],
)
def test_a_prediction_of_another_form_is_refused(value, form, sentence):
    with pytest.raises(SpecError, match=sentence):
        checked(value, form)


def test_too_few_predictions_are_refused(path):
    with pytest.raises(SpecError, match="needs 1,000 predictions, one per example, and got 2; give the indices"):
        write_predictions(path, TASK, "test", GRIDS[:2])
    assert not path.exists()


@pytest.mark.parametrize(
    ("indices", "sentence"),
    [
        ([5, 5], "the example 5 is answered twice"),
        ([0, 1000], "1000 is not the index"),
        ([-1, 0], "-1 is not the index"),
    ],
)
def test_wrong_indices_are_refused_when_written(path, indices, sentence):
    with pytest.raises(DataError, match=sentence):
        write_predictions(path, TASK, "test", GRIDS[:2], indices=indices)


def test_a_missing_file_is_named(path):
    with pytest.raises(DataError, match=r"there is no predictions file .*predictions\.parquet"):
        read_predictions(path)


def test_a_damaged_file_is_named(file):
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(DataError, match=r"predictions\.parquet is damaged: it does not fit its seal"):
        read_predictions(file)


def test_a_table_of_something_else_is_refused(path):
    path.parent.mkdir()
    pq.write_table(pa.table({"index": [1]}), path)
    with pytest.raises(DataError, match="does not say which task it is of"):
        read_predictions(path)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda table: table.drop_columns(["grid"]), "has no column 'grid'; it has index"),
        (lambda table: table.drop_columns(["index"]), "has no column 'index'; it has grid"),
        (
            lambda table: table.set_column(1, "grid", pa.array(["x"] * SIZE)),
            "the column 'grid' of .* is string, not list",
        ),
        (lambda table: pa.concat_tables([table, table]), "the example 0 is answered twice"),
        (
            lambda table: table.set_column(0, "index", pa.nulls(SIZE, pa.int64())),
            "None is not the index of an example",
        ),
        (
            lambda table: table.set_column(1, "grid", pa.nulls(SIZE, table["grid"].type)),
            "has rows without a prediction; leave their indices out",
        ),
        (
            lambda table: table.set_column(1, "grid", pa.array([[[1], [2, 3]]] * SIZE, table["grid"].type)),
            "one of the predictions in .* cannot be read",
        ),
    ],
    ids=["no grid", "no index", "text", "twice", "null", "unanswered", "ragged"],
)
def test_a_wrong_table_is_refused_in_a_sentence(file, change, sentence):
    with pytest.raises(DataError, match=sentence):
        read_predictions(rewritten(file, change=change))


def test_a_file_of_a_later_format_is_refused(file):
    with pytest.raises(DataError, match="has format 99 and kind 'grid', unknown here"):
        read_predictions(rewritten(file, about={"format": 99}))


@pytest.mark.parametrize("version", [TASK.benchmark.version + 1, None])
def test_a_file_of_another_content_version_is_refused(file, version):
    sentence = f"answers examples of version {version} of cogitao, and this is version {TASK.benchmark.version}, whose"
    with pytest.raises(DataError, match=sentence):
        read_predictions(rewritten(file, about={"versions": {"cogitao": version}}))


@pytest.mark.parametrize("about", [{"seed": "3"}, {"task": None}, {"versions": [1]}, {"split": 5}])
def test_a_file_that_says_something_of_another_type_is_refused(file, about):
    with pytest.raises(DataError, match=r"does not say in full what it is of \(kind, task, split, seed"):
        read_predictions(rewritten(file, about=about))


def test_a_flipped_bit_in_the_answers_is_found(file):
    start = pq.ParquetFile(file).metadata.row_group(0).column(1).data_page_offset
    content = bytearray(file.read_bytes())
    for place in range(start + 60, start + 460, 10):  # past the header of the first page
        content[place] ^= 1
        file.write_bytes(content)
        with pytest.raises(DataError, match="it does not fit its seal"):
            read_predictions(file)
        content[place] ^= 1


def test_a_file_with_a_damaged_image_is_refused(path):
    task = replace(TASK, benchmark=replace(TASK.benchmark, kind="image"))
    write_predictions(path, task, "test", VALUES["image"], indices=[0, 1])
    broken = pa.array([{"bytes": b"not a PNG", "path": None}, {"bytes": b"", "path": None}], PICTURE)
    with pytest.raises(DataError, match=r"one of the predictions in .* cannot be read"):
        read_predictions(rewritten(path, change=lambda table: table.set_column(1, "image", broken)))


# ---------------------------------------------------------------------------- what stands beside answers

CLIPS = unseen.task("video/custom", frames=3, samples=8, size=16)
IDS = [np.zeros((3, 16, 16), np.uint8)] * 2
PAINTED = [np.full((3, 16, 16, 3), value, np.uint8) for value in (7, 200)]


def test_painted_frames_are_read_as_they_were_written_and_scored(path):
    from unseen.results.scoring import score

    write_predictions(path, CLIPS, "test", IDS, indices=[4, 1], beside={"frames": PAINTED})
    found = read_predictions(path)
    assert all(np.array_equal(one, other) for one, other in zip(found.beside["frames"], PAINTED, strict=True))
    videos = unseen.load("video/custom", "test", frames=3, samples=8, size=16)
    frames = [videos[index].inputs["frames"][2] / 255 for index in (4, 1)]  # the first two are not evaluated
    by_hand = np.mean([((one - value / 255) ** 2).sum() for one, value in zip(frames, (7, 200), strict=True)])
    assert score(CLIPS, "test", path)["video_mse"] == pytest.approx(by_hand)


def test_without_painted_frames_there_is_no_error_of_them(path):
    from unseen.results.scoring import score

    write_predictions(path, CLIPS, "test", IDS, indices=[0, 1])
    assert read_predictions(path).beside == {}
    assert "video_mse" not in score(CLIPS, "test", path)
    with pytest.raises(SpecError, match="video_mse needs frames beside the answers, which these predictions lack"):
        score(CLIPS, "test", path, metrics=["video_mse"])


@pytest.mark.parametrize(
    ("beside", "said"),
    [
        ({"frames": PAINTED[:1]}, "1 frames stand beside 2 predictions"),
        ({"pictures": PAINTED}, "no column named 'pictures'"),
        ({"frames": [clip[0] for clip in PAINTED]}, r"a prediction is uint8 \(t, h, w, 3\), not uint8 \(16, 16, 3\)"),
    ],
)
def test_what_cannot_stand_beside_is_refused(path, beside, said):
    with pytest.raises(UnseenError, match=said):
        write_predictions(path, CLIPS, "test", IDS, indices=[0, 1], beside=beside)
    assert not path.exists()
