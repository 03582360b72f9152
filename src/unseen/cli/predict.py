"""`unseen predict`: the answers of a trained model, as files that `unseen score` reads."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unseen.cli.output import progress_bar
from unseen.cli.train import Device


def predict(
    run: Annotated[Path, typer.Argument(help="The folder of a run, as `unseen train` names it.")],
    splits: Annotated[list[str] | None, typer.Argument(help="Splits to answer; the test splits by default.")] = None,
    data: Annotated[Path | None, typer.Option(help="A folder of data, instead of drawing them.")] = None,
    device: Device = "auto",
) -> None:
    """Answer splits with the best weights of a run.

    unseen predict runs/cogitao/s2-translate/resnet/seed-0 val test
    """
    from unseen.predict.run import predict as predict_split
    from unseen.predict.run import splits_to_test
    from unseen.train import open_run

    opened = open_run(run)
    for split in splits or splits_to_test(opened):
        with progress_bar() as progress:
            path = predict_split(opened, split, data=data, device=device, progress=progress)
        print(f"{path}: score it with: unseen score {opened.task.id} {split} {path}")
