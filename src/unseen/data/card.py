"""The data-set card beside the shards: the questions of "Datasheets for Datasets", answered from task and manifest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from shlex import join
from textwrap import shorten
from typing import Any

from unseen.core.options import written_value
from unseen.core.task import Task
from unseen.data.dataset import SEED
from unseen.data.manifest import Manifest
from unseen.data.shards import Shard, shard_at

NAME = "README.md"
MARK = "<!-- written by unseen generate; changes are overwritten -->"

CARD = """\
---
license: apache-2.0
pretty_name: "{id}"
tags:
- unseen
- compositional-generalization
- procedurally-generated
configs:
- config_name: default
  data_files:
{data_files}
---
{mark}

# {id}

{title}: {summary}.

## How to load

In these lines, `folder` is the folder of this file.

```python
import unseen

examples = unseen.load(folder, "{first}")
examples[0].inputs, examples[0].target, examples[0].record
```

```python
import datasets

rows = datasets.load_dataset("parquet", data_files={{"{first}": f"{{folder}}/{first}-*.parquet"}}, split="{first}")
```

```python
import pyarrow.parquet

table = pyarrow.parquet.read_table(f"{{folder}}/{first_file}")
```

## Motivation

**For what purpose was the data set made?** To find out whether a model handles compositions that it has not seen in
training. It belongs to the benchmark {benchmark}, introduced by the paper "{paper}".

## Composition

**What is an example?** A {kind} task. A model is shown {inputs}, and answers with {target}.

**How many are there?**

| split | examples | shards | no example twice | drawn from |
|---|---|---|---|---|
{splits}

**Which columns are there?** `index`, the place in the split; `key`, a hash of what decides input and answer; `input_*`
and `target_*`, the arrays; `scene`, the symbolic record from which the arrays are made.

**How do the splits stay apart?** By their compositions where a split is held out, and everywhere by the content key:
its top three bits say to which split an example belongs, so that none can be in two splits of the same compositions.

**Are there errors or noise?** None by construction. `unseen verify` derives every answer again from the record, by
other means than the generator used.

**Does it hold personal or offensive content?** No: every example is drawn from a random stream.

## Collection process

Procedural generation: example `i` of a split is a pure function of task, split, seed and `i`. The seed is {seed}; this
is version {version} of {benchmark}'s content, in shard format {format}, made with {made_with}.
Nothing was collected from people.

## Preprocessing

None. Arrays are stored as a model gets them, pictures as PNG without loss.

## Uses

Training and scoring models on `{id}`: `unseen.task("{id}").score(split, predictions)`. Scores measure composition in
a synthetic world; they say little about natural images.

## Distribution

Apache License 2.0. The same files can be made anywhere with

    {command}

## Maintenance

Made again rather than mended: a change of content raises the version, and folders of different versions are not mixed.
`manifest.json` lists every file with its SHA-256 and the digest of its keys, which is the same wherever the data is.
"""


def card(task: Task, manifest: Manifest) -> str:
    """Return the card of a folder, as Markdown with the front matter that Hugging Face reads."""
    names = [name for name in task.splits if name in manifest.splits]
    return CARD.format(
        id=task.id,
        mark=MARK,
        title=task.benchmark.title,
        summary=task.row.summary,
        benchmark=task.benchmark.name,
        paper=task.benchmark.paper,
        kind=task.kind.name,
        inputs=_listing(task.kind.inputs),
        target=_listing(task.kind.target),
        data_files="\n".join(f"  - split: {name}\n    path: {name}-*.parquet" for name in names),
        first=names[0],
        first_file=_first(task, manifest, names[0]).name,
        splits="\n".join(_row(task, name, manifest) for name in names),
        seed=manifest.seed,
        version=manifest.version,
        format=manifest.format,
        made_with="; ".join(", ".join(f"{k} {v}" for k, v in sorted(made.items())) for made in manifest.made_with),
        command="\n    ".join(
            generate_commands(task, manifest.seed, {name: stored.count for name, stored in manifest.splits.items()})
        ),
    )


def generate_commands(task: Task, seed: int, counts: Mapping[str, int], out: str = "") -> list[str]:
    """Return what to type to write so many examples of some splits again: a command for those of each number.

    >>> import unseen
    >>> task = unseen.task("cogitao/c1-1")
    >>> generate_commands(task, 0, {split.name: split.size for split in task.splits.values()})
    ['unseen generate cogitao/c1-1']
    >>> print(*generate_commands(task, 7, {"train": 500, "val": 1000}, out="mine"), sep="\\n")
    unseen generate cogitao/c1-1 train --count 500 --seed 7 --out mine
    unseen generate cogitao/c1-1 val --seed 7 --out mine
    """
    asked: dict[int | None, list[str]] = {}
    for name, count in counts.items():
        asked.setdefault(count if count < task.split(name).size else None, []).append(name)
    further = (["--seed", str(seed)] if seed != SEED else []) + (["--out", out] if out else [])
    commands = []
    for number, names in asked.items():
        every = len(names) == len(task.splits)
        limit = [] if number is None else ["--count", str(number)]
        commands.append(join(["unseen", "generate", task.id, *([] if every else names), *limit, *further]))
    return commands


def _listing(values: dict[str, str]) -> str:
    return ", ".join(f"`{name}` ({what})" for name, what in values.items())


def _first(task: Task, manifest: Manifest, split: str) -> Shard:
    return shard_at(split, 0, manifest.splits[split].count, task.kind.shard_rows)


def _row(task: Task, name: str, manifest: Manifest) -> str:
    split, first = task.split(name), _first(task, manifest, name)
    unique = "yes" if split.unique else "not checked"
    return f"| {name} | {manifest.splits[name].count:,} | {first.total} | {unique} | {_words(split.spec)} |"


def _words(spec: Any) -> str:
    """A spec as a list of its fields, long ones cut short."""
    written = {field.name: written_value(getattr(spec, field.name)) for field in fields(spec)}
    return ", ".join(f"{name} {shorten(value, 60, placeholder='...')}" for name, value in written.items() if value)
