"""What is imported and what is declared to be installed are held together, and no extra brings torchvision in."""

from __future__ import annotations

import ast
import sys
import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import unseen

PACKAGE = Path(unseen.__file__).parent
PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
IMPORTED_AS = {"pillow": {"PIL"}, "bpy": {"bpy", "mathutils"}}  # the others by their own name
IMPORTED_BY_OTHERS = {  # what is used, and by whom
    "tensorboard": "torch.utils.tensorboard, which training writes to",
    "python-multipart": "starlette, which reads forms with it",
    "httptools": "uvicorn, which reads requests faster with it",
    "uvloop": "uvicorn, which waits for them faster with it",
    "datasets": "the lines of every data-set card that load it",
}
DEVELOPMENT = "dev"  # the extra of those who work on the library, whose packages the tests import


def names(requirements: list[str]) -> list[str]:
    """The packages that are required.

    >>> names(["torch>=2.4", "psycopg[binary]>=3.1"])
    ['torch', 'psycopg']
    """
    return [canonicalize_name(Requirement(text).name) for text in requirements]


BASE = names(PROJECT["dependencies"])
EXTRAS = {extra: names(listed) for extra, listed in PROJECT["optional-dependencies"].items()}
OFFERED = {extra: packages for extra, packages in EXTRAS.items() if extra != DEVELOPMENT}


def modules_of(package: str) -> set[str]:
    return IMPORTED_AS.get(package, {package.replace("-", "_")})


@cache
def nodes() -> list[tuple[Path, ast.AST]]:
    """All code of the library, read when it is first asked for: every process of a test run loads this file."""
    return [(path, node) for path in sorted(PACKAGE.rglob("*.py")) for node in ast.walk(ast.parse(path.read_text()))]


@cache
def imported() -> dict[str, Path]:
    """The modules of other people that the library imports, at the top or in a function, each with a file that does."""
    found: dict[str, Path] = {}
    for path, node in nodes():
        if isinstance(node, ast.ImportFrom) and not node.level:
            tops = [node.module or ""]
        elif isinstance(node, ast.Import):
            tops = [alias.name for alias in node.names]
        else:
            continue
        for top in (name.partition(".")[0] for name in tops):
            if top != "unseen" and top not in sys.stdlib_module_names:
                found.setdefault(top, path)
    return found


@cache
def messages() -> dict[str, str]:
    """By extra, the packages that are named where the library says that the extra is missing."""
    found: dict[str, str] = {}
    for _, node in nodes():
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "missing_extra":
            _, extra, packages = (ast.literal_eval(argument) for argument in node.args)
            found[extra] = f"{found.get(extra, '')} {packages}"
    return found


def test_everything_imported_is_a_dependency_or_in_an_extra():
    declared = {module for packages in (BASE, *OFFERED.values()) for name in packages for module in modules_of(name)}
    undeclared = {module: str(path) for module, path in imported().items() if module not in declared}
    assert not undeclared


@pytest.mark.parametrize("package", dict.fromkeys([*BASE, *(name for listed in OFFERED.values() for name in listed)]))
def test_everything_declared_is_imported(package):
    assert modules_of(package) & imported().keys() or package in IMPORTED_BY_OTHERS


@pytest.mark.parametrize("extra", OFFERED)
def test_who_lacks_an_extra_is_told_its_name_and_packages(extra):
    needed = [name for name in OFFERED[extra] if name not in IMPORTED_BY_OTHERS]
    told = messages().get(extra, "")
    assert [name for name in needed if name not in told] == []


def brought_by(requirements: list[str]) -> set[str]:
    """The packages that some requirements bring in, as far as these are installed and say what they need."""
    found: set[str] = set()
    waiting = [Requirement(text) for text in requirements]
    seen: set[str] = set()
    while waiting:
        requirement = waiting.pop()
        if str(requirement) in seen:
            continue
        seen.add(str(requirement))
        found.add(canonicalize_name(requirement.name))
        try:
            further = map(Requirement, requires(requirement.name) or ())
        except PackageNotFoundError:
            continue
        chosen = [{"extra": extra} for extra in ("", *requirement.extras)]
        waiting += [one for one in further if one.marker is None or any(one.marker.evaluate(extra) for extra in chosen)]
    return found


@pytest.mark.parametrize("extra", EXTRAS)
def test_no_extra_brings_torchvision_in(extra):
    brought = brought_by([*PROJECT["dependencies"], *PROJECT["optional-dependencies"][extra]])
    assert brought >= {"numpy", "llvmlite"}  # what is needed by what is needed is found
    assert "torchvision" not in brought


def test_torch_comes_with_training_and_with_nothing_else():
    with_torch = [extra for extra in EXTRAS if "torch" in brought_by(PROJECT["optional-dependencies"][extra])]
    assert with_torch == ["train"]
