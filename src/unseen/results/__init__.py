"""Results: predictions against the truth, a record per run, and the records next to the published tables."""

from unseen.core.modules import make_callable
from unseen.results.record import Record, read_record, write_record
from unseen.results.scoring import Scores, score

__all__ = ["Record", "Scores", "read_record", "score", "write_record"]

make_callable(__name__, "unseen.report.summary:results")
