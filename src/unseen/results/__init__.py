"""Results: predictions against the truth, a record per run, and the records beside the published tables."""

from unseen.results.record import Record, read_record, write_record
from unseen.results.scoring import Scores, score

__all__ = ["Record", "Scores", "read_record", "score", "write_record"]
