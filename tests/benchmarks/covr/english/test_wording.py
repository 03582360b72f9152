"""Wordings, right and as published, and reading them back."""

from __future__ import annotations

import pytest

from unseen.benchmarks.covr.english.inflection import article, is_plural, plural
from unseen.benchmarks.covr.english.wording import Outside, Phrase, sentence
from unseen.benchmarks.covr.questions.grammar import readings, vocabulary
from unseen.benchmarks.covr.questions.program import parse
from unseen.benchmarks.covr.world.subgraph import Edge, Node

HAT, APPLE = Node("hat", "orange"), Node("apple", "green")
MAN = Node("man", None, (Edge("wearing", HAT), Edge("holding", APPLE)))
CHAIN = Node("cup", "white", (Edge("on", Node("table", None, (Edge("near", Node("window")),))),))
DEEP = Node(
    "cup", None, (Edge("on", Node("table", None, (Edge("near", Node("window")), Edge("under", Node("lamp"))))),)
)
CORK = Node("man", None, (Edge("uncorking", Node("wine bottle"), (("uncorking:_with", Node("corkscrew")),)),))
TABLE = Phrase(Node("table", "wood"), Outside(Node("cup", "white"), "on"))
BOYS = Phrase(Node("boy"), Outside(Node("trees", "large"), "behind"))

ENGLISH = {
    ("a", MAN): "a man that is wearing an orange hat and is holding a green apple",
    ("the", MAN): "the man that is wearing an orange hat and is holding a green apple",
    ("plural", MAN): "men that are wearing an orange hat and are holding a green apple",
    ("asked", MAN): "men are wearing an orange hat and are holding a green apple",
    ("a short", MAN): "a man wearing an orange hat and holding a green apple",
    ("a", CHAIN): "a white cup that is on a table that is near a window",
    ("a", DEEP): "a cup that is on a table that is both near a window and under a lamp",
    ("plural", CORK): "men that are uncorking a wine bottle with a corkscrew",
    ("a", Node("pants", "blue")): "blue pants",
    ("a", Node("water")): "water",
    ("the", Node("people")): "the people",
}
PUBLISHED = {
    ("a", MAN): "a man that is wearing a orange hat and is holding an green apple",
    ("several", MAN): "men that are wearing orange hat and are holding green apple",
    ("asked", CHAIN): "white cups are on ( a table is near a window )",
    ("a", CHAIN): "a white cup that is on ( a table that is near a window )",
    ("bare", CORK): "man that is uncorking wine bottle with corkscrew",
    ("plural", Node("glasses")): "glass",
    ("is", Node("bus")): "are",
}


@pytest.mark.parametrize(("form", "graph"), ENGLISH)
def test_descriptions_are_english(form, graph):
    assert format(Phrase(graph), form) == ENGLISH[form, graph]


@pytest.mark.parametrize(("form", "graph"), PUBLISHED)
def test_published_wording_is_as_published(form, graph):
    assert format(Phrase(graph, style="published"), form) == PUBLISHED[form, graph]


def test_what_is_inside_a_chain_is_told_by_reference_back():
    assert f"{TABLE:the}" == "the wood table with a white cup on it"
    assert f"{BOYS:plural}" == "boys with large trees behind them"


def test_a_condition_is_said_of_several_or_of_one():
    condition = Phrase(Node(None, None, MAN.edges))
    assert f"{condition:are}" == "are wearing an orange hat and are holding a green apple"
    assert f"{condition:predicate}" == "is wearing an orange hat and is holding a green apple"
    assert f"{Phrase(Node(None, 'red')):are}" == "are red"


def test_sentences_are_finished():
    assert sentence("there is  1 cup", "english") == "There is 1 cup."
    assert sentence("is there a cup?", "english") == "Is there a cup?"
    assert sentence("There are at least 1 images with a TV", "published") == "There is at least 1 image with a tv"


@pytest.mark.parametrize(
    ("one", "several"),
    [
        *[("man", "men"), ("fireman", "firemen"), ("human", "humans"), ("person", "people"), ("knife", "knives")],
        *[("bus", "buses"), ("box", "boxes"), ("dress", "dresses"), ("cherry", "cherries"), ("toy", "toys")],
        *[("trash can", "trash cans"), ("glass of wine", "glasses of wine"), ("sheep", "sheep"), ("scarf", "scarves")],
    ],
)
def test_nouns_have_their_plural(one, several):
    assert plural(one) == several
    assert not is_plural(one)
    assert plural(several) == several


def test_articles_follow_the_sound():
    words = (
        "orange hat",
        "apple",
        "umbrella",
        "uniform",
        "utensil",
        "hour",
        "one-way sign",
        "unicycle",
        "x-ray",
        "owl",
    )
    assert " ".join(article(word) for word in words) == "an an an a a an a a an an"


WORDS = vocabulary(
    [
        "man",
        "hat",
        "apple",
        "cup",
        "table",
        "window",
        "lamp",
        "wine bottle",
        "corkscrew",
        "boy",
        "trees",
        "tree",
        "people",
    ],
    ["orange", "green", "white", "wood", "large", "tall"],
    ["wearing", "holding", "on", "near", "under", "behind", "on top of", "uncorking", "uncorking:_with"],
)
READ = {
    "Is the man that is wearing an orange hat tall?": 'find("hat"); filter(#0, "orange"); find("man");'
    ' with_relation(#2, #1, "wearing"); unique(#3); verify_attr(#4, "tall")',
    "How many cups are on top of a table?": 'find("table"); find("cup"); with_relation(#1, #0, "on top of"); count(#2)',
    "All wood tables with a white cup on them are near a window.": 'find("table"); filter(#0, "wood"); find("cup");'
    ' filter(#2, "white"); with_relation_object(#3, #1, "on");'
    ' all(#4, [find("window"); scene(); with_relation(#1, #0, "near")])',
    "What is the man that is uncorking a wine bottle uncorking it with?": 'find("wine bottle"); find("man");'
    ' with_relation(#1, #0, "uncorking"); assert_unique(#2); scene();'
    ' with_relation_object(#3, #4, "uncorking:_with"); unique(#5); query_name(#6)',
    "There is at least 1 image that contains exactly 2 men.": 'find("man"); group_by_images(#0);'
    " keep_if_values_count_eq(#1, 2); keys(#2); count(#3); geq(#4, 1)",
    "Is the man holding a hat or wearing it?": 'find("man"); unique(#0); find("hat"); relation_between_nouns(#1, #2);'
    ' unique(#3); query_name(#4); choose_relation(#5, "holding", "wearing")',
}


@pytest.mark.parametrize("text", READ)
def test_questions_are_read_back(text):
    assert readings(text, WORDS) == [parse(READ[text])]


def test_what_can_be_read_in_two_ways_is():
    found = readings("How many trees are near a man?", WORDS)
    assert {program[1].arguments[0] for program in found} == {"tree", "trees"}


@pytest.mark.parametrize("text", ["Is the man?", "How many hats is on a table?", "There are exactly 2 a man.", ""])
def test_what_is_no_question_is_not_read(text):
    assert readings(text, WORDS) == []
