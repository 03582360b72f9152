"""The command line. `main` is the console script; each verb has a file of its own."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from typing import NoReturn

# exit codes
MISTAKE = 2  # whatever a user can mend
INTERRUPTED = 130  # 128 and the number of the signal, as in shells


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command; a user's mistake is one sentence on stderr and exit code 2."""
    warnings.showwarning = _warn
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:  # `unseen list | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)


def _run(arguments: Sequence[str] | None) -> int:
    import typer

    from unseen.cli.app import app
    from unseen.core.errors import UnseenError

    try:
        code = app(arguments, prog_name="unseen", standalone_mode=False)
    except typer.TyperException as error:
        return _mistake(error.format_message())
    except UnseenError as error:
        return _mistake(str(error))
    return code if isinstance(code, int) else 0


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    print(f"warning: {message}", file=sys.stderr)


def _mistake(sentence: str) -> int:
    print(f"error: {sentence}", file=sys.stderr)
    return MISTAKE
