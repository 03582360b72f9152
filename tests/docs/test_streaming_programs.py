"""The programs in docs/scale.md run as they stand, on a folder that is generated for them."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

import unseen
from unseen.cli import main
from unseen.data.generate import generate

PAGE = (Path(__file__).parents[2] / "docs" / "scale.md").read_text()
PROGRAMS = {re.search(r"import (\w+)", code)[1]: code for code in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)}
LEFT_OPEN = ("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(scope="module")
def folder(small_task: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(
        generate(unseen.task(small_task), tmp_path_factory.mktemp("scale") / "data", splits=["train"], workers=1)
    )


def run(package: str, **names: object) -> dict[str, object]:
    if not find_spec(package):
        pytest.skip(f"{package} is not installed, so that nobody knows whether it reads what is written")
    exec(PROGRAMS[package], names)
    return names


def test_every_program_has_a_test():
    assert set(PROGRAMS) == {"unseen", "datasets", "ray", "webdataset"}


def test_pytorch_streams(folder: str) -> None:
    pytest.importorskip("torch", reason='no PyTorch: pip install ".[train]"')
    assert run("unseen", folder=folder)["batch"]["index"].shape == (32,)


def test_datasets_streams(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    datasets = pytest.importorskip("datasets", reason='no datasets: pip install ".[hf]"')
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path))
    assert run("datasets", folder=folder)["row"]["index"] == 0
    assert not list(tmp_path.rglob("*.arrow")), "it was loaded whole"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", *LEFT_OPEN)  # of Ray's own
def test_ray_streams(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray", reason='no Ray: pip install "ray[data]"')
    try:
        ray.init(address="local", num_cpus=1, include_dashboard=False, log_to_driver=False)
        assert sorted(run("ray", folder=folder)["batch"]["index"]) == list(range(64))
    finally:
        ray.shutdown()


@pytest.mark.filterwarnings(*LEFT_OPEN)
def test_webdataset_streams(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (command,) = re.findall(r"```sh\nunseen (export .*--format webdataset .*)\n```", PAGE)
    with pytest.raises(SystemExit, match="0"):
        main(command.split())
    first = unseen.load("cogitao/s1-rotate", "test")[0]
    assert (run("webdataset")["sample"]["target_grid.npy"] == first.target["grid"]).all()
