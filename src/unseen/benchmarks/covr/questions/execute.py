"""Running programs: every row in turn, over one table of the objects of all images."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from unseen.benchmarks.covr.questions import program as programs
from unseen.benchmarks.covr.questions.operators import OPERATORS, Item, Link, Table
from unseen.benchmarks.covr.questions.program import BadProgram, Program
from unseen.benchmarks.covr.world.scene import Scene, from_gqa


def execute(program: Sequence[Any], scenes: Mapping[str, Any]) -> Any:
    """The value of a program's last row, over scenes by image id; null for a program without rows.

    Program and scenes may be in their published form, which for scenes is that of GQA. Objects come as a list of ids,
    in the order of the scenes; one object as its id; relations as their names.

    >>> scenes = {"7": {"objects": {"a": {"name": "cat", "attributes": ["black"]}, "b": {"name": "cat"}}}}
    >>> execute([{"operation": "find", "arguments": ["cat"], "dependencies": []}], scenes)
    ['a', 'b']
    """
    rows = program if programs.is_program(program) else programs.from_rows(program)
    if wrong := programs.problems(rows):
        raise BadProgram(f"the program cannot be run: {'; '.join(wrong)}")
    read = (scene if isinstance(scene, Scene) else from_gqa(id, scene) for id, scene in scenes.items())
    return plain(run(rows, table(map(items, read))))


def items(scene: Scene) -> Table:
    """The objects of a scene as programs see them."""
    return {
        thing.id: Item(
            thing.id,
            scene.id,
            thing.name,
            thing.attributes,
            tuple(Link(relation.name, relation.target) for relation in thing.relations),
            _targets(named for relation in thing.relations for named in (relation, *relation.modifiers)),
        )
        for thing in scene.things.values()
    }


def _targets(named: Iterable[Any]) -> dict[str, tuple[str, ...]]:
    targets: dict[str, tuple[str, ...]] = {}
    for one in named:
        targets[one.name] = (*targets.get(one.name, ()), one.target)
    return targets


def table(scenes: Iterable[Table]) -> Table:
    """The objects of several scenes as one table."""
    return {id: item for scene in scenes for id, item in scene.items()}


def run(program: Program, table: Table) -> Any:
    """The value of a program's last row, with objects as items of the table; nested programs have their own rows."""
    results: list[Any] = []
    for row in program:
        arguments = [run(one, table) if programs.is_program(one) else one for one in row.arguments]
        taken = [results[dependency] for dependency in row.dependencies]
        results.append(OPERATORS[row.operation].meaning(table, *taken, *arguments))
    return results[-1] if results else None


def plain(value: Any) -> Any:
    """A value without the table: objects as ids, relations as names."""
    if isinstance(value, Item):
        return value.id
    if isinstance(value, Link):
        return value.name
    if isinstance(value, dict):
        return {key: plain(group) for key, group in value.items()}
    return [plain(one) for one in value] if isinstance(value, list) else value
