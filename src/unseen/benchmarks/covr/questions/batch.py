"""A batch of questions: made together, because pairing and balancing look at many, and without any other batch.

Batch v of a split takes its sources from images of its own, and everything related to them from their whole corpus.
Sources are taken until every template has a few times as many questions as are wanted of it; questions that the split
does not keep are left out before balancing. Nothing but the spec, the stream's key and v decides what comes out.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache

from unseen.benchmarks.covr.english.wording import Phrase, Style, sentence
from unseen.benchmarks.covr.questions.balance import balanced
from unseen.benchmarks.covr.questions.corpus import SCENES, Corpus, corpus
from unseen.benchmarks.covr.questions.execute import run, table
from unseen.benchmarks.covr.questions.grammar import Vocabulary, readings, vocabulary
from unseen.benchmarks.covr.questions.operators import NoAnswer, Table
from unseen.benchmarks.covr.questions.program import Program
from unseen.benchmarks.covr.questions.properties import holds
from unseen.benchmarks.covr.questions.question import Question
from unseen.benchmarks.covr.questions.related import Images, Source
from unseen.benchmarks.covr.questions.templates import MOST, TEMPLATES, Draft, Template
from unseen.benchmarks.covr.spec import Spec
from unseen.benchmarks.covr.world.identity import hashed
from unseen.benchmarks.covr.world.subgraph import Subgraph, subgraphs
from unseen.core.errors import TooFewExamples
from unseen.core.random import BlockStream

QUESTIONS = 60  # of a batch: four of each template
SOURCES = 60  # images that a batch takes subgraphs from before it turns to those of others
PER_IMAGE = 16  # subgraphs of an image at a time
PER_SOURCE = 6  # templates that a subgraph of a world is offered to; one of a file, where there is less, to all
SPARE = 2.0  # times as many questions as are wanted, to choose from
LONGEST = 30  # words of a sentence
PATIENCE = 1_000  # subgraphs, after which templates that lack questions do not matter if there are enough of others
HOPELESS = 15  # drafts of a template that are all not kept, until it is given up for those of which some are
RARE = 20  # times as many before that, since what is kept may be rare


@dataclass
class Report:
    """What became of the subgraphs of a batch."""

    sources: int = 0
    made: int = 0
    dropped: Counter[str] = field(default_factory=Counter)  # reason -> drafts or questions

    def __str__(self) -> str:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in self.dropped.most_common())
        gave = f"{self.sources:,} subgraphs gave {self.made:,} question{'s' * (self.made != 1)}"
        return gave + (f"; dropped: {reasons}" if reasons else "")


def make(spec: Spec, key: int, number: int) -> tuple[list[Question], Report]:
    """Return the questions of one batch, and what became of its subgraphs."""
    with uncollected():
        return _made(spec, key, number)


@contextmanager
def uncollected() -> Iterator[None]:
    """Look for no cycles of garbage: none are made here, and to look through all objects takes a third of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if not gc.get_freeze_count():  # what a program has frozen stays so
                gc.freeze()  # and back at once: all that was made counts as old, or it would be looked through now
                gc.unfreeze()
            gc.enable()


def _made(spec: Spec, key: int, number: int) -> tuple[list[Question], Report]:
    per_corpus = SCENES // SOURCES
    shared = corpus(spec, number // per_corpus)
    first = SOURCES * (number if spec.corpus else number % per_corpus)
    if first and first >= len(shared.ids):
        raise TooFewExamples(
            f"{spec.corpus[0]} has {len(shared.ids):,} images of {spec.images}; ask for fewer questions"
        )
    maker = _Maker(spec, shared, BlockStream(key, index=number))
    return maker.batch(first), maker.report


@lru_cache(maxsize=256)  # splits of many setups begin with the same images
def described(shared: Corpus, image: str) -> tuple[Subgraph, ...]:
    """Return the subgraphs of an image."""
    return tuple(subgraphs(shared.store.scene(image)))


class _Maker:
    """Make the questions of one batch."""

    def __init__(self, spec: Spec, shared: Corpus, rng: BlockStream) -> None:
        self.spec = spec
        self.corpus = shared
        self.rng = rng
        self.keeps = holds(spec.keep)
        self.report = Report()
        self.questions: dict[str, dict[tuple[object, ...], Question]] = {name: {} for name in TEMPLATES}
        self.unkept: Counter[str] = Counter()
        self.ids = shared.ids

    def batch(self, first: int) -> list[Question]:
        """Take sources until there is enough to choose from."""
        for source in self.sources(first):
            wanting = self.wanting()
            if not wanting or (self.report.sources >= PATIENCE and self.total >= QUESTIONS):
                break
            self.report.sources += 1
            fitting = [template for template in wanting if template.fits(source)]
            for template in source.drawn(fitting, len(fitting) if self.spec.corpus else PER_SOURCE):
                self.offer(template, source)
        self.report.made = self.total
        kept = {name: list(found.values()) for name, found in self.questions.items() if found}
        return balanced(kept, QUESTIONS, self.rng)

    @property
    def total(self) -> int:
        """The number of questions made so far."""
        return sum(map(len, self.questions.values()))

    def sources(self, first: int) -> Iterator[Source]:
        """Subgraphs in random order, some of each image in turn; those of the batch's own images first."""
        turned = self.ids[first:] + self.ids[:first]
        for images in (turned[:SOURCES], turned[SOURCES:]):
            self.rng.shuffle(images)
            waiting = []
            for image in images:
                found = list(described(self.corpus, image))
                self.rng.shuffle(found)
                waiting.append((image, found))
                yield from self.taken(image, found)
            while waiting:
                waiting = [(image, found) for image, found in waiting if found]
                for image, found in waiting:
                    yield from self.taken(image, found)

    def taken(self, image: str, found: list[Subgraph]) -> Iterator[Source]:
        """Yield the next few subgraphs of an image."""
        for _ in range(min(PER_IMAGE, len(found))):
            graph = found.pop()
            yield Source(self.corpus, image, graph.node, graph.count, self.rng)

    def wanting(self) -> list[Template]:
        """Return the templates that want more questions."""
        hopeless = HOPELESS if self.total else RARE * HOPELESS
        open = [name for name in TEMPLATES if self.questions[name] or self.unkept[name] < hopeless]
        enough = SPARE * QUESTIONS / max(1, len(open))
        return [TEMPLATES[name] for name in open if len(self.questions[name]) < enough]

    # ------------------------------------------------------------------------ one template

    def offer(self, template: Template, source: Source) -> None:
        """Add what a template makes of a source."""
        drafts = list(template.drafts(source))
        if not drafts:
            why = "related images do not suit the template" if source.families else "no image comes close"
            self.report.dropped[why] += 1
        for draft in drafts:
            questions = self.finished(template, source, draft)
            kept = [question for question in questions if self.keeps(question) and self.in_half(question.text)]
            if questions and not kept:
                self.unkept[template.name] += 1
                self.report.dropped["not of this split"] += len(questions)
            for question in kept:
                identity = (question.text, question.answer, frozenset(question.scenes))
                self.questions[template.name].setdefault(identity, question)

    def in_half(self, text: str) -> bool:
        """Tell whether a text may be asked here: val and test have no text in common."""
        if self.spec.images == "train":
            return True
        return (hashed(text) & 1) == (self.spec.images == "test")

    def finished(self, template: Template, source: Source, draft: Draft) -> list[Question]:
        """Return the questions of a draft: one for each set of images, unless the second has no answer of its own."""
        text = self.worded(draft.wording.published if self.spec.style == "published" else draft.wording.english, draft)
        paraphrase = self.worded(draft.wording.paraphrase, draft, style="english")
        if self.spec.style == "english" and max(len(text.split()), len(paraphrase.split())) > LONGEST:
            self.report.dropped["too long a sentence"] += 1
            return []
        questions: list[Question] = []
        for images in draft.images:
            scenes = self.shown(images)
            objects = table(self.corpus.tables[id] for id in scenes)
            try:
                answer = run(draft.program, objects)
            except NoAnswer as reason:
                self.report.dropped[type(reason).__name__] += 1
                continue
            if why := self.unfit(answer, text, draft.program, objects):
                self.report.dropped[why] += 1
            elif not questions or questions[0].answer != answer:
                made = (text, paraphrase, draft.program, scenes, answer, template.name, draft.graphs, source.scene)
                questions.append(Question(*made))
        return questions

    def worded(self, wording: str, draft: Draft, style: Style | None = None) -> str:
        """Return a wording with its slots filled."""
        style = style or self.spec.style
        words = {
            name: replace(word, style=style) if isinstance(word, Phrase) and style != word.style else word
            for name, word in draft.words.items()
        }
        return sentence(wording.format(**words), style)

    def shown(self, images: Images) -> tuple[str, ...]:
        """The images of a question in random order; easy ones are any instead of those that resemble the source."""
        scenes = list(images.all)
        if self.spec.distractors == "easy":
            scenes = [*images.meant, *(self.rng.choice(self.ids) for _ in images.others)]
        scenes = list(dict.fromkeys(scenes))
        self.rng.shuffle(scenes)
        return tuple(scenes)

    def unfit(self, answer: object, text: str, program: Program, objects: Table) -> str:
        """Say why an answer is unfit for a question; empty where it is fit."""
        if answer is None:
            return "nothing to answer"
        if isinstance(answer, int) and answer > MOST:
            return f"more than {MOST}"
        last = program[-1]
        if last.operation in ("all", "all_same") and len(run(program[: last.dependencies[0] + 1], objects)) < 2:
            return "all of fewer than two"
        # words of our own worlds have one reading, but for what is between one and another
        several = self.spec.corpus or " between " in text
        if several and self.spec.style == "english" and self.is_ambiguous(text, answer, objects):
            return "another reading has another answer"
        return ""

    def is_ambiguous(self, text: str, answer: object, objects: Table) -> bool:
        """Tell whether a question can be read so that it has another answer."""
        for program in readings(text, words_of(objects)):
            try:
                if run(program, objects) != answer:
                    return True
            except NoAnswer:
                return True
        return False


def words_of(objects: Table) -> Vocabulary:
    """Return the vocabulary of some objects."""
    values = objects.values()
    return vocabulary(
        (item.name for item in values),
        (attribute for item in values for attribute in item.attributes),
        (name for item in values for name in item.targets),
    )
