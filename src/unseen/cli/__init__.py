"""The command line. `main` is the console script; each verb has a file of its own."""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import NoReturn

from unseen.core.errors import UnseenError, quoted, sentence

# exit codes; 1 is what `verify`, `audit` and `sweep` end with where something is not as it should be
MISTAKE = 2  # whatever a user can mend
OURS = 70  # what only a change of this library can mend; EX_SOFTWARE in sysexits.h
INTERRUPTED = 130  # 128 and the number of the signal, as in shells

DEBUG = "UNSEEN_DEBUG"  # the environment variable that asks for tracebacks


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command; a user's mistake is one sentence on stderr and exit code 2, a mistake of ours one and 70."""
    warnings.showwarning = _warn
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:  # `unseen list | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    except Exception as error:  # the last resort
        code = _unexpected(error)
    sys.exit(code)


def _run(arguments: Sequence[str] | None) -> int:
    import typer

    from unseen.cli.app import app

    try:
        code = app(arguments, prog_name="unseen", standalone_mode=False)
    except typer.TyperException as error:
        return _mistake(error.format_message())
    except UnseenError as error:
        return _mistake(str(error))
    return code if isinstance(code, int) else 0


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    print(f"warning: {sentence(str(message))}", file=sys.stderr)


def _mistake(text: str) -> int:
    print(f"error: {sentence(text)}", file=sys.stderr)
    return MISTAKE


def _unexpected(error: Exception) -> int:
    """Say what no other place has words for: what the system refuses, and mistakes of ours."""
    if os.environ.get(DEBUG):
        traceback.print_exception(error)
    if isinstance(error, MemoryError):
        return _mistake("there is not enough memory; ask for less at once")
    if isinstance(error, OSError):
        about = f" ({error.filename})" if error.filename else ""
        return _mistake(f"the system refuses: {(error.strerror or str(error)).lower()}{about}")
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    _mistake(
        f"this is a mistake in unseen and not yours ({quoted(what)}); please report it to those who maintain it, with "
        f"your command and what it prints with {DEBUG}=1"
    )
    return OURS
