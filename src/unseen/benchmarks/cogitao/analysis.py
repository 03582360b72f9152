"""Does a model compose, or does it repeat what it was trained on? Paired test sets tell the two apart.

A paired set asks for a held-out sequence and for a trained one on the same grids (`paired=true`). What is lost from one
to the other is the compositional gap. Stubbornness is the share of answers to held-out sequences that are exactly what
the trained one asks for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import mean

from unseen.benchmarks.cogitao.spec import PairedSpec
from unseen.core.analysis import Finding, Outcome, spelled

TRAINED, HELD_OUT = "test_paired", "test_paired_ood"
ABOUT = (
    "Grids that are right in every cell when a model is asked for a trained sequence and for a held-out one on the same"
    " inputs, what is lost between them, and the share of answers to the held-out one that are what the trained one"
    " asks for; in percent, means over seeds."
)
COLUMNS = ("held out", "trained instead", "model", "seeds", "trained", "held out", "gap", "stubborn")


def findings(outcomes: Sequence[Outcome]) -> Iterator[Finding]:
    """Yield what paired test sets show, where a run has been tested on some."""
    tested = [one for one in outcomes if {TRAINED, HELD_OUT} <= one.scores.keys()]
    groups = dict.fromkeys((one.task.id, one.model) for one in tested)
    rows = [_line([one for one in tested if (one.task.id, one.model) == group]) for group in groups]
    if rows:
        yield Finding("The same grids, trained and held out", ABOUT, COLUMNS, rows=tuple(rows), words=3)


def _line(runs: Sequence[Outcome]) -> tuple[str, ...]:
    """One task and model, as a mean over seeds."""
    first = runs[0]
    spec = first.task.splits[HELD_OUT].spec
    assert isinstance(spec, PairedSpec)
    inside, outside = (_mean(runs, split, "grid_accuracy") for split in (TRAINED, HELD_OUT))
    gap = None if inside is None or outside is None else inside - outside
    numbers = (inside, outside, gap, _mean(runs, HELD_OUT, "stubbornness"))
    return (
        _spelled(spec.sequences),
        _spelled(spec.partners),
        first.model,
        str(len(runs)),
        *map(spelled, numbers),
    )


def _mean(runs: Sequence[Outcome], split: str, metric: str) -> float | None:
    values = [value for one in runs if (value := one.value(split, metric)) is not None]
    return mean(values) if values else None


def _spelled(sequences: Sequence[tuple[str, ...]]) -> str:
    """Sequences in words; of many only the first, and how many more.

    >>> _spelled([("rot90", "pad_top")]), _spelled([("rot90",), ("pad_top",)])
    ('rot90, pad_top', 'rot90 and 1 more')
    """
    first = ", ".join(sequences[0])
    return first if len(sequences) == 1 else f"{first} and {len(sequences) - 1} more"
