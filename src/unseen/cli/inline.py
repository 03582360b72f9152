"""Pictures inside a terminal that can show them: the protocols of kitty and of iTerm2."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Literal

Protocol = Literal["kitty", "iterm"]

PROGRAMS: dict[str, Protocol] = {"iTerm.app": "iterm", "WezTerm": "iterm", "mintty": "iterm", "ghostty": "kitty"}
CHUNK = 4096  # the longest piece of a picture that kitty takes at once


def protocol_of(environment: Mapping[str, str]) -> Protocol | None:
    """Return the protocol of the terminal that an environment describes.

    >>> protocol_of({"TERM": "xterm-kitty"}), protocol_of({"TERM": "xterm-256color"})
    ('kitty', None)
    """
    if "KITTY_WINDOW_ID" in environment or "kitty" in environment.get("TERM", ""):
        return "kitty"
    return PROGRAMS.get(environment.get("TERM_PROGRAM", ""))


def inline_picture(png: bytes, protocol: Protocol) -> str:
    """Return the escape codes that draw a PNG file."""
    data = b64encode(png).decode()
    if protocol == "iterm":
        return f"\033]1337;File=inline=1;size={len(png)}:{data}\a"
    chunks = [data[i : i + CHUNK] for i in range(0, len(data), CHUNK)]
    heads = ["a=T,f=100,", *[""] * (len(chunks) - 1)]
    more = [*[1] * (len(chunks) - 1), 0]
    return "".join(f"\033_G{head}m={m};{chunk}\033\\" for head, m, chunk in zip(heads, more, chunks, strict=True))
