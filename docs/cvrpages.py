"""Pages about CVR, drawn from its rule table and from what was measured.

Which relations are composed, how people do, what became of SVRT, and a glossary of the words that rules are written in;
what trivial solvers reach on every rule; and where ranges differ from the published ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from taskpages import table

from unseen.benchmarks.cvr import ranges
from unseen.benchmarks.cvr.analysis import accuracy_map, count_map, involved, relations_of
from unseen.benchmarks.cvr.meaning.properties import PROPERTIES
from unseen.benchmarks.cvr.vocabulary import FACTORS, Place
from unseen.core.catalogue import BENCHMARKS
from unseen.report.catalogue import option_rows

# A problem of SVRT, what tells its two classes apart, and the published numbers of the rules that generalize it. The
# supplement of CVR names one of them, 7; the others are our reading of the published SVRT generator.
SVRT: dict[int, tuple[str, tuple[int, ...]]] = {
    1: ("two shapes are the same, or differ", (19,)),
    2: ("a small shape within a large one is at its border, or well inside", (25,)),
    3: ("four shapes touch two and two, or three and one apart", (80,)),
    4: ("a shape is inside another, or beside it", (7,)),
    5: ("four shapes are two pairs, or all differ", (69,)),
    6: ("two pairs of shapes have equal distances, or not", ()),
    7: ("six shapes are three pairs, or two triples", (68,)),
    8: ("a shape is inside a larger copy of itself, or not", (67,)),
    9: ("of three shapes in line the largest is in the middle, or at an end", (47,)),
    10: ("four equal shapes are the corners of a square, or not", (11,)),
    11: ("two shapes touch, or are apart", (8,)),
    12: ("of three shapes the two small ones are closest, or a small and the large one", (31, 47)),
    13: ("two pairs of a large and a small shape are arranged alike, or not", (12,)),
    14: ("three shapes are in line, or not", (13,)),
    15: ("four shapes at the corners of a square are the same, or all differ", (69,)),
    16: ("six shapes on both sides of an axis are mirrored, or only copied", (10, 90)),
    17: ("a shape is equally far from three others, or not", ()),
    18: ("the places of six equal shapes are symmetric about an axis, or not", (38,)),
    19: ("two shapes are the same up to size, or differ", (19,)),
    20: ("two shapes are the same up to a mirror, or differ", (29,)),
    21: ("two shapes are the same up to a turn, or differ", (28,)),
    22: ("three shapes in line are the same, or all differ", (69,)),
    23: ("of two small shapes one is inside a large one, or both or none", (17, 23)),
}


# The words that rows of the rule table are made of, in the order in which one meets them.
GLOSSARY = {
    "rule": "what three images of a problem have in common and the odd one has not; a row of the table",
    "relation": "one of the nine things that rules compose: shape, position, size, color, rotation, flip, count,"
    " inside, contact",
    "meaning": "a rule as a person is told it (a sentence) and as the verifier applies it (a reading)",
    "reading": "a way to find the odd one of four images, from what is seen in them alone: `across`, `table`, `holds`,"
    " `either`",
    "law": "a function of one image that a reading asks: a value such as the number of objects, or a statement that is"
    " true, false or undecided",
    "property": "what can be read off a single object, one value for each: its hue, its size, the clump it belongs to;"
    " `size#` is its rank in the image, and `hue'` says only which objects are equal",
    "margin": "below one distance two values are equal, from another on they are different, and what lies between is"
    " undecided, which no problem may be",
    "scene": "how a regular image comes about: bodies, their place, and five factors",
    "bodies": "who is there, what contains what, and what touches what: `a(b) c-d`",
    "place": "where the bodies go",
    "factor": "shape, size, color, angle or flip; who has the same value is its pattern, and where values come from its"
    " level and its options",
    "pattern": "a letter for each object (`aab`: the first two are equal), `all`, `each`, a grouping of the bodies"
    " (`group`, `pair`), or `$name` for a draw",
    "level": "when a value is drawn: `P` once for the problem, `I` for each image, `S` for the four images at once,"
    " without repeating",
    "draw": "a number or pattern with a name that a scene refers to, drawn before anything is placed:"
    " `n=P.between(2, 5)`",
    "change": "what the odd image has instead: another scene (`instead`), a value drawn again (`redraw`), or two"
    " objects that exchange theirs (`exchange`)",
    "shifted": "the generalization version of a rule, which is test_ood: other ranges and counts, fuzzier contours",
    "unless": "a coincidence that would make another image odd as well; such a problem is drawn again",
    "tells": "statistics of an image, such as how much ink it has, that find the odd one because they are the rule,"
    " each with the reason; any other that does is a defect",
}


def glossary() -> Iterator[str]:
    """The words of a rule, and all options of factors and places as the code declares them."""
    yield "## The words of a rule"
    yield table(("word", "is"), GLOSSARY.items())
    yield "Properties that a reading can name: " + ", ".join(f"`{name}`" for name in PROPERTIES) + "."
    for name, factor in FACTORS.items():
        rows = [row for row in option_rows(factor) if row["comment"]]
        if rows:
            yield f"### Options of {name}"
            yield table(
                ("option", "default", "means"), [(row["option"], row["default"], row["comment"]) for row in rows]
            )
    yield "### Places"
    yield table(
        ("place", "puts bodies", "settings"),
        [
            (place.__name__, str(place.__doc__), ", ".join(f"`{one.name}`" for one in fields(place)))
            for place in Place.__subclasses__()
        ],
    )


def pages(measured: Path) -> Iterator[tuple[str, str]]:
    """Places and texts of the pages, once the benchmark is there."""
    if "cvr" in BENCHMARKS:
        benchmark = BENCHMARKS["cvr"]
        rules = benchmark.file("rules").RULES
        yield "cvr", page(rules, benchmark.file("paper").HUMANS)
        yield "cvr-shortcuts", shortcuts(json.loads((measured / "audit.json").read_text()))
        yield "cvr-ranges", published_ranges(rules)


def shortcuts(audits: Sequence[dict[str, Any]]) -> str:
    """What the best trivial solver reaches on every rule, and why; and what all statistics together learn."""
    counts = sorted({f"{audit['count']:,}" for audit in audits})
    lines = [_shortcut(audit) for audit in audits if audit["task"].startswith("cvr/")]
    return "\n\n".join(
        [
            "# CVR: what trivial solvers reach",
            f"Of {' or '.join(counts)} problems of every rule, in its training and in its generalization version, the"
            " share that the best one-number statistic solves, and the reason where that is the rule itself: the odd"
            " image is the one whose number is farthest from the median of the others. Chance is .25. A solver that is"
            " not declared must stay below .5. *Learned* are boosted trees over all statistics that the rule does not"
            " declare, fitted on half of the problems (1,000 at most) and tested on the others.",
            "Measured by `python perf/measure_cvr_audit.py docs/measured/audit.json`; `unseen audit cvr/shape` prints"
            " all solvers of a rule.",
            table(
                ("rule", "set", "best solver", "reaches", "why it may", "best undeclared", "reaches", "learned"),
                lines,
            ),
        ]
    )


def _shortcut(audit: dict[str, Any]) -> tuple[str, ...]:
    """The line of a rule and version."""
    found = {one["solver"]: one for one in audit["findings"]}
    single = max((one for name, one in found.items() if name != "learned"), key=lambda one: one["value"], default=None)
    worst = audit["worst"]
    return (
        audit["task"].removeprefix("cvr/"),
        {"train": "train", "test_ood": "generalization"}[audit["split"]],
        *((single["solver"], f"{single['value']:.2f}") if single else ("none", "below .4")),
        (single and single["reason"]) or "below the bound",
        worst["solver"],
        f"{worst['value']:.2f}",
        f"{found['learned']['value']:.2f}" if "learned" in found else "",
    )


def published_ranges(rules: Sequence[Any]) -> str:
    """Where the rows draw from other ranges than the published generator, beside ours, with the reasons."""
    columns = ("rule", "set", "of", "published", "ours", "reason", "in `variant=published`")
    return "\n\n".join(
        [
            "# CVR: published ranges and ours",
            "Lengths are fractions of the image's side. Rows not listed draw from the published ranges."
            " `unseen generate cvr/all variant=published` draws from the published range wherever that is sound:"
            " answers stay right, objects stay in the frame and apart, and none is smaller than about six pixels. So"
            " published numbers can be compared with less between them; what a range gives away it then gives away.",
            "Of the odd image: what it has in place of the rule. Options are those of the"
            " [glossary](cvr.md#the-words-of-a-rule).",
            table(columns, ranges.describe(rules)),
        ]
    )


def page(rules: Sequence[Any], humans: dict[int, Any]) -> str:
    """The rules by pairs of relations, people's accuracies by the same pairs, SVRT, and a glossary."""
    names = {rule.id: rule.name for rule in rules}
    counts = involved(rules)
    people = {names[rule]: human.accuracy for rule, human in humans.items()}
    larger = sum(len(rule.relations) > 2 for rule in rules)
    return "\n\n".join(
        [
            "# CVR: what is composed",
            "## Rules of each pair of relations",
            f"A square counts the rules that compose its two relations; those of one relation stand under *alone*, and"
            f" the {larger} rules of more than two are in no square.",
            count_map(rules),
            table(("relation", "rules that involve it"), [(name, f"{counts[name]}") for name in relations_of(rules)]),
            "## How people do",
            "Percent of the problems that people solved, mean over the rules of a pair that were asked; published.",
            accuracy_map(rules, people),
            "## How CVR generalizes SVRT",
            "The 23 problems of the Synthetic Visual Reasoning Test each ask for one of two fixed classes. As odd one"
            " out, a rule is asked with other values every time: SVRT's seventh problem tells three pairs of equal"
            " shapes from two triples; the rule that generalizes it tells any sizes of groups from any others. That"
            " pair is the paper's example, the others are our reading of the problems.",
            table(("SVRT", "its classes", "rules of CVR"), [_line(number, names) for number in SVRT]),
            *glossary(),
        ]
    )


def _line(number: int, names: dict[int, str]) -> tuple[str, str, str]:
    classes, rules = SVRT[number]
    linked = (f"[{names[rule]}](benchmarks/cvr-rules.md#{names[rule]})" for rule in rules)
    return f"{number}", classes, ", ".join(linked) or "none"
