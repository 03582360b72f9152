"""The learning curve while it grows: a line of the run's log per evaluation, and the same for TensorBoard."""

from __future__ import annotations

from torch.utils.tensorboard import SummaryWriter

from unseen.core.errors import DataError
from unseen.core.files import unwritable
from unseen.runs import LogLine, Run
from unseen.runs.log import add_to_log, keep_log


class Journal:
    """Writes lines of a run that goes on from a step; what a killed process wrote of later steps is dropped."""

    def __init__(self, run: Run, step: int) -> None:
        self.run = run
        if run.board.is_symlink():  # a stranger's folder may lead anywhere
            raise DataError(f"{run.board} is a link, and training would write where it leads; remove it")
        keep_log(run.log_file, step)
        self.board = SummaryWriter(run.board, purge_step=step + 1)

    def add(self, line: LogLine) -> None:
        """Write a line down."""
        add_to_log(self.run.log_file, line)
        named = {"epoch": line.epoch, "seconds": line.seconds, "learning_rate": line.learning_rate}
        for group, values in {**line.splits, "time": line.time}.items():
            named |= {f"{group}/{name}": value for name, value in values.items()}
        try:
            for name, value in named.items():
                self.board.add_scalar(name, value, line.step)
            self.board.flush()
        except OSError as error:
            raise unwritable(self.run.board, error) from error

    def close(self) -> None:
        """End the writing."""
        self.board.close()
