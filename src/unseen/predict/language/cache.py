"""Replies on disk, one JSON file per request, so that no answer is paid for twice."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

from unseen.core.files import cache_root, write_whole
from unseen.predict.language.endpoint import LanguageModel
from unseen.predict.language.reply import Reply


class ReplyCache:
    """The replies of one model at one endpoint; another temperature or limit is another request."""

    def __init__(self, model: LanguageModel, folder: Path | None = None) -> None:
        self.model = model
        self.folder = folder or cache_root() / "language"

    def path(self, prompt: str) -> Path:
        """Where the reply to a prompt is kept."""
        asked = {"base_url": self.model.base_url.rstrip("/"), **self.model.request(prompt)}
        digest = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
        return self.folder / f"{digest}.json"

    def get(self, prompt: str) -> Reply | None:
        """The kept reply, if there is one."""
        try:
            return Reply(**json.loads(self.path(prompt).read_bytes())["reply"])
        except (
            FileNotFoundError,
            ValueError,
            KeyError,
            TypeError,
            RecursionError,
        ):  # not there, or damaged: ask, and keep that
            return None

    def put(self, prompt: str, reply: Reply) -> None:
        """Keep a reply, with the request that it answers."""
        kept = {"request": self.model.request(prompt), "reply": asdict(reply)}
        write_whole(self.path(prompt), json.dumps(kept, indent=1).encode())
