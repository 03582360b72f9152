"""Replies on disk, one JSON file per request, so that no answer is paid for twice."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

from unseen.core.files import cache_root, write_whole
from unseen.predict.language.endpoint import LanguageModel
from unseen.predict.language.message import Message
from unseen.predict.language.reply import Reply


class ReplyCache:
    """The replies of one model at one endpoint; another temperature or limit is another request."""

    def __init__(self, model: LanguageModel, folder: Path | None = None) -> None:
        self.model = model
        self.folder = folder or cache_root() / "language"

    def path(self, asked: Message) -> Path:
        """Tell where the reply to a message is kept: named by every text and image of it, and by how it is sent."""
        request = {"base_url": self.model.base_url.rstrip("/"), **self.model.request(asked)}
        digest = hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
        return self.folder / f"{digest}.json"

    def get(self, asked: Message) -> Reply | None:
        """Return the kept reply, if there is one."""
        try:
            return Reply(**json.loads(self.path(asked).read_bytes())["reply"])
        except (
            FileNotFoundError,
            ValueError,
            KeyError,
            TypeError,
            RecursionError,
        ):  # not there, or damaged: ask, and keep that
            return None

    def put(self, asked: Message, reply: Reply) -> None:
        """Keep a reply, with the request that it answers; of its images, their digests."""
        request = self.model.request(
            Message(tuple(part if isinstance(part, str) else _named(part) for part in asked.parts))
        )
        kept = {"request": request, "reply": asdict(reply)}
        write_whole(self.path(asked), json.dumps(kept, indent=1).encode())


def _named(png: bytes) -> str:
    """What stands for an image, which can be drawn again."""
    return f"[PNG, SHA-256 {hashlib.sha256(png).hexdigest()}]"
