"""The console script: help, mistakes, signals, and how long it takes to start."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time

import pytest
import typer

from unseen.cli.app import VERBS, app

COMMAND = [sys.executable, "-c", "from unseen.cli import main; main()"]


def test_without_words_the_help_names_every_verb(run) -> None:
    code, out, _ = run()
    assert code == 0
    assert all(verb in out for verb in VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(run, verb: str) -> None:
    code, out, _ = run(verb, "--help")
    assert code == 0
    assert f"unseen {verb}" in out


def test_what_a_verb_does_is_not_cut_off_on_a_narrow_screen(run, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    told = dict(line.split(maxsplit=1) for line in run().out.partition("Commands:")[2].splitlines() if line)
    assert list(told) == list(VERBS)
    assert all(sentence.endswith(".") and not sentence.endswith("..") for sentence in told.values()), told


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_is_explained_in_a_sentence(verb: str) -> None:
    (command,) = (found for name, found in typer.main.get_command(app).commands.items() if name == verb)
    for parameter in command.params:
        told = getattr(parameter, "help", None) or ""
        assert told[:1].isupper(), (parameter.name, told)
        assert told.endswith((".", "...")), (parameter.name, told)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["lst"], "No such command 'lst'. Did you mean 'list'?"),
        (["list", "--jsno"], "--json"),
        (["list", "cogitoa"], "no benchmark named 'cogitoa'. Did you mean 'cogitao'?"),
        (["show", "cogitao/c1-9"], "no task named 'c1-9' in cogitao. Did you mean 'c1-5'?"),
        (["show", "cogitao/c1-1", "tset"], "no split named 'tset' in cogitao/c1-1. Did you mean 'test'?"),
        (["show", "cogitao/custom", "gird=3"], "no option named 'gird' in cogitao/custom. Did you mean 'grid'?"),
        (["show", "cogitao/custom", "grid=abc"], "grid of cogitao/custom cannot be 'abc'"),
        (["show", "cogitao/c1-1", "--count", "0"], "--count"),
        (["show", "cogitao/c1-1", "seed=3"], "or --seed 3 in a command"),
        (["show", "cogitao/c1-1", "count=3"], "or --count 3 in a command"),
        (["show", "cogitao/c1-1", "split=test"], "or a word of its own in a command"),
        (["list", "cogitao/c1-1", "name=x"], "a task is named before its options"),
        (["show", "x" * 300], "no benchmark named 'xxx"),
        (["predict", "x" * 300], "file name too long"),
        (["show", "cogitao/custom", "without=" + "(" * 5_000], "is too long"),
        (["show", "two\nlines"], r"no benchmark named 'two\nlines'"),
        (["two\nlines"], "two"),
        (["show"], "name a task"),
        (["show", "cogitao/c1-1", "train", "test"], "one split at a time"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_2(run, words: list[str], sentence: str) -> None:
    code, out, err = run(*words)
    assert code == 2
    assert err.startswith("error: ")
    assert sentence in err
    assert err.count("\n") == 1
    assert len(err) < 600
    assert out == ""


def failing_with(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have `unseen list` fail with an error that no place expects."""

    def fail(name: str | None = None) -> None:
        raise error

    monkeypatch.delenv("UNSEEN_DEBUG", raising=False)
    monkeypatch.setattr("unseen.report.catalogue.benchmarks", fail)


def test_a_mistake_of_ours_is_one_sentence_and_exit_code_70(run, monkeypatch: pytest.MonkeyPatch) -> None:
    failing_with(KeyError("lines\n" * 999), monkeypatch)
    code, out, err = run("list")
    assert code == 70
    assert err.startswith("error: this is a mistake in unseen and not yours (KeyError: 'lines")
    assert "please report it" in err
    assert err.count("\n") == 1
    assert len(err) < 500
    assert out == ""


def test_a_traceback_is_printed_where_it_is_asked_for(run, monkeypatch: pytest.MonkeyPatch) -> None:
    failing_with(KeyError("rule"), monkeypatch)
    monkeypatch.setenv("UNSEEN_DEBUG", "1")
    code, _, err = run("list")
    assert code == 70
    assert err.startswith("Traceback (most recent call last)")
    assert err.splitlines()[-1].startswith("error: this is a mistake in unseen")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "x.parquet"), "no space left on device (x.parquet)"),
        (OSError("disk gone"), "disk gone"),
        (MemoryError(), "not enough memory"),
    ],
)
def test_what_the_system_refuses_is_no_mistake_of_ours(run, monkeypatch, error: Exception, sentence: str) -> None:
    failing_with(error, monkeypatch)
    code, _, err = run("list")
    assert code == 2
    assert sentence in err
    assert err.count("\n") == 1


def test_a_warning_is_one_sentence() -> None:
    warned = "import warnings; from unseen import cli; cli._run = lambda _: warnings.warn('no torch') or 0; cli.main()"
    ended = subprocess.run([sys.executable, "-c", warned], capture_output=True, text=True, check=True)
    assert ended.stderr == "warning: no torch\n"


def test_the_version_is_printed(run) -> None:
    import unseen

    assert run("--version").out.strip() == unseen.__version__


def test_an_interrupted_command_ends_quietly_with_130(run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(name: str | None = None) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("unseen.report.catalogue.benchmarks", interrupted)
    code, out, err = run("list")
    assert (code, out, err) == (130, "", "")


def test_a_real_interrupt_ends_quietly_with_130() -> None:
    words = ["show", "cogitao/custom", "transformations=pad_top", "depth=16", "--count", "100000"]
    running = subprocess.Popen(
        [*COMMAND, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(3)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    assert "Traceback" not in err
    assert out == ""


def test_a_closed_pipe_is_no_error() -> None:
    done = subprocess.run(f'{sys.executable} -c "{COMMAND[2]}" list --json | head -1', shell=True, capture_output=True)
    assert done.stdout == b"[\n"
    assert done.stderr == b""


@pytest.mark.parametrize("words", [["list"], ["--help"], ["list", "cogitao/c1-1"]])
def test_listing_is_quick(words: list[str]) -> None:
    # about 0.7 s of CPU time here; the best of three, and room for a machine that is slower or has busy neighbors
    assert min(_cpu_seconds([*COMMAND, *words]) for _ in range(3)) < 1.5


def _cpu_seconds(command: list[str]) -> float:
    before = os.times()
    subprocess.run(command, check=True, capture_output=True)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def test_listing_tasks_compiles_nothing() -> None:
    program = "import sys, unseen; unseen.tasks(); print('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout.strip() == "False"
