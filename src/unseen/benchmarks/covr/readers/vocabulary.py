"""A vocabulary of word pieces: a text file with a piece to a line, as BERT has it (`vocab.txt`)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from unseen.core.errors import DataError

LARGEST = 10_000_000  # bytes; BERT's has 231,508


@lru_cache(maxsize=4)
def pieces(path: str) -> tuple[str, ...]:
    """Return the pieces of a file in order."""
    try:
        if Path(path).stat().st_size > LARGEST:
            raise DataError(f"{path} is no vocabulary of word pieces: it has more than {LARGEST:,} bytes")
        lines = Path(path).read_text(encoding="utf-8").removesuffix("\n").split("\n")  # pieces may be other separators
    except UnicodeDecodeError:
        raise DataError(
            f"{path} is not a text file in UTF-8; expected a vocabulary with a word piece to a line"
        ) from None
    except OSError as error:
        raise DataError(f"could not read the vocabulary {path}: {(error.strerror or str(error)).lower()}") from error
    found = tuple(line.removesuffix("\r") for line in lines)
    if len(set(found)) < len(found):
        raise DataError(f"{path} has a word piece twice, and each should have a number of its own")
    return found
