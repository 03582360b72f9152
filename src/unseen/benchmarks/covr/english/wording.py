"""Subgraphs in English: articles, plurals, relative clauses, references back.

A template's wordings are format strings, and a `Phrase` is what they put into: `"Is {g:the} {attribute}?"`. Forms are

    a         a man that is wearing an orange hat      the       the man that is ...
    plural    men that are wearing ...                 asked     men are wearing ...          (after "How many")
    bare      man that is wearing orange hat           several   men that are wearing orange hat   (published only)
    predicate is wearing ... (of a nameless one)       are       are wearing ...              (the same of several)
    is        is, or are: what agrees with it          it        it, her, him, or them

and with `short`, as in `{g:the short}`, the relative clause is reduced: the man wearing an orange hat.

Published wording differs where it is wrong or hard to read: the article follows the noun whatever stands between (a
orange hat), bare forms have no articles at all, what is inside stands in parentheses.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from unseen.benchmarks.covr.english import inflection
from unseen.benchmarks.covr.world.subgraph import Edge, Node

Style = Literal["english", "published"]


class Outside(NamedTuple):
    """Where a described object stands in a chain: what is related to it, and how."""

    node: Node
    relation: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """A description that takes the form its sentence asks for."""

    node: Node
    outside: Outside | None = None  # told by reference back: "the table with a cup on it"
    style: Style = "english"

    def __format__(self, form: str) -> str:
        wording = WORDINGS[self.style]
        name, _, short = form.partition(" ")
        return FORMS[name](wording, self, bool(short))


class English:
    """Correct English."""

    def is_plural(self, noun: str) -> bool:
        """Tell whether a name is that of several things."""
        return inflection.is_plural(noun)

    def plural(self, noun: str) -> str:
        """Return the name for several things of a kind."""
        return inflection.plural(noun)

    def several(self, node: Node, form: str) -> bool:
        """Tell whether a noun and its verb are in the plural."""
        return form in ("plural", "several") or bool(node.name and self.is_plural(node.name))

    def described(self, phrase: Phrase, form: str, *, short: bool = False, that: str = "that") -> str:
        """Return a description from its article to the end of its relative clause."""
        node, several = phrase.node, self.several(phrase.node, form)
        parts = [self.named(node, form)]
        if phrase.outside:
            parts.append(self.back_reference(node, phrase.outside, form, several))
        if node.edges:
            parts.append(self.clause(node, form, several=several, short=short, that=that))
        return " ".join(parts)

    def named(self, node: Node, form: str) -> str:
        """Join article, attribute and noun."""
        noun = node.name or "thing"
        if form in ("plural", "several"):
            noun = self.plural(noun)
        words = f"{node.attribute} {noun}" if node.attribute else noun
        if form == "the":
            return f"the {words}"
        return words if form != "a" or not self.takes_article(noun) else f"{inflection.article(words)} {words}"

    def takes_article(self, noun: str) -> bool:
        """Tell whether a noun is one thing among others."""
        return not self.is_plural(noun) and inflection.is_countable(noun)

    def inner(self, form: str) -> str:
        """Return the form of what is inside a description."""
        return "a"

    def back_reference(self, node: Node, outside: Outside, form: str, several: bool) -> str:
        """Tell of an object what is related to it: "with a cup on it"."""
        return f"with {self.named(outside.node, self.inner(form))} {outside.relation} {self.pronoun(node, several)}"

    def pronoun(self, node: Node, several: bool) -> str:
        """Return the pronoun for an object that was named before."""
        return "them" if several else inflection.PRONOUNS.get((node.name or "").rpartition(" ")[2], "it")

    def clause(self, node: Node, form: str, *, several: bool, short: bool, that: str, deep: bool = False) -> str:
        """The relations of an object as a relative clause; the second one repeats the verb, so that it is the root's.

        Further inside it would be anybody's: there, "both ... and" says whose it is.
        """
        verb = "are" if several else "is"
        related = [self.related(edge, form, that, short=short) for edge in node.edges]
        if deep and short and len(related) == 1:
            return related[0]
        if deep:
            both = "both " if len(related) > 1 else ""
            return f"{that} {verb} {both}{' and '.join(related)}"
        lead, again = ("", "") if short else (f"{that} {verb} ".lstrip(), f"{verb} ")
        return lead + f" and {again}".join(related)

    def related(self, edge: Edge, form: str, that: str, *, short: bool = False) -> str:
        """Return a relation with its object and modifiers; a comma ends what is told of the object."""
        comma = "," if edge.target.edges and edge.modifiers else ""
        further = "".join(f" {after(name)} {self.inside(node, form, that)}" for name, node in edge.modifiers)
        return f"{edge.relation} {self.inside(edge.target, form, that, short=short)}{comma}{further}"

    def inside(self, node: Node, form: str, that: str, *, short: bool = False) -> str:
        """Describe the object that a relation leads to."""
        several = self.several(node, "a")
        words = self.named(node, self.inner(form))
        if node.edges:
            words += " " + self.clause(node, form, several=several, short=short, that="that", deep=True)
        return words

    def predicate(self, node: Node, several: bool, short: bool = False) -> str:
        """Return what is said of an object, without naming it: its relations, or its attribute."""
        verb = "are" if several else "is"
        if not node.edges:
            return f"{verb} {node.attribute}"
        return self.clause(node, "a", several=several, short=short, that="")


class Published(English):
    """English as published, mistakes included."""

    def is_plural(self, noun: str) -> bool:
        """Tell whether the published inflection takes a name for a plural."""
        return inflection.is_plural_as_published(noun)

    def plural(self, noun: str) -> str:
        """Return the plural that the published inflection makes of a name."""
        return inflection.plural_as_published(noun)

    def named(self, node: Node, form: str) -> str:
        """Join article, attribute and noun; the article follows the noun even where an attribute stands between."""
        words = super().named(node, form if form == "the" else "plural" if form in ("plural", "several") else "bare")
        noun = node.name or "thing"
        return f"{inflection.article(noun)} {words}" if form == "a" and self.takes_article(noun) else words

    def takes_article(self, noun: str) -> bool:
        """Tell whether a noun takes an article; of what cannot be counted, all but water does."""
        return not self.is_plural(noun) and noun != "water"

    def inner(self, form: str) -> str:
        """Return the form of what is inside a description; in bare forms there are no articles anywhere."""
        return "bare" if form in ("bare", "several") else "a"

    def back_reference(self, node: Node, outside: Outside, form: str, several: bool) -> str:
        """Tell of an object what is related to it, without an article."""
        return super().back_reference(node, outside, "bare", several)

    def pronoun(self, node: Node, several: bool) -> str:
        """Return the pronoun for an object that was named before; people are things."""
        return "them" if several else "it"

    def clause(self, node: Node, form: str, *, several: bool, short: bool, that: str, deep: bool = False) -> str:
        """Return the relations of an object as a relative clause, inside and outside alike."""
        return super().clause(node, form, several=several, short=False, that=that)

    def related(self, edge: Edge, form: str, that: str, *, short: bool = False) -> str:
        """Join a relation with its object and modifiers, without commas."""
        return super().related(edge, form, that).replace(",", "")

    def inside(self, node: Node, form: str, that: str, *, short: bool = False) -> str:
        """Describe the object that a relation leads to; one with relations of its own stands in parentheses."""
        words = self.named(node, self.inner(form))
        if not node.edges:
            return words
        clause = self.clause(node, form, several=self.several(node, "a"), short=False, that=that)
        return f"( {words} {clause} )"


def after(modifier: str) -> str:
    """Return the phrase of a modifier.

    >>> after("uncorking:_with")
    'with'
    """
    return modifier.rpartition(":_")[2]


WORDINGS: dict[Style, English] = {"english": English(), "published": Published()}
FORMS: dict[str, Callable[[English, Phrase, bool], str]] = {
    **{
        form: lambda wording, phrase, short, form=form: wording.described(phrase, form, short=short)  # type: ignore[misc]
        for form in ("a", "the", "plural", "bare", "several")
    },
    "asked": lambda wording, phrase, short: wording.described(phrase, "plural", that=""),
    "predicate": lambda wording, phrase, short: wording.predicate(phrase.node, several=False, short=short),
    "are": lambda wording, phrase, short: wording.predicate(phrase.node, several=True, short=short),
    "is": lambda wording, phrase, short: "are" if wording.several(phrase.node, "a") else "is",
    "it": lambda wording, phrase, short: wording.pronoun(phrase.node, wording.several(phrase.node, "a")),
}


def sentence(words: str, style: Style) -> str:
    """Return a finished sentence: spaces squeezed, a capital first, and a full stop after a statement.

    The published one ends without, has all other letters small, and says `is 1 image` whatever came before.
    """
    words = re.sub(r"\s+", " ", words).strip()
    if style == "published":
        words = re.sub(r"\bare ((?:at (?:least|most) )?1) images\b", r"is \1 image", words)
        return words.capitalize()
    return words[:1].upper() + words[1:] + ("" if words.endswith(("?", ".")) else ".")
