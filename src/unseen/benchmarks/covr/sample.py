"""(spec, stream) -> questions: question i is one of batch i // 60, and batches are made when first asked for.

A finished batch is kept, in memory and in the cache folder, under a digest of everything that decides it.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from unseen.benchmarks.covr.questions.batch import QUESTIONS, make
from unseen.benchmarks.covr.questions.corpus import code, digest
from unseen.benchmarks.covr.questions.properties import opposite
from unseen.benchmarks.covr.questions.question import Question
from unseen.benchmarks.covr.spec import Spec
from unseen.core.errors import TooFewExamples
from unseen.core.files import cache_root, file_digest, read_sealed, write_sealed
from unseen.core.key import hash_bytes
from unseen.core.splits import Part


class Sampler:
    """Draw the questions of one spec, part and stream key in any order, as core/task.py asks."""

    together = QUESTIONS

    def __init__(self, spec: Spec, part: Part, key: int) -> None:
        self.spec = spec
        self.part = part
        self.key = key

    def draw(self, index: int, first: int = 0) -> tuple[Question, int, int]:
        """Return the question at an index and its content key; there is one draw of each."""
        shot, order = self.spec.place(index)
        keep = opposite(self.spec.keep) if shot else self.spec.keep
        question = batch_question(replace(self.spec, keep=keep, shots=0, among=0), self.key, order)
        return question, content_key(question, self.part), 0


def content_key(question: Question, part: Part) -> int:
    """Return the key of text, images and answer. Its part is that of its images, which no other split shows."""
    content = hash_bytes(repr((question.text, question.scenes, question.answer)).encode())
    return (part.low + content % (part.high - part.low)) << 61 | content >> 3


def batch_question(spec: Spec, key: int, index: int) -> Question:
    """Return one question of the batches of a spec and key."""
    number, at = divmod(index, QUESTIONS)
    questions = batch(spec, key, number)
    if at < len(questions):
        return questions[at]
    report = make(spec, key, number)[1]
    where = ", ".join(spec.corpus) or "the world"
    raise TooFewExamples(f"{where} gives no question {index:,} of {spec.images}: in batch {number} {report}")


@lru_cache(maxsize=64)
def batch(spec: Spec, key: int, number: int) -> tuple[Question, ...]:
    """Make a batch, or read it from the cache; a cache that cannot be read or written only costs time."""
    files = [digest(some) for some in (spec.corpus, spec.corpus_val)]
    files += [file_digest(Path(one)) for one in (spec.exclusive, spec.complete) if one]
    what = f"{code()} {spec!r} {' '.join(files)} {key} {number}"
    path = cache_root() / "covr" / f"{hashlib.sha256(what.encode()).hexdigest()[:32]}.json.z"
    kept = read_sealed(path)
    if kept is not None:
        return tuple(map(Question.from_json, json.loads(zlib.decompress(kept))))
    questions = tuple(make(spec, key, number)[0])
    write_sealed(path, zlib.compress(json.dumps([question.to_json() for question in questions]).encode(), 1))
    return questions
