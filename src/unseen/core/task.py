"""The nouns that all benchmarks share: Benchmark, Task, Split, Example, and the five kinds of task.

A benchmark is a package of files with fixed names; a `Benchmark` record says where it is, and each file is imported
when first needed, so that listing tasks costs neither numba nor pyarrow. What the files must hold:

    splits.TASKS                                   the task rows
    splits.contains(spec, record)                  could this spec have drawn this record?
    splits.compositions(spec)                      the compositions it draws from, for people; may be left out
    rules.describe()                               the rules for people: dicts, "rule", "what it does" first
    sample.Sampler(spec, part, key)                the examples of one spec, part of the example space and stream key
        .draw(index, first=0)                      -> (record, content key, draw): the first from `first` on in the part
        .keys(start, stop)                         -> (content key, draw) of many indices; where that is faster
        .together                                  neighboring indices that are made at once; where that is not 1
    render.arrays(record, spec, view)              -> (inputs, target), two dicts of arrays
    render.tokens(spec)                            -> how many tokens the task code is made of; where there is a code
    render.side(spec, view)                        -> the side of its largest grid; where grids vary in size
    render.rules(spec)                             -> names of the rules of odd-one-out problems
    render.factors(spec)                           -> {factor of objects: number of values}; where models are told them
    render.slots(spec)                             -> the most objects that a video has at once
    render.asked(record, spec, view)               -> text, answer and number of images of a question
    render.language(spec, view)                    -> all that is said and answered in questions, where that is known
    render.word_pieces(view)                       -> the vocabulary that models read questions in; none: whole words
    render.scene(record, spec)                     -> the symbolic scene as plain Python values
    render.picture(record, spec, view)             -> a uint8 picture (h, w, 3) for people
    render.answer_picture(record, prediction, spec, view)    the same with a model's answer; may be left out
    render.film(record, spec, view)                -> uint8 pictures (t, h, w, 3) to show in turn; where there is motion
    verify.check(record, spec)                     -> problems found, as sentences; none for a right example

where images are drawn by a graphics driver, so that the same record may look a little different elsewhere:

    render.drawn_by(spec, view)                    -> its name and version; None where nothing of this spec is

where examples fall into groups that are scored apart, and where splits are to be compared in what they are made of:

    splits.groups(record)                          -> {"template": "count", ...}: a group for each way of grouping
    splits.atoms(record), splits.compounds(record) -> the primitive parts of an example, and combinations of them

where there is more to say about a set of examples than how many they are:

    statistics.describe(records)                   -> {title: {what: number}}: tables for people

where more is to be measured than how fast examples are made:

    speed.measure(count)                           -> (what, how much, unit) each, over so many examples or their like

where trivial solvers are held to a bound, or records are counted:

    audit.BOUND                                    that none may exceed by the headline metric; None where there is none
    audit.BOUNDS                                   {solver: bound} of those that have another; may be left out
    audit.tells(spec)                              -> solvers that may, each with the reason: they carry the rule itself
    audit.shares(record, spec)                     -> {what: (how many, of how many)} to report; may be left out
    audit.STATISTICS                               {name: what it is} of odd-one-out records; may be left out
    audit.measure(record)                          -> (images, statistics): one number each

where there are models without training that know more of a question than any of its kind says:

    baselines.UNTRAINED                            {name: ready}; ready(training) -> how an example is answered

where there is a paper:

    paper.TABLES, paper.SPEEDS                     its numbers, next to which results are shown
    paper.RECIPES                                  how its models were trained, `core.recipe.Recipe` by model's name, by
                                                   (model, task) where tasks differ; by stage where there are several
    paper.CITATION                                 how to cite it, a `core.paper.Citation`

where runs say more than a table of scores does; outcomes and findings are those of `core/analysis.py`:

    analysis.findings(outcomes)                    -> findings over all scored runs: a table, how to read it, figures
    analysis.by_group(way, values)                 -> a finding on the groups of one run, None for a plain table of
                                                   them; may be left out

where a metric compares objects instead of images:

    factors.read(image, spec)                      -> the objects that an image shows: each its factors' values, in
                                                      the order of `render.factors`, and its place
    factors.truth(record, spec)                    -> those that it should show

and, where language models and people can take the test in words and pictures, as `core/asking.py` describes it:

    prompt.FORMS                                   {name: Form}: ways to put an example and to read the answer, the
                                                   default first
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any

from unseen.core.errors import unknown
from unseen.core.registry import load_plugins
from unseen.core.splits import Part, part_of

if TYPE_CHECKING:
    from PIL.Image import Image

Arrays = dict[str, Any]


@dataclass(frozen=True)
class Kind:
    """A kind of task: what a model is shown, what it is asked for, and what it hands back."""

    name: str
    inputs: dict[str, str]
    target: dict[str, str]
    prediction: tuple[str, str]  # the column of a predictions file, and what it holds
    shard_rows: int  # fixed per kind, never from the worker count, so that bytes do not depend on it
    beside: dict[str, str] = field(default_factory=dict)  # columns that may stand beside, each named as an input


KINDS = {
    kind.name: kind
    for kind in (
        Kind(
            "grid",
            {"grid": "int8 (h, w)", "code": "int16 (n,)"},
            {"grid": "int8 (h, w)"},
            ("grid", "int8 (h, w)"),
            4096,
        ),
        Kind(
            "odd",
            {"images": "uint8 (4, h, w, 3)", "rule": "str"},
            {"odd": "int"},
            ("scores", "float32 (4,)"),
            1024,
        ),
        Kind(
            "image",
            {"image": "uint8 (h, w, 3)"},
            {"image": "uint8 (h, w, 3)", "masks": "uint8 (h, w)"},
            ("image", "uint8 (h, w, 3)"),
            1024,
        ),
        Kind(
            "video",
            {"frames": "uint8 (t, h, w, 3)"},
            {"ids": "uint8 (t, h, w)"},
            ("ids", "uint8 (t, h, w)"),
            256,
            beside={"frames": "uint8 (t, h, w, 3)"},
        ),
        Kind(
            "question",
            {"images": "list of uint8 (h, w, 3)", "text": "str"},
            {"answer": "str"},
            ("answer", "str"),
            1024,
        ),
    )
}


@dataclass(frozen=True)
class Split:
    """A set of examples of a task: its name, its size, and the spec that it draws from."""

    name: str
    size: int
    spec: Any
    unique: bool = False
    turns: tuple[tuple[str, Any], ...] = ()  # tasks whose examples these are, in turn, by name, each with its spec
    stream: str = ""  # the split whose random numbers it draws with, where that is another: both then show the same

    @property
    def part(self) -> Part:
        """The share of the example space that is this split's own."""
        return part_of(self.name)


@dataclass(frozen=True)
class NoOptions:
    """Options of a task or of a look that leaves nothing to choose."""


@dataclass(frozen=True)
class Row:
    """A task as its benchmark declares it: everything but the options a user may set."""

    name: str
    summary: str
    splits: Callable[[Any], tuple[Split, ...]]  # options -> splits
    options: type[Any] = NoOptions  # a frozen dataclass with defaults
    aliases: tuple[str, ...] = ()
    baselines: tuple[str, ...] = ()  # that can be trained or run here
    tables: tuple[str, ...] = ()  # names of the published tables that report it
    metrics: tuple[str, ...] = ()  # beside those of the benchmark
    repeats: bool = False  # it draws what other tasks draw: several of them in turn, or a user's choice

    @property
    def sentence(self) -> str:
        """The summary, which may be a phrase, with a capital letter and a full stop."""
        return f"{self.summary[:1].upper()}{self.summary[1:].removesuffix('.')}."


@dataclass(frozen=True)
class Benchmark:
    """A benchmark: what it is, whose it is, and the package that holds it."""

    name: str
    title: str
    paper: str
    kind: str
    version: int  # of the content: raised by any change of what (task, split, seed, index) gives
    package: str
    metrics: tuple[str, ...]
    view: str = "unseen.core.task:NoOptions"  # "module:class" of the options that change only the look
    asks: str = ""  # what a model has to do, in a sentence
    example: str = ""  # a task and one of its splits, to look at first

    def file(self, name: str) -> ModuleType:
        """Return one of the benchmark's files as a module, imported on first use."""
        module = f"{self.package}.{name}"
        # every example asks, and Python takes microseconds to find what it has imported already
        return sys.modules.get(module) or importlib.import_module(module)

    def optional_file(self, name: str) -> ModuleType | None:
        """Return one of the files that a benchmark may do without, or None."""
        try:
            return self.file(name)
        except ModuleNotFoundError as error:
            if error.name != f"{self.package}.{name}":
                raise
            return None

    @property
    def rows(self) -> tuple[Row, ...]:
        """The tasks that the benchmark declares, and those that others have registered for it."""
        load_plugins()
        rows: tuple[Row, ...] = self.file("splits").TASKS
        return rows + tuple(EXTRA_ROWS.get(self.name, ()))

    @cached_property
    def view_class(self) -> type[Any]:
        """The record of options that change only the look of an example."""
        module, _, name = self.view.partition(":")
        return getattr(importlib.import_module(module), name)  # type: ignore[no-any-return]


EXTRA_ROWS: dict[str, list[Row]] = {}  # benchmark name -> task rows of third parties


@dataclass(frozen=True)
class Task:
    """A named task with its options settled: what `unseen.task("cogitao/c1-1")` gives."""

    benchmark: Benchmark
    row: Row
    options: Any
    view: Any
    splits: Mapping[str, Split]
    written_options: str = ""

    @property
    def name(self) -> str:
        """Benchmark and task, without options; it names the random streams, so that views share their records."""
        return f"{self.benchmark.name}/{self.row.name}"

    @property
    def id(self) -> str:
        """The one written form of this task and its options."""
        return self.name + self.written_options

    @property
    def kind(self) -> Kind:
        """Which of the five kinds of task this is."""
        return KINDS[self.benchmark.kind]

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics this task is scored with; the first is the headline."""
        return self.benchmark.metrics + self.row.metrics

    def contents(self) -> dict[str, str]:
        """Return the digests of the files and folders that the options name, by option."""
        from unseen.core.contents import digests

        return digests(self.options, self.view)

    def check_contents(self, then: Mapping[str, str], what: Any) -> None:
        """Refuse a file or folder that an option names and that has changed since something was made from it."""
        if then:
            from unseen.core.contents import check_same

            check_same(then, (self.options, self.view), what)

    def split(self, name: str) -> Split:
        """Return a split by its name."""
        if name not in self.splits:
            raise unknown("split", name, self.splits, where=self.id)
        return self.splits[name]

    def sampler(self, split: str, seed: int) -> Any:
        """The sampler of a split's examples: `draw(index)` gives a record, its content key, and which draw it was."""
        from unseen.core.random import path_key

        declared = self.split(split)
        stream = declared.stream or split
        make, key = self.benchmark.file("sample").Sampler, path_key(seed, self.name, stream)
        if not declared.turns:
            return make(declared.spec, declared.part, key)
        from unseen.core.turns import InTurn

        names = [name for name, _ in declared.turns]
        keys = (path_key(seed, f"{self.benchmark.name}/{name}", stream) for name in names)
        samplers = [make(spec, declared.part, own) for (_, spec), own in zip(declared.turns, keys, strict=True)]
        return InTurn(names, samplers, key)

    def drawn_by(self, split: str) -> str | None:
        """Return the graphics driver that colors a split's images; None where all pixels are computed here."""
        found = getattr(self.benchmark.file("render"), "drawn_by", None)
        return found and found(self.split(split).spec, self.view)

    def check(self, record: Any, split: str) -> list[str]:
        """List everything wrong with a record, found by other means than the sampler used; nothing if it is right."""
        return self.benchmark.file("verify").check(record, self.split(split).spec)  # type: ignore[no-any-return]

    def score(self, split: str, predictions: Any, **how: Any) -> Any:
        """Score predictions (a file, or one per example in order): `{metric: value}` with a row per example.

        `metrics=["cell_accuracy"]` names others than the task's; all there is to say: `unseen.results.scoring.score`.
        """
        return importlib.import_module("unseen.results.scoring").score(self, split, predictions, **how)

    def __reduce__(self) -> tuple[Callable[[str], Task], tuple[str]]:
        # a task travels to other processes by its id: its row holds functions that cannot be pickled
        from unseen.core.catalogue import task

        return task, (self.id,)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{split.name} {split.size:,}" for split in self.splits.values())
        return f"<{self.id}: {self.kind.name} task; {sizes}>"


@dataclass(slots=True, eq=False, repr=False)
class Example:
    """An example: where it comes from and its symbolic record, from which arrays are made on first use."""

    task: Task
    split: str
    index: int
    record: Any
    _arrays: tuple[Arrays, Arrays] | Callable[[], tuple[Arrays, Arrays]] | None = None

    @property
    def arrays(self) -> tuple[Arrays, Arrays]:
        """The example's inputs and its target, two dicts of arrays."""
        if self._arrays is None:
            task = self.task
            self._arrays = task.benchmark.file("render").arrays(self.record, task.split(self.split).spec, task.view)
        elif callable(self._arrays):
            self._arrays = self._arrays()
        return self._arrays  # type: ignore[return-value]

    @property
    def inputs(self) -> Arrays:
        """What a model is shown."""
        return self.arrays[0]

    @property
    def target(self) -> Arrays:
        """What a model is to answer."""
        return self.arrays[1]

    @property
    def scene(self) -> dict[str, Any]:
        """The symbolic scene as plain Python values."""
        spec = self.task.split(self.split).spec
        return self.task.benchmark.file("render").scene(self.record, spec)  # type: ignore[no-any-return]

    def show(self) -> Image:
        """Draw a picture of this example for people."""
        from PIL import Image

        render = self.task.benchmark.file("render")
        return Image.fromarray(render.picture(self.record, self.task.split(self.split).spec, self.task.view))

    def _repr_png_(self) -> bytes:
        """The picture for a notebook."""
        from io import BytesIO

        file = BytesIO()
        self.show().save(file, "PNG")
        return file.getvalue()

    def __repr__(self) -> str:
        return f"<example {self.index:,} of {self.task.id} {self.split}>"
