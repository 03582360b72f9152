"""One model behind one OpenAI-compatible endpoint: a request, its retries, its reply."""

from __future__ import annotations

import http.client
import json
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import Any, Literal
from urllib.parse import urlsplit

from unseen.core.errors import EndpointError, SpecError, quoted
from unseen.predict.language.connection import opener, read_body
from unseen.predict.language.keys import KEYS, api_key, masked
from unseen.predict.language.message import Message, chat
from unseen.predict.language.reply import Reply, read_reply

OPENAI = "https://api.openai.com/v1"
LONGEST_WAIT = 120.0  # seconds between two tries; an endpoint that asks for more is left alone
REFUSALS = (400, 413, 415, 422, 451)  # statuses that are about one request; others are about all: keys, addresses
LONGEST_TIMEOUT = 86_400.0  # seconds: a day


@dataclass(frozen=True)
class LanguageModel:
    """A model by name, where it is, and how it is asked; everything but the key, which stays in the environment."""

    name: str
    base_url: str = OPENAI
    temperature: float | None = None  # None: the endpoint's own; some models accept no other
    max_tokens: int = 16_384  # of an answer, thoughts included
    limit_as: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"  # reasoning models of OpenAI: the latter
    timeout: float = 600.0  # seconds for a whole response
    retries: int = 5
    first_wait: float = 1.0  # seconds before the first retry; doubled before each further one

    def __post_init__(self) -> None:
        if set(self.base_url) & set("@?#"):  # not quoted, for what follows may be a secret
            raise SpecError(f"base_url holds a user name or a query; write it like {OPENAI}, and the key in {KEYS[0]}")
        if not _is_address(self.base_url):
            raise SpecError(
                f"base_url must be an http or https address such as {OPENAI}, got {masked(self.base_url)!r}"
            )
        if not self.name:
            raise SpecError("name a model, for instance openai:gpt-4.1-mini")
        if self.max_tokens < 1 or self.retries < 0 or not self.timeout > 0 or not self.first_wait >= 0:
            raise SpecError("max_tokens and timeout must be above 0, and retries and first_wait not below")
        if self.timeout > LONGEST_TIMEOUT:
            raise SpecError(f"timeout can be {LONGEST_TIMEOUT:,.0f} seconds at most, got {self.timeout:g}")

    def request(self, asked: Message) -> dict[str, Any]:
        """Return the body of a request: one user message."""
        body: dict[str, Any] = {"model": self.name, "messages": chat(asked)}
        body[self.limit_as] = self.max_tokens
        return body if self.temperature is None else {**body, "temperature": self.temperature}


class Unanswered(EndpointError):
    """One item that got no answer, whatever becomes of the others: `refused` for good, or given up after some tries."""

    def __init__(self, sentence: str, why: str, *, refused: bool) -> None:
        super().__init__(sentence)
        self.why = why
        self.refused = refused


class Endpoint:
    """Asks a model; temporary failures are retried, then the item is Unanswered; what fails for all is an error."""

    def __init__(self, model: LanguageModel) -> None:
        self.model = model
        self.url = model.base_url.rstrip("/") + "/chat/completions"
        self.stopped = threading.Event()  # nothing more is asked, and waiting between tries ends
        self._key = api_key()
        self._opener = opener()

    def ask(self, asked: Message) -> Reply:
        """Return the reply to a message, after as many tries as it takes and is allowed."""
        body = json.dumps(self.model.request(asked)).encode()
        wait = self.model.first_wait
        if self.stopped.is_set():
            raise self._error("asking was stopped")
        for tries in range(1, self.model.retries + 2):
            try:
                return self._try(body)
            except _Temporary as failure:
                pause = max(wait, failure.wait)
                if pause > LONGEST_WAIT:
                    raise self._error(f"{failure}, and asks to wait {pause:,.0f} s; run again then") from failure
                if tries > self.model.retries or self.stopped.wait(pause):
                    raise self._unanswered(f"{failure} ({tries} tries)", refused=False) from failure
                wait = min(2 * wait, LONGEST_WAIT)
        raise AssertionError("the last try returns or raises")

    def _try(self, body: bytes) -> Reply:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._key}"}
        request = urllib.request.Request(self.url, body, headers, method="POST")
        try:
            with self._opener.open(request, timeout=self.model.timeout) as response:
                reply = read_reply(read_body(response))
                return replace(reply, text=masked(reply.text))
        # causes are left out: their texts are the endpoint's, and may hold the key
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(error) from None
        except ValueError as error:
            raise _Temporary(_foreign(error)) from None
        except TimeoutError:
            raise _Temporary(f"it did not answer within {self.model.timeout:g} s") from None
        except (OSError, http.client.HTTPException) as error:  # URLError is an OSError
            raise _Temporary(_reason(error, self.model.timeout)) from None

    def _refusal(self, error: urllib.error.HTTPError) -> Exception:
        """The failure that a status other than 200 stands for."""
        sentence = f"it answered {error.code} {_foreign(error.reason)}" + _own_words(error)
        if error.code in (408, 429) or error.code >= 500:
            return _Temporary(sentence, retry_after(error.headers.get("Retry-After")))
        return self._unanswered(sentence, refused=True) if error.code in REFUSALS else self._error(sentence)

    def _error(self, what: str) -> EndpointError:
        return EndpointError(self._sentence(what))

    def _unanswered(self, what: str, *, refused: bool) -> Unanswered:
        return Unanswered(self._sentence(what), what, refused=refused)

    def _sentence(self, what: str) -> str:
        return f"{self.model.name} at {masked(self.model.base_url)} gave no answer: {what}"


class _Temporary(Exception):
    """A failure that may pass; `wait` is how many seconds the endpoint asks for."""

    def __init__(self, sentence: str, wait: float = 0.0) -> None:
        super().__init__(sentence)
        self.wait = wait


def _is_address(text: str) -> bool:
    """Whether a text is an address that can be opened."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets without an address in them, or a port that is no number
        return False


def _foreign(text: object) -> str:
    """An endpoint's own words as they may be shown."""
    return quoted(masked(str(text)))


def _own_words(error: urllib.error.HTTPError) -> str:
    """What the endpoint says about its refusal."""
    try:
        said = json.loads(read_body(error))["error"]["message"]
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError, RecursionError):
        return ""
    return f": {_foreign(said)}"


def _reason(error: Exception, timeout: float) -> str:
    """A failed connection in words."""
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, TimeoutError):
        return f"no connection within {timeout:g} s"
    text = cause.strerror if isinstance(cause, OSError) else None
    return f"the connection failed: {_foreign(text or cause or type(cause).__name__).lower()}"


def retry_after(header: str | None) -> float:
    """Return the seconds that a Retry-After header asks for, in either of its two forms; 0 where it cannot be read.

    >>> retry_after("3"), retry_after("Wed, 21 Oct 2015 07:28:00 GMT"), retry_after("soon"), retry_after(None)
    (3.0, 0.0, 0.0, 0.0)
    """
    if header is None:
        return 0.0
    if header.strip().isdecimal():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (ValueError, OverflowError):
        return 0.0
