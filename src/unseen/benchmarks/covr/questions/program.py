"""Programs: rows of operators over the objects of several scenes; the value of the last row is the answer.

    find("hat"); find("man"); with_relation(#1, #0, "wearing"); count(#2)

is how many men are wearing a hat. `#0` is the value of row 0; what follows the rows' values is literal. A nested
program, the condition of a quantifier, stands in brackets and has rows of its own. The published form is a list of
`{"operation", "arguments", "dependencies"}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from unseen.core.errors import UnseenError

if TYPE_CHECKING:
    from unseen.benchmarks.covr.english.wording import Outside
    from unseen.benchmarks.covr.questions.operators import Operator
    from unseen.benchmarks.covr.world.subgraph import Node


class BadProgram(UnseenError, ValueError):
    """A text or a list of rows that is no program."""


class Row(NamedTuple):
    """One operator: the earlier rows it takes, and after them its literal arguments (one may be a nested program)."""

    operation: str
    arguments: tuple[Any, ...] = ()
    dependencies: tuple[int, ...] = ()


Program = tuple[Row, ...]


def is_program(argument: Any) -> TypeGuard[Program]:
    """Tell whether an argument is a nested program."""
    return isinstance(argument, tuple) and any(isinstance(row, Row) for row in argument)


def nested(program: Program) -> Iterator[Program]:
    """Yield a program and the programs nested in it, outermost first."""
    yield program
    for row in program:
        for argument in filter(is_program, row.arguments):
            yield from nested(argument)


def anonymous(program: Program) -> Program:
    """Operators and structure only: literals are left out, nested programs kept.

    >>> written(anonymous(parse('find("man"); all(#0, [scene(); filter(#0, "tall")])')))
    'find(); all(#0, [scene(); filter(#0)])'
    """
    return tuple(
        row._replace(arguments=tuple(anonymous(argument) for argument in filter(is_program, row.arguments)))
        for row in program
    )


# ---------------------------------------------------------------------------- descriptions


class Rows(list[Row]):
    """A program in the making."""

    def add(self, operation: str, *arguments: Any, of: tuple[int, ...] = ()) -> int:
        """Append a row and return its number."""
        self.append(Row(operation, arguments, of))
        return len(self) - 1

    def then(self, operation: str, *arguments: Any) -> int:
        """Append a row that takes the value of the row before it, and return its number."""
        return self.add(operation, *arguments, of=(len(self) - 1,))

    def named(self, node: Node) -> int:
        """Append rows that find the objects of a name and an attribute."""
        at = self.add("find", node.name) if node.name else self.add("scene")
        return self.add("filter", node.attribute, of=(at,)) if node.attribute else at

    def refer(self, node: Node, outside: Outside | None = None) -> int:
        """Append rows that find the objects of a subgraph: what its relations lead to, its root, then the relations."""
        related = [(edge.relation, self.refer(edge.target)) for edge in node.edges]
        related += [(name, self.refer(other)) for edge in node.edges for name, other in edge.modifiers]
        at = self.named(node)
        for relation, other in related:
            at = self.add("with_relation", relation, of=(at, other))
        if outside:
            at = self.add("with_relation_object", outside.relation, of=(self.named(outside.node), at))
        return at

    def counted(self, node: Node, images: bool) -> int:
        """Append rows that count the objects of a subgraph, or the images that they are in."""
        at = self.refer(node)
        return self.add("count", of=(self.add("unique_images", of=(at,)) if images else at,))

    @property
    def program(self) -> Program:
        """The finished program."""
        return tuple(self)


# ---------------------------------------------------------------------------- published rows


def from_rows(rows: Sequence[Mapping[str, Any]]) -> Program:
    """Return a program from its published form."""
    try:
        return tuple(map(_row, rows))
    except (TypeError, AttributeError, KeyError) as error:
        raise BadProgram(
            "a program is a list of rows, each with operation, arguments and dependencies;"
            f" got {json.dumps(rows, default=str)[:200]}"
        ) from error


def _row(row: Mapping[str, Any]) -> Row:
    operation, arguments, dependencies = row["operation"], row.get("arguments", ()), row.get("dependencies", ())
    if not isinstance(operation, str) or not all(isinstance(one, list | tuple) for one in (arguments, dependencies)):
        raise TypeError("an operation is a word, and arguments and dependencies are lists")
    return Row(operation, tuple(map(_literal, arguments)), tuple(map(index, dependencies)))


def _literal(argument: Any) -> Any:
    if not isinstance(argument, list | tuple):
        return argument
    return from_rows(argument) if any(isinstance(row, Mapping) for row in argument) else tuple(argument)


def to_rows(program: Program) -> list[dict[str, Any]]:
    """Return a program in its published form."""
    return [
        {
            "operation": row.operation,
            "arguments": [_plain(argument) for argument in row.arguments],
            "dependencies": list(row.dependencies),
        }
        for row in program
    ]


def _plain(argument: Any) -> Any:
    if is_program(argument):
        return to_rows(argument)
    return list(argument) if isinstance(argument, tuple) else argument


# ---------------------------------------------------------------------------- text


def written(program: Program) -> str:
    """Return a program as text; `parse` reads it again."""
    return "; ".join(f"{row.operation}({', '.join(_written(row))})" for row in program)


def _written(row: Row) -> Iterator[str]:
    yield from (f"#{dependency}" for dependency in row.dependencies)
    for argument in row.arguments:
        yield f"[{written(argument)}]" if is_program(argument) else json.dumps(_plain(argument), ensure_ascii=False)


TOKEN = re.compile(r'\s*(?:(#\d+)|("(?:[^"\\]|\\.)*"|-?\d+|null|true|false)|([A-Za-z_]\w*)|([()\[\],;]))')


def parse(text: str) -> Program:
    """Return the program of a text that `written` gives, or a person writes.

    >>> parse('find("hat"); count(#0)')[1]
    Row(operation='count', arguments=(), dependencies=(0,))
    """
    try:
        return _Reader(text).program() if text.strip() else ()
    except RecursionError:
        raise BadProgram(f"{text!r} is nested too deeply") from None


class _Reader:
    """Reads a text token by token."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def program(self) -> Program:
        rows = self.rows()
        if self.peek():
            raise self.unexpected()
        return rows

    def rows(self) -> Program:
        return self.separated(";", self.row)

    def row(self) -> Row:
        operation = self.take(r"[A-Za-z_]\w*")
        self.take(r"\(")
        parts = () if self.peek() == ")" else self.separated(",", self.argument)
        self.take(r"\)")
        references = [part for part in parts if isinstance(part, _Reference)]
        if references != list(parts[: len(references)]):
            raise BadProgram(f"in {operation}(...) of {self.text!r}, the values of rows come before the literals")
        return Row(operation, tuple(parts[len(references) :]), tuple(part.row for part in references))

    def argument(self) -> Any:
        if self.peek() != "[":
            return self.literal()
        self.take(r"\[")
        follows = self.peek()
        items: tuple[Any, ...] = ()
        if follows != "]":
            items = self.rows() if re.match(r"[A-Za-z_]", follows) else self.separated(",", self.literal)
        self.take(r"\]")
        return items

    def literal(self) -> Any:
        token = self.take(r'#\d+|".*"|-?\d+|null|true|false')
        return _Reference(int(token[1:])) if token[0] == "#" else json.loads(token)

    def separated(self, mark: str, item: Callable[[], Any]) -> tuple[Any, ...]:
        items = [item()]
        while self.peek() == mark:
            self.take(re.escape(mark))
            items.append(item())
        return tuple(items)

    def peek(self) -> str:
        """Return the next token, or nothing at the end."""
        found = TOKEN.match(self.text, self.at)
        if found is None and self.text[self.at :].strip():
            raise self.unexpected()
        return found[0].strip() if found else ""

    def take(self, form: str) -> str:
        """Return the next token, which has to be of a form."""
        token = self.peek()
        if not re.fullmatch(form, token, re.DOTALL):
            raise self.unexpected()
        self.at = self.text.index(token, self.at) + len(token)
        return token

    def unexpected(self) -> BadProgram:
        rest = self.text[self.at :].strip()
        where = f"before {rest[:30]!r}" if rest else "at its end"
        return BadProgram(
            f'{self.text!r} is no program: it cannot be read {where}; a program reads like find("man"); count(#0)'
        )


class _Reference(NamedTuple):
    row: int


# ---------------------------------------------------------------------------- types

LITERALS: dict[str, Callable[[Any], bool]] = {  # what may be written out for a kind
    "words": lambda value: isinstance(value, str | tuple) and not is_program(value),
    "word": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "truth": lambda value: isinstance(value, bool),
    "condition": lambda value: is_program(value),
}


def problems(program: Program) -> list[str]:
    """Return everything wrong with a program, as sentences; none for one that can be run."""
    return list(_problems(program, []))


def _problems(program: Program, kinds: list[str]) -> Iterator[str]:
    """What is wrong with each row; the kinds of their values, where they are known, are appended to `kinds`."""
    from unseen.benchmarks.covr.questions.operators import ONE, OPERATORS

    for i, row in enumerate(program):
        wrong = [f"takes row {d}, which is not before it" for d in row.dependencies if not 0 <= d < i]
        given = [kinds[d] if 0 <= d < i else "" for d in row.dependencies]
        if row.operation in OPERATORS:
            operator = OPERATORS[row.operation]
            wrong += _misfits(row, operator, given)
            kinds.append(ONE.get("".join(given), "") if operator.gives == "one" else operator.gives)
        else:
            wrong.append("there is no such operator")
            kinds.append("")
        yield from (f"row {i} ({row.operation}): {problem}" for problem in wrong)


def _misfits(row: Row, operator: Operator, given: list[str]) -> Iterator[str]:
    """What a row is given, against what its operator takes."""
    least, most = sum(not parameter.optional for parameter in operator.takes), len(operator.takes)
    total = len(given) + len(row.arguments)
    if not least <= total <= most:
        yield f"takes {least if least == most else f'{least} to {most}'} values, got {total}"
    for (kinds, _), kind in zip(operator.takes, given, strict=False):
        if kind and kind not in kinds:
            yield f"takes {_or(kinds)}, got {kind}"
    for (kinds, optional), literal in zip(operator.takes[len(given) :], row.arguments, strict=False):
        if not ((optional and literal is None) or any(LITERALS[k](literal) for k in kinds & LITERALS.keys())):
            yield f"takes {_or(kinds)}, got {_plain(literal)!r}"
        elif is_program(literal):
            inner: list[str] = []
            yield from (f"its {problem}" for problem in _problems(literal, inner))
            if inner[-1] not in ("objects", ""):
                yield "its nested program does not end in objects"


def _or(kinds: frozenset[str]) -> str:
    return " or ".join(sorted(kinds))
