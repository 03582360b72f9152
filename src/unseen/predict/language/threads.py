"""Many prompts, some of them under way at once: replies from the cache, then from the endpoint, within the budget."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed

from unseen.core.errors import EndpointError
from unseen.core.progress import Progress
from unseen.predict.language.budget import Purse
from unseen.predict.language.cache import ReplyCache
from unseen.predict.language.endpoint import Endpoint, LanguageModel
from unseen.predict.language.reply import Reply


def ask_all(
    prompts: Iterable[str],
    model: LanguageModel,
    *,
    cache: ReplyCache,
    purse: Purse,
    concurrency: int,
    progress: Progress | None = None,
) -> dict[str, Reply]:
    """The replies by prompt, without those that the budget had no room for.

    Every reply is kept in the cache the moment it arrives; where one prompt fails for good, those under way are
    awaited, and the error is raised.
    """
    distinct = list(dict.fromkeys(prompts))
    replies = {prompt: reply for prompt in distinct if (reply := cache.get(prompt)) is not None}
    left = [prompt for prompt in distinct if prompt not in replies]
    if not left:
        return replies
    endpoint = Endpoint(model)
    with ThreadPoolExecutor(concurrency) as pool:
        futures = {pool.submit(_ask_within, prompt, endpoint, cache, purse): prompt for prompt in left}
        try:
            for future in as_completed(futures):
                reply = future.result()
                if reply is not None:
                    replies[futures[future]] = reply
                if progress:
                    progress(len(replies), len(distinct))
        except EndpointError as error:
            raise EndpointError(f"{error}; answers so far are kept: run again to go on") from error
        finally:  # also when interrupted
            endpoint.stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
    return replies


def _ask_within(prompt: str, endpoint: Endpoint, cache: ReplyCache, purse: Purse) -> Reply | None:
    """Ask if the purse allows it, and keep the reply; None if it does not."""
    bound = purse.budget.bound(prompt, endpoint.model.max_tokens)
    if not purse.reserve(bound):
        return None
    reply = None
    try:
        reply = endpoint.ask(prompt)
    finally:
        purse.settle(bound, reply)
    cache.put(prompt, reply)
    return reply
