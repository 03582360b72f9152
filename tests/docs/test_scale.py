"""What docs/scale.md tells people to type can be typed: options exist, scripts parse, the manifest is KubeRay's."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from unseen.cli.app import app
from unseen.engines import ENGINES

PAGE = (Path(__file__).parents[2] / "docs" / "scale.md").read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = re.findall(r"(?m)\bunseen (generate|verify|audit|predict|sweep) ([^\n`#]*)", PAGE)

# as in ray-operator/apis/ray/v1 of KubeRay; what is not named there has a default
JOB = {"entrypoint", "shutdownAfterJobFinishes", "rayClusterSpec"}
CLUSTER = {"rayVersion", "headGroupSpec", "workerGroupSpecs"}
HEAD = {"rayStartParams", "template"}
WORKERS = HEAD | {"groupName", "replicas"}


@pytest.mark.parametrize(("verb", "words"), COMMANDS, ids=range(len(COMMANDS)))
def test_every_option_of_a_command_exists(verb: str, words: str) -> None:
    known = {option for parameter in get_command(app).commands[verb].params for option in parameter.opts}
    assert set(re.findall(r"(?<!\S)(--[a-z-]+)", words)) <= known


@pytest.mark.parametrize("verb", ["generate", "verify", "audit", "predict", "sweep"])
def test_every_verb_of_long_work_has_the_same_options(verb: str) -> None:
    known = {option for parameter in get_command(app).commands[verb].params for option in parameter.opts}
    assert known >= set(re.findall(r"(--[a-z][a-z-]+)", PAGE.partition("| option |")[2].partition("\n\n")[0]))


def test_every_engine_has_a_column() -> None:
    head = PAGE.partition("| option |")[2].partition("\n")[0]
    assert {word.strip() for word in head.split("|")} - {""} == {*ENGINES} - {"outside"}


@pytest.mark.parametrize("script", [text for language, text in BLOCKS if language == "bash"])
def test_a_script_can_be_read_by_bash(script: str) -> None:
    done = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True)
    assert (done.returncode, done.stderr) == (0, "")


STUB = """#!/bin/bash
if [ "$(basename "$0")" = scontrol ]; then hostname -I | cut -d" " -f1; else exec "$@"; fi
"""


@pytest.mark.slow
def test_the_script_for_slurm_runs_on_an_allocation_of_one_node(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="the script for Slurm is not run without Ray")
    (script,) = [text for language, text in BLOCKS if language == "bash" and "#SBATCH" in text]
    with socket.socket() as free:
        free.bind(("", 0))
        port = free.getsockname()[1]
    script = script.replace("6379", str(port)).replace("cogitao/c1-1 --engine", "cogitao/c1-1 val --count 20 --engine")
    for name in ("srun", "scontrol"):
        (tmp_path / name).write_text(STUB)
        (tmp_path / name).chmod(0o755)
    allocation = {"SLURM_JOB_NODELIST": "here", "SLURM_NNODES": "1", "SLURM_CPUS_PER_TASK": "1"}
    path = os.pathsep.join([str(tmp_path), str(Path(sys.executable).parent), os.environ["PATH"]])
    told = os.environ | allocation | {"SLURM_SUBMIT_DIR": str(tmp_path), "PATH": path, "HOME": str(tmp_path)}
    told["RAY_raylet_start_wait_time_s"] = "120"
    done = subprocess.run(["bash", "-e"], input=script, text=True, env=told, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "c1-1" / "manifest.json").exists()


def test_the_manifest_has_the_fields_of_kuberay() -> None:
    yaml = pytest.importorskip("yaml", reason="the KubeRay manifest is not read without PyYAML, which comes with ray")
    (text,) = [text for language, text in BLOCKS if language == "yaml"]
    job = yaml.safe_load(text)
    assert (job["apiVersion"], job["kind"]) == ("ray.io/v1", "RayJob")
    assert job["spec"].keys() == JOB
    cluster = job["spec"]["rayClusterSpec"]
    assert cluster.keys() == CLUSTER
    assert cluster["headGroupSpec"].keys() == HEAD
    (workers,) = cluster["workerGroupSpecs"]
    assert workers.keys() == WORKERS
    for group in (cluster["headGroupSpec"], workers):
        assert all(isinstance(value, str) for value in group["rayStartParams"].values())  # KubeRay takes no numbers
        (container,) = group["template"]["spec"]["containers"]
        mounted = {mount["name"] for mount in container["volumeMounts"]}
        assert mounted == {volume["name"] for volume in group["template"]["spec"]["volumes"]}
