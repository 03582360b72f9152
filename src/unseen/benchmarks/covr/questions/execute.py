"""Running programs: every row in turn, over one table of the objects of all images."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from unseen.benchmarks.covr.questions import program as programs
from unseen.benchmarks.covr.questions.operators import OPERATORS, Item, Link, Table
from unseen.benchmarks.covr.questions.program import BadProgram, Program
from unseen.benchmarks.covr.world.scene import Scene, from_gqa

KEEPING = ("keep_if_values_count_eq", "keep_if_values_count_geq", "keep_if_values_count_leq")
QUANTIFIERS = ("all", "some", "none")


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
    steps = list(_steps(program, table))
    return steps[-1].value if steps else None


class Step(NamedTuple):
    """A row that was run: what it took, and its value."""

    operation: str
    taken: list[Any]
    value: Any


def _steps(program: Program, table: Table) -> Iterator[Step]:
    values: list[Any] = []
    for row in program:
        arguments = [run(one, table) if programs.is_program(one) else one for one in row.arguments]
        taken = [*(values[dependency] for dependency in row.dependencies), *arguments]
        values.append(OPERATORS[row.operation].meaning(table, *taken))
        yield Step(row.operation, taken, values[-1])


def referents(program: Program, table: Table) -> tuple[set[str], set[str]]:
    """The first and the last objects that an answer rests on, by their ids; often they are the same.

    They are what is counted, compared or asked about: both sorts that a question compares; whose attribute is in
    question, and the same if it has it; who a relation is asked of, and to what; what a quantifier is about, and which
    of them fulfil its condition; what is grouped by images, and what of it is in images that count.
    """
    found = [one for step in _steps(program, table) for one in _consulted(step)]
    return ({item.id for item in found[0]}, {item.id for item in found[-1]}) if found else (set(), set())


def _consulted(step: Step) -> Iterator[Sequence[Item]]:
    """Objects of which a step makes something else than other objects."""
    if step.operation in KEEPING:
        yield [item for items in step.value.values() for item in items]
    elif step.operation in QUANTIFIERS:
        items, fitting = step.taken
        yield items
        yield [item for item in items if item in fitting]
    elif step.operation == "verify_attr":
        yield step.taken[:1] if step.value else []
    elif OPERATORS[step.operation].gives != "objects" or step.operation == "assert_unique":
        yield from (one for one in step.taken if isinstance(one, list) and all(isinstance(i, Item) for i in one))


def plain(value: Any) -> Any:
    """A value without the table: objects as ids, relations as names."""
    if isinstance(value, Item):
        return value.id
    if isinstance(value, Link):
        return value.name
    if isinstance(value, dict):
        return {key: plain(group) for key, group in value.items()}
    return [plain(one) for one in value] if isinstance(value, list) else value
