"""Boosted trees that find the odd one of several candidates: small, exact, and the same on every machine.

Each problem has as many rows as candidates, of which one is right. The score of a row is a sum of trees; a softmax over
the rows of a problem makes scores probabilities, and every tree takes a Newton step on their cross-entropy. Features
are cut into bins of about equally many rows, so that the best cut is found in one pass over the rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from unseen.audit.kernels.trees import BINS, add_trees, grow

Floats = npt.NDArray[np.float64]

TREES, DEPTH = 80, 3


class Forest(NamedTuple):
    """Trees, each a row of its nodes in breadth-first order: which feature is cut where, and what leaves add."""

    edges: Floats  # (features, BINS - 1): where the bins of a feature end
    features: npt.NDArray[np.int64]  # (trees, inner nodes)
    cuts: npt.NDArray[np.int64]  # (trees, inner nodes): the last bin that goes left
    leaves: Floats  # (trees, leaves)


def fit(rows: Floats, right: npt.NDArray[np.int64], trees: int = TREES) -> Forest:
    """Learn from problems (n, candidates, features) whose right candidates (n,) are known."""
    _, candidates, features = rows.shape
    flat = rows.reshape(-1, features)
    edges = np.quantile(flat, np.arange(1, BINS) / BINS, axis=0).T
    inner = 2**DEPTH - 1
    forest = Forest(
        np.ascontiguousarray(edges),
        np.zeros((trees, inner), np.int64),
        np.full((trees, inner), BINS, np.int64),
        np.zeros((trees, inner + 1)),
    )
    grow(binned(flat, forest.edges), right.astype(np.int64), candidates, forest.features, forest.cuts, forest.leaves)
    return forest


def scores(forest: Forest, rows: Floats) -> Floats:
    """Return the score (n, candidates) of every candidate of problems (n, candidates, features)."""
    found = np.zeros(rows.shape[0] * rows.shape[1])
    add_trees(binned(rows.reshape(len(found), -1), forest.edges), forest.features, forest.cuts, forest.leaves, found)
    return found.reshape(rows.shape[:2])


def binned(flat: Floats, edges: Floats) -> npt.NDArray[np.uint8]:
    """Return the bins (features, rows) that values (rows, features) fall into."""
    return np.stack([np.searchsorted(one, column) for one, column in zip(edges, flat.T, strict=True)]).astype(np.uint8)
