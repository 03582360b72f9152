"""API keys: taken from the environment, sent to the endpoint, and shown nowhere else."""

from __future__ import annotations

import os
import re

from unseen.core.errors import SpecError

KEYS = ("UNSEEN_API_KEY", "OPENAI_API_KEY")  # environment variables, the first that is set
MASK = "..."
SHORTEST = 8  # characters of a key that is masked; shorter ones, such as "none", are words and not secrets


def api_key() -> str:
    """Return the key in the environment."""
    key = next(iter(_keys()), "")
    if not key:
        raise SpecError(
            f"no API key: set {KEYS[0]} or {KEYS[1]} (for a server that asks for none, {KEYS[0]}=none will do)"
        )
    if not (key.isascii() and key.isprintable()):
        raise SpecError("the API key holds characters that no key has; set it again")
    return key


def masked(text: str) -> str:
    """Return a text without the keys in the environment, in capitals or not."""
    for key in _keys():
        if len(key) >= SHORTEST:
            text = re.sub(re.escape(key), MASK, text, flags=re.IGNORECASE)
    return text


def _keys() -> list[str]:
    return [key for name in KEYS if (key := os.environ.get(name, "").strip())]
