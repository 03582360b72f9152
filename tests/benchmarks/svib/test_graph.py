"""Rules as causal graphs: one arrow for each cause."""

from __future__ import annotations

import numpy as np
import pytest

from unseen.benchmarks.svib.graph import MARGIN, ROW, WIDTH, causal_graph
from unseen.benchmarks.svib.rules import RULES, effects_of
from unseen.render import figure


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_can_be_drawn(rule):
    effects = effects_of(((rule,),))
    drawn = causal_graph(effects)
    causes = {cause for effect in effects for cause in effect.causes}
    assert drawn.shape == (ROW * max(len(causes), len(effects), 1) + MARGIN, WIDTH, 3)
    assert drawn.dtype == np.uint8
    assert bool((drawn != figure.PAPER).any()) == bool(effects)


def test_arrows_end_at_what_is_set():
    one, two = causal_graph(effects_of((("sa",),))), causal_graph(effects_of((("sna",),)))
    middle = WIDTH // 2
    arrows = [
        int((np.diff((drawn[:, middle] != figure.PAPER).any(axis=1).astype(int)) == 1).sum()) for drawn in (one, two)
    ]
    assert arrows == [1, 2]
