"""The ceiling holds whatever is under way."""

from __future__ import annotations

import threading

import pytest

from unseen.core.errors import SpecError
from unseen.predict.language.budget import WRAPPING, Budget, Purse
from unseen.predict.language.message import Message
from unseen.predict.language.reply import Reply

BUDGET = Budget(price_in=1.0, price_out=10.0, max_cost=1.0)


def reply(tokens_in=None, tokens_out=None):
    return Reply("", tokens_in=tokens_in, tokens_out=tokens_out)


def test_the_bound_counts_a_token_for_every_byte_and_the_longest_answer():
    assert BUDGET.bound(Message(("añb",)), 100) == pytest.approx((4 + WRAPPING) / 1e6 + 100 * 10 / 1e6)


def test_what_does_not_fit_is_refused():
    purse = Purse(BUDGET)
    assert purse.reserve(0.9)
    purse.settle(0.9, reply(500_000, 10_000))
    assert purse.spent == pytest.approx(0.6)
    assert not purse.reserve(0.5)
    assert purse.reserve(0.4)


def test_a_failed_request_frees_what_was_set_aside():
    purse = Purse(BUDGET)
    assert purse.reserve(1.0)
    purse.settle(1.0, None)
    assert purse.spent == 0
    assert purse.reserve(1.0)


def test_a_reply_without_tokens_costs_the_most_possible():
    purse = Purse(BUDGET)
    assert purse.reserve(0.7)
    purse.settle(0.7, reply())
    assert purse.spent == 0.7


def test_a_request_waits_for_those_under_way():
    purse, allowed = Purse(BUDGET), []
    assert purse.reserve(0.8)
    waiting = threading.Thread(target=lambda: allowed.append(purse.reserve(0.8)))
    waiting.start()
    waiting.join(0.05)
    assert waiting.is_alive()
    purse.settle(0.8, reply(100_000, 0))
    waiting.join(5)
    assert allowed == [True]


def test_without_a_ceiling_everything_fits():
    purse = Purse(Budget())
    assert all(purse.reserve(1e9) for _ in range(3))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [({"max_cost": 1.0}, "max_cost needs price_in and price_out"), ({"price_in": -1.0}, "cannot be negative")],
)
def test_a_budget_that_cannot_be_is_refused(options, sentence):
    with pytest.raises(SpecError, match=sentence):
        Budget(**options)
