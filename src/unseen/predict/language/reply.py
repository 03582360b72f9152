"""What a chat completion says, of all that an endpoint sends."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

BILLED = ("prompt_tokens", "completion_tokens")
MOST = 10**9  # tokens of a request or an answer that are believed


@dataclass(frozen=True)
class Reply:
    """A model's answer; tokens are what the endpoint says it bills, None where it does not say."""

    text: str
    cut_off: bool = False  # by the limit on its tokens
    withheld: bool = False  # by a content filter
    tokens_in: int | None = None
    tokens_out: int | None = None


def read_reply(content: bytes) -> Reply:
    """Return the reply in the body of a response; ValueError where there is none.

    >>> read_reply(b'{"choices": [{"message": {"content": "[[1]]"}, "finish_reason": "stop"}]}')
    Reply(text='[[1]]', cut_off=False, withheld=False, tokens_in=None, tokens_out=None)
    """
    try:
        body: Any = json.loads(content)
        choice = body["choices"][0]
        text = choice["message"]["content"] or ""  # null: the model declined to answer
        usage = body.get("usage") or {}
        tokens = [_count(usage.get(name)) for name in BILLED]
        if not isinstance(text, str):
            raise TypeError(f"an answer is text, not {type(text).__name__}")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError("it did not answer with a chat completion") from error
    finish = choice.get("finish_reason")
    return Reply(text, finish == "length", finish == "content_filter", *tokens)


def _count(said: Any) -> int | None:
    """A number of tokens, or None where none can be meant: one below 0 would give money back, so it is not believed."""
    return int(said) if isinstance(said, int | float) and 0 <= said <= MOST else None
