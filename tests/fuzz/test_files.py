"""Files whose bytes or values are not what they should be: every reader and every command says so, or reads them.

Readers are found by their names, so that a new one is tried as soon as it is there; all it needs is a whole file in
`samples.py` that it can read.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import io
import pkgutil
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("torch")
pytest.importorskip("h5py")

import unseen
from unseen.benchmarks.covr.readers import features, imsitu, judgements, paraphrases, vocabulary
from unseen.cli import DEBUG, OURS, main
from unseen.core.catalogue import BENCHMARKS
from unseen.core.errors import DataError, UnseenError
from unseen.core.kernel import hurry
from unseen.data.export import read_published
from unseen.data.places import Folder
from unseen.data.shards import examine, read_footer
from unseen.predict.language.reply import read_reply
from unseen.web.judging import judged

READ = ("read", "load", "open", "examine", "entries", "whole", "find_runs", "gallery")  # how names of readers begin
ELSEWHERE = {  # what reads files in another way, or reads what was read
    "unseen.core.files.read_sealed",  # gives nothing for what is damaged; what it keeps can be made again
}


@pytest.fixture(scope="session")
def samples(pytestconfig: pytest.Config) -> Any:
    """How to make and to spoil a world of files."""
    spec = importlib.util.spec_from_file_location("samples", Path(__file__).with_name("samples.py"))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def world(samples: Any, tiny: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one whole file of every form."""
    folder = tmp_path_factory.mktemp("world")
    samples.make(folder, tiny)
    return folder


def readers() -> dict[str, Callable[[Path], Any]]:
    """Every function that reads a file or a folder, by its place; it is called with nothing else."""
    found: dict[str, Callable[[Path], Any]] = {}
    for module in pkgutil.walk_packages(unseen.__path__, "unseen."):
        if module.name.endswith(("__main__", ".published")):  # published files are read by format
            continue
        try:
            imported = importlib.import_module(module.name)
        except ImportError:  # of an extra that is not installed: its readers are tried where it is
            continue
        for name, function in vars(imported).items():
            place = f"{module.name}.{name}"
            if inspect.isfunction(function) and function.__module__ == module.name and name.startswith(READ):
                first, *others = [*inspect.signature(function).parameters.values()] or [None]
                if first is None:
                    continue
                alone = all(one.default is not one.empty or one.kind is one.VAR_KEYWORD for one in others)
                if alone and ("Path" in str(first.annotation) or name == "read_sweep") and place not in ELSEWHERE:
                    found[place] = partial(_read, function, folder="folder" in first.name or "root" in first.name)
    for reader in (read_footer, examine):  # of a place and a name
        found[f"unseen.data.shards.{reader.__name__}"] = partial(_read_at, reader)
    for name in BENCHMARKS:
        for format in getattr(BENCHMARKS[name].optional_file("published"), "FORMATS", {}):
            found[f"published {name} {format}"] = partial(read_published, benchmark=name)
    return found | BESIDE


def _read_regions(folder: Path) -> Any:
    features.reader.cache_clear()
    published = (str(folder / "all.h5"), str(folder / "rows.json"))
    return [features.regions(source, "7") for source in ((str(folder),), published)]


def _read_situations(folder: Path) -> Any:
    return [*imsitu.read(*(folder / name for name in ("train.json", "imsitu_space.json", "templates.tsv")))]


def _read_reply(path: Path) -> Any:
    try:
        return read_reply(path.read_bytes())
    except ValueError as error:  # which whoever asked tells with the model's name
        raise DataError(str(error)) from error


def _read_upload(path: Path) -> Any:
    try:
        return judged(path.read_bytes())
    finally:
        hurry(False)


# readers that take something else than a path, or more
BESIDE: dict[str, Callable[[Path], Any]] = {
    "regions of photos": _read_regions,
    "situations": _read_situations,
    "vocabulary": lambda path: vocabulary.pieces.__wrapped__(str(path)),
    "paraphrases": lambda path: paraphrases.paraphrases.__wrapped__(str(path)),
    "what excludes what": lambda path: judgements.exclusive(path)("noun", "man", "woman"),
    "what images show": judgements.complete,
    "reply of an endpoint": _read_reply,
    "upload to the board": _read_upload,
}


def _read(function: Callable[..., Any], path: Path, *, folder: bool) -> Any:
    given = path.parent if folder and path.is_file() else path
    read = function(str(given) if function.__name__ == "read_sweep" else given)
    return list(read) if isinstance(read, Iterator) else read


def _read_at(function: Callable[..., Any], path: Path) -> Any:
    return function(Folder(path.parent), path.name)


READERS = readers()


@pytest.fixture(scope="session")
def fitting(world: Path) -> dict[str, list[Path]]:
    """The files of the world that each reader can read."""
    files = [path for path in sorted(world.rglob("*")) if path.is_file() and path.suffix]
    folders = sorted({path.parent for path in files} | {path.parent.parent for path in files})
    return {name: [path for path in [*files, *folders] if _can(read, path)] for name, read in READERS.items()}


def _can(read: Callable[[Path], Any], path: Path) -> bool:
    try:
        read(path)
    except Exception:  # whatever it is, this is not the file to try it with
        return False
    return True


def test_every_reader_can_read_one_of_the_samples(fitting: dict[str, list[Path]]) -> None:
    assert not [name for name, paths in fitting.items() if not paths]
    assert len(READERS) >= 30


@pytest.mark.parametrize("name", READERS)
def test_a_reader_reads_or_refuses_whatever_it_is_given(
    name: str, tried, answered, samples: Any, world: Path, fitting: dict[str, list[Path]], tmp_path: Path
) -> None:
    others = [path for path in sorted(world.rglob("*")) if path.is_file() and path.suffix]

    @tried(0.2 / len(READERS))
    @given(st.integers(0, 2**63))
    def property(seed: int) -> None:
        rng = random.Random(seed)
        chosen = rng.choice(fitting[name] if rng.random() < 0.9 else others)
        path = _copied(chosen, tmp_path / "spoiled")
        files = [one for one in path.rglob("*") if one.is_file()] if path.is_dir() else [path]
        samples.spoil(rng.choice(sorted(files)), rng)
        answered(lambda: READERS[name](path))

    property()


def _copied(path: Path, to: Path) -> Path:
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir()
    return Path(shutil.copytree(path, to / path.name) if path.is_dir() else shutil.copy(path, to / path.name))


# ---------------------------------------------------------------------------- commands on spoiled folders

COMMANDS = {
    "score a run": ["score", "{run}", "--results", "{out}"],
    "score a file": ["score", "{task}", "test", "{run}/predictions-test.parquet"],
    "score by stored data": ["score", "{task}", "test", "{run}/predictions-test.parquet", "--data", "{world}/data"],
    "report": ["results", "cogitao", "--records", "{world}/results", "--runs", "{world}/runs", "--html", "{out}"],
    "results": ["results", "cogitao", "--records", "{world}/results", "--all"],
    "predict": ["predict", "{run}", "test", "--count", "2", "--device", "cpu"],
    "resume": [
        *("train", "{task}", "--model", "{model}", "--set", "width=4", "--out", "{world}/runs", "--device", "cpu"),
        *("--recipe", "batch_size=10", "--epochs", "1", "--workers", "0"),
    ],
    "start from": [
        *("train", "{task}", "--model", "{model}", "--set", "width=4", "--out", "{out}", "--device", "cpu"),
        *("--init-from", "{run}", "--steps", "1", "--workers", "0", "--data", "{world}/data"),
    ],
    "verify": ["verify", "{world}/data", "--workers", "1"],
    "show": ["show", "{world}/data", "test", "--count", "1", "--output", "{out}.png"],
    "generate": ["generate", "{task}", "--count", "20", "--out", "{world}/data", "--workers", "1"],
    "spec": ["show", "--spec", "{world}/foreign/spec.toml", "--count", "1", "--output", "{out}.png"],
    "sweep": ["sweep", "{world}/foreign/sweep.toml", "--dry-run", "--no-estimate", "--out", "{out}"],
    "masks": [
        *("score", "video/vmds", "--format", "published", "--truth", "{world}/foreign/videos.json"),
        *("--predictions", "{world}/foreign/videos.json", "--frames", "0:4"),
    ],
    "scenes": [
        "show",
        "covr/custom",
        "test",
        "--count",
        "1",
        "corpus={world}/foreign/graphs.json",
        "--output",
        "{out}.png",
    ],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_on_spoiled_files_ends_with_an_answer_or_a_sentence(
    name: str, tried, answered, samples: Any, tiny: str, world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(DEBUG, "1")  # so that a failure shows where it happened
    spoiled, out = tmp_path / "world", tmp_path / "out"
    words = COMMANDS[name]

    @tried(0.2 / len(COMMANDS))
    @given(st.integers(0, 2**63))
    def property(seed: int) -> None:
        rng = random.Random(seed)
        shutil.rmtree(spoiled, ignore_errors=True)
        samples.copy_world(world, spoiled)
        (run,) = [path.parent for path in spoiled.rglob("config.json")]
        told = {"run": run, "task": samples.TASK, "world": spoiled, "out": out, "model": tiny}
        command = [word.format_map(told) for word in words]
        samples.spoil(rng.choice(_touched(command, spoiled)), rng)
        code, said = answered(lambda: _ran(command))
        assert code != OURS, said
        assert code in (0, 1, 2), said
        assert {path.name for path in tmp_path.iterdir()} <= {"world", "out", "out.png"}

    property()


def _touched(command: list[str], world: Path) -> list[Path]:
    """The files that a command reads: those that it names, or that lie in folders that it names."""
    named = [Path(word.partition("=")[2] if word.startswith("corpus=") else word) for word in command]
    inside = [path for path in named if path.is_relative_to(world) and path.exists()]
    files = [one for path in inside for one in (path.rglob("*") if path.is_dir() else [path]) if one.is_file()]
    return sorted(one for one in files if one.suffix and one.name != "README.md" and "tensorboard" not in one.parts)


def _ran(words: list[str]) -> tuple[Any, str]:
    said = io.StringIO()
    with redirect_stdout(io.TextIOWrapper(io.BytesIO(), errors="surrogatepass")), redirect_stderr(said):
        try:
            main(words)
        except SystemExit as ended:
            return ended.code, said.getvalue()
    raise AssertionError("a command ends with an exit code")


# ---------------------------------------------------------------------------- flips in our own files

OURSELVES = ("runs", "results", "data", "answers")  # folders of files that this library writes, and seals
COMPARED = {  # readers whose results can be compared, by how the files that they read end
    "config.json": "unseen.runs.config.read_config",
    "log.jsonl": "unseen.runs.log.read_log",
    "seed-0.json": "unseen.results.record.read_record",
    "manifest.json": "unseen.data.manifest.read_manifest",
    "last.safetensors": "unseen.runs.state.read_state",
    "best.safetensors": "unseen.train.checkpoint.load_weights",
    "of-00001.parquet": "unseen.data.shards.examine",
    ".parquet": "unseen.predict.predictions.read_predictions",
}


def _reader_of(path: Path) -> str:
    return next(reader for ending, reader in COMPARED.items() if path.name.endswith(ending))


def _plain(read: Any) -> str:
    """What was read, in a form that can be compared."""
    if isinstance(read, dict):  # weights
        return repr({name: tensor.numpy().tobytes() for name, tensor in read.items()})
    if hasattr(read, "values"):  # predictions
        return repr(
            (read.task, read.indices, [value if isinstance(value, str) else value.tobytes() for value in read.values])
        )
    return repr(read)


@pytest.fixture(scope="session")
def own_files(world: Path) -> list[Path]:
    """The files of the world that this library wrote, one of each form."""
    endings = (".json", ".jsonl", ".parquet", ".safetensors")
    return [path for name in OURSELVES for path in sorted((world / name).rglob("*")) if path.suffix in endings]


def test_every_flip_in_a_file_of_ours_is_found_or_harmless(tried, own_files: list[Path], tmp_path: Path) -> None:
    whole = {path: (path.read_bytes(), _plain(READERS[_reader_of(path)](path))) for path in own_files}
    assert {_reader_of(path) for path in own_files} == {*COMPARED.values()}

    @tried(0.2)
    @given(st.integers(0, 2**63))
    def property(seed: int) -> None:
        rng = random.Random(seed)
        path = rng.choice(own_files)
        content = bytearray(whole[path][0])
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        flipped = tmp_path / path.name
        flipped.write_bytes(content)
        try:
            read = READERS[_reader_of(path)](flipped)
        except UnseenError:
            return
        assert _plain(read).replace(str(tmp_path), "") == whole[path][1].replace(str(path.parent), "")

    property()


def test_commands_succeed_on_whole_files(
    samples: Any, tiny: str, world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    whole = samples.copy_world(world, tmp_path / "world")
    (run,) = [path.parent for path in whole.rglob("config.json")]
    told = {"run": run, "task": samples.TASK, "world": whole, "out": tmp_path / "out", "model": tiny}
    ended = {name: _ran([word.format_map(told) for word in words]) for name, words in COMMANDS.items()}
    few = "gives no question"  # too small a file of scenes to ask about is one sentence, and as far as this can get
    assert not {name: said for name, (code, said) in ended.items() if code and few not in said}
