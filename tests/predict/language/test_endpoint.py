"""One request: what is sent, what is retried, what is refused, and in which words."""

from __future__ import annotations

import json
import socket
import time
import traceback
import tracemalloc
from dataclasses import replace

import pytest

from unseen.core.errors import EndpointError, SpecError
from unseen.predict.language.endpoint import Endpoint, LanguageModel
from unseen.predict.language.message import Message
from unseen.predict.language.reply import Reply, read_reply

HELLO = Message(("hello",))


def failing(times, failure, text="[[1]]"):
    """A failure, so many times, then an answer."""
    return lambda prompt, number: failure if number < times else text


def said(status, message, **headers):
    return status, headers, json.dumps({"error": {"message": message}}).encode()


def test_a_reply_is_read_with_its_tokens(server, model):
    server.answer = lambda prompt, number: f"you said {prompt}"
    assert Endpoint(model).ask(HELLO) == Reply("you said hello", tokens_in=1_000, tokens_out=100)


def test_a_request_is_one_user_message_with_the_key_in_its_header(server, model):
    Endpoint(replace(model, base_url=server.url + "/")).ask(HELLO)
    assert server.paths == ["/v1/chat/completions"]
    assert server.headers[0]["Authorization"] == "Bearer secret-key"
    asked = {"model": "tiny", "messages": [{"role": "user", "content": "hello"}], "max_tokens": 200}
    assert server.requests == [asked]


def test_temperature_and_the_name_of_the_limit_are_choices(server, model):
    Endpoint(replace(model, temperature=0.0, limit_as="max_completion_tokens")).ask(HELLO)
    assert server.requests[0]["temperature"] == 0.0
    assert server.requests[0]["max_completion_tokens"] == 200
    assert "max_tokens" not in server.requests[0]


@pytest.mark.parametrize(
    "failure",
    [
        said(429, "slow down"),
        said(500, "oops"),
        (503, {}, b"<html>"),
        (200, {}, b"<html>"),
        (200, {}, b'{"choices": []}'),
        None,
    ],
    ids=["429", "500", "503", "no json", "no choice", "dropped"],
)
def test_what_may_pass_is_tried_again(server, model, failure):
    server.answer = failing(2, failure)
    assert Endpoint(model).ask(HELLO).text == "[[1]]"
    assert len(server.requests) == 3


def test_retry_after_is_obeyed(server, model):
    server.answer = failing(1, said(429, "slow down", **{"Retry-After": "1"}))
    started = time.monotonic()
    Endpoint(model).ask(HELLO)
    assert 1.0 <= time.monotonic() - started < 3.0


def test_an_endpoint_that_asks_for_an_hour_is_left_alone(server, model):
    server.answer = lambda prompt, number: said(429, "quota", **{"Retry-After": "3600"})
    with pytest.raises(EndpointError, match=r"429 Too Many Requests: quota, and asks to wait 3,600 s; run again then"):
        Endpoint(model).ask(HELLO)
    assert len(server.requests) == 1


def test_waiting_doubles_and_ends(server, model):
    server.answer = lambda prompt, number: said(500, "oops")
    started = time.monotonic()
    with pytest.raises(EndpointError, match=r"tiny at http://127.* gave no answer: it answered 500 .*: oops \(4 tries"):
        Endpoint(replace(model, first_wait=0.05)).ask(HELLO)
    assert time.monotonic() - started >= 0.05 + 0.1 + 0.2
    assert len(server.requests) == 4


def test_a_silent_endpoint_is_given_up(server, model):
    server.delay = 0.5
    with pytest.raises(EndpointError, match=r"it did not answer within 0\.1 s \(2 tries\)"):
        Endpoint(replace(model, timeout=0.1, retries=1)).ask(HELLO)


def test_an_endpoint_that_sends_a_byte_now_and_then_is_given_up(server, model):
    server.dribble = 0.05  # never silent for long; the whole response would take 10 s
    started = time.monotonic()
    with pytest.raises(EndpointError, match=r"it did not answer within 0\.3 s \(1 tries\)"):
        Endpoint(replace(model, timeout=0.3, retries=0)).ask(HELLO)
    assert time.monotonic() - started < 2.0


@pytest.mark.parametrize("status", [200, 400])
def test_a_body_is_read_to_a_bound(server, model, monkeypatch, status):
    monkeypatch.setattr("unseen.predict.language.connection.LARGEST", 2**20)
    server.answer = lambda prompt, number: (status, {}, server.completion("1" * 2**24))
    sentence = "its answer is larger than 1 MiB" if status == 200 else "it answered 400 Bad Request$"
    tracemalloc.start()
    try:
        with pytest.raises(EndpointError, match=sentence):
            Endpoint(replace(model, retries=0)).ask(HELLO)
        assert tracemalloc.get_traced_memory()[1] < 2**27
    finally:
        tracemalloc.stop()


def test_an_announced_length_takes_no_memory(server, model):
    server.answer = lambda prompt, number: (200, {"Content-Length": str(2**50)}, b"{}")
    with pytest.raises(EndpointError, match=r"chat completion|did not answer"):
        Endpoint(replace(model, retries=0, timeout=0.5)).ask(HELLO)


def test_the_key_is_in_no_message(server, model):
    server.phrase = "Bad SECRET-key " + "x" * 5_000
    server.answer = lambda prompt, number: said(400, "no secret-key\x1b[31m " + "y" * 5_000)
    endpoint = Endpoint(replace(model, base_url=server.url + "/secret-key"))
    with pytest.raises(EndpointError) as caught:
        endpoint.ask(HELLO)
    told = "".join(traceback.format_exception(caught.value))
    assert "secret-key" not in told.lower()
    assert "/v1/... gave no answer: it answered 400 Bad ... xxx" in told
    assert "\x1b" not in told
    assert "x" * 200 not in told
    assert "y" * 200 not in told


def test_the_key_is_in_no_answer(server, model):
    server.answer = lambda prompt, number: "your key is secret-key"
    assert Endpoint(model).ask(HELLO).text == "your key is ..."


def test_a_word_in_the_place_of_a_key_is_not_masked(server, model, monkeypatch):
    monkeypatch.setenv("UNSEEN_API_KEY", "none")
    server.answer = lambda prompt, number: "none of them"
    assert Endpoint(model).ask(HELLO).text == "none of them"


@pytest.mark.parametrize("status", [400, 401, 404])
def test_a_refusal_is_final_and_quoted_without_the_key(server, model, status):
    server.answer = lambda prompt, number: said(status, "wrong:\n secret-key is no key")
    with pytest.raises(EndpointError, match=rf"it answered {status} .*: wrong: \.\.\. is no key$") as caught:
        Endpoint(model).ask(HELLO)
    assert "secret-key" not in str(caught.value)
    assert len(server.requests) == 1


def test_a_redirect_is_not_followed(server, model):
    server.answer = lambda prompt, number: (307, {"Location": server.url + "/elsewhere"}, b"")
    with pytest.raises(EndpointError, match="it answered 307"):
        Endpoint(model).ask(HELLO)
    assert len(server.requests) == 1


def test_an_unreachable_server_is_one_sentence(server, model):
    with socket.socket() as unused:  # bound, and not listening
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        with pytest.raises(EndpointError, match=r"the connection failed: connection refused \(4 tries\)$"):
            Endpoint(replace(model, base_url=url)).ask(HELLO)


def test_nothing_is_asked_once_stopped(server, model):
    endpoint = Endpoint(model)
    endpoint.stopped.set()
    with pytest.raises(EndpointError, match="asking was stopped"):
        endpoint.ask(HELLO)
    assert not server.requests


@pytest.mark.parametrize("key", [None, "", "  "])
def test_a_missing_key_is_one_sentence(server, model, monkeypatch, key):
    monkeypatch.delenv("UNSEEN_API_KEY") if key is None else monkeypatch.setenv("UNSEEN_API_KEY", key)
    with pytest.raises(SpecError, match="no API key: set UNSEEN_API_KEY or OPENAI_API_KEY"):
        Endpoint(model)


def test_the_other_variable_will_do(server, model, monkeypatch):
    monkeypatch.delenv("UNSEEN_API_KEY")
    monkeypatch.setenv("OPENAI_API_KEY", "other-key\n")
    Endpoint(model).ask(HELLO)
    assert server.headers[0]["Authorization"] == "Bearer other-key"


def test_a_key_that_cannot_be_one_is_not_printed(server, model, monkeypatch):
    monkeypatch.setenv("UNSEEN_API_KEY", "two\nlines")
    with pytest.raises(SpecError, match=r"^the API key holds characters that no key has; set it again$"):
        Endpoint(model)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"name": ""}, "name a model"),
        ({"base_url": "file:///etc/passwd"}, "base_url must be an http or https address"),
        ({"base_url": "localhost:8000"}, "base_url must be an http or https address"),
        ({"base_url": "http://["}, "base_url must be an http or https address"),
        ({"base_url": "http://localhost:port"}, "base_url must be an http or https address"),
        ({"base_url": "https://me:hidden@example.org/v1"}, r"^(?!.*hidden).*base_url holds a user name or a query"),
        ({"base_url": "me:hidden@example.org"}, r"^(?!.*hidden).*base_url holds a user name or a query"),
        ({"base_url": "https://example.org/v1?key=hidden"}, r"^(?!.*hidden).*base_url holds a user name or a query"),
        ({"timeout": float("nan")}, "must be above 0"),
        ({"timeout": float("inf")}, "timeout can be 86,400 seconds at most"),
        ({"max_tokens": 0}, "must be above 0"),
        ({"retries": -1}, "must be above 0"),
    ],
)
def test_what_cannot_be_asked_is_said(options, sentence):
    with pytest.raises(SpecError, match=sentence):
        LanguageModel(**{"name": "tiny", **options})


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{}", b'{"choices": [{"message": {"content": 3}}]}', b'{"choices": [3]}', b"\xff", b"[" * 10**5],
)
def test_what_is_no_completion_is_refused(content):
    with pytest.raises(ValueError, match="it did not answer with a chat completion"):
        read_reply(content)


@pytest.mark.parametrize("said", [-1, -(10**18), float("inf"), float("nan"), 10**400, "many", [3], None])
def test_a_number_of_tokens_that_cannot_be_is_not_believed(server, said):
    server.usage = {"prompt_tokens": said, "completion_tokens": 7}
    reply = read_reply(server.completion("[[1]]"))
    assert (reply.tokens_in, reply.tokens_out) == (None, 7)


def test_a_model_that_declines_says_nothing(server):
    assert read_reply(server.completion(None)).text == ""
