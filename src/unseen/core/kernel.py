"""The `kernel` decorator: functions that run as machine code where there is some, and as plain Python until then.

Compiling the kernels of a benchmark takes numba a minute or two, and plain Python makes an example in a fraction of a
second. So a kernel without machine code runs as it is written, while a process in the background compiles it
(`compiling.py`) into a cache that all checkouts share (`machine_code.py`); once it is there, it takes over. Both give
the same bits, to which a test holds every task. Who is about to make many examples says so (`expect`), and has
kernels compiled first. `UNSEEN_KERNELS` can be `auto`, which is all this, `compiled` or `plain`, which are always so.
"""

from __future__ import annotations

import builtins
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable
from functools import partial
from time import monotonic, thread_time
from types import FunctionType
from typing import Any

import numpy as np
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import OmittedArg
from numba.core.registry import CPUDispatcher

from unseen.core import compiling
from unseen.core.errors import SpecError
from unseen.core.linking import FunctionCompiler
from unseen.core.machine_code import MachineCode, Signature, read_globals

# divisions need no check for zero, threads may run beside kernels, and nothing here calls them from C
COMPILED: dict[str, Any] = {"nopython": True, "error_model": "numpy", "nogil": True, "no_cfunc_wrapper": True}
MODES = ("auto", "compiled", "plain")
MANY = 200  # examples that are worth waiting for the compiler
PATIENCE = 20.0  # CPU seconds in plain kernels after which a process compiles what it calls
LOOK = 0.1  # seconds between looks into the cache
WORTH = 0.8  # CPU seconds in plain kernels from which on machine code that arrives is loaded: the first takes 0.3 s


class _Pace:
    """The way in which a process goes about kernels that have no machine code."""

    def __init__(self) -> None:
        self.mode = os.environ.get("UNSEEN_KERNELS") or "auto"
        if self.mode not in MODES:
            raise SpecError(f"UNSEEN_KERNELS must be one of {', '.join(MODES)}, got {self.mode!r}")
        self.many = False
        self.hurried = False
        self.plain_seconds = 0.0
        self.said = False

    def waits(self) -> bool:
        """Tell whether to have machine code before going on."""
        long = self.many or self.plain_seconds > PATIENCE
        return self.mode == "compiled" or (self.mode == "auto" and long and not self.hurried)

    def say(self, text: str) -> None:
        """Tell why the first example takes long, once; workers leave that to the process that started them."""
        if not self.said and multiprocessing.parent_process() is None:
            self.said = True
            print(f"unseen: {text}", file=sys.stderr, flush=True)


PACE = _Pace()


def expect(examples: float) -> None:
    """Say how many examples are about to be made: for many, kernels are compiled before they run."""
    PACE.many = PACE.many or examples > MANY


def hurry(hurried: bool) -> None:
    """Say that somebody waits for a few examples, or no longer: until kernels are compiled, they run as written.

    A process that serves draws one example after another, and none of those who wait should wait for the compiler.
    """
    PACE.hurried = hurried


class Kernel(CPUDispatcher):
    """A function that numba compiles, and that runs as it is written until then.

    numba's dispatcher, which calls machine code by the types of arguments, asks `_compile_for_args` what to call where
    it has none for them. That is the only place where anything is decided: a call that finds its machine code costs
    what it costs with numba alone.
    """

    def __init__(self, function: Callable[..., Any], **given: Any) -> None:
        super().__init__(function, **given)
        self.machine_code = self._cache = MachineCode(self)
        self._compiler = FunctionCompiler(function, self.targetdescr, self.targetoptions, self.locals, Compiler)
        self._inner: set[Signature] = set()
        self._asked: set[Signature] = set()
        self._next_look = 0.0
        self.as_python: Any = function
        self._twin: FunctionType | None = None

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        if PACE.mode == "plain" or not (PACE.waits() or self._has_arrived(args)):
            return self._run_plain
        return super()._compile_for_args(*args, **kws)  # type: ignore[misc]

    def _has_arrived(self, args: tuple[Any, ...]) -> bool:
        """Tell whether machine code for such arguments is in the cache, and ask for it once if it is not."""
        now = monotonic()
        if now < self._next_look or (self._asked and PACE.plain_seconds < WORTH):
            return False  # what the types of arguments are takes as long to find out as many a kernel runs
        self._next_look = now + LOOK
        signature = tuple(self.typeof_pyval(one) for one in map(_given, args))
        if self.machine_code.fetch(signature):
            return True
        if signature not in self._asked:
            self._asked.add(signature)
            if compiling.ask(self, signature):
                PACE.say(
                    "kernels are being compiled for this machine in the background (once); until then they run slowly"
                )
        return False

    def compile(self, sig: Any) -> Any:
        """Have machine code for arguments of these types: from memory, from the cache, or new."""
        with global_compiler_lock:
            if self._compiler.inner:
                return self._compile_inner(sig)
            if sig in self._inner:
                del self.overloads[sig]
                self._inner.remove(sig)
            elif sig in self.overloads:
                return super().compile(sig)
            with self.machine_code.turn(sig):
                if not self.machine_code.fetch(sig):
                    PACE.say(
                        f"compiling kernels for this machine, {self.__module__.removeprefix('unseen.')} first (once)"
                    )
                return super().compile(sig)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Tell numba how another kernel calls this one, which needs no machine code of it."""
        self._compiler.inner = True
        try:
            return super().get_call_template(args, kws)
        finally:
            self._compiler.inner = False

    def _compile_inner(self, signature: Signature) -> Any:
        if signature not in self.overloads:
            with self._compiling_counter:
                self.overloads[signature] = self._compiler.compile(signature, None)
            self._inner.add(signature)
        made: Any = self.overloads[signature]
        return made.entry_point

    def _run_plain(self, *args: Any) -> Any:
        """Run as plain Python, with the arithmetic of machine code: numbers wrap around, and division gives inf."""
        began = thread_time()  # others who use the machine make neither plain kernels nor the compiler a better choice
        try:
            with np.errstate(all="ignore"):
                return _python(self.plain()(*map(_given, args)))
        finally:
            PACE.plain_seconds += thread_time() - began

    def plain(self) -> FunctionType:
        """Give the function with plain ones in the places of the kernels that it calls."""
        with _TWINS:
            if self._twin is None:
                source = self.as_python
                scope: dict[str, Any] = {"__builtins__": builtins}
                self._twin = FunctionType(
                    source.__code__, scope, source.__name__, source.__defaults__, source.__closure__
                )
                read = read_globals(source)  # after the twin is made: a kernel may call itself
                scope.update({name: one.plain() if isinstance(one, Kernel) else one for name, one in read.items()})
            return self._twin

    def __reduce__(self) -> Any:
        return self.py_func.__qualname__  # processes find it by its name, as they find functions


_TWINS = threading.RLock()


def _given(argument: Any) -> Any:
    return argument.value if isinstance(argument, OmittedArg) else argument


def _python(value: Any) -> Any:
    """Give a plain kernel's result in the types that machine code returns."""
    if isinstance(value, np.generic):
        return value.item()
    return tuple(map(_python, value)) if type(value) is tuple else value


def kernel(
    function: Callable[..., Any], *, inline: bool = False, plain: Callable[..., Any] | None = None
) -> Callable[..., Any]:
    """Make a kernel of a function.

    `plain` is what runs in its place until it is compiled: the same result, sooner than from the kernel's loops.
    """
    made = Kernel(function, targetoptions={**COMPILED, "forceinline": inline})
    made.as_python = plain or function
    return made


# for what inner loops call: there a call costs, as it counts references to arrays, and loops with calls stay scalar
inlined = partial(kernel, inline=True)
