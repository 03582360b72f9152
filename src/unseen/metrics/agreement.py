"""Whether people who judged the same things agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from math import nan


def krippendorff_alpha(judgments: Iterable[Sequence[Hashable]]) -> float:
    """Krippendorff's alpha of nominal judgments: for each thing the judgments of it, one or more, whoever gave them.

    1 is perfect agreement, 0 what chance would give, below 0 worse than that. Things that only one person judged do not
    count. Nan where nothing was judged twice, or where all judgments of all things are the same, which leaves chance
    nothing to disagree on.

    >>> round(krippendorff_alpha([[1, 1], [2, 2], [1, 2], [1, 1, 1]]), 3)
    0.556
    """
    pairs: Counter[tuple[Hashable, Hashable]] = Counter()
    for given in judgments:
        if len(given) < 2:
            continue
        counts = Counter(given)
        for one, times in counts.items():
            for other, of in counts.items():
                together = times * (of - (one == other))
                pairs[one, other] += together / (len(given) - 1)  # type: ignore[assignment]
    totals: Counter[Hashable] = Counter()
    for (one, _), times in pairs.items():
        totals[one] += times
    everything = sum(totals.values())
    expected = everything * everything - sum(times * times for times in totals.values())
    if everything <= 1 or not expected:
        return nan
    observed = sum(times for (one, other), times in pairs.items() if one != other)
    return 1 - (everything - 1) * observed / expected
