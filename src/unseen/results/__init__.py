"""Results: predictions against the truth, as numbers with a row per example."""

from unseen.results.scoring import Scores, score

__all__ = ["Scores", "score"]
