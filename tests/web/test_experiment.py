"""People go through a study: state is on the server, answers come once and in order, and nobody learns too early."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import unseen
from unseen.cli.app import app
from unseen.core.asking import form_of
from unseen.results.people import read_trials
from unseen.web.experiment import plan_of
from unseen.web.questions import agreement
from unseen.web.site import Site
from unseen.web.study import Study, shipped_studies, steps_of
from unseen.web.study_data import export_study

ANSWERS: dict[str, Any] = {
    "consent": {"agreed": True},
    "quiz": {"answers": [0]},
    "odd": {"choice": 2, "rt": 1234.56, "fixation": 300},
    "confidence": {"confidence": 80, "rt": 500},
    "describe": {"text": "=cmd|' /C calc'!A0 same shape", "rt": 4000},
    "about": {"facts": {"age": "33", "not asked": "x"}},
    "validate": {"answerable": True, "right": True, "comment": ""},
    "paraphrase": {"text": "In other words?"},
    "check": {"same": True, "good": True},
}


class Person:
    """Somebody with a browser of their own."""

    def __init__(self, app: Any, study: Study, arrival: str = "") -> None:
        self.client = TestClient(app, base_url="http://localhost")
        found = re.search(r'name="form-token" content="(\w+)"', self.client.get("/search").text)
        self.token = found[1]
        fields = dict(one.split("=") for one in arrival.split("&") if one)
        answer = self.client.post(
            f"/study/{study.name}", data={"form_token": self.token, **fields}, follow_redirects=False
        )
        assert answer.status_code == 303, answer.text
        self.path = answer.headers["location"]
        self.id = self.path.rpartition("/")[2]

    def state(self) -> dict[str, Any]:
        return self.client.get(f"{self.path}/state").json()

    def respond(self, position: int, response: dict[str, Any]) -> Any:
        return self.client.post(f"{self.path}/step/{position}", json=response, headers={"X-Form-Token": self.token})

    def go_on(self, steps: int = 1000) -> dict[str, Any]:
        """Answer so many steps, or all that are left; gives what was said last."""
        state, known = self.state(), {}
        for at, step in enumerate(state["steps"][:steps], state["position"]):
            answer = self.respond(at, ANSWERS.get(step["kind"], {}))
            assert answer.status_code == 200, answer.text
            known = answer.json()
        return known


@pytest.fixture
def study(site: Site, tiny_study: Study) -> Study:
    site.studies = {**site.studies, tiny_study.name: tiny_study}
    return tiny_study


@pytest.fixture
def person(client: TestClient, study: Study) -> Person:
    return Person(client.app, study)


def test_a_whole_session_ends_with_a_code_and_not_before(person: Person, site: Site) -> None:
    state = person.state()
    assert "code" not in state
    known = person.go_on(len(state["steps"]) - 1)
    assert "code" not in known
    assert site.database.session(person.id).finished is None
    known = person.go_on()
    assert known["code"] == site.database.session(person.id).code
    assert person.state()["code"] == known["code"]


def test_a_reload_goes_on_where_they_were(person: Person, study: Study) -> None:
    whole = person.state()["steps"]
    person.go_on(6)
    state = person.state()
    assert state["position"] == 6
    assert state["steps"] == whole[6:]


def test_the_same_person_comes_back_by_the_id_that_they_came_with(client: TestClient, study: Study) -> None:
    arrival = "PROLIFIC_PID=abc&STUDY_ID=s&SESSION_ID=t"
    first = Person(client.app, study, arrival)
    first.go_on(4)
    second = Person(client.app, study, arrival)  # another browser
    assert second.id == first.id
    assert second.state()["position"] == 4
    assert Person(client.app, study, "PROLIFIC_PID=other").id != first.id


def test_a_response_counts_once_and_in_order(person: Person, site: Site) -> None:
    person.go_on(4)
    assert person.respond(6, {"choice": 1}).status_code == 400
    assert person.respond(4, {"choice": 1}).json()["stored"] == 4
    assert person.respond(4, {"choice": 3}).json()["stored"] == 4  # sent again after a lost acknowledgment
    assert site.database.answers(person.id)[4].response == {"choice": 1}


def test_a_quiz_is_taken_until_it_is_right_and_tries_are_counted(person: Person, site: Site) -> None:
    person.go_on(2)
    assert person.respond(2, {"answers": [1]}).json()["again"] is True
    assert person.state()["position"] == 2
    assert person.respond(2, {"answers": [0]}).json()["again"] is False
    assert site.database.answers(person.id)[2].tries == 2


def test_nobody_learns_the_answer_before_they_gave_theirs_and_their_confidence(person: Person) -> None:
    person.go_on(4)
    assert "truth" not in person.respond(4, {"choice": 1}).json()
    assert "truth" in person.respond(5, {"confidence": 50}).json()
    assert "truth" not in json.dumps(person.state())


def test_the_state_and_the_page_say_nothing_about_items(person: Person, site: Site) -> None:
    plan = site.database.session(person.id).plan
    said = json.dumps(person.state()) + person.client.get(person.path).text
    for step in plan:
        if "item" in step:
            assert step["item"][0] not in said
            assert '"item"' not in said


def test_images_are_given_when_their_turn_comes_or_nearly(person: Person, site: Site) -> None:
    plan = site.database.session(person.id).plan
    choices = [at for at, step in enumerate(plan) if step["kind"] == "odd"]
    assert person.client.get(f"{person.path}/image/{choices[0]}/0").status_code == 200
    assert person.client.get(f"{person.path}/image/{choices[3]}/0").status_code == 404
    assert person.client.get(f"{person.path}/image/{choices[0]}/4").status_code == 404
    assert person.client.get(f"{person.path}/image/0/0").status_code == 404


@pytest.mark.parametrize(
    "response",
    [
        {},
        {"choice": 7},
        {"choice": "1; drop table"},
        {"choice": 1, "rt": -5},
        {"choice": 1, "rt": "fast"},
        {"choice": 1, "rt": 1e300},
    ],
)
def test_what_cannot_be_a_response_is_refused(person: Person, response: dict[str, Any], site: Site) -> None:
    person.go_on(4)
    assert person.respond(4, response).status_code == 400
    assert site.database.position(person.id) == 4


def test_without_consent_nothing_is_stored(person: Person, site: Site) -> None:
    assert person.respond(0, {"agreed": False}).status_code == 400
    assert site.database.answers(person.id) == {}


def test_a_session_of_another_study_is_not_found(person: Person) -> None:
    assert person.client.get(f"/study/cvr/{person.id}/state").status_code == 404
    assert person.client.get("/study/tiny/guessed/state").status_code == 404
    assert person.client.get(f"/test/{person.id}").status_code == 404


def test_only_what_the_file_asks_for_is_known_of_a_person(person: Person, site: Site) -> None:
    person.go_on()
    assert site.database.person(person.id)["facts"] == {"age": "33"}


def test_half_a_character_spoils_nobodys_data(person: Person, site: Site, study: Study, tmp_path: Path) -> None:
    plan = site.database.session(person.id).plan
    at = next(at for at, step in enumerate(plan) if step["kind"] == "describe")
    person.go_on(at)
    sent = '{"text": "same \\ud800 shape\\u0000"}'
    headers = {"X-Form-Token": person.token, "Content-Type": "application/json"}
    assert person.client.post(f"{person.path}/step/{at}", content=sent, headers=headers).status_code == 200
    export_study(site, study, tmp_path)
    assert "same ? shape" in (tmp_path / "published.csv").read_text()


def test_what_a_person_says_of_themselves_first_stays(person: Person, site: Site) -> None:
    plan = site.database.session(person.id).plan
    at = next(at for at, step in enumerate(plan) if step["kind"] == "about")
    person.go_on(at)
    for age in ("33", "44"):
        assert person.respond(at, {"facts": {"age": age}}).status_code == 200
    assert site.database.person(person.id)["facts"] == {"age": "33"}


def test_of_many_answers_to_one_trial_at_once_one_counts_and_all_learn_which(person: Person, site: Site) -> None:
    person.go_on(4)
    with ThreadPoolExecutor(8) as crowd:
        said = list(crowd.map(lambda k: person.respond(4, {"choice": k % 4}).json(), range(16)))
    assert said == [{"stored": 4, "again": False}] * 16
    assert site.database.answers(person.id)[4].tries == 1
    assert site.database.position(person.id) == 5


def test_a_study_is_not_put_on_the_board(person: Person) -> None:
    person.go_on()
    answer = person.client.post("/board/me", data={"form_token": person.token, "session": person.id, "name": "x"})
    assert answer.status_code == 400


def test_data_come_out_in_every_form(client: TestClient, site: Site, study: Study, tmp_path: Path) -> None:
    for _ in range(2):
        Person(client.app, study).go_on()
    Person(client.app, study).go_on(7)  # stopped in the middle
    folder = tmp_path / "export"
    files = {path.relative_to(folder).as_posix() for path in export_study(site, study, folder)}
    rows = read_trials(folder)
    assert len(rows) == 2 * 5 + 1
    assert [row["analysed"] for row in rows[:5]] == [False, True, True, True, True]
    for row in rows:
        example = unseen.load(row["task"], row["split"], seed=row["seed"])[row["index"]]
        assert row["truth"] == str(example.target["odd"])
        assert row["right"] == (example.target["odd"] == 2)
        assert row["rt"] == 1234.6
    assert rows[0]["confidence"] == 80
    published = list(csv.DictReader(io.StringIO((folder / "published.csv").read_text())))
    assert list(published[0]) == [
        *("", "worker_id", "age", "sex", "task_idx", "task_name", "accuracy", "confidence_min", "confidence_max"),
        *("confidence_average", "rt_avg", "task_description"),
    ]
    assert len(published) == 4
    assert published[0]["age"] == "33"
    assert published[0]["task_description"].startswith("'=")  # no table program runs it
    described = json.loads((folder / "psych-ds" / "dataset_description.json").read_text())
    assert described["@type"] == "Dataset"
    assert {one["name"] for one in described["variableMeasured"]} == set(rows[0])
    assert "psych-ds/data/study-tiny_data.csv" in files
    for path in (folder / "predictions").rglob("*.parquet"):
        task = "/".join(path.relative_to(folder / "predictions").parts[:2])
        assert unseen.score(task, "test", path, seed=site.seed_of(study)).count == 2
        assert path.stem.endswith(f"-test-seed-{site.seed_of(study)}")


def test_results_set_people_beside_the_papers(
    client: TestClient, site: Site, study: Study, tmp_path: Path, capsys
) -> None:
    Person(client.app, study).go_on()
    export_study(site, study, tmp_path / "export")
    app(["results", "cvr", "--humans", str(tmp_path / "export"), "--json"], standalone_mode=False)
    found = json.loads(capsys.readouterr().out)
    people = found["findings"][0]
    assert people["title"] == "People"
    assert len(people["rows"]) == 2
    assert people["columns"][:3] == ["rule", "accuracy", "paper"]
    assert all(row[5] == "80.0" and row[6] == "1.2" for row in people["rows"])


def test_whoever_runs_the_site_downloads_all_of_it(client: TestClient, site: Site, study: Study) -> None:
    Person(client.app, study).go_on()
    assert client.get("/admin/tiny.zip").status_code == 403
    client.get(f"/admin?token={site.tokens.admin}")
    archive = zipfile.ZipFile(io.BytesIO(client.get("/admin/tiny.zip").content))
    assert "tiny/trials.parquet" in archive.namelist()
    assert "tiny/0" in client.get("/admin").text


def test_a_person_can_be_forgotten(client: TestClient, site: Site, study: Study, tmp_path: Path) -> None:
    first = Person(client.app, study, "PROLIFIC_PID=abc")
    first.go_on()
    other = Person(client.app, study)
    other.go_on(5)
    assert site.database.forget("abc") == 1
    assert site.database.forget("abc") == 0
    assert first.client.get(f"{first.path}/state").status_code == 404
    assert site.database.answers(first.id) == {}
    assert site.database.person(first.id)["facts"] == {}
    assert len(site.database.answers(other.id)) == 5
    assert site.database.forget("tiny/1") == 1
    assert site.database.forget("") == 0


def test_nothing_of_a_forgotten_person_is_left_over_in_any_file(
    client: TestClient, site: Site, study: Study, tmp_path: Path
) -> None:
    person = Person(client.app, study, "PROLIFIC_PID=5f3e1c0a")
    person.go_on()
    known = ("5f3e1c0a", person.id, "same shape")  # what they came with, their session, their words
    files = lambda: b"".join(path.read_bytes() for path in tmp_path.glob("site.db*"))  # noqa: E731
    assert all(one.encode() in files() for one in known)
    assert site.database.forget("5f3e1c0a") == 1
    assert not [one for one in known if one.encode() in files()]


def test_words_of_a_forgotten_person_go_from_the_sessions_of_those_who_check_them(
    client: TestClient, site: Site, tmp_path: Path
) -> None:
    studies = shipped_studies()
    Person(client.app, studies["covr-paraphrase"]).go_on()
    checker = Person(client.app, studies["covr-check"])
    checker.go_on()
    assert "In other words?" in json.dumps(site.database.session(checker.id).plan)
    assert site.database.forget("covr-paraphrase/0") == 1
    assert "In other words?" not in json.dumps(site.database.session(checker.id).plan)
    export_study(site, studies["covr-check"], tmp_path / "check")
    assert "other words" not in (tmp_path / "check" / "judgments.csv").read_text()
    assert (tmp_path / "check" / "questions.jsonl").read_text() == ""


def psych_ds_problems(folder: Path) -> list[str]:
    """What the validator of Psych-DS would call an error, as its specification has it."""
    about = json.loads((folder / "dataset_description.json").read_text())
    problems = [f"no {name}" for name in ("@context", "name", "description", "variableMeasured") if not about.get(name)]
    problems += [] if about.get("@type") == "Dataset" else ["not a Dataset"]
    problems += [f"{path} is empty" for path in folder.rglob("*") if path.is_file() and not path.stat().st_size]
    named = {one["name"] for one in about["variableMeasured"]}
    tables = list((folder / "data").rglob("*.csv"))
    problems += [] if tables else ["no data"]
    for path in tables:
        if not re.fullmatch(r"([a-z]+-[a-zA-Z0-9]+)(_[a-z]+-[a-zA-Z0-9]+)*_data\.csv", path.name):
            problems.append(f"{path.name} is not made of keywords and values")
        header, *rows = csv.reader(io.StringIO(path.read_text()))
        problems += [f"{one} is not described" for one in set(header) - named]
        problems += ["columns repeat"] * (len(set(header)) < len(header))
        problems += ["a row of another length" for row in rows if len(row) != len(header)]
    return problems


@pytest.mark.parametrize("name", ["tiny", "covr-validate", "covr-paraphrase", "covr-check"])
@pytest.mark.parametrize("people", [0, 1])
def test_the_data_set_is_valid_psych_ds(
    client: TestClient, site: Site, study: Study, tmp_path: Path, name: str, people: int
) -> None:
    if people and name == "covr-check":
        Person(client.app, site.studies["covr-paraphrase"]).go_on()
    for _ in range(people):
        Person(client.app, site.studies[name]).go_on()
    export_study(site, site.studies[name], tmp_path)
    assert psych_ds_problems(tmp_path / "psych-ds") == []


def test_a_simulated_session_needs_the_token_and_is_in_no_data(
    client: TestClient, site: Site, study: Study, send
) -> None:
    assert client.get("/study/tiny?simulate=yes").status_code == 403
    client.get(f"/admin?token={site.tokens.admin}")
    answer = send("/study/tiny", {"simulate": "yes"}, follow_redirects=False)
    session = site.database.session(answer.headers["location"].rpartition("/")[2])
    assert session.simulated
    assert site.database.of_people(study.name) == []


KINDS = {  # form -> a task that is asked in it, and the right answer to one of its examples
    "grid": ("cogitao/s1-rotate", lambda example: {"grid": example.target["grid"].tolist()}),
    "choose": (
        "svib/dsprites-sna",
        lambda example: {"choice": form_of(example.task.benchmark, "choose").truth(example)},
    ),
    "count": ("video/spmot", lambda example: {"count": form_of(example.task.benchmark, "count").truth(example)}),
    "follow": ("video/spmot", lambda example: {"clicks": [[1, 0, 5, 5], [2, 1, 6, 6]]}),
    "question": ("covr/iid", lambda example: {"answer": example.target["answer"].upper()}),
}


@pytest.mark.parametrize("form", KINDS)
def test_a_study_can_be_of_any_kind_of_task(client: TestClient, site: Site, tmp_path: Path, form: str) -> None:
    task, right = KINDS[form]
    videos = "follow" if form == "follow" else "count"
    study = Study("kinds", "Kinds", (task,), blocks=1, trials=2, pool=5, videos=videos, confidence=True)
    site.studies = {**site.studies, "kinds": study}
    person = Person(client.app, study)
    plan = site.database.session(person.id).plan
    assert [step["kind"] for step in plan] == ["announce", form, "confidence", form, "confidence", "debriefing"]
    for at, step in enumerate(plan):
        answer = ANSWERS.get(step["kind"], {})
        if step["kind"] == form:
            shown = person.client.get(f"{person.path}/item/{at}").json()
            images = [
                person.client.get(f"{person.path}/image/{at}/{k}").status_code for k in range(shown["images"] + 1)
            ]
            assert images == [200] * shown["images"] + [404]
            answer = right(unseen.load(*step["item"][:2], seed=step["item"][2])[step["item"][3]])
        known = person.respond(at, {**answer, "rt": 5})
        assert known.status_code == 200, known.text
        assert ("spelled" in known.json()) == (step["kind"] == "confidence")
    export_study(site, study, tmp_path)
    rows = read_trials(tmp_path)
    assert [(row["right"], row["confidence"]) for row in rows] == [(None if form == "follow" else True, 80)] * 2
    (file,) = (tmp_path / "predictions").rglob("*.parquet")
    scores = unseen.score(task, "test", file, seed=site.seed_of(study))
    assert scores.count == 2
    assert form == "follow" or next(iter(scores.values())) == 1


def test_questions_are_validated_paraphrased_and_checked(client: TestClient, site: Site, tmp_path: Path) -> None:
    studies = shipped_studies()
    for name in ("covr-validate", "covr-paraphrase"):
        for _ in range(2):
            Person(client.app, studies[name]).go_on()
    checker = Person(client.app, studies["covr-check"])
    plan = site.database.session(checker.id).plan
    checks = [at for at, step in enumerate(plan) if step["kind"] == "check"]
    checker.go_on(checks[0])
    shown = checker.client.get(f"{checker.path}/item/{checks[0]}").json()
    assert shown["paraphrase"] == "In other words?"
    checker.go_on()
    export_study(site, studies["covr-validate"], tmp_path / "validate")
    said = json.loads((tmp_path / "validate" / "agreement.json").read_text())
    assert said["judged"] == 20
    assert said["judgments"] == 40
    assert said["rejected_percent"] == 0
    assert said["judged_alike_percent"] == 100
    lines = (tmp_path / "validate" / "questions.jsonl").read_text().splitlines()
    assert len(lines) == 20
    export_study(site, studies["covr-check"], tmp_path / "check")
    questions = [json.loads(line) for line in (tmp_path / "check" / "questions.jsonl").read_text().splitlines()]
    assert {row["paraphrased"] for row in questions} == {"In other words?"}
    assert all(row["utterance"] and row["program"] for row in questions)


def test_agreement_counts_rejections_by_most() -> None:
    def row(index: int, right: bool | None) -> dict[str, Any]:
        place = {"task": "covr/iid", "split": "test", "seed": 0, "index": index}
        return {**place, "answerable": right is not None, "right": right}

    rows = [row(0, True), row(0, True), row(0, False), row(1, None), row(1, False), row(1, True)]
    found = agreement(rows)
    assert found["rejected_percent"] == 50.0
    assert found["judged_alike_percent"] == 0.0


def test_nobody_can_check_before_somebody_wrote(client: TestClient) -> None:
    answer = TestClient(client.app, base_url="http://localhost")
    token = re.search(r'name="form-token" content="(\w+)"', answer.get("/search").text)[1]
    assert "nothing to check yet" in answer.post("/study/covr-check", data={"form_token": token}).text


def test_a_block_is_as_long_as_its_study_says_though_some_examples_cannot_be_asked(site: Site) -> None:
    study = Study("next", "Next", ("svib/dsprites-sa",), blocks=1, trials=6, pool=30, data_seed=1)
    steps = [step for step in plan_of(site, study, 0, "somebody") if step["kind"] == "choose"]
    places = [tuple(step["item"]) for step in steps]
    assert len(set(places)) == 6
    examples = [unseen.load(task, split, seed=seed)[index] for task, split, seed, index in places]
    assert all(form_of(example.task.benchmark, "choose").asks(example) for example in examples)
    planned = [tuple(step["item"]) for step in steps_of(study, 0, 1) if step["kind"] == "choose"]
    assert places != planned  # some of which nobody could be asked
