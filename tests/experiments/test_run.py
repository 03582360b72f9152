"""The experiments of every published table: what would be run, and that finished runs are not run again."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from unseen.benchmarks.cogitao.paper import EPOCHS, TABLES

EXPERIMENTS = Path(__file__).parents[2] / "experiments"


def run(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", EXPERIMENTS / "run.py", *words]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, cwd=cwd)


def commands(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert done.returncode == 0, done.stderr
    return [line for line in done.stdout.splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("table", TABLES)
def test_every_published_table_has_a_file(table):
    content = tomllib.loads((EXPERIMENTS / f"table{table}.toml").read_text())
    assert (content["benchmark"], content["table"]) == ("cogitao", table)
    models = {result.model for result in TABLES[table]}
    assert all(models == speeds.keys() for speeds in content["examples_per_second"].values())
    assert models <= EPOCHS.keys()


@pytest.mark.parametrize(
    ("table", "runs"), [("1", 8 * 5 * 4 * 3), ("2", 600), ("4", 90), ("5", 135), ("6", 150), ("7", 225)]
)
def test_a_dry_run_shows_every_command_and_runs_none(table, runs, tmp_path: Path):
    shown = commands(run(f"table{table}", "--dry-run", cwd=tmp_path))
    assert len(shown) == 3 * runs + 1
    assert shown[-1] == f"unseen results cogitao --table {table} --records results"
    assert list(tmp_path.iterdir()) == []


def test_the_papers_budget_is_the_models_own_recipe(tmp_path: Path):
    asked = ("table2", "--models", "resnet", "--only", "s2-translate", "--seeds", 1, "--dry-run")
    assert commands(run(*asked, cwd=tmp_path)) == [
        "unseen train cogitao/s2-translate --model resnet --seed 0 --out runs",
        "unseen predict runs/cogitao/s2-translate/resnet/seed-0",
        "unseen score runs/cogitao/s2-translate/resnet/seed-0 --results results",
        "unseen results cogitao --table 2 --records results",
    ]


def test_a_smaller_budget_has_fewer_steps_and_a_place_of_its_own(tmp_path: Path):
    done = run(
        "table4", "--models", "resnet", "--only", "c1-1", "--budget", 0.01, "--seeds", 1, "--dry-run", cwd=tmp_path
    )
    train, _, score, results = commands(done)
    assert train.endswith("--out budget-0.01/runs --steps 156 --recipe warmup=2")
    assert score.endswith("--results budget-0.01/results")
    assert results.endswith("--records budget-0.01/results")
    assert "1 runs, 9,984 training examples" in done.stdout


def test_a_finished_run_is_not_run_again(tmp_path: Path):
    record = tmp_path / "results/cogitao/s2-pad/resnet-seed-0.json"
    record.parent.mkdir(parents=True)
    record.touch()
    done = run("table2", "--models", "resnet", "--only", "s2-pad", "--seeds", 2, "--dry-run", cwd=tmp_path)
    assert "# done: results/cogitao/s2-pad/resnet-seed-0.json" in done.stdout
    assert [line.split()[5:7] for line in commands(done) if " train " in line] == [["--seed", "1"]]


def test_a_command_that_fails_ends_the_runs(tmp_path: Path):
    (tmp_path / "runs").touch()  # where a folder must be made
    done = run("table2", "--models", "resnet", "--only", "s1-pad", "--budget", 0.1, "--out", tmp_path, cwd=tmp_path)
    assert done.returncode != 0
    assert "unseen predict" not in done.stdout


@pytest.mark.parametrize(
    ("words", "sentence"), [(("--budget", 2), "must be above 0"), (("--only", "x"), "has nothing")]
)
def test_what_cannot_be_run_is_a_mistake(words, sentence, tmp_path: Path):
    done = run("table2", *words, cwd=tmp_path)
    assert done.returncode != 0
    assert sentence in done.stderr
