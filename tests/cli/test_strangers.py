"""A folder that a stranger made: it writes nowhere but where it may, and runs nothing that nobody named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")

from unseen.core.seals import without_seal

SHORT = ("--device", "cpu", "--steps", "2", "--workers", "0")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


def edit(config: Path, **changes: object) -> None:
    """Change a configuration as a stranger would."""
    config.write_text(json.dumps({**json.loads(without_seal(config.read_bytes(), config)), **changes}))


@pytest.fixture
def stranger(run, tiny: str, small_task: str, tmp_path: Path) -> tuple[Path, Path]:
    """A run whose model is in a file that leaves a trace when it is run, and that nobody has named."""
    folder = Path(json.loads(run("train", small_task, "--model", tiny, *SHORT, "--json").out)["run"])
    source, code = Path(tiny.rpartition(":")[0]).read_text(), tmp_path / "theirs.py"
    first, rest = source.split("from __future__ import annotations\n", 1)
    trace = f"from pathlib import Path as _P\n_P({str(tmp_path / 'ran')!r}).touch()\n"
    code.write_text(f"{first}from __future__ import annotations\n{trace}{rest}")
    edit(folder / "config.json", model=f"{code}:Tiny", model_digest="")
    return folder, tmp_path / "ran"


def test_code_that_only_a_run_names_needs_a_word(run, stranger: tuple[Path, Path]) -> None:
    folder, trace = stranger
    refused = run("predict", folder, "test", "--count", "2", "--device", "cpu")
    assert refused.code == 2
    assert "names code that you have not run before" in refused.err
    assert not trace.exists()
    for words in (["score", folder], ["results", "cogitao", "--html", "report"], ["train", "--help"]):
        assert run(*words).code == 0  # these read the run, and run nothing
    assert not trace.exists()
    assert run("predict", folder, "test", "--count", "2", "--device", "cpu", "--trust").code == 0
    assert trace.exists()


def test_code_that_only_a_sweep_names_needs_a_word(run, stranger: tuple[Path, Path], small_task: str) -> None:
    _, trace = stranger
    code = trace.with_name("theirs.py")
    Path("theirs.toml").write_text(f'tasks = "{small_task}"\nmodels = "{code}:Tiny"\n')
    words = ("sweep", "theirs.toml", "--dry-run", "--no-estimate")
    refused = run(*words)
    assert refused.code == 2
    assert "the sweep names code that you have not run before" in refused.err
    assert not trace.exists()
    assert run(*words, "--trust").code == 0
    assert trace.exists()


@pytest.mark.parametrize("name", ["x:/elsewhere/f", "..", "a/../../../../elsewhere", "/elsewhere", "../" * 9 + "tmp/x"])
def test_no_name_in_a_run_leads_out_of_the_folders_that_a_command_names(
    name: str, run, make_run, tmp_path: Path
) -> None:
    folder = make_run()
    edit(folder / "config.json", model=name, options={name: name}, seed=-1)
    before = {path for path in tmp_path.rglob("*") if not path.is_relative_to(tmp_path / "here")}
    assert run("score", folder).code == 0
    assert run("results", "cogitao", "--runs", folder.parents[3], "--html", "report").code == 0
    assert {path for path in tmp_path.rglob("*") if not path.is_relative_to(tmp_path / "here")} == before
    assert len(list(Path("results").rglob("*.json"))) == 1
    assert not Path("/elsewhere").exists()


def test_a_link_among_the_files_of_a_run_is_not_written_through(
    run, tiny: str, small_task: str, tmp_path: Path
) -> None:
    words = ("train", small_task, "--model", tiny, *SHORT)
    folder = Path(json.loads(run(*words, "--json").out)["run"])
    (tmp_path / "elsewhere").mkdir()
    (folder / "log.jsonl").rename(tmp_path / "log")
    (folder / "log.jsonl").symlink_to(tmp_path / "log")
    before = (tmp_path / "log").read_bytes()
    for path in (folder / "tensorboard").iterdir():
        path.unlink()
    (folder / "tensorboard").rmdir()
    (folder / "tensorboard").symlink_to(tmp_path / "elsewhere")
    refused = run(*words, "--fresh")
    assert refused.code in (0, 2)  # it removes the links, or refuses them
    assert not list((tmp_path / "elsewhere").iterdir())
    assert (tmp_path / "log").read_bytes() == before


def test_what_a_stranger_wrote_does_not_command_the_terminal(run, make_run) -> None:
    folder = make_run()
    edit(folder / "config.json", model="\x1b[31mred\x07")
    shown = run("score", folder)
    assert shown.code == 0
    assert "\x1b" not in shown.out
    assert "\x1b" not in run("results", "cogitao", "--records", "results").out
