"""Paraphrases that people wrote, from a file of questions in the published form, as the web pages export them, too.

    {"utterance": "Is the dog red?", "paraphrased": "Does the dog look red?", ...}

A line is a question; those without a paraphrase are passed over. The generator's own names, `question` and `rephrase`,
are read too.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

from unseen.core.errors import DataError
from unseen.core.nesting import parsed


@lru_cache(maxsize=4)
def paraphrases(path: str) -> dict[str, str]:
    """Return the paraphrase of each text that has one; the first of several."""
    found: dict[str, str] = {}
    try:
        lines = Path(path).read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError:
        raise DataError(f"{path} is not a text file in UTF-8; expected a line of JSON per question") from None
    except OSError as error:
        raise DataError(f"could not read the paraphrases {path}: {(error.strerror or str(error)).lower()}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = parsed(json.loads, line)
        except ValueError as error:
            raise DataError(f"{path}:{number}: {error}; expected a line of JSON per question") from None
        texts = [_either(row, *names) for names in (("utterance", "question"), ("paraphrased", "rephrase"))]
        if not isinstance(texts[0], str):
            raise DataError(f"{path}:{number}: a question has its text as utterance, and this line has none")
        if isinstance(texts[1], str) and texts[1].strip():
            found.setdefault(texts[0], texts[1].strip())
    return found


def _either(row: object, name: str, other: str) -> object:
    return (row.get(name) or row.get(other)) if isinstance(row, dict) else None
