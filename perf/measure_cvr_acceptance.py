"""How often is an image of CVR drawn again for want of room, and does that favor small counts or sizes?

python perf/measure_cvr_acceptance.py 50 shape_count_1 inside

A line per rule and version, and per number of objects and number drawn for the problem: how many drafts an image took,
and how large the objects of the kept drafts are, as a share of those of all drafts.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean
from unittest.mock import patch

from unseen.benchmarks.cvr import sample
from unseen.benchmarks.cvr.draft import Draft
from unseen.benchmarks.cvr.rules import BY_NAME
from unseen.benchmarks.cvr.scene import Image
from unseen.cli.output import print_table
from unseen.core.random import Stream


@dataclass(frozen=True)
class Drafted:
    """One draft of an image: what was drawn for its problem, how large its objects are, and whether it was kept."""

    numbers: tuple[str, ...]  # "n=4", "objects=5"
    size: float  # in the mean
    kept: bool


@dataclass(frozen=True)
class Acceptance:
    """How images with one number came about."""

    rule: str
    shifted: bool
    number: str
    images: int
    drafts: float  # per image
    size: float  # mean of kept drafts, as a share of all drafts'


def drafts_of(rule: str, shifted: bool, problems: int) -> list[Drafted]:
    """All drafts of some problems."""
    ready = sample.plan(rule, shifted)
    shared = [name for name, draw in ready.regular.draws.items() if draw.level == "problem"]
    found = []
    draw_image = sample.draw_image

    def watched(draft: Draft) -> Image:
        kept = False
        try:
            image = draw_image(draft)
            kept = True
            return image
        finally:
            values = {name: draft.values[name] for name in shared if not isinstance(draft.values[name], float)}
            numbers = {"objects": len(draft.cast), **values}
            size = fmean(draft.size) if draft.size else 0.0
            found.append(Drafted(tuple(f"{name}={value}" for name, value in numbers.items()), size, kept))

    with patch.object(sample, "draw_image", watched):
        for seed in range(problems):
            sample.draw_problem(ready, Stream(seed))
    return found


def acceptances(rule: str, shifted: bool, problems: int) -> Iterator[Acceptance]:
    """How images came about, by each number that was drawn."""
    by_number: dict[str, list[Drafted]] = defaultdict(list)
    for draft in drafts_of(rule, shifted, problems):
        for number in draft.numbers:
            by_number[number].append(draft)
    for number in sorted(by_number):
        drafts = by_number[number]
        kept = [draft.size for draft in drafts if draft.kept]
        if kept:
            share = fmean(kept) / fmean(draft.size for draft in drafts)
            yield Acceptance(rule, shifted, number, len(kept), len(drafts) / len(kept), share)


def main(problems: str = "50", *rules: str) -> None:
    for shifted in (False, True):
        rows = [row for rule in rules or BY_NAME for row in acceptances(rule, shifted, int(problems))]
        lines = [(row.rule, row.number, row.images, f"{row.drafts:.2f}", f"{row.size:.3f}") for row in rows]
        title = f"{'shifted' if shifted else 'regular'}: {problems} problems of each rule"
        print_table(("rule", "number", "images", "drafts per image", "size kept / drawn"), lines, title=title)


if __name__ == "__main__":
    main(*sys.argv[1:])
