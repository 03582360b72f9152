"""What docs/scale.md tells people to type can be typed: options exist, scripts parse, the manifest is KubeRay's."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from typer.main import get_command

from unseen.cli.app import app
from unseen.engines import ENGINES

PAGE = (Path(__file__).parents[2] / "docs" / "scale.md").read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = re.findall(r"(?m)\bunseen (generate|verify|audit|predict|sweep) ([^\n`#]*)", PAGE)

# https://ray-project.github.io/kuberay/reference/api/
JOB = {"entrypoint", "shutdownAfterJobFinishes", "rayClusterSpec"}
CLUSTER = {"rayVersion", "headGroupSpec", "workerGroupSpecs"}
HEAD = {"rayStartParams", "template"}
WORKERS = HEAD | {"groupName", "replicas", "minReplicas", "maxReplicas"}


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
