"""What asking may cost: nothing is sent that could lead above the ceiling."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from unseen.core.errors import SpecError
from unseen.predict.language.message import Message
from unseen.predict.language.reply import Reply

MILLION = 1_000_000
WRAPPING = 64  # tokens that an endpoint may put around a message


@dataclass(frozen=True)
class Budget:
    """Prices per million tokens, in any currency, and how much one run may spend.

    Answers from the cache are free. A try that fails is taken to cost nothing, as endpoints do not say.
    """

    price_in: float = 0.0
    price_out: float = 0.0
    max_cost: float | None = None

    def __post_init__(self) -> None:
        if min(self.price_in, self.price_out, self.max_cost or 0.0) < 0:
            raise SpecError("prices and the highest cost cannot be negative")
        if self.max_cost is not None and not (self.price_in or self.price_out):
            raise SpecError("max_cost needs price_in and price_out, the prices of a million tokens")

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """Return the price of some tokens.

        >>> Budget(price_in=2.0, price_out=8.0).cost(1_000, 500)
        0.006
        """
        return (tokens_in * self.price_in + tokens_out * self.price_out) / MILLION

    def bound(self, asked: Message, max_tokens: int) -> float:
        """Return the most that a request can cost: no message has more tokens, no answer is longer than its limit."""
        return self.cost(asked.most_tokens + WRAPPING, max_tokens)


class Purse:
    """The money of one run, shared by threads: reserved before a request, settled after it."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.spent = 0.0
        self._reserved: list[float] = []
        self._changed = threading.Condition()

    def reserve(self, bound: float) -> bool:
        """Set the most that a request can cost aside; False where it does not fit, whatever the others cost."""
        with self._changed:
            while not self._fits(bound):
                if not self._reserved:
                    return False
                self._changed.wait()  # requests under way may cost less than was set aside for them
            self._reserved.append(bound)
            return True

    def settle(self, bound: float, reply: Reply | None) -> None:
        """Pay for a request; None for one that failed, the most possible where the endpoint does not say its tokens."""
        with self._changed:
            self._reserved.remove(bound)
            if reply is not None:
                known = reply.tokens_in is not None and reply.tokens_out is not None
                self.spent += self.budget.cost(reply.tokens_in or 0, reply.tokens_out or 0) if known else bound
            self._changed.notify_all()

    def _fits(self, bound: float) -> bool:
        ceiling = self.budget.max_cost
        return ceiling is None or self.spent + sum(self._reserved) + bound <= ceiling
