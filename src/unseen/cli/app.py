"""The command `unseen` and its verbs, in the order of the work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from unseen.cli.audit import audit
from unseen.cli.bench import bench
from unseen.cli.exam import exam
from unseen.cli.export import export
from unseen.cli.generate import generate
from unseen.cli.list import list_things
from unseen.cli.predict import predict
from unseen.cli.results import results
from unseen.cli.score import score
from unseen.cli.serve import serve
from unseen.cli.show import show
from unseen.cli.sweep import sweep
from unseen.cli.train import train
from unseen.cli.verify import verify

VERBS: dict[str, Callable[..., None]] = {
    "list": list_things,
    "show": show,
    "generate": generate,
    "verify": verify,
    "audit": audit,
    "export": export,
    "train": train,
    "predict": predict,
    "score": score,
    "exam": exam,
    "sweep": sweep,
    "results": results,
    "bench": bench,
    "serve": serve,
}

app = typer.Typer(
    name="unseen",
    add_completion=False,
    rich_markup_mode=None,  # plain help; a mistake is one sentence, printed by `main`
    pretty_exceptions_enable=False,
)
for verb, function in VERBS.items():
    app.command(verb)(function)


@app.callback(invoke_without_command=True)
def without_verb(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Does a vision model understand compositions it has never seen?

    Start with: unseen list
    """
    if version:
        import unseen

        print(unseen.__version__)
    elif context.invoked_subcommand is None:
        print(context.get_help())
