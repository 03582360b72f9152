"""Question -> its images and its text, free or with options to choose from, and the answer -> a word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from unseen.benchmarks.covr.baselines import alternatives
from unseen.benchmarks.covr.english.lexicon import GROUPS
from unseen.benchmarks.covr.questions.corpus import find_scene
from unseen.benchmarks.covr.questions.question import Question, answer_text
from unseen.benchmarks.covr.questions.templates import MOST
from unseen.benchmarks.covr.spec import Spec
from unseen.benchmarks.covr.world import tabletop
from unseen.benchmarks.covr.world.nouns import NOUNS
from unseen.core.asking import Form, Manner, Part, Unusable, by_name, numbered, solved
from unseen.core.task import Example

ASKED = "Answer a question about several images, or say whether a statement about them is true."
SHOWN = "First come solved questions, each with images of its own."
FREE_RULE = (
    "Answer with the word or number alone, in lower case and in the singular: no explanation. To statements, and to"
    " questions for yes or no, answer true or false."
)
OPTIONS_RULE = "Answer with one of the options, as it is written there: no explanation."
TRUTH = ("true", "false")
LONGEST = 4  # words of an answer
LEAD = re.compile(r"^(?:the\s+|an?\s+|final\s+)?(?:answer|it|this|that)\s*(?:is|:|=)*\s*", re.IGNORECASE)
ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
SAYS = {"yes": "true", "no": "false"}
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def write(example: Example, context: Sequence[Example], manner: Manner) -> list[Part]:
    """Return the parts of a question that is answered freely."""
    return _write(example, context, FREE_RULE, offer=False)


def write_with_options(example: Example, context: Sequence[Example], manner: Manner) -> list[Part]:
    """Return the parts of a question with the options of its template."""
    return _write(example, context, OPTIONS_RULE, offer=True)


def _write(example: Example, context: Sequence[Example], rule: str, *, offer: bool) -> list[Part]:
    parts: list[Part] = ["\n\n".join([ASKED, *([SHOWN] if context else []), rule])]
    for one in context:
        parts += [numbered(one.inputs["images"]), f"{_question(one, offer=offer)}\nAnswer: {truth(one)}"]
    return [*parts, numbered(example.inputs["images"]), _question(example, offer=offer)]


def _question(example: Example, *, offer: bool) -> str:
    text = f"{'Statement' if is_statement(example) else 'Question'}: {example.inputs['text']}"
    return f"{text}\nOptions: {', '.join(options(example))}" if offer else text


def is_statement(example: Example) -> bool:
    """Tell whether a text states something instead of asking it."""
    return isinstance(example.record.answer, bool) and not example.inputs["text"].rstrip().endswith("?")


def truth(example: Example) -> str:
    """Return the right answer as text."""
    return answer_text(example.record.answer)


def options(example: Example) -> tuple[str, ...]:
    """Return what a question may be answered with, the same for all answers that its template could have.

    True and false; numbers; the two that the question names; the values of a kind of attribute; or, of objects, what
    is called by name in any of its images.

    >>> import unseen
    >>> questions = unseen.load("covr/iid", "test")
    >>> options(questions[0]), options(questions[2])
    (('true', 'false'), ('0', '1', '2', '3', '4', '5'))
    """
    record, spec = example.record, example.task.split(example.split).spec
    if named := alternatives(record):
        return named
    last = record.program[-1]
    if isinstance(record.answer, bool):
        return TRUTH
    if isinstance(record.answer, int):
        return tuple(str(number) for number in range(max(MOST, len(record.scenes), record.answer) + 1))
    if last.operation == "query_attr":
        return values_of(str(last.arguments[0]), "" if spec.corpus else spec.world)
    return names_in(record, spec)


@lru_cache(maxsize=32)
def values_of(group: str, world: str) -> tuple[str, ...]:
    """Return the attributes of a kind, such as all colors: those that occur in a world of ours, or every known one."""
    known = GROUPS[group]
    if world == "3d":
        solids = {"color": tabletop.COLORS, "material": [one for some in tabletop.COLORS.values() for one in some]}
        known = tuple(value for value in known if value in solids.get(group, ()))
    elif world == "flat":
        known = tuple(value for value in known if any(value in getattr(noun, group, ()) for noun in NOUNS))
    return tuple(sorted(known or GROUPS[group]))


def names_in(record: Question, spec: Spec) -> tuple[str, ...]:
    """Return what the images of a question show, by name."""
    names = {thing.name for id in record.scenes for thing in find_scene(spec, id).things.values()}
    return tuple(sorted(names))


def parse(text: str, example: Example, manner: Manner) -> str | Unusable:
    """Return the word or number that an answer is, or why it is unusable; read leniently, yes is true and two is 2.

    >>> import unseen
    >>> question = unseen.load("covr/iid", "test")[1]
    >>> parse("True", question, Manner()), parse("Yes, they do.", question, Manner(lenient=True))
    ('true', 'true')
    """
    plain = text.strip().lower()
    if manner.lenient:
        plain = _found(plain)
    if not plain:
        return Unusable("the answer is empty")
    if "\n" in plain or len(plain.split()) > LONGEST:
        return Unusable(f"the answer is longer than {LONGEST} words")
    return plain.rstrip(".")


def _found(text: str) -> str:
    """The answer in a few words around it."""
    last = [line for line in text.replace("`", "").replace("*", "").splitlines() if line.strip()][-1:]
    line = ARTICLE.sub("", LEAD.sub("", last[0].strip())) if last else ""
    line = line.strip().strip("\"'").rstrip(".!")
    first = re.match(r"(yes|no|true|false)\b", line)
    if first:
        return SAYS.get(first[1], first[1])
    return str(WORDS.index(line)) if line in WORDS else line


def parse_option(text: str, example: Example, manner: Manner) -> str | Unusable:
    """Return the option that an answer chooses, or why it is unusable."""
    found = parse(text, example, manner)
    if isinstance(found, Unusable) or found in (offered := options(example)):
        return found
    if manner.lenient:
        named = [one for one in offered if re.search(rf"\b{re.escape(one)}\b", text.lower())]
        if len(named) == 1:
            return named[0]
    return Unusable("the answer is not one of the options")


FORMS = by_name(
    Form(
        "free",
        "What is the answer to the question?",
        write,
        parse,
        truth,
        str,
        unusable="",
        takes=("shots",),
        chooser=solved(lambda example: ()),
    ),
    Form(
        "options",
        "Which of the options of its template is the answer to the question?",
        write_with_options,
        parse_option,
        truth,
        str,
        unusable="",
        takes=("shots",),
        chooser=solved(lambda example: ()),
        options=options,
    ),
)
