"""Where a model looks: every bit of what it thinks is shared out among pixels, and the report shows it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import unseen  # noqa: E402
from unseen.core.errors import DataError, SpecError  # noqa: E402
from unseen.models import MODELS, Odd  # noqa: E402
from unseen.predict.attribution import BLANK, attribute, integrated_gradients  # noqa: E402
from unseen.predict.trained import predict  # noqa: E402
from unseen.report.page import run_page  # noqa: E402
from unseen.results.record import score_run  # noqa: E402
from unseen.runs.views import read_looks, write_looks  # noqa: E402
from unseen.train import Devices, train  # noqa: E402

TASK = "cvr/custom+rules=size+samples=16+size=32"


@pytest.fixture
def batch():
    return next(iter(unseen.load(TASK, "test")[:3].torch(3)))


@pytest.mark.parametrize(("name", "options"), [("wren", {"channels": 4}), ("resnet-50", {"channels": 4, "hidden": 8})])
def test_the_pixels_add_up_to_what_the_images_made_likelier(name, options, batch):
    torch.manual_seed(0)
    model = MODELS[name](Odd(32), **options).eval().double()
    with torch.no_grad():
        chosen = model({**batch, "input_images": batch["input_images"].double()}).argmax(dim=1)
        blank = torch.full(batch["input_images"].shape, BLANK, dtype=torch.float64)
        before, after = (
            model({**batch, "input_images": images}).log_softmax(dim=1).gather(1, chosen[:, None])[:, 0]
            for images in (blank, batch["input_images"].double())
        )
    model.float()
    found = integrated_gradients(model, batch, steps=200)
    assert found.shape == (3, 4, 32, 32)
    assert torch.allclose(found.sum(dim=(1, 2, 3)), (after - before).float(), atol=0.02)


def test_a_blank_pixel_speaks_neither_for_nor_against_anything(batch):
    model = MODELS["wren"](Odd(32), channels=4).eval()
    found = integrated_gradients(model, batch, steps=4)
    blank = batch["input_images"].eq(255).all(dim=-1)
    assert not found[blank].any()
    assert found[~blank].any()


def test_what_is_written_is_read_and_what_is_missing_is_nothing(tmp_path: Path):
    looks = {3: np.ones((4, 8, 8), np.float32), 7: np.zeros((4, 8, 8), np.float32)}
    write_looks(tmp_path / "looks.npz", looks)
    again = read_looks(tmp_path / "looks.npz")
    assert again.keys() == looks.keys()
    assert all(np.array_equal(again[index], look) for index, look in looks.items())
    assert read_looks(tmp_path / "none.npz") == {}
    (tmp_path / "looks.npz").write_bytes(b"no such thing")
    with pytest.raises(DataError, match="holds no attributions of a model: predict again with --attribution"):
        read_looks(tmp_path / "looks.npz")


def test_the_report_shows_where_a_model_looked_below_its_answers(tmp_path: Path):
    changes = {"epochs": 1, "least_steps": 0, "eval_examples": 8, "batch_size": 8}
    run = train(TASK, "wren", options={"channels": 4}, changes=changes, out=tmp_path, on=Devices("cpu"))
    predict(run, "test", count=12, device="cpu")
    before = run_page(run, score_run(run))
    path = attribute(run, "test", 12, device="cpu")
    assert len(read_looks(path)) == 12
    after = run_page(run, score_run(run))
    assert "red pixels speak for the model" in before
    assert after.count("<img") == before.count("<img")
    assert len(after) > len(before)  # its pictures are higher
    run.clear()
    assert not path.exists()


def test_only_odd_one_out_tasks_are_looked_into(make_run):
    from unseen.runs import open_run

    with pytest.raises(SpecError, match="worked out for odd-one-out tasks, and cogitao/s2-translate is none"):
        attribute(open_run(make_run()), "test", 1, device="cpu")
