"""Machine code of kernels in the cache: found by what it was made from, whole or absent, and from this user only.

numba's own cache goes by path and time of one file, so that it serves an old callee from another file, compiles again
in every checkout, and fails where the package cannot be written to. Here a name is a digest of everything that machine
code depends on: the functions that a kernel reaches, the values they read, types of arguments, versions, processor.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import pickle
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.core import compiler, registry, serialize, types
from numba.core.caching import _Cache
from numba.core.dispatcher import Dispatcher

from unseen.core.files import cache_root, only_ours, read_sealed, write_sealed

FORM = 2  # of what is stored, and of how it is compiled: to be raised when either changes
LOCK = "lock"
ENDING = ".kernel"
OUTSIDE = {"numpy", "math", "numba", "builtins"}  # their versions are in the digest, so that their names suffice

Signature = tuple[Any, ...]  # numba's types of a call's arguments
Compilable = Any  # a dispatcher, of which numba declares too little


class MachineCode(_Cache):
    """What the cache has of one kernel, through numba's interface and ours."""

    def __init__(self, kernel: Compilable) -> None:
        self._kernel = kernel
        self._read: dict[Signature, bytes] = {}

    @cached_property
    def _digest(self) -> bytes:
        return digest(self._kernel)

    def name(self, signature: Signature) -> str:
        """Name a file after the kernel and the digest of all that its machine code depends on."""
        made_from = hashlib.sha256(self._digest + repr(signature).encode()).hexdigest()
        return f"{self._kernel.__name__}-{made_from[:32]}"

    def fetch(self, signature: Signature) -> bool:
        """Tell whether the cache has machine code for arguments of these types; what is damaged counts as absent."""
        folder = cache_folder()
        if signature not in self._read and folder is not None:
            content = read_sealed(folder / (self.name(signature) + ENDING))
            if content is not None:
                self._read[signature] = content
        return signature in self._read

    @contextmanager
    def turn(self, signature: Signature) -> Iterator[None]:
        """Wait while another process compiles the same, which will be in the cache then."""
        lock = _lock()
        if lock is None or self.fetch(signature):
            yield
            return
        place = int.from_bytes(hashlib.sha256(self.name(signature).encode()).digest()[:6], "little")
        with suppress(OSError):  # compiling it twice does no harm
            fcntl.lockf(lock, fcntl.LOCK_EX, 1, place)
        try:
            yield
        finally:
            with suppress(OSError):
                fcntl.lockf(lock, fcntl.LOCK_UN, 1, place)

    def load_overload(self, sig: Signature, target_context: Any) -> Any:
        """Load the machine code for a signature, or give None."""
        if not self.fetch(sig):
            return None
        target_context.refresh()
        try:
            payload = pickle.loads(self._read.pop(sig))
            return compiler.CompileResult._rebuild(target_context, *payload)  # type: ignore[no-untyped-call]
        except Exception:  # unpickling fails in many ways, and compiling again mends all of them
            return None

    def save_overload(self, sig: Signature, data: Any) -> None:
        """Keep machine code for the next process, where there is room."""
        folder = cache_folder()
        if folder is None or data.library.has_dynamic_globals:
            return
        unlisted = data._replace(type_annotation="")  # a listing of the source, which nobody reads
        content = serialize.dumps(unlisted._reduce())  # type: ignore[no-untyped-call]
        write_sealed(folder / (self.name(sig) + ENDING), content)

    @property
    def cache_path(self) -> str:
        """Name the folder of the cache."""
        return str(cache_folder())

    def enable(self) -> None:
        """Do nothing: the cache is always in use."""

    def disable(self) -> None:
        """Do nothing: the cache is always in use."""

    def flush(self) -> None:
        """Do nothing: whatever is made is kept at once."""


# ---------------------------------------------------------------------------- where it is


@cache
def cache_folder() -> Path | None:
    """Find a folder for machine code of these versions and this processor; without one, it is kept in memory."""
    temporary = Path(tempfile.gettempdir()) / f"unseen-{os.getuid()}"
    for root in (cache_root(), temporary):
        folder = root / "kernels" / _platform()
        try:
            for part in (root, root / "kernels", folder):
                part.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
            if only_ours(root / "kernels") and (root is not temporary or only_ours(root, hidden=True)):
                return folder
        except OSError:
            continue
    return None


@cache
def _platform() -> str:
    packages = [f"{name} {version(name)}" for name in ("numba", "llvmlite", "numpy")]
    processor = registry.cpu_target.target_context.codegen().magic_tuple()
    return hashlib.sha256(repr((FORM, packages, sys.version, processor)).encode()).hexdigest()[:16]


@cache
def _lock() -> int | None:
    """Open the file of which each kernel locks a byte; it stays open, since closing it would give up all locks."""
    folder = cache_folder()
    try:
        return None if folder is None else os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return None


# ---------------------------------------------------------------------------- what it was made from


def digest(kernel: Compilable) -> bytes:
    """Digest all that a kernel reaches: code, options, and the values of globals, through every kernel it calls."""
    reached = [kernel]
    total = hashlib.sha256()
    for one in reached:  # which grows on the way
        function = one.py_func
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        parts = [
            _named(function),
            sorted(one.targetoptions.items()),
            _code(function.__code__),
            *(_value(value, function, reached) for value in (function.__defaults__, *cells)),
            *((name, _value(value, function, reached)) for name, value in read_globals(function).items()),
        ]
        total.update(repr(parts).encode())
    return total.digest()


def read_globals(function: FunctionType) -> dict[str, Any]:
    """Find the globals that a function reads, and their values."""
    names = sorted(_names(function.__code__))
    return {name: function.__globals__[name] for name in names if name in function.__globals__}


def _names(code: CodeType) -> set[str]:
    inner = (_names(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*inner)


def _code(code: CodeType) -> tuple[Any, ...]:
    """Tell what a code object does, without where it stands."""
    constants = [_code(one) if isinstance(one, CodeType) else (type(one), one) for one in code.co_consts]
    shape = (code.co_argcount, code.co_flags, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return code.co_code, code.co_exceptiontable, shape, constants


def _named(value: Any) -> str:
    return f"{value.__module__}.{value.__qualname__}"


def _value(value: Any, function: FunctionType, reached: list[Compilable]) -> Any:
    """Describe a value such that other values have another `repr`; kernels are noted as reached."""
    if isinstance(value, Dispatcher):
        if not any(value is other for other in reached):
            reached.append(value)
        return _named(value.py_func)
    if isinstance(value, tuple | list):
        return type(value), [_value(one, function, reached) for one in value]
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype, value.shape, value.tobytes()
    if isinstance(value, ModuleType):
        read = _names(function.__code__) & vars(value).keys() if _changes(value.__name__) else ()
        return value.__name__, [(name, _value(vars(value)[name], function, reached)) for name in sorted(read)]
    if isinstance(value, type):
        return _named(value), getattr(value, "_fields", ())
    if isinstance(value, BuiltinFunctionType | np.ufunc) or not _changes(getattr(value, "__module__", None) or ""):
        return repr(value.__name__)
    if value is None or isinstance(value, bool | int | float | complex | str | bytes | np.dtype | types.Type):
        return type(value), value
    raise TypeError(
        f"the kernel {_named(function)} reads a {type(value).__name__}, of which the cache cannot tell when it changes;"
        " pass it as an argument"
    )


def _changes(module: str) -> bool:
    return module.partition(".")[0] not in OUTSIDE
