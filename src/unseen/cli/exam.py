"""`unseen exam`: fix a set of items that nobody can have trained on, so that others sit the same exam."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unseen.cli.asked import AsJson, SpecFile, read_asked
from unseen.cli.output import print_json, print_table, progress_bar

if TYPE_CHECKING:
    from unseen.data.exam import Exam

Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="TASK|SHEET [SPLIT] [KEY=VALUE]...", help="A task to make an exam of, or a sheet to check."),
]


def exam(
    words: Words = None,
    seed: Annotated[
        str, typer.Option(help="A number, `today` for the date, or `secret` for a number that nobody can guess.")
    ] = "today",
    count: Annotated[int | None, typer.Option(min=1, help="Number of items; the whole split by default.")] = None,
    sealed: Annotated[
        bool, typer.Option("--sealed", help="Leave the seed out of the sheet, and print it to be told later.")
    ] = False,
    reveal: Annotated[str | None, typer.Option(help="The seed of a sealed sheet, to write into it.")] = None,
    out: Annotated[Path, typer.Option(help="The sheet to write.")] = Path("exam.json"),
    spec: SpecFile = None,
    json: AsJson = False,
) -> None:
    """Make a fresh exam, check one, or reveal its seed.

    unseen exam cvr/all test_ood --seed today --count 500

    unseen exam cvr/shape --seed secret --sealed --out exam.json

    unseen exam exam.json --reveal 3141592653

    unseen exam exam.json: draws the items again, and compares them with the digest
    """
    from dataclasses import asdict

    from unseen.core.errors import SpecError
    from unseen.data.exam import make_exam, read_exam, read_seed, revealed, write_exam
    from unseen.data.exam import sealed as without_seed

    asked = read_asked(words, spec)
    if Path(asked.name).is_file():
        found = read_exam(Path(asked.name))
        told = found.seed if reveal is None else read_seed(reveal)
        if told is None:
            raise SpecError(
                f"the seed of {asked.name} is not told yet; with it: unseen exam {asked.name} --reveal SEED"
            )
        with progress_bar() as progress:
            found = revealed(found, told, progress)
        if reveal is not None:
            write_exam(Path(asked.name), found)
        path = Path(asked.name)
    else:
        number = read_seed(seed)
        with progress_bar() as progress:
            found = make_exam(asked.task(), asked.only_split("test_ood"), seed=number, count=count, progress=progress)
        write_exam(out, without_seed(found) if sealed else found)
        path = out
    if json:
        print_json({**asdict(without_seed(found) if sealed else found), "sheet": str(path), "secret": found.seed})
        return
    print_sheet(found, path, sealed=sealed)


def print_sheet(exam: Exam, path: Path, *, sealed: bool) -> None:
    """Print what an exam is, and how one sits it."""
    rows = [
        ("task", f"{exam.task} {exam.split}"),
        ("items", f"{exam.count:,}"),
        ("seed", "sealed" if sealed else str(exam.seed)),
        ("digest of the items", exam.digest),
        ("generator", f"unseen {exam.unseen}, content version {exam.benchmark_version}"),
    ]
    print_table(("", ""), rows, title=f"{path}: an exam of items that were never published")
    if sealed:
        print(f"the seed, to be kept until the exam is over: {exam.seed}")
        print(f"then: unseen exam {path} --reveal {exam.seed}")
        return
    print(f"sit it with: unseen predict {exam.task} {exam.split} --seed {exam.seed} --count {exam.count} --model ...")
