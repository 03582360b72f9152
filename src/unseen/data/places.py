"""Where data lies: a folder of this machine, or a place in an object store by its URL. A file is whole or absent there.

    data/c1-1                                        a folder
    s3://bucket/c1-1, gs://bucket/c1-1               object stores, through Arrow's file systems
    s3://bucket/c1-1?endpoint_override=localhost:9000&scheme=http    a store of one's own

What stands before the question mark is taken letter by letter, as other tools take it: nothing is percent-encoded.
Credentials come from where Arrow looks for them (environment, profile, role). A URL that holds any is refused, since
URLs are printed, recorded and sent to workers.
"""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode

from unseen.core.errors import DataError, SpecError, quoted, unknown
from unseen.core.files import write_whole, written_aside
from unseen.data.lock import one_writer, remove_leftovers

URL = re.compile(r"(?P<scheme>[a-z][a-z0-9.-]+)://(?P<path>[^?]*)(?:\?(?P<settings>.*))?", re.DOTALL | re.IGNORECASE)
SHORTENED = re.compile(r"(s3|gs|gcs|abfss?|hdfs|hf|file):/(?!/)", re.IGNORECASE)  # what a Path makes of a URL
SETTINGS = {  # of Arrow, that may stand in a URL; others name secrets
    *("endpoint_override", "region", "scheme", "tls_ca_file_path", "project_id", "retry_limit_seconds"),
    *("blob_storage_authority", "blob_storage_scheme", "dfs_storage_authority", "dfs_storage_scheme", "enable_tls"),
}
WRITABLE = {"s3", "gs", "gcs", "abfs", "abfss"}  # an object appears there when its upload ends, and not before
REASONS = {  # how an error of a store begins, and what it means
    "NO_SUCH_BUCKET": "there is no such bucket; make it first",
    "ACCESS_DENIED": "the store denies access; the credentials of the environment do not allow it",
    "INVALID_ACCESS_KEY_ID": "the store does not know the access key of the environment",
    "SIGNATURE_DOES_NOT_MATCH": "the secret of the environment does not fit its access key",
    "NETWORK_CONNECTION": "the store cannot be reached, or cuts the connection; run again: what is finished is kept",
    "SLOW_DOWN": "the store is overloaded; run again later: what is finished is kept",
    "SERVICE_UNAVAILABLE": "the store is overloaded; run again later: what is finished is kept",
    "INTERNAL_FAILURE": "the store has a failure of its own; run again later: what is finished is kept",
}


# What a process was forked with and leaves alone: its connections are the parent's, and closing would end them there.
INHERITED: list[Any] = []


class Unreachable(DataError):
    """A store that does not answer, or refuses; what lies there may be whole."""


class Place(ABC):
    """Files of one data set, by their names."""

    where: Path | str  # as a user names it
    near: bool  # whether reading any part of a file costs next to nothing

    @abstractmethod
    def sizes(self) -> dict[str, int]:
        """Return every file by its name, with its bytes; none where the place does not exist yet."""

    @abstractmethod
    def open(self, name: str) -> Any:
        """Return a file for Arrow to read, by ranges where it is far away; FileNotFoundError where it is not there."""

    @abstractmethod
    def read(self, name: str) -> bytes:
        """Return the whole content of a file; FileNotFoundError where it is not there."""

    @abstractmethod
    def write(self, name: str, content: bytes) -> None:
        """Write a file at once, so that it is whole or absent whenever this process ends."""

    @abstractmethod
    def making(self, name: str) -> AbstractContextManager[Path]:
        """Give a path of this machine to make a file or a folder at, which appears here when the block succeeds."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file."""

    @abstractmethod
    def exists(self) -> bool:
        """Tell whether something can be read here; of a store only reading tells."""

    @abstractmethod
    def one_writer(self) -> AbstractContextManager[None]:
        """Be the only one who writes here, or raise an error that names who does; leftovers are removed."""

    @abstractmethod
    def file(self, name: str) -> str:
        """Tell where a file lies, to be named in a sentence."""

    def __str__(self) -> str:
        return str(self.where)


class Folder(Place):
    """A folder of this machine, or of a file system that it has mounted."""

    near = True

    def __init__(self, path: Path) -> None:
        self.where = self.path = path

    def sizes(self) -> dict[str, int]:
        """Return every file by its name, with its bytes."""
        if not self.path.is_dir():
            return {}
        with os.scandir(self.path) as found:
            return dict(sorted((one.name, one.stat().st_size) for one in found if one.is_file()))

    def open(self, name: str) -> Any:
        """Return a file in memory that is read when it is looked at."""
        import pyarrow as pa

        return pa.memory_map(str(self.path / name))

    def read(self, name: str) -> bytes:
        """Return the whole content of a file."""
        return (self.path / name).read_bytes()

    def write(self, name: str, content: bytes) -> None:
        """Write a file aside, sync and rename it."""
        write_whole(self.path / name, content)

    def making(self, name: str) -> AbstractContextManager[Path]:
        """Give a path aside, which is renamed when the block succeeds."""
        return written_aside(self.path / name)

    def remove(self, name: str) -> None:
        """Remove a file."""
        (self.path / name).unlink(missing_ok=True)

    def exists(self) -> bool:
        """Tell whether there is such a folder."""
        return os.path.isdir(self.path)

    @contextmanager
    def one_writer(self) -> Iterator[None]:
        """Hold the lock of the folder, which the system gives back even if this process is killed."""
        with one_writer(self.path):
            remove_leftovers(self.path)
            try:
                yield
            finally:
                remove_leftovers(self.path)

    def file(self, name: str) -> str:
        """Return the path of a file."""
        return str(self.path / name)


class Store(Place):
    """A place in an object store. Threads may share it; another process, forked or not, opens the store itself."""

    near = False

    def __init__(self, url: str) -> None:
        self.url, self._asked = _checked(url)
        self.where = self.url
        self.scheme = self.url.partition(":")[0]
        self._opened: tuple[int, Any, str] | None = None  # by which process; the file system, and the path in it

    def sizes(self) -> dict[str, int]:
        """Return every file by its name, with its bytes: one request for a thousand of them."""
        return {info.base_name: info.size for info in self.listing()}

    def listing(self) -> list[Any]:
        """Return what the store tells of every file, in the order of their names."""
        from pyarrow.fs import FileSelector, FileType

        system, path = self._system()
        with self._explained("read"):
            found = system.get_file_info(FileSelector(path, allow_not_found=True))
        return sorted((info for info in found if info.type == FileType.File), key=lambda info: str(info.base_name))

    def open(self, name: str) -> Any:
        """Return a file that is read by ranges."""
        system, path = self._system()
        with self._explained("read", name):
            return _Ranges(self, name, system.open_input_file(f"{path}/{name}"))

    def read(self, name: str) -> bytes:
        """Return the whole content of a file, in one request."""
        with self.open(name) as file:
            content: bytes = file.read()
        return content

    def write(self, name: str, content: Any) -> None:
        """Upload a file at once.

        An exception between opening and closing an upload would publish what has come so far, so a thread of its own
        does it, which no interrupt reaches: an upload that has begun is finished, within the store's timeouts.
        """
        if self.scheme not in WRITABLE:
            raise DataError(f"{self} can be read but not written to: a file there could be left half written")
        with ThreadPoolExecutor(1) as alone:
            alone.submit(self._upload, name, content).result()

    @contextmanager
    def making(self, name: str) -> Iterator[Path]:
        """Give a temporary path, whose files are uploaded one after the other when the block succeeds."""
        import pyarrow as pa

        with TemporaryDirectory(prefix="unseen-") as room:
            made = Path(room, "whole")
            yield made
            for path in [made] if made.is_file() else sorted(one for one in made.rglob("*") if one.is_file()):
                with pa.memory_map(str(path)) as file:
                    self.write(str(Path(name, path.relative_to(made))), file.read_buffer())

    def _upload(self, name: str, content: Any) -> None:
        system, path = self._system()
        with self._explained("write", name), system.open_output_stream(f"{path}/{name}") as stream:
            stream.write(content)

    def remove(self, name: str) -> None:
        """Remove a file."""
        system, path = self._system()
        with suppress(FileNotFoundError), self._explained("write", name):
            system.delete_file(f"{path}/{name}")

    def exists(self) -> bool:
        """Only reading tells, so that this is yes."""
        return True

    def one_writer(self) -> AbstractContextManager[None]:
        """Hold a claim, which others see."""
        from unseen.data.claims import claimed

        return claimed(self)

    def file(self, name: str) -> str:
        """Return the URL of a file, without settings."""
        return f"{self.url.partition('?')[0]}/{name}"

    def _system(self) -> tuple[Any, str]:
        """Arrow's file system, opened once in every process, and the path of this place in it."""
        if self._opened is None or self._opened[0] != os.getpid():
            from pyarrow.fs import FileSystem

            INHERITED.append(self._opened)
            with self._explained("open"):
                self._opened = os.getpid(), *FileSystem.from_uri(self._asked)
        return self._opened[1:]

    @contextmanager
    def _explained(self, doing: str, name: str = "") -> Iterator[None]:
        """Turn what Arrow says of a failure into a sentence; a file that is not there is no failure."""
        import pyarrow as pa

        try:
            yield
        except DataError:
            raise
        except FileNotFoundError:
            if self._bucket_is_gone():
                raise Unreachable(f"there is no bucket for {self}; see whether its name is right") from None
            raise
        except (OSError, pa.ArrowException, ImportError) as error:
            told = str(error)
            reason = next((reason for code, reason in REASONS.items() if code in told), quoted(told))
            raise Unreachable(f"could not {doing} {self.file(name) if name else self}: {reason}") from error

    def _bucket_is_gone(self) -> bool:
        """Ask whether the bucket is there, since a file in one that is not counts as a file that is not."""
        from pyarrow.fs import FileType

        system, path = self._system()
        with suppress(OSError):  # who may read files need not be allowed to ask
            return bool(system.get_file_info(path.partition("/")[0]).type == FileType.NotFound)
        return False

    def __reduce__(self) -> tuple[type[Store], tuple[str]]:
        return Store, (self.url,)


class _Ranges:
    """A file in a store, read by ranges; a failure of the store is told as such and not taken for damage."""

    def __init__(self, store: Store, name: str, file: Any) -> None:
        self._store, self._name, self._file = store, name, file
        # Arrow uses a faster way to read than `read` if it finds one, so that these alone are handed on
        self.seek, self.tell, self.size, self.close = file.seek, file.tell, file.size, file.close

    @property
    def closed(self) -> bool:
        closed: bool = self._file.closed
        return closed

    def read(self, count: int | None = None) -> bytes:
        with self._store._explained("read", self._name):
            content: bytes = self._file.read(count)
        return content

    def __enter__(self) -> _Ranges:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


# ---------------------------------------------------------------------------- from what a user writes


def place_of(where: str | Path | Place) -> Place:
    """Return the place that a path or a URL names.

    >>> print(place_of("data/c1-1/"), place_of("s3://bucket/c1-1/"), place_of("file:///data/c%201"))
    data/c1-1 s3://bucket/c1-1 /data/c 1
    """
    if isinstance(where, Place):
        return where
    text = str(where)
    if SHORTENED.match(text) and not os.path.isdir(text):
        raise SpecError(f"{text} lacks a slash: a URL begins with {text.partition(':')[0]}://, and no Path can hold it")
    if text.lower().startswith("file://"):
        host, slash, path = text[len("file://") :].partition("/")
        if host not in ("", "localhost") or not slash:
            raise SpecError(f"{text} names no folder of this machine; write file:///folder, or the folder alone")
        return Folder(Path("/" + unquote(path)))
    return Store(text) if is_url(text) else Folder(Path(where))


def is_url(text: str) -> bool:
    """Tell whether a text is a URL: a local path may hold colons, too.

    >>> is_url("s3://bucket/x"), is_url("data:1/x"), is_url("C:\\\\data"), is_url("cogitao/custom+grid=20")
    (True, False, False, False)
    """
    return URL.match(text) is not None


def is_place(text: str) -> bool:
    """Tell whether a text names data that lies somewhere, a URL or a folder that is there, and not a task."""
    return is_url(text) or os.path.isdir(text)  # no for what is too long for a path, where Path has an error


def _checked(url: str) -> tuple[str, str]:
    """A URL as it is shown and recorded, and as Arrow is to get it; one that cannot be is refused."""
    found = URL.fullmatch(url)
    assert found
    scheme, path, asked = found["scheme"].lower(), found["path"].removesuffix("/"), found["settings"]
    place = f"{scheme}://{path}"
    user, at, _ = path.partition("/")[0].rpartition("@")
    if at and (":" in user or scheme == "s3"):
        raise SpecError(f"a {scheme} URL with credentials would be recorded with them; give them in the environment")
    if not path or path.startswith("/"):
        raise SpecError(f"{place} names no bucket; write {scheme}://bucket/folder")
    if not path.isprintable() or {"", ".", ".."} & {*path.split("/")}:
        raise SpecError(f"{place!r} has an empty part, dots alone, or a letter that cannot be printed")
    settings = dict(parse_qsl(asked or "", keep_blank_values=True))
    for name, value in settings.items():
        if name not in SETTINGS:
            raise unknown("setting", name, sorted(SETTINGS), where=f"the URL {place}")
        if "@" in value:
            raise SpecError(f"the {name} of {place} holds credentials; give them in the environment")
    shown = place + (f"?{urlencode(settings, safe='/:')}" if settings else "")
    # small files are then uploaded in one request instead of three
    further = settings | ({"allow_delayed_open": "true"} if scheme == "s3" else {})
    return shown, f"{scheme}://{quote(path, safe='/@')}" + (f"?{urlencode(further)}" if further else "")
