"""What a model or people have judged, from tables of tab-separated columns: of words, and of images.

    exclusive: kind, word, other, probability        noun    man    woman    0.99
    complete: scene, score, what it shows            2370799    0.93    red    helmet
                                                     2370799    0.71        man    wearing    red    helmet

A table of words says how probable it is that two exclude each other; where it is silent, the lexicon speaks. A table of
images says how sure a classifier is that an image shows a simple subgraph: an object, perhaps with an attribute, or two
with a relation. Columns that say nothing are empty. Lines that begin with # are passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from unseen.benchmarks.covr.english.exclusivity import DIRECTED, KINDS_OF_WORDS, Exclusive, tabled
from unseen.benchmarks.covr.store.interface import Complete
from unseen.benchmarks.covr.store.query import matches, pattern_of
from unseen.benchmarks.covr.world.scene import Scene
from unseen.benchmarks.covr.world.subgraph import Edge, Node
from unseen.core.errors import DataError

THRESHOLDS = {"object": 0.05, "relation": 0.1, "attribute": 0.5}  # of scores, by what an image lacks (paper, app. B)


def exclusive(path: str | Path) -> Exclusive:
    """Mutual exclusion by a table of pairs, and by the lexicon where that is silent."""
    known: dict[tuple[str, str, str], float] = {}
    for where, columns in _rows(Path(path)):
        if len(columns) != 4 or columns[0] not in KINDS_OF_WORDS:
            raise DataError(f"{where}: expected {', '.join(KINDS_OF_WORDS)} as a kind, two words and a probability")
        kind, word, other, probability = columns
        known[kind, word, other] = _share(probability, where)
        if kind not in DIRECTED:
            known.setdefault((kind, other, word), known[kind, word, other])

    def judged(kind: str, word: str, other: str) -> float:
        found = known.get((kind, word, other))
        return tabled(kind, word, other) if found is None else found

    return judged


def complete(path: str | Path) -> Complete:
    """Tell whether an image lacks a subgraph that its graph lacks, by a table of scores; one that is not in it does."""
    scores: dict[str, dict[Node, float]] = {}
    for where, (scene_id, score, *said) in _rows(Path(path), least=4):
        attribute, name, relation, trait, target = (one or None for one in (*said, *("",) * 5)[:5])
        edges = (Edge(relation, Node(target, trait)),) if relation else ()
        if not name or bool(relation) != bool(target) or len(said) > 5:
            raise DataError(f"{where}: expected an attribute and a name, perhaps a relation, an attribute and a name")
        scores.setdefault(scene_id, {})[Node(name, attribute, edges)] = _share(score, where)

    judged = lacking(lambda scene, node: scores[scene.id].get(node, 0.0))
    return lambda scene, node: scene.id not in scores or judged(scene, node)


def lacking(score: Callable[[Scene, Node], float]) -> Complete:
    """Tell whether an image lacks a subgraph that its graph lacks, by how sure a classifier is of simple subgraphs.

    It has it where everything simple in the subgraph is in the graph or scores above the threshold for what the graph
    lacks; of several thresholds the largest counts.
    """

    def lacks(scene: Scene, node: Node) -> bool:
        absent = missing(scene, node)
        threshold = max((THRESHOLDS[_kind(scene, one)] for one in absent), default=0.0)
        return not all(score(scene, one) > threshold for one in absent)

    return lacks


def missing(scene: Scene, node: Node) -> list[Node]:
    """Return everything simple in a subgraph that a scene's graph does not hold."""
    return [one for one in simple(node) if not _holds(scene, one)]


def simple(node: Node) -> Iterator[Node]:
    """Yield everything simple in a subgraph: each object, with its attribute, and each two that are related."""
    yield Node(node.name, node.attribute)
    for edge in node.edges:
        yield Node(node.name, None, (Edge(edge.relation, Node(edge.target.name, edge.target.attribute)),))
        yield from simple(edge.target)
        for name, target in edge.modifiers:
            yield Node(node.name, None, (Edge(name, Node(target.name)),))
            yield from simple(target)


def _kind(scene: Scene, node: Node) -> str:
    """What an image lacks of a simple subgraph."""
    ends = [Node(node.name), *(Node(edge.target.name) for edge in node.edges)]
    if not all(_holds(scene, end) for end in ends):
        return "object"
    return "relation" if node.edges else "attribute"


def _holds(scene: Scene, node: Node) -> bool:
    return any(True for _ in matches(pattern_of(node), scene))


def _rows(path: Path, least: int = 0) -> Iterator[tuple[str, list[str]]]:
    """The columns of every line, and where it is."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise DataError(f"{path} is not a text file in UTF-8; expected a table of tab-separated columns") from None
    except OSError as error:
        raise DataError(f"could not read {path}: {(error.strerror or str(error)).lower()}") from error
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            columns = [column.strip() for column in line.split("\t")]
            if len(columns) < least:
                raise DataError(
                    f"{path}:{number}: expected at least {least} tab-separated columns, found {len(columns)}"
                )
            yield f"{path}:{number}", columns


def _share(text: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise DataError(f"{where}: expected a number from 0 to 1, found {text!r}")
    return value
