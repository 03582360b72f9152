"""`unseen verify`: is every example right, and every shard whole?"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from unseen.cli.asked import AsJson, Asked, Seed, SpecFile, Words, read_asked
from unseen.cli.unfold import unfolded
from unseen.cli.where import HERE, Where

if TYPE_CHECKING:
    from unseen.core.progress import Progress

MOST = 20  # problems printed; --json gives all


@dataclass
class Findings:
    """What was checked, and what is wrong, over several splits."""

    checked: int = 0
    problems: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)  # files


@unfolded
def verify(
    words: Words = None,
    count: Annotated[int | None, typer.Option(min=1, help="Check at most this many examples of each split.")] = None,
    where: Where = HERE,
    seed: Seed = 0,
    spec: SpecFile = None,
    json: AsJson = False,
) -> None:
    """Check that every example is right and every shard is whole.

    Answers are worked out by other means than the generator used. The exit code is 1 if anything is wrong.

    unseen verify cogitao/c1-1 --count 20000
    """
    from unseen.cli.output import print_json, progress_bar

    asked = read_asked(words, spec)
    with progress_bar() as progress:
        found = _check(asked, count=count, where=where, seed=seed, progress=progress)
    if json:
        print_json(asdict(found))
    else:
        _report(found)
    if found.problems or found.damaged:
        raise typer.Exit(1)


def _check(asked: Asked, *, count: int | None, where: Where, seed: int, progress: Progress) -> Findings:
    """Check a whole folder, or each split asked for."""
    from unseen.data.verify import verify as check

    whole = asked.is_folder and not asked.words
    parts = [asked.name] if whole else [asked.dataset(split, seed=seed) for split in asked.splits()]
    found = Findings()
    for part in parts:
        report = check(part, count=count, workers=where.workers, engine=where.chosen(), progress=progress)
        found.checked += report.checked
        found.problems += [f"{problem.split} {problem.index:,}: {problem.sentence}" for problem in report.problems]
        found.damaged += report.damaged
    return found


def _report(found: Findings) -> None:
    wrong = [*(f"damaged: {file}" for file in found.damaged), *found.problems]
    for sentence in wrong[:MOST]:
        print(sentence)
    if len(wrong) > MOST:
        print(f"... and {len(wrong) - MOST:,} more; --json gives all of them")
    verdict = {0: "nothing wrong", 1: "one thing wrong"}.get(len(wrong), f"{len(wrong):,} things wrong")
    print(f"{found.checked:,} examples checked, {verdict}")
