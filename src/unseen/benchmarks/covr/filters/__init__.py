"""Filters that are learned: which words exclude each other, and what images show though their graphs leave it out.

Both write the tables that `exclusive=` and `complete=` of `covr/custom` read. Worlds of our own are complete, so that
the filters can be held to the truth: `gaps.py` takes annotations away, and `perf/measure_covr_filters.py` counts what
is found.
"""
