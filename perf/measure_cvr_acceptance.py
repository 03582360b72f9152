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
from typing import Any
from unittest.mock import patch

from unseen.benchmarks.cvr import sample
from unseen.benchmarks.cvr.kernels.contours import SIZE
from unseen.benchmarks.cvr.rules import BY_NAME
from unseen.benchmarks.cvr.sample.numbers import Values
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
    shared = [name for name, draw in ready.regular.scene.draws.items() if draw.level == "problem"]
    found, drawn = [], []
    draw_numbers, draw_images = sample.draw_numbers, sample.draw_images

    def noted(*args: Any) -> list[Values]:
        drawn[:] = draw_numbers(*args)
        return drawn

    def watched(contours: Any, out: Any, recipes: Any, kept: Any, tries: int, state: Any, objects: Any) -> int:
        for k, values in enumerate(drawn):
            count = int(recipes["count"][k])
            numbers = {"objects": count, **{name: values[name] for name in shared}}
            told = tuple(f"{name}={value}" for name, value in numbers.items() if not isinstance(value, float))
            fits, left = False, tries
            while not fits and left:
                fits = draw_images(contours, out, recipes[k : k + 1], kept, 1, state, objects[k : k + 1]) == 1
                found.append(Drafted(told, fmean(objects[k, :count, SIZE]), fits))
                left -= 1
            if not fits:
                return k
        return len(drawn)

    with patch.object(sample, "draw_numbers", noted), patch.object(sample, "draw_images", watched):
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
