"""Questions about how many objects there are, or images with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from unseen.benchmarks.covr.english.wording import Phrase
from unseen.benchmarks.covr.questions.program import Program, Rows
from unseen.benchmarks.covr.questions.related import IMAGES, Images, Source
from unseen.benchmarks.covr.questions.templates.preconditions import countable, counted, repeated, tells_another
from unseen.benchmarks.covr.questions.templates.template import MOST, Draft, Wording, template
from unseen.core.random import Stream

COMPARISONS = {  # operator -> published words, and right ones
    "gt": ("more", "than", "more", "than"),
    "lt": ("less", "than", "fewer", "than"),
    "eq": ("the same number of", "as", "as many", "as"),
}
LIMITS = {"eq": "exactly", "leq": "at most", "geq": "at least"}
PUBLISHED_LIMITS = {**LIMITS, "eq": ""}  # published statements leave "exactly" out
EACH = {**LIMITS, "leq": "1 to"}  # of images with at most so many, those without any are never counted


@template("COMPARECOUNT", counted)
def compare_count(source: Source) -> Iterator[Draft]:
    """Whether there are more of these than of those, fewer, or as many."""
    images = source.pick(source.families, negatives=1)
    if not images.others:
        return
    second = source.rng.choice(images.others).graph
    if not tells_another(second, source.graph) or not countable(second):
        return
    by_images = source.rng.below(2) == 0
    operator = source.rng.choice(tuple(COMPARISONS))
    one, other = source.drawn((source.graph, second), 2)
    rows = Rows()
    rows.add(operator, of=(rows.counted(one, by_images), rows.counted(other, by_images)))
    opposite = _otherwise(source, rows.program, images)
    if opposite is None:
        return
    more, than, right_more, right_than = COMPARISONS[operator]
    if by_images:
        wording = Wording(
            "There are {right_more} images with {g:a} {right_than} images with {g2:a}",
            "There are {more} images with {g:a} {than} images with {g2:bare}",
            "{right_more} images show {g:a short} {right_than} {g2:a short}",
        )
    else:
        wording = Wording(
            "There are {right_more} {g:plural} {right_than} {g2:plural}",
            "There are {more} {g:several} {than} {g2:several}",
            "You can see {right_more} {g:plural short} {right_than} {g2:plural short}",
        )
    compared = {"more": more, "than": than, "right_more": right_more, "right_than": right_than}
    words = {"g": Phrase(one), "g2": Phrase(other), **compared}
    yield Draft(wording, words, rows.program, (images, opposite), (source.graph, second))


def _otherwise(source: Source, program: Program, images: Images, tries: int = 10) -> Images | None:
    """A set of images over which a program has another value, so that its words alone do not tell the answer."""
    value = source.run(program, images.all)
    for _ in range(tries):
        other = source.pick(source.families, positives=(0, IMAGES))
        if other.all and source.run(program, other.all) != value:
            return other
    return None


def _two_counts(
    source: Source, program: Program, *, repeating: bool = False, most: int = IMAGES, tries: int = 5
) -> tuple[Images, Images, int, int] | None:
    """Two sets of images over which a program counts differently, and the counts."""
    families, among = source.families, source.positives
    if repeating:
        families, among = source.repeating_families, source.repeating
    first = source.pick(families, positives=(1, most), among=among)
    count = source.run(program, first.all)
    for _ in range(tries):
        second = source.pick(families, positives=(0, IMAGES), among=among)
        other = source.run(program, second.all)
        if other != count and max(count, other) <= MOST and second.all:
            return first, second, count, other
    return None


def _enough_others(source: Source) -> bool:
    return len(source.others(source.families)) >= 2


@template("COUNT", counted)
def count_ref(source: Source) -> Iterator[Draft]:
    """How many objects, or images with them, there are."""
    if not _enough_others(source):
        return
    by_images = source.rng.below(2) == 0
    rows = Rows()
    rows.counted(source.graph, by_images)
    found = _two_counts(source, rows.program)
    if found is None:
        return
    if by_images:
        wording = Wording(
            "How many images show {g:a}?",
            "How many images with {g:plural}?",
            "In how many images can you see {g:a short}?",
        )
    else:
        wording = Wording("How many {g:asked}?", "How many {g:asked}?", "How many {g:plural short} can you find?")
    yield Draft(wording, {"g": Phrase(source.graph)}, rows.program, found[:2], (source.graph,))


@template("VERIFYCOUNT", counted)
def verify_count_ref(source: Source) -> Iterator[Draft]:
    """Whether there are so many objects, or images with them; at least; at most."""
    if not _enough_others(source):
        return
    by_images = source.rng.below(2) == 0
    rows = Rows()
    rows.counted(source.graph, by_images)
    found = _two_counts(source, rows.program)
    if found is None:
        return
    operator, n = _limit(source.rng, *found[2:])
    rows.then(operator, n)
    words = {"g": Phrase(source.graph), **_numbered(operator, n)}
    if by_images:
        wording = Wording(
            "There {is_are} {limit} {n} {image_s} with {g:a}",
            "There {is_are} {published_limit} {n} {image_s} with {g:a}",
            "{limit} {n} {image_s} {show_s} {g:a short}",
        )
    elif n == 1:
        wording = Wording(
            "There is {limit} 1 {g:bare}",
            "There is {published_limit} 1 {g:bare}",
            "You can see {limit} 1 {g:bare short}",
        )
    else:
        wording = Wording(
            "There are {limit} {n} {g:plural}",
            "There are {published_limit} {n} {g:several}",
            "You can see {limit} {n} {g:plural short}",
        )
    yield Draft(wording, words, rows.program, found[:2], (source.graph,))


def _limit(rng: Stream, one: int, other: int) -> tuple[str, int]:
    """An operator and a number that one count satisfies and the other does not."""
    low, high = min(one, other), max(one, other)
    operator = rng.choice(["eq", *(["leq"] if low > 0 else []), *(["geq"] if high < MOST else [])])
    numbers = {"eq": (one, one), "leq": (low, high - 1), "geq": (low + 1, high)}
    return operator, rng.between(*numbers[operator])


def _numbered(operator: str, n: int) -> dict[str, Any]:
    return {
        "n": n,
        "limit": LIMITS[operator],
        "published_limit": PUBLISHED_LIMITS[operator],
        "is_are": "is" if n == 1 else "are",
        "image_s": "image" if n == 1 else "images",
        "contain_s": "contains" if n == 1 else "contain",
        "show_s": "shows" if n == 1 else "show",
    }


def _grouped(source: Source, operator: str, k: int) -> Rows:
    """A program that counts the images with so many objects each."""
    rows = Rows()
    rows.refer(source.graph)
    rows.then("group_by_images")
    rows.then(f"keep_if_values_count_{operator}", k)
    rows.then("keys")
    rows.then("count")
    return rows


@template("COUNTGROUPBY", repeated)
def count_ref_group_by(source: Source) -> Iterator[Draft]:
    """How many images have so many objects each; at least; at most."""
    k = {
        "eq": source.count,
        "geq": source.rng.between(1, source.count),
        "leq": source.rng.between(source.count, MOST),
    }
    for operator in source.drawn(tuple(k), 3):
        rows = _grouped(source, operator, k[operator])
        found = _two_counts(source, rows.program, repeating=True, most=3)
        if found is None:
            continue
        form = "bare" if k[operator] == 1 else "plural"
        yield Draft(
            Wording(
                f"How many images contain {{each}} {{k}} {{g:{form}}}?",
                "How many images contain {limit} {k} {g:several}?",
                f"In how many images can you see {{each}} {{k}} {{g:{form} short}}?",
            ),
            {"g": Phrase(source.graph), "k": k[operator], "each": EACH[operator], "limit": LIMITS[operator]},
            rows.program,
            found[:2],
            (source.graph,),
        )
        return


@template("VERIFYCOUNTGROUPBY", repeated)
def verify_count_ref_group_by(source: Source) -> Iterator[Draft]:
    """Whether there are so many images with exactly so many objects each; at least; at most."""
    rows = _grouped(source, "eq", source.count)
    found = _two_counts(source, rows.program, repeating=True, most=3, tries=15)
    if found is None:
        return
    operator, n = _limit(source.rng, *found[2:])
    rows.then(operator, n)
    yield Draft(
        Wording(
            "There {is_are} {limit} {n} {image_s} that {contain_s} exactly {k} {g:plural}",
            "There {is_are} {published_limit} {n} {image_s} that contain exactly {k} {g:several}",
            "{limit} {n} {image_s} {show_s} exactly {k} {g:plural short}",
        ),
        {"g": Phrase(source.graph), "k": source.count, **_numbered(operator, n)},
        rows.program,
        found[:2],
        (source.graph,),
    )
