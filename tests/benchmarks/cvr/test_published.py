"""Strips as published: their layout pixel by pixel, there and back, and what is said of files that are none."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import unseen
from unseen.benchmarks.cvr import published
from unseen.benchmarks.cvr.published import images_of, read_strips, strip_of
from unseen.core.errors import DataError, SpecError
from unseen.core.task import Row, Split
from unseen.data.export import export, read_published


def panels(seed=0):
    return np.random.default_rng(seed).integers(0, 256, (4, 128, 128, 3), np.uint8)


class Sampler:
    """A record is its rule and its number; those of the rule "mixed" alternate between two."""

    def __init__(self, spec, part, key):
        self.rules = ("shape", "size") if spec == "mixed" else (spec,)

    def draw(self, index, first=0):
        return SimpleNamespace(rule=self.rules[index % len(self.rules)], number=index), index, first


def splits(rule):
    return lambda options: (Split("val", 7, rule), Split("test_ood", 5, rule))


@pytest.fixture
def strips(add_benchmark):
    """The name of a benchmark of random images that was published as CVR was."""
    rows = tuple(Row(rule, rule, splits(rule)) for rule in ("shape_contact_2", "mixed"))
    add_benchmark(
        "strips",
        splits=SimpleNamespace(TASKS=rows),
        sample=SimpleNamespace(Sampler=Sampler),
        render=SimpleNamespace(
            arrays=lambda record, spec, view: ({"images": panels(record.number)}, {"odd": record.number % 4})
        ),
        published=published,
    )
    return "strips"


def test_a_strip_has_four_framed_images_and_the_odd_one_last():
    images = panels()
    strip = strip_of(images, odd=1)
    assert strip.shape == (136, 544, 3)
    for place, number in enumerate((0, 2, 3, 1)):
        framed = strip[:, place * 136 : (place + 1) * 136]
        assert np.array_equal(framed[4:-4, 4:-4], images[number])
        assert not framed[:4].any()
        assert not framed[-4:].any()
        assert not framed[:, :4].any()
        assert not framed[:, -4:].any()


@given(st.integers(0, 2**32 - 1), st.integers(0, 3))
def test_images_come_back_with_the_odd_one_last(seed, odd):
    images = panels(seed)
    back = images_of(strip_of(images, odd))
    assert np.array_equal(back[3], images[odd])
    assert np.array_equal(back[:3], np.delete(images, odd, axis=0))


def test_a_black_image_is_no_frame():
    images = np.zeros((4, 128, 128, 3), np.uint8)
    assert not images_of(strip_of(images, 0)).any()


def test_every_split_has_the_published_place_and_comes_back(strips, tmp_path):
    paths = export(
        [unseen.load(f"{strips}/shape_contact_2", split) for split in ("val", "test_ood")], tmp_path, "strips"
    )
    assert [str(path.relative_to(tmp_path)) for path in paths] == [
        "task_shape_contact_2/val",
        "task_shape_contact_2/test_gen",
    ]
    assert sorted(one.name for one in paths[1].iterdir()) == [f"{number:05}.png" for number in range(5)]
    rows = read_published(paths[0], strips)
    assert [(row["odd"], row["rule"]) for row in rows] == [(3, "shape_contact_2")] * 7
    assert np.array_equal(rows[5]["images"], images_of(strip_of(panels(5), odd=1)))


def test_strips_are_rgb_files_because_published_readers_do_not_convert(strips, tmp_path):
    (path,) = export(unseen.load(f"{strips}/shape_contact_2", "val")[:1], tmp_path, "strips")
    with Image.open(path / "00000.png") as image:
        assert (image.mode, image.size) == ("RGB", (544, 136))


def test_a_folder_holds_one_rule_and_is_not_left_half_written(strips, tmp_path):
    with pytest.raises(SpecError, match="a published folder holds one rule, not shape and size; export each alone"):
        export(unseen.load(f"{strips}/mixed", "val"), tmp_path, "strips")
    assert list((tmp_path / "task_mixed").iterdir()) == []


def test_a_folder_that_holds_something_is_not_replaced(strips, tmp_path):
    data = unseen.load(f"{strips}/shape_contact_2", "val")
    (path,) = export(data[:2], tmp_path, "strips")
    with pytest.raises(DataError, match="val holds something already; remove it, or choose another folder"):
        export(data[:1], tmp_path, "strips")
    assert [one.name for one in path.parent.iterdir()] == ["val"]
    assert len(list(path.iterdir())) == 2


def test_images_of_another_size_cannot_be_published():
    with pytest.raises(SpecError, match=r"four images of 128 x 128 pixels, not \(4, 64, 64, 3\)"):
        strip_of(np.zeros((4, 64, 64, 3), np.uint8), 0)


def broken(kind, file):
    strip = strip_of(panels(), 0)
    if kind == "size":
        Image.fromarray(strip[:, :500]).save(file)
    elif kind == "frame":
        Image.fromarray(strip | 1).save(file)
    elif kind == "bytes":
        file.write_bytes(b"no picture at all")
    else:
        Image.fromarray(strip).save(file)
        file.write_bytes(file.read_bytes()[:5000])


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("size", "00001.png: it is 500 x 136 pixels, and a strip is 544 x 136"),
        ("frame", "00001.png: its images have no black frame of 4 pixels"),
        ("bytes", "00001.png is no PNG file that can be read"),
        ("cut", "00001.png.*image file is truncated"),
    ],
)
def test_a_file_that_is_no_strip_is_named(strips, tmp_path, kind, said):
    (path,) = export(unseen.load(f"{strips}/shape_contact_2", "val")[:3], tmp_path, "strips")
    broken(kind, path / "00001.png")
    with pytest.raises(DataError, match=said):
        read_published(path, strips)


def test_a_missing_strip_is_named(strips, tmp_path):
    (path,) = export(unseen.load(f"{strips}/shape_contact_2", "val")[:3], tmp_path, "strips")
    (path / "00001.png").unlink()
    with pytest.raises(DataError, match=r"val is not a strips file of strips, or a damaged one: it has no 00001\.png"):
        read_published(path, strips)


def test_a_folder_that_is_not_there_is_named(strips, tmp_path):
    with pytest.raises(DataError, match=r"there is no file .*val"):
        read_published(tmp_path / "val", strips)


def test_a_folder_without_strips_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"it has no 00000\.png"):
        list(read_strips(tmp_path))
