"""`unseen bench`: how fast are examples made and evaluated, against what was published?"""

from __future__ import annotations

from typing import Annotated

import typer

from unseen.cli.asked import AsJson


def bench(
    benchmark: Annotated[str, typer.Argument(help="The benchmark to measure.")] = "cogitao",
    count: Annotated[int, typer.Option(min=1, help="Number of examples of each measurement.")] = 5_000,
    json: AsJson = False,
) -> None:
    """Measure how fast examples are made.

    Times are CPU time in one process, next to the published generator's. Evaluation, uniqueness, writing, import and
    memory are measured too.
    """
    from dataclasses import asdict

    from unseen.cli.output import print_json, print_table
    from unseen.report.speed import ROUNDS, STRETCH, measure

    speed = measure(benchmark, count)
    if json:
        print_json(asdict(speed))
        return
    columns = ("configuration", "µs / example", "examples / CPU second", "published ms", "times faster", "target", "")
    rows = [
        (
            row.name,
            row.microseconds,
            row.per_second,
            row.published_ms,
            row.ratio,
            f"{row.target:,.0f} / s" if row.ratio is None else row.target,
            "met" if row.met else "missed",
        )
        for row in speed.examples
    ]
    title = (
        f"{benchmark}: one process, CPU time of {count:,} examples each, of every {STRETCH} the best of {ROUNDS} rounds"
    )
    print_table(columns, rows, title=title)
    print_table(("also measured", "value", "unit"), [(row.name, row.value, row.unit) for row in speed.others])
