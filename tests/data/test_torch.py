"""Batches: what they hold, how they are padded, and that nothing but seed and epoch decides their order."""

from __future__ import annotations

import pickle
import sys

import numpy as np
import pytest

import unseen
from unseen.core.errors import MissingExtra, SpecError, UnknownName
from unseen.data.torch import Batches, Collate, data_loader

torch = pytest.importorskip("torch")


def load(name="cogitao/c3-1", split="test", **options):
    return unseen.load(name, split, **options)


def indices(loader):
    return [batch["index"].tolist() for batch in loader]


def equal(one, other):
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


def test_a_batch_holds_the_examples_in_order():
    ds = load()
    batch = next(iter(ds.torch(batch_size=8)))
    for k in range(8):
        assert np.array_equal(batch["input_grid"][k], ds[k].inputs["grid"])
        assert np.array_equal(batch["input_code"][k], ds[k].inputs["code"])
        assert np.array_equal(batch["target_grid"][k], ds[k].target["grid"])
        assert batch["index"][k] == k
    assert {tensor.dtype for tensor in batch.values()} == {torch.int64}


@pytest.mark.parametrize(("name", "side"), [("cogitao/g2-1", 20), ("cogitao/g2-1+padding=24", 24)])
def test_grids_are_padded_with_minus_one_to_the_side_of_the_task(name, side):
    ds = load(name, "train")
    batch = next(iter(ds.torch(batch_size=8)))
    assert batch["input_grid"].shape == batch["target_grid"].shape == (8, side, side)
    for k in range(8):
        height, width = ds[k].inputs["grid"].shape
        inside = torch.zeros(side, side, dtype=torch.bool)
        inside[:height, :width] = True
        assert torch.equal(batch["input_grid"][k] >= 0, inside)


def test_demonstrations_and_frames_of_different_lengths_are_stacked():
    ds = load("cogitao/c1-1", "train", in_context=2, sequential=True)
    depths = {len(ds[k].target["frames"]) for k in range(32)}
    assert len(depths) > 1
    batch = next(iter(ds.torch(batch_size=32)))
    assert batch["input_demonstration_inputs"].shape == (32, 2, 20, 20)
    assert batch["target_frames"].shape == (32, max(depths), 20, 20)
    assert batch["target_owners"].dtype == torch.uint8
    shorter = next(k for k in range(32) if len(ds[k].target["frames"]) < max(depths))
    assert (batch["target_frames"][shorter, -1] == -1).all()


def test_text_stays_text_and_images_keep_their_size():
    collate = Collate(unseen.task("cogitao/c1-1"))
    assert collate._stacked("text", ["a", "b"]) == ["a", "b"]
    assert collate._stacked("image", [np.zeros((5, 5, 3), np.uint8)] * 2).shape == (2, 5, 5, 3)


@pytest.mark.parametrize("shuffle", [False, True])
def test_the_number_of_workers_changes_nothing(shuffle):
    alone = list(load()[:50].torch(batch_size=8, shuffle=shuffle))
    shared = list(load()[:50].torch(batch_size=8, shuffle=shuffle, num_workers=2))
    assert len(alone) == len(shared) == 7
    assert all(equal(one, other) for one, other in zip(alone, shared, strict=True))


def test_the_order_depends_on_seed_and_epoch_and_holds_every_example_once():
    ds = load()[:100]
    orders = [indices(ds.torch(batch_size=9, shuffle=True, **at)) for at in ({}, {"seed": 1}, {"epoch": 1})]
    assert all(sorted(place for batch in order for place in batch) == list(range(100)) for order in orders)
    assert orders[0] != orders[1] != orders[2] != orders[0]
    assert indices(ds.torch(batch_size=9, shuffle=True)) == orders[0]


def test_going_through_a_loader_again_gives_the_same_order():
    loader = load()[:40].torch(batch_size=8, shuffle=True)
    assert indices(loader) == indices(loader)


def test_the_random_state_of_torch_is_neither_used_nor_changed():
    ds = load()[:32]
    torch.manual_seed(5)
    before = torch.get_rng_state()
    first = indices(ds.torch(batch_size=8, shuffle=True))
    assert torch.equal(torch.get_rng_state(), before)
    torch.manual_seed(6)
    assert indices(ds.torch(batch_size=8, shuffle=True)) == first


def test_a_last_batch_that_is_not_full_can_be_dropped():
    ds = load()[:20]
    assert [len(batch) for batch in indices(ds.torch(batch_size=8))] == [8, 8, 4]
    assert [len(batch) for batch in indices(ds.torch(batch_size=8, drop_last=True))] == [8, 8]
    assert len(ds.torch(batch_size=8)) == 3
    assert len(ds.torch(batch_size=8, drop_last=True)) == 2


def test_dropping_the_last_batch_of_a_shuffle_leaves_out_any_examples():
    kept = [place for batch in Batches(range(20), 8, key=3, whole=True) for place in batch]
    assert len(set(kept)) == 16
    assert max(kept) >= 16


def test_a_slice_keeps_the_indices_of_its_split():
    assert indices(load()[10:14].torch(batch_size=2)) == [[10, 11], [12, 13]]


def test_what_workers_receive_can_be_sent_to_them():
    collate = pickle.loads(pickle.dumps(Collate(unseen.task("cogitao/g2-1"))))
    batch = collate([load("cogitao/g2-1")[0]])
    assert batch["input_grid"].shape == (1, 20, 20)


def test_an_empty_data_set_has_no_batches():
    assert list(load()[:0].torch(batch_size=4)) == []


def test_a_batch_of_nothing_is_refused():
    with pytest.raises(SpecError, match="batch_size counts examples, so it cannot be 0"):
        data_loader(load(), 0)


def test_further_words_are_those_of_pytorch():
    loader = load()[:20].torch(batch_size=8, num_workers=1, prefetch_factor=3, persistent_workers=True)
    assert (loader.num_workers, loader.prefetch_factor, loader.persistent_workers) == (1, 3, True)


def test_words_that_pytorch_does_not_know_are_refused():
    with pytest.raises(UnknownName, match=r"no option named 'workers' in a DataLoader. Did you mean 'num_workers'\?"):
        load().torch(workers=2)


@pytest.mark.parametrize("word", ["sampler", "batch_sampler", "collate_fn", "generator"])
def test_words_that_would_change_the_batches_are_refused(word):
    with pytest.raises(SpecError, match=f"the order and form of batches are the data set's own; leave {word}= out"):
        load().torch(**{word: None})


def test_without_torch_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtra, match=r'needs torch; .* pip install "\.\[train\]"'):
        data_loader(load(), 4)


def test_questions_that_are_made_together_are_asked_near_each_other():
    from unseen.benchmarks.covr.questions.batch import QUESTIONS
    from unseen.data.torch import WINDOW, Batches

    questions = unseen.load("covr/iid", "train")
    batches = list(Batches(questions, 16, key=3))
    assert sorted(position for batch in batches for position in batch) == list(range(len(questions)))
    first = [position for batch in batches[: WINDOW * QUESTIONS // 16] for position in batch]
    assert len({position // QUESTIONS for position in first}) == WINDOW
    assert first != sorted(first)


def test_single_images_are_the_first_of_each_problem_that_is_not_odd():
    problems = unseen.load("cvr/inside", "test", size=32)[:24]
    (batch,) = problems.torch(24, single=True)
    assert batch.keys() == {"index", "input_image"}
    for example, image in zip(problems, batch["input_image"], strict=True):
        place = 1 if example.target["odd"] == 0 else 0
        assert np.array_equal(image, example.inputs["images"][place])
    assert any(example.target["odd"] == 0 for example in problems)
    with pytest.raises(SpecError, match="single images are taken of odd-one-out problems"):
        unseen.load("cogitao/c1-1", "test").torch(8, single=True)


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize(("ranks", "workers"), [(1, 0), (2, 0), (3, 0), (2, 2)])
def test_processes_and_workers_share_one_order(small, ranks, workers, shuffle):
    data = load(small.id, "train")[:333]
    whole = [batch["index"].tolist() for batch in data.torch(10, shuffle=shuffle)]
    parts = [data.torch(10, shuffle=shuffle, share=(rank, ranks), num_workers=workers) for rank in range(ranks)]
    shares = [[batch["index"].tolist() for batch in part] for part in parts]
    assert [len(part) for part in parts] == [len(share) for share in shares]
    for number, batch in enumerate(whole):
        got = [share[number] if number < len(share) else [] for share in shares]
        assert [got[place % ranks][place // ranks] for place in range(len(batch))] == batch
    assert sorted(index for share in shares for batch in share for index in batch) == list(range(333))


@pytest.mark.parametrize("share", [(2, 2), (-1, 2), (0, 11), (0, 0)])
def test_a_share_that_nobody_has_is_refused(small, share):
    with pytest.raises(SpecError, match=r"share is \(rank, ranks\)"):
        load(small.id, "train").torch(10, share=share)
