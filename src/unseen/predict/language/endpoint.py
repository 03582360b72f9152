"""One model behind one OpenAI-compatible endpoint: a request, its retries, its reply."""

from __future__ import annotations

import http.client
import json
import os
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Literal
from urllib.parse import urlsplit

from unseen.core.errors import EndpointError, SpecError
from unseen.predict.language.reply import Reply, read_reply

OPENAI = "https://api.openai.com/v1"
KEYS = ("UNSEEN_API_KEY", "OPENAI_API_KEY")  # environment variables, the first that is set
LONGEST_WAIT = 120.0  # seconds between two tries; an endpoint that asks for more is left alone
SHOWN = 300  # characters of an endpoint's own words in an error


@dataclass(frozen=True)
class LanguageModel:
    """A model by name, where it is, and how it is asked; everything but the key, which stays in the environment."""

    name: str
    base_url: str = OPENAI
    temperature: float | None = None  # None: the endpoint's own; some models accept no other
    max_tokens: int = 16_384  # of an answer, thoughts included
    limit_as: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"  # reasoning models of OpenAI: the latter
    timeout: float = 600.0  # seconds without a byte from the endpoint
    retries: int = 5
    first_wait: float = 1.0  # seconds before the first retry; doubled before each further one

    def __post_init__(self) -> None:
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise SpecError(f"base_url must be an http or https address such as {OPENAI}, got {self.base_url!r}")
        if not self.name:
            raise SpecError("name a model, for instance openai:gpt-4.1-mini")
        if self.max_tokens < 1 or self.retries < 0 or self.timeout <= 0 or self.first_wait < 0:
            raise SpecError("max_tokens and timeout must be above 0, and retries and first_wait not below")

    def request(self, prompt: str) -> dict[str, Any]:
        """The body of a request: one user message."""
        body: dict[str, Any] = {"model": self.name, "messages": [{"role": "user", "content": prompt}]}
        body[self.limit_as] = self.max_tokens
        return body if self.temperature is None else {**body, "temperature": self.temperature}


def api_key() -> str:
    """The key in the environment."""
    key = next((os.environ[name].strip() for name in KEYS if os.environ.get(name, "").strip()), "")
    if not key:
        raise SpecError(
            f"no API key: set {KEYS[0]} or {KEYS[1]} (for a server that asks for none, {KEYS[0]}=none will do)"
        )
    if not (key.isascii() and key.isprintable()):
        raise SpecError("the API key holds characters that no key has; set it again")
    return key


class Endpoint:
    """Asks a model; temporary failures are retried, others are an EndpointError in one sentence."""

    def __init__(self, model: LanguageModel) -> None:
        self.model = model
        self.url = model.base_url.rstrip("/") + "/chat/completions"
        self.stopped = threading.Event()  # nothing more is asked, and waiting between tries ends
        self._key = api_key()
        self._opener = urllib.request.build_opener(_NoRedirect)

    def ask(self, prompt: str) -> Reply:
        """The reply to a prompt, after as many tries as it takes and is allowed."""
        body = json.dumps(self.model.request(prompt)).encode()
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
                    raise self._error(f"{failure} ({tries} tries)") from failure
                wait = min(2 * wait, LONGEST_WAIT)
        raise AssertionError("the last try returns or raises")

    def _try(self, body: bytes) -> Reply:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._key}"}
        request = urllib.request.Request(self.url, body, headers, method="POST")
        try:
            with self._opener.open(request, timeout=self.model.timeout) as response:
                return read_reply(response.read())
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(error) from error
        except ValueError as error:
            raise _Temporary(str(error)) from error
        except TimeoutError as error:
            raise _Temporary(f"it was silent for {self.model.timeout:g} s") from error
        except (OSError, http.client.HTTPException) as error:  # URLError is an OSError
            raise _Temporary(_reason(error, self.model.timeout)) from error

    def _refusal(self, error: urllib.error.HTTPError) -> Exception:
        """The failure that a status other than 200 stands for."""
        sentence = f"it answered {error.code} {error.reason}" + self._own_words(error)
        if error.code in (408, 429) or error.code >= 500:
            return _Temporary(sentence, retry_after(error.headers.get("Retry-After")))
        return self._error(sentence)

    def _own_words(self, error: urllib.error.HTTPError) -> str:
        """What the endpoint says about its refusal."""
        try:
            said = json.loads(error.read())["error"]["message"]
        except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
            return ""
        return ": " + " ".join(str(said).replace(self._key, "...").split())[:SHOWN]

    def _error(self, what: str) -> EndpointError:
        return EndpointError(f"{self.model.name} at {self.model.base_url} gave no answer: {what}")


class _Temporary(Exception):
    """A failure that may pass; `wait` is how many seconds the endpoint asks for."""

    def __init__(self, sentence: str, wait: float = 0.0) -> None:
        super().__init__(sentence)
        self.wait = wait


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect is a refusal: following it would send the key to another host."""

    def redirect_request(self, *_: Any) -> None:
        """Follow none."""


def _reason(error: Exception, timeout: float) -> str:
    """A failed connection in words."""
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, TimeoutError):
        return f"no connection within {timeout:g} s"
    text = cause.strerror if isinstance(cause, OSError) else None
    return f"the connection failed: {text or cause or type(cause).__name__}".lower()


def retry_after(header: str | None) -> float:
    """The seconds that a Retry-After header asks for, in either of its two forms; 0 where it cannot be read.

    >>> retry_after("3"), retry_after("Wed, 21 Oct 2015 07:28:00 GMT"), retry_after("soon"), retry_after(None)
    (3.0, 0.0, 0.0, 0.0)
    """
    if header is None:
        return 0.0
    if header.strip().isdecimal():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return 0.0
