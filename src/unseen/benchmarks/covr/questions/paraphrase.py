"""Questions said otherwise: other sentences, shorter clauses, other words. Meaning is kept, and that is checked.

A question is read (`grammar.py`), and what is in its slots is written into another pattern of the same sentence
(`sentences.py`). A paraphrase counts only if it can be read, and every way to read it is the program of the question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from unseen.benchmarks.covr.english import inflection
from unseen.benchmarks.covr.english.synonyms import SYNONYMS
from unseen.benchmarks.covr.english.wording import WORDINGS, Outside, Phrase, after, sentence
from unseen.benchmarks.covr.questions.grammar import EACH, LIMITS, MOST, Slots, Vocabulary, parses, readings, vocabulary
from unseen.benchmarks.covr.questions.language import WORLDS
from unseen.benchmarks.covr.questions.program import Program, nested
from unseen.benchmarks.covr.questions.question import Question
from unseen.benchmarks.covr.questions.sentences import AGREEING, MEANT, Described
from unseen.benchmarks.covr.world.identity import hashed
from unseen.benchmarks.covr.world.subgraph import Edge, Node

ENGLISH = WORDINGS["english"]


class Unsayable(Exception):
    """What is in the slots cannot be said by a pattern."""


def reworded(question: Question, world: str) -> str:
    """Return a paraphrase of a question, always the same one; its own where no other can be read as what it means.

    Questions over a world of our own may have other words too; `world` is empty for scene graphs of a user's own.
    """
    words = words_of(question.program, world)
    found = list(paraphrases(question, world, words))
    return found[hashed(question.text) % len(found)] if found else question.paraphrase


def paraphrases(question: Question, world: str, words: Vocabulary) -> Iterator[str]:
    """Yield every way to say a question otherwise that is read as its program, and as nothing else."""
    texts = dict.fromkeys((question.text, question.paraphrase))
    read = (found for text in texts for found in parses(text, words, paraphrased=True))
    kept = next(((one, slots) for one, slots, program in read if program == question.program), None)
    if kept is None:
        return
    one, slots = kept
    for pattern in one.others:
        for others in ({}, SYNONYMS) if world else ({},):
            try:
                text = sentence(written(pattern, slots, others), "english")
            except Unsayable:
                continue
            if text not in texts and readings(text, words, paraphrased=True) == [question.program]:
                texts[text] = None
                yield text


# ---------------------------------------------------------------------------- words

Words = dict[str, dict[str, str]]  # of each kind, other words for some


def words_of(program: Program, world: str) -> Vocabulary:
    """Return the vocabulary of a world with its synonyms; of a user's own scene graphs, the words of the question."""
    return _world_words(world) if world else vocabulary(*_said(program))


@lru_cache(maxsize=4)
def _world_words(world: str) -> Vocabulary:
    names, attributes, relations = WORLDS[world]
    return vocabulary(names, attributes, relations, synonyms=SYNONYMS)


def _said(program: Program) -> tuple[set[str], set[str], set[str]]:
    """The names, attributes and relations of a program."""
    kinds: dict[str, set[str]] = {"name": set(), "attribute": set(), "relation": set()}
    for inner in nested(program):
        for row in inner:
            kind = KINDS.get(row.operation)
            if kind:
                kinds[kind] |= {one for one in row.arguments if isinstance(one, str)}
    verbs = {name.partition(":_")[0] for name in kinds["relation"]}
    return kinds["name"], kinds["attribute"], kinds["relation"] | verbs


KINDS = {  # operator -> what its words are
    **dict.fromkeys(("find", "choose_name"), "name"),
    **dict.fromkeys(("filter", "verify_attr", "choose_attr"), "attribute"),
    **dict.fromkeys(("with_relation", "with_relation_object", "choose_relation"), "relation"),
}


def renamed(node: Node, others: Words) -> Node:
    """Return a subgraph with other words for some of its own."""
    edges = tuple(
        Edge(
            others.get("relation", {}).get(edge.relation, edge.relation),
            renamed(edge.target, others),
            tuple((name, renamed(target, others)) for name, target in edge.modifiers),
        )
        for edge in node.edges
    )
    name = others.get("name", {}).get(node.name or "", node.name)
    return replace(
        node, name=name, attribute=others.get("attribute", {}).get(node.attribute or "", node.attribute), edges=edges
    )


# ---------------------------------------------------------------------------- writing


def written(pattern: str, slots: Slots, others: Words) -> str:
    """Return a pattern with its slots filled."""
    text = " ".join(_word(word, slots, others) for word in pattern.split())
    for mark in ",?:":
        text = text.replace(f" {mark}", mark)
    return text


def _word(word: str, slots: Slots, others: Words) -> str:
    kind, mark, name = word.partition(":")
    if mark and name:
        return WRITERS[kind](slots[name], slots, others)
    form, mark, names = word.partition("@")
    if mark:
        return _agreeing(form, [slots[name] for name in names.split("+")])
    literals, mark, name = word.partition("=")
    if mark:
        for one in literals.split("|"):
            if MEANT.get(one, one) == slots[name]:
                return one
        raise Unsayable(word)
    return literals


def _agreeing(form: str, values: list[Any]) -> str:
    """The form of a word that agrees with what is in some slots."""
    if form == "what":
        return AGREEING[form][all(inflection.is_person(name) for name in values)]
    (value,) = values
    if form == "it":
        return ENGLISH.pronoun(value, ENGLISH.several(value, "a"))
    several = value != 1 if isinstance(value, int) else ENGLISH.several(value.node, "a")
    return AGREEING[form][several]


def _described(form: str) -> Callable[[Any, Slots, Words], str]:
    def write(value: Described, slots: Slots, others: Words) -> str:
        outside = value.outside and Outside(
            renamed(value.outside.node, others),
            others.get("relation", {}).get(value.outside.relation, value.outside.relation),
        )
        return format(Phrase(renamed(value.node, others), outside), form)

    return write


def _several(value: Described, slots: Slots, others: Words) -> str:
    number = slots.get("k", slots.get("n"))
    return _described("bare short" if number == 1 else "plural short")(value, slots, others)


def _relation(value: str, slots: Slots, others: Words) -> str:
    """Write a relation, or a modifier as in `uncorking it with`."""
    verb, mark, _ = value.partition(":_")
    if not mark:
        return others.get("relation", {}).get(value, value)
    done = next(edge for edge in slots["g"].node.edges if edge.relation == verb)
    return f"{verb} {Phrase(done.target):it} {after(value)}"


def _limit(most: str) -> Callable[[Any, Slots, Words], str]:
    words = {operator: said for said, operator in LIMITS.items() if said not in {EACH, MOST} - {most}}
    return lambda value, slots, others: words[value]


WRITERS: dict[str, Callable[[Any, Slots, Words], str]] = {
    **{f"{form}-short": _described(f"{form} short") for form in ("a", "the", "plural")},
    "several-short": _several,
    "condition": lambda value, slots, others: format(Phrase(renamed(value, others)), "are"),
    "predicate": lambda value, slots, others: format(Phrase(renamed(value, others)), "predicate"),
    "relation": _relation,
    "name": lambda value, slots, others: format(Phrase(renamed(Node(value), others)), "a"),
    "object": lambda value, slots, others: format(Phrase(renamed(value, others)), "a"),
    "attribute": lambda value, slots, others: others.get("attribute", {}).get(value, value),
    "type": lambda value, slots, others: value,
    "limit": _limit(MOST),
    "each": _limit(EACH),
    "number": lambda value, slots, others: str(value),
}
