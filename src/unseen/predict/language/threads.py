"""Many messages, some of them under way at once: replies from the cache, then from the endpoint, within the budget."""

from __future__ import annotations

import time
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

from unseen.core.errors import EndpointError
from unseen.core.progress import Progress
from unseen.predict.language.budget import Purse
from unseen.predict.language.cache import ReplyCache
from unseen.predict.language.endpoint import Endpoint, LanguageModel, Unanswered
from unseen.predict.language.message import Message
from unseen.predict.language.reply import Reply

AHEAD = 4  # messages that are ready for each that is under way, so that images of a whole split are never held
HOPELESS = 10  # items without an answer, and none with one: then it is not about the items


@dataclass
class Asked:
    """What came of messages, by their place: replies, and why there is none; the rest was not asked."""

    replies: dict[int, Reply] = field(default_factory=dict)
    unanswered: dict[int, Unanswered] = field(default_factory=dict)
    failure: BaseException | None = None  # that ended the asking early

    @property
    def done(self) -> int:
        """How many messages have come to an end."""
        return len(self.replies) + len(self.unanswered)

    @property
    def hopeless(self) -> bool:
        """Whether items keep failing, and none was answered."""
        return not self.replies and len(self.unanswered) >= HOPELESS


def ask_all(
    messages: Iterable[Message],
    model: LanguageModel,
    *,
    cache: ReplyCache,
    purse: Purse,
    concurrency: int,
    total: int,
    progress: Progress | None = None,
) -> Asked:
    """Ask for replies, and say what became of every message; those that the budget had no room for are in neither list.

    Every reply is kept in the cache the moment it arrives. A message that gets no answer does not stop the others. What
    does, such as a wrong key or an interruption, is told in `failure`, after those under way have been awaited.
    """
    asked, pace = Asked(), Pace(purse, total)
    endpoint: Endpoint | None = None
    waiting: dict[Future[Reply | None], int] = {}
    same: dict[Message, int] = {}  # the same message twice is asked once
    places: dict[int, list[int]] = {}
    pool = ThreadPoolExecutor(concurrency)

    def settle(least: int) -> None:
        """Take what is done, until at most so many are under way."""
        while len(waiting) > least:
            finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in finished:
                place = waiting.pop(future)
                for one in (place, *places.pop(place, ())):
                    _note(asked, one, future)
                if progress:
                    progress(asked.done, total, pace.said(asked.done))
            if asked.hopeless:
                raise EndpointError(
                    f"the first {HOPELESS} items got no answer: {next(iter(asked.unanswered.values()))}"
                )

    try:
        for place, message in enumerate(messages):
            reply = cache.get(message)
            if reply is not None:
                asked.replies[place] = reply
                pace.known += 1
            elif message in same and same[message] in waiting.values():
                places.setdefault(same[message], []).append(place)
            else:
                endpoint = endpoint or Endpoint(model)
                waiting[pool.submit(_ask_within, message, endpoint, cache, purse)] = place
                same = {kept: at for kept, at in same.items() if at in waiting.values()} | {message: place}
                settle(AHEAD * concurrency)
        settle(0)
    except (EndpointError, KeyboardInterrupt) as failure:
        asked.failure = failure
    finally:  # also when interrupted
        if endpoint:
            endpoint.stopped.set()
        pool.shutdown(wait=True, cancel_futures=True)
        for future, place in waiting.items():
            if not future.cancelled():
                for one in (place, *places.pop(place, ())):
                    _note(asked, one, future, late=True)
    return asked


def _note(asked: Asked, place: int, future: Future[Reply | None], *, late: bool = False) -> None:
    """Take down what became of a message; `late`, other failures than the first are not told."""
    try:
        reply = future.result()
    except Unanswered as why:
        if not late:
            asked.unanswered[place] = why
    except EndpointError:
        if not late:
            raise
    else:
        if reply is not None:
            asked.replies[place] = reply


def _ask_within(message: Message, endpoint: Endpoint, cache: ReplyCache, purse: Purse) -> Reply | None:
    """Ask if the purse allows it, and keep the reply; None if it does not."""
    bound = purse.budget.bound(message, endpoint.model.max_tokens)
    if not purse.reserve(bound):
        return None
    reply = None
    try:
        reply = endpoint.ask(message)
    finally:
        purse.settle(bound, reply)
    cache.put(message, reply)
    return reply


class Pace:
    """How fast answers come, what they have cost, and what all of them will."""

    def __init__(self, purse: Purse, total: int) -> None:
        self.purse, self.total, self.known = purse, total, 0
        self.began = time.monotonic()

    def said(self, done: int) -> str:
        """Return a few words for a progress bar."""
        asked, minutes = done - self.known, (time.monotonic() - self.began) / 60
        said = f"answers, {asked / minutes:.3g} a minute" if asked > 0 and minutes > 0 else "answers"
        if not self.purse.spent:
            return said
        whole = self.purse.spent * max(1, self.total - self.known) / max(1, asked)
        return f"{said}, {self.purse.spent:.3g} spent, about {whole:.3g} for all"
