"""What it takes to put an example to a test taker in words and pictures, and to read what it answers.

A benchmark declares its forms in `prompt.py`. A form writes an item as parts, texts and pictures in a fixed order, and
reads the answer. Most forms are answered with a prediction of the benchmark's own kind. The others are views: another
question about the same example, with metrics of their own, which no table mixes with the benchmark's own scores.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, Protocol

from unseen.core.errors import SpecError, unknown
from unseen.core.task import Benchmark, Example

if TYPE_CHECKING:
    from unseen.core.random import Stream

LARGEST = 2048  # pixels of an image's side that is sent
MOST_SHOTS = 100
NOT_OPTIONS = ("form", "lenient", "image_size", "images_as")  # of a manner: every form takes them


class Unusable(str):
    """Why an answer holds no prediction, in a sentence."""

    __slots__ = ()


@dataclass(frozen=True, eq=False)
class Pictures:
    """Images (h, w, 3) that belong together, each under its name: "Image 1"."""

    images: Sequence[Any]
    names: tuple[str, ...]


Part = str | Pictures


@dataclass(frozen=True)
class Manner:
    """How items are put and answers read: all that a user may choose, and a record keeps."""

    form: str = ""  # by name; empty: the benchmark's first
    shots: int | None = None  # solved examples before the item; none: as many as the form has by default
    rule: bool = False  # say the rule in words
    names: Literal["original", "coded"] = "original"  # what is composed, by its names or by codes: t1, t2, ...
    context: Literal["same", "mixed"] = "same"  # solved examples are the item's own, or others, as published
    notice: bool = True  # say so where the item is drawn otherwise than what is shown before it
    image_size: int = 0  # pixels of an image's side; 0: as the task draws it
    images_as: Literal["separate", "strip"] = "separate"  # each image by itself, or those of one row as one image
    lenient: bool = False  # find the answer in prose and code fences

    def __post_init__(self) -> None:
        if self.shots is not None and not 0 <= self.shots <= MOST_SHOTS:
            raise SpecError(f"shots counts solved examples, 0 to {MOST_SHOTS}, so it cannot be {self.shots}")
        if self.image_size and not 16 <= self.image_size <= LARGEST:
            raise SpecError(f"image_size is an image's side in pixels, 16 to {LARGEST}, not {self.image_size}")
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                raise unknown(name, str(getattr(self, name)), known)

    @property
    def written(self) -> dict[str, Any]:
        """What differs from the defaults, by name."""
        return {one.name: getattr(self, one.name) for one in fields(self) if getattr(self, one.name) != one.default}


CHOICES = {"names": ("original", "coded"), "context": ("same", "mixed"), "images_as": ("separate", "strip")}


class Chooser(Protocol):
    """Chooses what is shown before an item, from a whole split."""

    def __init__(self, shown: Sequence[Example]) -> None: ...

    @staticmethod
    def source(split: str) -> str:
        """Return the split that is shown before items of a split."""

    def asks(self, example: Example) -> bool:
        """Tell whether this example is to be asked."""

    def context(self, example: Example, count: int, rng: Stream) -> list[Example]:
        """Choose so many examples to show before an item, which is not among them."""


def always(example: Example) -> bool:
    """Ask every example."""
    return True


@dataclass(frozen=True)
class Form:
    """One way to put an example, and to read the answer."""

    name: str
    about: str  # what is asked, for people
    write: Callable[[Example, Sequence[Example], Manner], list[Part]]  # from an example and what is shown before it
    parse: Callable[[str, Example, Manner], Any]  # what an answer holds, or Unusable
    truth: Callable[[Example], Any]  # the right answer, as metrics compare it
    say: Callable[[Any], str]  # the right answer as one writes it
    unusable: Any  # the prediction that stands for an unusable answer: wrong everywhere
    metrics: tuple[str, ...] = ()  # of a view, the headline first; none: the answer is of the benchmark's own kind
    takes: tuple[str, ...] = ()  # the options of a manner that mean something here
    shots: int = 0  # solved examples before an item, unless a manner says how many
    chooser: Callable[[Manner], type[Chooser] | None] = field(default=lambda manner: None)
    asks: Callable[[Example], bool] = always  # which examples can be put in this form
    options: Callable[[Example], Sequence[str]] | None = (
        None  # what there is to choose from, where the answer is a choice
    )
    shortcuts: Mapping[str, Callable[[Example], Any]] = field(default_factory=dict)  # answers without understanding

    @property
    def own(self) -> bool:
        """Whether answers are predictions of the benchmark's own kind."""
        return not self.metrics

    def shown(self, manner: Manner) -> int:
        """Tell how many solved examples a manner asks for."""
        return self.shots if manner.shots is None else manner.shots


def form_of(benchmark: Benchmark, name: str = "") -> Form:
    """Return a form of a benchmark by its name, the first by default."""
    forms = forms_of(benchmark)
    if name and name not in forms:
        raise unknown("form", name, forms, where=benchmark.name)
    return forms[name] if name else next(iter(forms.values()))


def forms_of(benchmark: Benchmark) -> Mapping[str, Form]:
    """Return the forms of a benchmark by name."""
    prompt = benchmark.optional_file("prompt")
    if prompt is None:
        raise SpecError(f"{benchmark.name} has no prompts; language models can only be asked where it has")
    found: Mapping[str, Form] = prompt.FORMS
    return found


def checked_manner(benchmark: Benchmark, manner: Manner) -> tuple[Form, Manner]:
    """Return the form of a manner, once all that was chosen is known to mean something in it."""
    form = form_of(benchmark, manner.form)
    for name in manner.written:
        if name not in NOT_OPTIONS and name not in form.takes:
            fitting = ", ".join(form.takes) or "none of these options"
            raise SpecError(f"{name} means nothing to the form {form.name} of {benchmark.name}; it takes {fitting}")
    return form, manner


def by_name(*forms: Form) -> dict[str, Form]:
    """Forms by their names."""
    return {form.name: form for form in forms}


# ---------------------------------------------------------------------------- what several benchmarks share


def numbered(images: Sequence[Any], word: str = "Image", first: int = 1) -> Pictures:
    """Images under a word and a number each."""
    return Pictures(images, tuple(f"{word} {number}" for number in range(first, first + len(images))))


TRIES = 4_000  # examples that are looked at for each one that is to be shown


def solved(same: Callable[[Example], Any]) -> Callable[[Manner], type[Chooser]]:
    """Make a form show training examples for which `same` gives what it gives for the item."""

    class Solved:
        def __init__(self, shown: Sequence[Example]) -> None:
            self.examples = shown

        @staticmethod
        def source(split: str) -> str:
            return "train"

        def asks(self, example: Example) -> bool:
            return True

        def context(self, example: Example, count: int, rng: Stream) -> list[Example]:
            chosen: list[Example] = []
            wanted, size = same(example), len(self.examples)
            own = example.index if example.split == self.source(example.split) else -1
            for _ in range(count):
                start = rng.below(size)
                for step in range(min(TRIES, size)):
                    index = (start + step) % size
                    if index != own and index not in [one.index for one in chosen]:
                        found = self.examples[index]
                        if same(found) == wanted:
                            chosen.append(found)
                            break
                else:
                    raise SpecError(f"{example.task.id} has too few training examples like the item to show {count}")
            return chosen

    return lambda manner: Solved


WHOLE = re.compile(r"(?<![\w.,-])\d+(?![\w,-]|\.\d)")  # whole numbers that stand alone


def read_number(text: str, *, lenient: bool) -> int | Unusable:
    """Return the whole number that an answer is; read leniently, the last one in it.

    >>> read_number(" 3\\n", lenient=False), read_number("It is image 3.", lenient=True)
    (3, 3)
    >>> read_number("It is image 3.", lenient=False)
    'the answer is more than a number'
    """
    plain = text.strip()
    if not plain:
        return Unusable("the answer is empty")
    found = WHOLE.findall(plain)
    if lenient and found:
        return int(found[-1][:9])
    if not found:
        return Unusable("the answer holds no number")
    return int(plain) if re.fullmatch(r"\d{1,9}", plain) else Unusable("the answer is more than a number")


def read_choice(text: str, count: int, *, lenient: bool) -> int | Unusable:
    """Tell which of so many, counted from 0, an answer chooses by a number from 1 on.

    >>> read_choice("4", 4, lenient=False), read_choice("5", 4, lenient=False)
    (3, 'the answer is not one of the numbers 1 to 4')
    """
    number = read_number(text, lenient=lenient)
    if isinstance(number, Unusable):
        return number
    return number - 1 if 1 <= number <= count else Unusable(f"the answer is not one of the numbers 1 to {count}")


def read_json(text: str, *, lenient: bool) -> Any:
    """The JSON value that an answer is; read leniently, that of a code fence, or from the first bracket to the last.

    >>> read_json("Here: [1, 2].", lenient=True), read_json("Here: [1, 2].", lenient=False)
    ([1, 2], 'the answer is not JSON')
    """
    import json

    plain = text.strip()
    if not plain:
        return Unusable("the answer is empty")
    if lenient:
        fenced = re.search(r"```\w*\s*\n(.*?)```", plain, re.DOTALL)
        plain = fenced[1].strip() if fenced else plain
        opening, closing = re.search(r"[\[{]", plain), max(plain.rfind("]"), plain.rfind("}"))
        if opening and closing > opening.start():
            plain = plain[opening.start() : closing + 1]
    try:
        return json.loads(plain)
    except (ValueError, RecursionError):
        return Unusable("the answer is not JSON")
