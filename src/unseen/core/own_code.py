"""Code in a user's own files, such as `models.py:Mine`: run when a command names it, and not because a file does.

Who names a file in a command or a program means to run it; that file is then known, by the digest of its content, and
remembered in the user's state folder. The configuration of a run and the file of a sweep name files, too, and may come
from a stranger: what they name is run where it is known, or where `trust` is said.
"""

from __future__ import annotations

import hashlib
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from unseen.core.errors import DataError, unknown
from unseen.core.files import only_ours, state_root

ENDING = ".py"
FOLDER = "own-code"  # of the state folder: an empty file for each piece of code that is known
_known: set[str] = set()  # to this process, which also covers machines without a state folder


@dataclass(frozen=True)
class OwnCode:
    """A class or function in a user's own file, as it was read: what is looked at is what is run."""

    path: Path
    attribute: str
    source: bytes

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the file."""
        return hashlib.sha256(self.source).hexdigest()

    @cached_property
    def mark(self) -> str:
        """What it is remembered by: the content of the file, and what of it was named."""
        return hashlib.sha256(self.source + b"\0" + self.attribute.encode(errors="replace")).hexdigest()

    def remember(self) -> None:
        """Know this code from now on, because the user has named it; where nothing can be kept, in this process."""
        _known.add(self.mark)
        with suppress(OSError):
            folder = state_root() / FOLDER
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            (folder / self.mark).touch(mode=0o600)

    @property
    def is_known(self) -> bool:
        """Whether the user has named this code before; a state folder that others can write to tells nothing."""
        if self.mark in _known:
            return True
        with suppress(OSError):
            folder = state_root() / FOLDER
            return only_ours(folder) and (folder / self.mark).exists()
        return False

    def check(self, named_in: str | Path, *, digest: str = "", trust: bool = False) -> None:
        """Refuse code that a file names, and not the user, unless it is known or trusted.

        With a `digest`, it must also be what it was when that file was written.
        """
        if trust:
            self.remember()
        elif digest and digest != self.digest:
            raise DataError(
                f"{self.path} is not what it was when {named_in} was written: its SHA-256 was {digest[:12]} and is"
                f" {self.digest[:12]}; put it back, or have it run as it is with --trust (trust=True in Python)"
            )
        elif not self.is_known:
            raise DataError(
                f"{named_in} names code that you have not run before, {self.path}:{self.attribute}; read it, and if you"
                " trust it say so with --trust (trust=True in Python)"
            )

    def run(self) -> Any:
        """Run the file, and give what was named of it."""
        module = ModuleType(f"{self.path.stem}_{self.digest[:12]}")
        module.__file__ = str(self.path)
        sys.modules[module.__name__] = module  # where dataclasses look for the names in annotations
        try:
            exec(compile(self.source, str(self.path), "exec"), module.__dict__)
        except Exception as error:  # a user's code may fail in any way
            raise DataError(f"{self.path} cannot be run: {type(error).__name__}: {error}") from error
        if not hasattr(module, self.attribute):
            public = [name for name in vars(module) if not name.startswith("_")]
            raise unknown("model", self.attribute, public, where=str(self.path))
        return getattr(module, self.attribute)


def own_code(name: str) -> OwnCode | None:
    """Read the file that `path/to/file.py:Name` names; none where the name is no such name."""
    path, _, attribute = name.rpartition(":")
    if not path.endswith(ENDING):
        return None
    if not os.path.isfile(path):  # no for what is too long for a path, where Path has an error
        raise DataError(f"there is no file {path} to take the model {attribute} from")
    try:
        return OwnCode(Path(path), attribute, Path(path).read_bytes())
    except OSError as error:
        raise DataError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None
