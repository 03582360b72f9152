"""Files appear whole or not at all: written aside, synced, renamed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from unseen.core.errors import DataError


@contextmanager
def written_aside(path: Path) -> Iterator[Path]:
    """A path to write to; it becomes `path` when the block ends well, and is removed when it does not.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with written_aside(folder / "new" / "a.txt") as aside:
    ...     _ = aside.write_text("whole")
    >>> (folder / "new" / "a.txt").read_text(), len(list((folder / "new").iterdir()))
    ('whole', 1)
    """
    aside = path.with_name(f".{path.name}.aside.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield aside
            with aside.open("rb") as written:
                os.fsync(written.fileno())
            os.replace(aside, path)
        finally:
            aside.unlink(missing_ok=True)
    except DataError:  # also an OSError, and says more
        raise
    except OSError as error:
        raise DataError(f"could not write {path}: {(error.strerror or str(error)).lower()}") from error
