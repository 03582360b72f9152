"""Sweeps: what a file asks for, what starts from what, and that nothing finished is lost, whoever is killed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from unseen.core.errors import DataError, SpecError, UnknownName
from unseen.core.recipe import Recipes
from unseen.models import MODELS
from unseen.sweeps import plan, read_sweep, shipped, sweep
from unseen.sweeps.claim import Taken, claimed, read_note
from unseen.sweeps.cost import cost_of, seconds_per_step
from unseen.sweeps.job import recipes_of
from unseen.sweeps.plan import Block, Planned
from unseen.sweeps.sweep import levels

TASK = "cogitao/custom+grid=5+max_size=3+objects=1+samples=40+sequences={}"
TASKS = [TASK.format("translate_up"), TASK.format("translate_down")]
SHORT = "recipe = { epochs = 2, batch_size = 10, warmup = 2, eval_batch = 500, eval_examples = 20 }"


def write(folder: Path, text: str) -> str:
    path = folder / "sweep.toml"
    path.write_text(text)
    return str(path)


@pytest.fixture
def grid_of_runs(tmp_path: Path, tiny: str, owner: str) -> str:
    """A file with two tasks, two models and two seeds."""
    return write(tmp_path, f"tasks = {TASKS}\nmodels = ['{tiny}', '{owner}']\nseeds = 2\npredict = 'test'\n{SHORT}\n")


def started(source: str, out: Path, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "unseen", "sweep", source, "--out", str(out), "--no-estimate", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def contents(out: Path) -> dict[str, object]:
    """What records say, less what differs from one machine, place or time to the next."""
    found = {}
    for path in sorted((out / "results").rglob("*.json")):
        record = json.loads(path.read_text())
        record["budget"] = {name: value for name, value in record["budget"].items() if "seconds" not in name}
        found[str(path.relative_to(out))] = {
            name: record[name] for name in ("task", "model", "seed", "budget", "scores")
        }
    return found


# ---------------------------------------------------------------------------- plans


def test_a_file_names_every_task_with_every_model_and_seed(grid_of_runs: str):
    runs = plan(read_sweep(grid_of_runs))
    assert len(runs) == len({run.record for run in runs}) == 8
    assert [run.seed for run in runs] == [0] * 4 + [1] * 4


def test_lists_of_options_are_gone_through(tmp_path: Path):
    source = write(
        tmp_path, "tasks = 'cogitao/custom'\nmodels = 'resnet'\noptions = {samples = [20, 50]}\nset = {width = [8, 16]}"
    )
    runs = plan(read_sweep(source))
    assert {(run.task.rpartition("=")[2], run.options["width"]) for run in runs} == {
        *(("20", 8), ("20", 16), ("50", 8), ("50", 16))
    }


def test_a_table_of_tasks_and_what_they_start_from_names_the_tasks_whatever_their_options(tmp_path: Path, tiny: str):
    source = write(
        tmp_path,
        f"models = '{tiny}'\n[before]\ntasks = {TASKS}\n[after]\noptions = {{samples = [10, 20]}}\n"
        "[after.from]\n'cogitao/custom' = 'before:" + TASKS[0] + "'",
    )
    after = [run for run in plan(read_sweep(source)) if run.block == "after"]
    assert [run.task for run in after] == ["cogitao/custom+samples=10", "cogitao/custom+samples=20"]
    assert {run.after for run in after} == {str(run.record) for run in plan(read_sweep(source))[:1]}


def test_a_task_that_starts_from_several_runs_is_run_once_after_each(tmp_path: Path, tiny: str):
    starts = [f"before:{task}" for task in TASKS]
    source = write(
        tmp_path,
        f"models = '{tiny}'\nseeds = 2\n[before]\ntasks = {TASKS}\n[after]\n[after.from]\n'{TASKS[0]}' = {starts}",
    )
    runs = plan(read_sweep(source), seeds=1)
    after = [run for run in runs if run.block.startswith("after")]
    assert len(runs) == 4
    assert len({run.folder for run in runs}) == 4
    assert {run.after for run in after} == {str(run.record) for run in runs if run.block == "before"}


def test_a_run_may_start_from_a_file_of_weights(tmp_path: Path, tiny: str):
    source = write(tmp_path, f"models = '{tiny}'\ntasks = {TASKS}\nfrom = 'weights/some.pth'")
    assert {(run.start, run.after) for run in plan(read_sweep(source))} == {("weights/some.pth", "")}


@pytest.mark.parametrize(
    ("table", "runs"), [("1", 8 * 5 * 4 * 3), ("2", 600), ("4", 90), ("5", 135), ("6", 150), ("7", 225)]
)
def test_every_published_table_of_cogitao_ships_as_a_sweep(table: str, runs: int):
    assert len(plan(read_sweep(f"cogitao/table-{table}"))) == runs
    assert f"cogitao/table-{table}" in shipped()


def test_a_part_of_a_sweep_can_be_asked_for(tmp_path: Path):
    asked = plan(read_sweep("cogitao/table-2"), models=["resnet"], only=["s2-"], seeds=1, out=tmp_path)
    assert len(asked) == 10
    assert asked[0].folder == tmp_path / "runs" / "cogitao" / "s2-translate" / "resnet" / "seed-0"


def test_a_block_can_be_asked_for_and_brings_what_it_starts_from(tmp_path: Path):
    file = tmp_path / "chain.toml"
    file.write_text(chain())
    assert {run.block for run in plan(read_sweep(str(file)), only=["first"])} == {"first"}
    asked = plan(read_sweep(str(file)), only=["second"])
    assert {(run.block, run.seed) for run in asked} == {("first", 0), ("first", 1), ("second", 0), ("second", 1)}


COMMANDS = [
    (name, line.partition("   ")[0])
    for name, path in shipped().items()
    for line in re.findall(r"^# +(unseen sweep .*)$", path.read_text(), re.MULTILINE)
]


@pytest.mark.parametrize(("name", "command"), COMMANDS)
def test_commands_in_the_files_that_ship_name_runs_that_there_are(name: str, command: str):
    words = command.split()[2:]
    assert words[0] == name
    options: dict[str, list[str]] = {"--models": [], "--only": []}
    for option, value in pairwise(words):
        options.get(option, []).append(value)
    asked = plan(read_sweep(name), models=options["--models"], only=options["--only"])
    for part in options["--only"]:
        assert any(run.belongs_to(part) for run in asked)
    assert asked


@pytest.mark.parametrize("name", shipped())
def test_the_files_that_ship_train_models_that_there_are(name: str):
    assert {run.model for run in plan(read_sweep(name))} <= set(MODELS)


@pytest.mark.parametrize(("name", "path"), shipped().items())
def test_the_files_that_ship_say_what_they_cost(name: str, path: Path):
    said = re.findall(r"^#.*$", path.read_text(), re.MULTILINE)
    assert re.search(r"GPU|CPU core|one core|cvr/table-1 does", "\n".join(said)), name


def chain(*more: str) -> str:
    return "\n".join(
        (
            "models = 'resnet'\nseeds = 2",
            "[first]\ntasks = 'cogitao/s3-mirror'",
            "[second]\ntasks = ['cogitao/s2-mirror', 'cogitao/s2-crop']\nfrom = 'first'",
            *more,
        )
    )


def test_a_run_starts_from_the_run_most_like_it_which_is_done_before(tmp_path: Path):
    runs = plan(read_sweep(write(tmp_path, chain())), only=["s2-crop"])
    assert [(run.block, run.task, run.seed) for run in runs] == [
        ("first", "cogitao/s3-mirror", 0),
        ("second", "cogitao/s2-crop", 0),
        ("first", "cogitao/s3-mirror", 1),
        ("second", "cogitao/s2-crop", 1),
    ]
    assert runs[1].start == str(runs[0].folder)
    assert [len(level) for level in levels(runs)] == [2, 2]


def test_what_a_run_starts_from_can_be_named_by_task_and_stage(tmp_path: Path):
    third = (
        "[third]\ntasks = ['cogitao/s1-crop', 'cogitao/s1-pad']\nstage = 'eye'\n"
        "from = {'cogitao/s1-pad' = 'second:cogitao/s2-crop'}"
    )
    runs = {(run.task, run.seed): run for run in plan(read_sweep(write(tmp_path, chain(third))))}
    assert runs["cogitao/s1-crop", 0].start == ""
    assert runs["cogitao/s1-pad", 1].start == f"{runs['cogitao/s2-crop', 1].folder}:eye"


@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        ("tasks = ", DataError, "not TOML"),
        ("tasks = 'cogitao/s1-pad'", DataError, "name models"),
        ("models = 'resnet'", DataError, "name tasks"),
        ("tasks = 'cogitao/s1-pad'\nmodels = 'resnet'\nsed = 3", DataError, "Did you mean 'seeds'"),
        ("tasks = 3\nmodels = 'resnet'", DataError, "tasks"),
        ("tasks = 'cogitao/s1-pda'\nmodels = 'resnet'", UnknownName, "s1-pad"),
        ("benchmark = 'cogitao'\ntable = '22'", UnknownName, "no table named '22'"),
        ("[a]\ntasks = 'cogitao/s1-pad'\nmodels = 'resnet'\nfrom = 'b'", UnknownName, "no block named 'b'"),
        ("[a]\ntasks = 'cogitao/s1-pad'\nmodels = 'resnet'\nfrom = 'a'", SpecError, "start from itself"),
        (chain("[x]\ntasks = 'cogitao/s1-pad'\nfrom = 'second'"), SpecError, "say which"),
    ],
)
def test_a_mistake_in_a_file_is_told_in_a_sentence(text: str, error: type, sentence: str, tmp_path: Path):
    with pytest.raises(error, match=sentence):
        plan(read_sweep(write(tmp_path, text)))


def test_an_unknown_sweep_and_a_missing_file_are_told_in_a_sentence(tmp_path: Path):
    with pytest.raises(UnknownName, match="cogitao/table-2"):
        read_sweep("cogitao/table2")
    with pytest.raises(DataError, match="cannot be read"):
        read_sweep(str(tmp_path / "none.toml"))
    with pytest.raises(SpecError, match="share of the training"):
        plan(read_sweep("cogitao/table-2"), budget=2)


def test_a_recipe_on_the_command_line_goes_over_the_files(grid_of_runs: str):
    runs = plan(read_sweep(grid_of_runs), recipe={"epochs": "1"})
    assert {run.recipe["epochs"] for run in runs} == {"1"}
    assert {run.recipe["batch_size"] for run in runs} == {10}
    assert all(one.epochs == 1 for run in runs for one in recipes_of(run).values())


# ---------------------------------------------------------------------------- costs


def test_a_budget_is_a_share_of_the_published_steps_and_costs_as_much():
    asked = read_sweep("cogitao/table-2")
    whole, tenth = (
        cost_of(plan(asked, models=["resnet"], only=["s2-pad"], seeds=1, budget=budget)) for budget in (1, 0.1)
    )
    assert (whole.runs, whole.seconds) == (1, None)
    assert tenth.steps == pytest.approx(whole.steps / 10, abs=1)


def test_the_time_of_a_step_is_measured_once_for_runs_that_are_alike(grid_of_runs: str):
    measured: list[Planned] = []

    def measure(run: Planned, recipes: Recipes) -> dict[str, float]:
        measured.append(run)
        return dict.fromkeys(recipes, 0.5)

    cost = cost_of(plan(read_sweep(grid_of_runs)), measure=measure)
    assert (cost.runs, cost.steps, cost.examples, cost.seconds) == (8, 64, 640, 32.0)
    assert len(measured) == 2  # models; tasks and seeds are alike


def test_a_few_steps_tell_how_long_one_takes(grid_of_runs: str):
    run = plan(read_sweep(grid_of_runs))[0]
    assert 0 < seconds_per_step(run, recipes_of(run))[""] < 5


def test_the_time_of_slow_steps_is_told_from_two_of_each_stage(monkeypatch: pytest.MonkeyPatch):
    from unseen.train.loop import Loop

    taken: list[str] = []
    step = Loop._step

    def told(loop: Loop, *batches: object) -> None:
        taken.append(loop.state.stage)
        step(loop, *batches)  # type: ignore[arg-type]

    monkeypatch.setattr(Loop, "_step", told)
    monkeypatch.setattr("unseen.sweeps.cost.LONGEST", 0.0)
    small = {"set": {"width": 16, "blocks": 1, "channels": 4, "latents": 8}, "recipe": {"batch_size": 2}}
    block = Block(tasks=("svib/custom+samples=40+size=16",), models=("ssm-vae",), **small)
    (run,) = plan({"": block})
    measured = seconds_per_step(run, recipes_of(run))
    assert taken == [stage for stage in measured for _ in range(2)]
    assert list(measured) == ["representation", "dynamics", "probe"]
    assert all(seconds > 0 for seconds in measured.values())


# ---------------------------------------------------------------------------- runs


def test_one_process_at_a_time_works_on_a_run_and_says_how_far_it_is(tmp_path: Path):
    path = tmp_path / "a" / "run.claim"
    assert read_note(path) is None
    with claimed(path) as progress:
        progress(3, 10, "epoch 1")
        note = read_note(path)
        assert note is not None
        assert note.process == os.getpid()
        with pytest.raises(Taken), claimed(path):
            pass
    assert read_note(path) is None


def test_runs_start_from_others_and_one_that_fails_costs_its_followers_only(tmp_path: Path, tiny: str):
    text = (
        f"models = '{tiny}'\npredict = 'test'\n{SHORT}\n"
        f"[bad]\ntasks = '{TASKS[0]}'\nset = {{ wdth = 3 }}\n"
        f"[after]\ntasks = '{TASKS[0]}'\nfrom = 'bad'\n"
        f"[good]\ntasks = '{TASKS[0]}'\n"
        f"[next]\ntasks = '{TASKS[1]}'\nfrom = 'good'\nfreeze = 'body'\n"
    )
    ended = {one.run.block: one for one in sweep(plan(read_sweep(write(tmp_path, text)), out=tmp_path))}
    statuses = {name: one.status for name, one in ended.items()}
    assert statuses == {"bad": "failed", "after": "skipped", "good": "done", "next": "done"}
    assert "wdth" in ended["bad"].why
    good, following = (json.loads(ended[name].run.record.read_text()) for name in ("good", "next"))
    assert good["task"] == TASKS[0]
    assert following["init_from"].startswith("runs/good/"), "as it is named on any machine"
    assert following["init_from"].endswith("seed-0")


def finish(source: str, out: Path) -> None:
    done = started(source, out, "--json")
    _, told = done.communicate(timeout=600)
    assert done.returncode == 0, told


@pytest.mark.slow
def test_a_sweep_that_is_killed_twice_ends_with_the_records_of_one_that_is_not(grid_of_runs: str, tmp_path: Path):
    finish(grid_of_runs, tmp_path / "whole")
    killed = tmp_path / "killed"
    for finished in (1, 4):
        process = started(grid_of_runs, killed, "--json")
        while len(contents(killed)) < finished:
            assert process.poll() is None
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        before = {path: path.stat().st_mtime_ns for path in (killed / "results").rglob("*.json")}
    finish(grid_of_runs, killed)
    assert contents(killed) == contents(tmp_path / "whole")
    assert len(contents(killed)) == 8
    assert all(path.stat().st_mtime_ns == when for path, when in before.items())  # what was finished was not run again


@pytest.mark.slow
def test_two_sweeps_over_one_folder_share_the_work(grid_of_runs: str, tmp_path: Path):
    both = [started(grid_of_runs, tmp_path / "both", "--json") for _ in range(2)]
    for process in both:
        _, told = process.communicate(timeout=600)
        assert process.returncode == 0, told
    assert len(contents(tmp_path / "both")) == 8


def test_a_dry_run_says_what_is_to_be_done_and_does_nothing(grid_of_runs: str, tmp_path: Path):
    done = started(grid_of_runs, tmp_path / "out", "--dry-run")
    said, told = done.communicate(timeout=300)
    assert done.returncode == 0, told
    assert said.count("to do") == 8
    assert "left: 8 runs, 64 steps, 640 training examples" in said
    assert not (tmp_path / "out").exists()
