"""Ids, options, expressions and whole commands, of any words: an answer or a sentence, never a traceback."""

from __future__ import annotations

import dataclasses
import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.main import get_command

import unseen
from unseen.cli import OURS, main
from unseen.cli.app import VERBS, app
from unseen.core.catalogue import BENCHMARKS
from unseen.core.errors import UnseenError
from unseen.core.options import RESERVED

TASKS = [task for task in unseen.tasks() if "vor" not in task and "clevr" not in task]  # in 3-D, images take a driver
NUMBERS = st.sampled_from(
    [
        *("0", "1", "2", "3", "5", "-1", "1-3", "3-1", "1.5", "1e9", "nan", "inf", "-0", "64", "999", "4097", "100000"),
        *("1000000000", str(2**31), str(2**63), str(2**64), "9" * 400, "٣", "1_0", "0x10", "1-2-3", "-"),
    ]
)
WORDS = st.sampled_from(
    [
        *(
            "",
            "true",
            "false",
            "none",
            "all",
            "a,b",
            "a:b",
            ",",
            ":",
            "a b",
            ".",
            "..",
            "../x",
            "/",
            "~",
            "=",
            "+",
            "%",
        ),
        *("/etc/passwd", "/dev/null", "x:/elsewhere/f", "é" * 130, "x" * 300, "\0", "\n", "\x1b[31m", "\udc80"),
        *("rot90", "translate_up", "shape", "inside", "self.color", "shape:other.shape:1", "sa", "square", "ff0000"),
        *("shape:other.shape:99999999999999999999", "count", "not", "()", "1+", "{}", "[", "resnet", "x.py:y"),
        *("(" * 5000, "not " * 5000, "a&" * 3000 + "a"),
    ]
)
EXPRESSIONS = st.recursive(
    st.sampled_from(["shape", "color", "rot90", "pad_top", "has_count", "x", "1", "'a'", "not", ""]),
    lambda inner: st.one_of(
        st.builds("({} & {})".format, inner, inner),
        st.builds("not {}".format, inner),
        st.builds("{} | {}".format, inner, inner),
        st.builds("{}({})".format, inner, inner),
        st.builds("{} == {}".format, inner, inner),
    ),
    max_leaves=8,
)
VALUES = st.one_of(NUMBERS, WORDS, EXPRESSIONS, st.text(max_size=20))
SPLITS = st.one_of(st.sampled_from(["train", "val", "test", "val_ood", "test_ood", "test_occlusion"]), WORDS)


def option_names(task: str) -> list[str]:
    benchmark, _, name = task.partition("/")
    row = next(row for row in BENCHMARKS[benchmark].rows if row.name == name)
    return [
        field.name for made in (row.options, BENCHMARKS[benchmark].view_class) for field in dataclasses.fields(made)
    ]


@st.composite
def asked(draw: st.DrawFn) -> tuple[str, dict[str, str]]:
    """A task and options, which are mostly its own."""
    task = draw(st.one_of(st.sampled_from(TASKS), st.sampled_from([f"{name}/custom" for name in BENCHMARKS])))
    names = st.one_of(st.sampled_from(option_names(task) or ["x"]), st.sampled_from([*RESERVED, "x", "", "size"]))
    options = draw(st.dictionaries(names, VALUES, max_size=3))
    alike = [task.upper(), task[:-1], f"{task}/", task.partition("/")[0], f" {task}"]
    return draw(st.one_of(*[st.just(task)] * 6, st.sampled_from(alike), WORDS)), options


def drawn(task: str, split: str, options: dict[str, Any]) -> Any:
    """The first examples of a task; sizes that are only slow are left out, and so are whole passes over a split."""
    made = unseen.task(task, **options)
    assert unseen.task(made.id).id == made.id
    if getattr(made.view, "size", 0) > 256 or made.split(split).unique:
        return None
    dataset = unseen.load(made.id, split)
    example = dataset[min(1, len(dataset) - 1)]
    return example.inputs, example.target, example.scene


def test_a_task_is_made_of_any_words_or_refused_in_a_sentence(tried, answered) -> None:
    @tried(0.2)
    @given(asked(), SPLITS)
    def property(words: tuple[str, dict[str, str]], split: str) -> None:
        task, options = words
        answered(lambda: drawn(task, split, options))

    property()


# ---------------------------------------------------------------------------- whole commands

# what keeps a command short: those that work for long are asked for the least, and none leaves this machine
LEAST = {
    "generate": ["--count", "2", "--workers", "1"],
    "verify": ["--count", "2", "--workers", "1"],
    "audit": ["--count", "10"],
    "export": ["--count", "2"],
    "show": ["--count", "1"],
    "train": ["--steps", "1", "--device", "cpu", "--workers", "0", "--minutes", "0.001", "samples=20"],
    "predict": ["--count", "2", "--device", "cpu", "--model", "regions"],
    "sweep": ["--dry-run", "--no-estimate"],
    "bench": ["--count", "1"],
}
FLAGS = {  # of every verb: its options, and whether they take a value
    verb: {option.opts[0]: not option.is_flag for option in command.params if option.param_type_name == "option"}
    for verb, command in get_command(app).commands.items()
}
LEFT_OUT = {"--base-url", "--engine", "--nodes", "--devices"}  # they would leave this machine, or this process


@st.composite
def commands(draw: st.DrawFn, verb: str) -> list[str]:
    """A verb, words for it, and some of its flags."""
    words = [verb]
    task, options = draw(asked())
    if draw(st.booleans()):
        words += [task, *draw(st.lists(SPLITS, max_size=1))]
    else:
        words += draw(st.lists(st.one_of(WORDS, st.sampled_from(["cogitao", "covr", "file", "folder"])), max_size=2))
    words += [f"{name}={value}" for name, value in options.items()]
    known = sorted(flag for flag in FLAGS[verb] if flag not in LEFT_OUT)
    for flag in draw(st.lists(st.sampled_from(known or ["--help"]), max_size=2, unique=True)):
        words += [flag, draw(VALUES)] if FLAGS[verb].get(flag) else [flag]
    return [word for word in [*words, *LEAST.get(verb, [])] if "\0" not in word]  # which no command can be given


def ran(words: list[str]) -> tuple[Any, str]:
    said = io.StringIO()
    with redirect_stdout(io.TextIOWrapper(io.BytesIO(), errors="surrogatepass")), redirect_stderr(said):
        try:
            main(words)
        except SystemExit as ended:
            return ended.code, said.getvalue()
    raise AssertionError("a command ends with an exit code")


@pytest.mark.parametrize("verb", VERBS)
def test_a_command_of_any_words_ends_with_an_answer_or_a_sentence(
    verb: str, tried, answered, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("not what anybody expects")
    (tmp_path / "folder").mkdir()

    @tried(0.2 / len(VERBS))
    @given(commands(verb))
    def property(words: list[str]) -> None:
        code, said = answered(lambda: ran(words))
        assert code != OURS, said
        assert code in (0, 1, 2), said
        assert "Traceback" not in said
        assert code != 2 or said.splitlines()[-1].startswith("error: "), said

    property()


def test_errors_of_this_library_are_the_only_ones_that_count_as_answers(answered) -> None:
    with pytest.raises(ZeroDivisionError):
        answered(lambda: 1 / 0)
    assert isinstance(answered(lambda: unseen.task("none/such")), UnseenError)
