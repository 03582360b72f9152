"""Paraphrases: every one of every template is read as the program of its question, and as nothing else."""

from __future__ import annotations

import json

import pytest

import unseen
from unseen.benchmarks.covr.english.synonyms import SYNONYMS
from unseen.benchmarks.covr.questions.batch import make
from unseen.benchmarks.covr.questions.grammar import patterns, readings
from unseen.benchmarks.covr.questions.language import WORLDS, language
from unseen.benchmarks.covr.questions.paraphrase import paraphrases, reworded, words_of
from unseen.benchmarks.covr.questions.sentences import SENTENCES
from unseen.benchmarks.covr.questions.templates import TEMPLATES
from unseen.benchmarks.covr.spec import Spec
from unseen.core.errors import UnseenError

WORLD_SPECS = {"flat": Spec(), "3d": Spec(world="3d"), "published": Spec(style="published")}


@pytest.fixture(scope="module", params=WORLD_SPECS)
def asked(request):
    """Questions of a world, or in the published wording, and the world's name."""
    spec = WORLD_SPECS[request.param]
    return [question for number in range(2) for question in make(spec, 11, number)[0]], spec.world


def test_all_templates_are_asked(asked):
    questions, world = asked
    if world == "flat":
        assert {question.template for question in questions} == set(TEMPLATES)


def test_the_paraphrase_that_a_question_carries_means_its_program(asked):
    questions, world = asked
    for question in questions:
        words = words_of(question.program, world)
        assert readings(question.paraphrase, words, paraphrased=True) == [question.program], question.paraphrase


def test_every_question_can_be_said_otherwise_and_means_the_same(asked):
    questions, world = asked
    for question in questions:
        words = words_of(question.program, world)
        found = list(paraphrases(question, world, words))
        assert found, question.text
        assert {question.text, question.paraphrase}.isdisjoint(found)
        for text in found:
            assert readings(text, words, paraphrased=True) == [question.program], text
        assert reworded(question, world) in found


def test_the_reader_tells_paraphrases_of_other_programs_apart(asked):
    questions, world = asked
    programs = {question.program for question in questions}
    for question in questions[:20]:
        (read,) = readings(reworded(question, world), words_of(question.program, world), paraphrased=True)
        assert [program for program in programs if program == read] == [question.program]


def test_words_of_a_corpus_are_kept_and_sentences_are_others():
    question = make(Spec(), 11, 0)[0][0]
    other = reworded(question, "")
    assert other != question.text
    assert readings(other, words_of(question.program, ""), paraphrased=True) == [question.program]


def test_no_synonym_names_anything_else_in_a_world():
    for names, attributes, relations in WORLDS.values():
        for words, kind in ((names, "name"), (attributes, "attribute"), (relations, "relation")):
            assert set(words).isdisjoint(SYNONYMS[kind].values())
            assert len(set(SYNONYMS[kind].values())) == len(SYNONYMS[kind])


@pytest.mark.parametrize("text", ["generated", "paraphrased", "reworded"])
@pytest.mark.parametrize("options", [{}, {"style": "published"}])
def test_the_vocabulary_of_a_world_has_every_word(text, options):
    known = language("flat")
    examples = unseen.load("covr/iid", "val", text=text, renderer="auto", **options)
    from unseen.models.layers import words

    for index in range(120):
        example = examples[index]
        shown = example.task.benchmark.file("render").asked(example.record, Spec(**options), example.task.view)
        assert set(words(shown[0])) <= set(known["words"]), shown[0]
        assert shown[1] in known["answers"]
        assert shown[2] <= known["images"]


def test_slots_of_all_patterns_of_a_sentence_are_the_same():
    def slots(pattern):
        found = {word.partition(":")[2] or word.partition("=")[2] for word in pattern.split()}
        return found - {""}

    for sentence in SENTENCES:
        for other in sentence.others:
            assert slots(other) - {"what"} == slots(sentence.pattern) - {"what"}, other
    assert len(set(patterns())) == len(list(patterns()))


def test_people_s_paraphrases_stand_for_ours(tmp_path):
    first, second = (unseen.load("covr/iid", "val")[index].record for index in (0, 1))
    lines = [{"utterance": first.text, "paraphrased": "In my words?"}, {"question": "Other?", "rephrase": ""}]
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")
    shown = unseen.load("covr/iid", "val", text="paraphrased", paraphrases=str(path))
    assert shown[0].inputs["text"] == "In my words?"
    expected = second.paraphrase if second.text != first.text else "In my words?"
    assert shown[1].inputs["text"] == expected
    assert shown.task.contents()["paraphrases"]


@pytest.mark.parametrize(
    ("content", "says"), [("nonsense", "line of JSON"), ("{}", "has its text as utterance"), ("[1]", "as utterance")]
)
def test_a_file_without_questions_is_refused_in_a_sentence(tmp_path, content, says):
    path = tmp_path / "questions.jsonl"
    path.write_text(content)
    with pytest.raises(UnseenError, match=says):
        unseen.load("covr/iid", "val", text="paraphrased", paraphrases=str(path))[0].inputs  # noqa: B018
    with pytest.raises(UnseenError, match="text=paraphrased"):
        unseen.task("covr/iid", paraphrases=str(path))
