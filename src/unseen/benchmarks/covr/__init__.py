"""COVR: questions over sets of images, answered by programs over their scene graphs."""

from unseen.benchmarks.covr.execute import execute

__all__ = ["execute"]
