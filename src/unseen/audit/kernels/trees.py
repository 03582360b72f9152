"""The trees of `boosting.py`, grown and read row by row.

Values come as bins (features, rows). A tree is a row of its nodes in breadth-first order.
"""

from __future__ import annotations

from math import exp

import numpy as np

from unseen.core.kernel import kernel

BINS = 32
RATE = 0.15  # of a tree's step
CALM = 4.0  # what is added to the curvature of a leaf, so that few rows count for little


@kernel
def grow(bins, right, candidates, features, cuts, leaves):
    """Fit one tree after the other to what those before it left unexplained."""
    count = bins.shape[1]
    total, slope, curve = np.zeros(count), np.empty(count), np.empty(count)
    for tree in range(len(leaves)):
        descend(total, right, candidates, slope, curve)
        grow_tree(bins, slope, curve, features[tree], cuts[tree], leaves[tree])
        add_trees(bins, features[tree : tree + 1], cuts[tree : tree + 1], leaves[tree : tree + 1], total)


@kernel
def descend(total, right, candidates, slope, curve):
    """First and second derivative of the cross-entropy by the score of every row."""
    for problem in range(len(right)):
        first = problem * candidates
        highest = total[first : first + candidates].max()
        whole = 0.0
        for k in range(candidates):
            curve[first + k] = exp(total[first + k] - highest)
            whole += curve[first + k]
        for k in range(candidates):
            share = curve[first + k] / whole
            slope[first + k] = share - (1.0 if k == right[problem] else 0.0)
            curve[first + k] = share * (1 - share)


@kernel
def grow_tree(bins, slope, curve, features, cuts, leaves):
    """Cut all nodes of a depth at once, each where it gains most; what gains nothing is not cut."""
    node = np.zeros(bins.shape[1], np.int64)
    begin, nodes = 0, 1
    while begin < len(features):
        best = np.zeros(nodes)
        sums = np.empty((nodes, BINS, 2))
        for feature in range(len(bins)):
            sums[:] = 0.0
            for row in range(len(node)):
                at = sums[node[row], bins[feature, row]]
                at[0] += slope[row]
                at[1] += curve[row]
            for one in range(nodes):
                gain, cut = best_cut(sums[one])
                if gain > best[one]:
                    best[one], features[begin + one], cuts[begin + one] = gain, feature, cut
        for row in range(len(node)):
            at = begin + node[row]
            node[row] = 2 * node[row] + (bins[features[at], row] > cuts[at])
        begin, nodes = begin + nodes, 2 * nodes
    steps = np.zeros((nodes, 2))
    for row in range(len(node)):
        steps[node[row], 0] += slope[row]
        steps[node[row], 1] += curve[row]
    for one in range(nodes):
        leaves[one] = -RATE * steps[one, 0] / (steps[one, 1] + CALM)


@kernel
def best_cut(sums):
    """The gain of the best cut of a node, and the last bin on its left."""
    all_slope = all_curve = slope = curve = 0.0
    for k in range(BINS):
        all_slope, all_curve = all_slope + sums[k, 0], all_curve + sums[k, 1]
    whole = all_slope**2 / (all_curve + CALM)
    gain, cut = 0.0, BINS
    for k in range(BINS - 1):
        slope, curve = slope + sums[k, 0], curve + sums[k, 1]
        rest = all_slope - slope
        found = slope**2 / (curve + CALM) + rest**2 / (all_curve - curve + CALM) - whole
        if found > gain:
            gain, cut = found, k
    return gain, cut


@kernel
def add_trees(bins, features, cuts, leaves, total):
    """Add what the trees say of every row."""
    inner = features.shape[1]
    for tree in range(len(leaves)):
        for row in range(bins.shape[1]):
            at = 0
            while at < inner:
                at = 2 * at + 1 + (bins[features[tree, at], row] > cuts[tree, at])
            total[row] += leaves[tree, at - inner]
