"""The site in a real browser: the system's Chromium, driven by Playwright. Without either, these tests are skipped."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import unseen
from unseen.predict import write_predictions
from unseen.web import bundle
from unseen.web.bundle import bundle_study
from unseen.web.database import Database
from unseen.web.serving import listen, server_of
from unseen.web.site import Site
from unseen.web.study import Quiz, Study

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: pip install playwright")
CHROMIUM = shutil.which("chromium")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed: `make browser` installs it"),
    pytest.mark.xdist_group("browser"),
]
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
PICTURES = os.environ.get("UNSEEN_PICTURES")  # a folder that pictures for the documentation are written to
PATIENCE = 60_000  # milliseconds: other tests may keep the machine busy


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield found
        found.close()


@pytest.fixture
def live(tmp_path: Path, workers, kept, tiny_study: Study) -> Iterator[Site]:
    """A site behind a free port; `site.address` says which."""
    site = Site(Database(tmp_path / "live.db"), runs=tmp_path / "runs", kept=kept)
    site.studies["tiny"] = tiny_study
    site.__dict__["drawing"] = site.__dict__["studying"] = site.__dict__["scoring"] = workers
    site.close = lambda: None  # other tests go on drawing
    listening = listen("127.0.0.1", 0)
    site.address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    server = server_of(site, ("127.0.0.1",), warm=False)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield site
    server.should_exit = True
    thread.join()
    site.database.close()


@pytest.fixture
def page(browser, live: Site) -> Iterator[object]:
    """A page of a new visitor; what goes wrong in it fails the test."""
    context = browser.new_context(base_url=live.address, viewport={"width": 1100, "height": 850})
    context.set_default_timeout(PATIENCE)
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    yield opened
    context.close()
    assert not [one for one in wrong if "ERR_INTERNET_DISCONNECTED" not in one]


def picture(page, name: str) -> None:
    """Keep a picture for the documentation, where one is asked for."""
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"web-{name}.png")


# ---------------------------------------------------------------------------- a study


def position(live: Site) -> int:
    return live.database.position(live.database.sessions("study", "tiny")[0].id)


def fixate(page) -> None:
    """Move the cursor onto the square in the middle of the screen, which is gone as soon as it gets there."""
    box = page.wait_for_selector(".fixation").bounding_box()
    screen = page.viewport_size
    assert abs(box["x"] + box["width"] / 2 - screen["width"] / 2) < 10
    assert abs(box["y"] + box["height"] / 2 - screen["height"] / 2) < 10
    page.mouse.move(5, 5)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector(".four-choice")


def one_trial(page, live: Site, choice: int) -> None:
    """Move onto the square, choose an image, say how sure, and read what was right."""
    fixate(page)
    page.click(f".four-choice >> nth={choice}")
    slider = page.locator("input[type=range]")
    slider.focus()
    slider.press("ArrowRight")
    page.click("text=Continue")
    page.wait_for_selector(".four-choice.odd")
    page.click("text=Continue")


def test_a_whole_session_with_wrong_clicks_reload_and_back_button(page, live: Site) -> None:
    page.goto("/study/tiny?PROLIFIC_PID=abc&STUDY_ID=s&SESSION_ID=t")
    page.click("text=Begin")
    page.click("text=I agree")
    page.click("text=Next")
    page.check("input[value='1']")  # wrong
    page.click("#go")
    page.click("text=Continue")
    page.check("input[value='0']")
    page.click("#go")
    page.click("text=Continue")  # practice is announced
    fixate(page)
    picture(page, "study")
    page.click(".four-choice >> nth=1")
    page.wait_for_selector("input[type=range]")
    here = position(live)
    page.reload()
    page.wait_for_selector("input[type=range]")  # the choice is stored, and only the confidence is asked for again
    assert position(live) == here
    page.locator("input[type=range]").press("ArrowRight")
    page.click("text=Continue")
    page.wait_for_selector("text=Block 1 of 2")
    page.go_back()
    page.goto("/study/tiny?PROLIFIC_PID=abc")
    page.click("button:has-text('Go on')")
    for block in (1, 2):
        page.wait_for_selector(f"text=Block {block} of 2")
        page.click("text=Continue")
        one_trial(page, live, 0)
        one_trial(page, live, 3)
        page.fill("textarea", "They had the same shape.")
        page.click("text=Continue")
        if block == 1:
            page.click("text=Continue")  # a break
    page.fill("input[type=text]", "33")
    page.click("text=Continue")
    assert page.locator("#code").count() == 0
    page.click("text=Finish")
    code = page.inner_text("#code")
    (session,) = live.database.sessions("study", "tiny")
    assert code == session.code
    answers = live.database.answers(session.id)
    assert sorted(answers) == list(range(len(session.plan)))
    assert answers[2].tries == 2
    choices = [answers[at].response for at, step in enumerate(session.plan) if step["kind"] == "odd"]
    assert [one["choice"] for one in choices] == [1, 0, 3, 0, 3]
    assert all(one["rt"] > 0 for one in choices)
    page.reload()
    assert page.inner_text("#code") == code


def test_a_lost_connection_loses_nothing(page, live: Site) -> None:
    page.goto("/study/tiny")
    page.click("text=Begin")
    page.click("text=I agree")
    page.wait_for_selector("text=Next")
    page.context.set_offline(True)
    page.click("text=Next")
    page.wait_for_selector("text=The connection is lost")
    assert position(live) == 1
    page.context.set_offline(False)
    page.wait_for_selector("text=How many are odd?")
    assert position(live) == 2


def test_a_study_plays_by_itself(page, live: Site, tiny_study: Study) -> None:
    live.studies["tiny"] = replace(tiny_study, quiz=(Quiz("How many are odd?", ("two", "one"), 1),))  # answered wrongly
    page.goto(f"/admin?token={live.tokens.admin}")
    page.goto("/study/tiny?simulate=yes")
    page.click("text=Begin")
    page.wait_for_selector("#code")
    (session,) = live.database.sessions("study", "tiny")
    assert session.simulated
    assert session.finished


KINDS = {"grid": "cogitao/s1-rotate", "choose": "svib/dsprites-sna", "count": "video/spmot", "follow": "video/spmot"}
KINDS |= {"question": "covr/iid", "odd": "cvr/shape"}


@pytest.mark.parametrize("form", KINDS)
def test_a_study_asks_any_kind_of_task(page, live: Site, form: str) -> None:
    videos = "follow" if form == "follow" else "count"
    live.studies["kinds"] = Study("kinds", "Kinds", (KINDS[form],), blocks=1, trials=1, pool=30, videos=videos)
    page.goto("/study/kinds")
    page.click("text=Begin")
    page.click("text=Continue")
    if form in ("odd", "choose"):
        page.wait_for_selector(".four-choice")
        assert page.locator(".solved img").count() == (6 if form == "choose" else 0)
        picture(page, f"kind-{form}")
        page.keyboard.press("2")
    elif form == "grid":
        page.locator("#canvas").focus()
        page.keyboard.press("c")
        page.keyboard.press("7")
    elif form == "question":
        page.fill("input[name=answer]", "<b>blue</b>")
    elif form == "count":
        page.fill("input[name=count]", "3")
    else:
        page.click("#frame", position={"x": 40, "y": 40})
    if form not in ("odd", "choose"):
        picture(page, f"kind-{form}")
        page.click("#go")
    page.wait_for_selector("[role=status], .lead:has-text('you marked 1')")
    picture(page, f"told-{form}")
    page.click("text=Continue")
    page.click("text=Finish")
    page.wait_for_selector("#code")
    (session,) = live.database.sessions("study", "kinds")
    given = live.database.answers(session.id)[1].response
    field = {"grid": "grid", "count": "count", "follow": "clicks", "question": "answer"}.get(form, "choice")
    assert given["rt"] > 0
    assert given[field] in (1, 3, "<b>blue</b>") or given[field][0][0] in (1, 7)


def test_questions_are_validated_in_the_browser(page, live: Site) -> None:
    page.goto("/study/covr-validate")
    page.click("text=Begin")
    page.click("text=I agree")
    page.click("text=Next")
    page.click("text=Continue")
    page.wait_for_selector("fieldset")
    picture(page, "validate")
    page.click("#go")  # nothing is chosen yet, so the page stays
    assert page.locator("fieldset").count() == 1
    page.check("input[value=wrong]")
    with page.expect_response(lambda response: response.request.method == "POST"):  # the answer is stored
        page.click("#go")
    (session,) = live.database.sessions("study", "covr-validate")
    assert live.database.answers(session.id)[3].response["right"] is False


# ---------------------------------------------------------------------------- tests of every kind


def begin(page, task: str, form: str = "") -> None:
    page.goto(f"/test?task={task}")
    if form:
        page.select_option("#form", form)
    page.select_option("#count", "5")
    page.click("main >> text=Begin")


def test_the_odd_one_is_clicked_and_one_finds_oneself_on_the_board(page, live: Site) -> None:
    begin(page, "cvr/shape")
    for k in range(5):
        if k == 0:
            page.click("#choices button >> nth=2")
        else:
            page.wait_for_selector("#choices")
            page.wait_for_load_state()
            page.keyboard.press("3")
        page.click("#next")
    page.wait_for_selector("text=Your score on cvr/shape")
    assert "outlier" in page.inner_text("table")  # a model on the very same items
    picture(page, "score")
    page.fill("input[name=name]", "Ada")
    page.click("text=Put me on the board")
    page.wait_for_selector("#token")
    page.goto("/board")
    assert "Ada" in page.inner_text("main")
    picture(page, "board")


def test_a_grid_is_painted_by_keyboard_and_mouse(page, live: Site) -> None:
    begin(page, "cogitao/s1-rotate")
    (session,) = live.database.sessions("test")
    example = unseen.load(*session.plan[0]["item"][:2])[session.plan[0]["item"][3]]
    canvas = page.locator("#canvas")
    canvas.focus()
    target = example.target["grid"]
    page.keyboard.press("c")
    wrong = np.argwhere(example.inputs["grid"] != target)
    for y, x in wrong.tolist():
        at = [int(one) - 1 for one in re.findall(r"\d+", page.inner_text("[role=status]"))[:2]]
        for _ in range(abs(y - at[0])):
            page.keyboard.press("ArrowDown" if y > at[0] else "ArrowUp")
        for _ in range(abs(x - at[1])):
            page.keyboard.press("ArrowRight" if x > at[1] else "ArrowLeft")
        page.keyboard.press(str(target[y, x]))
    assert json.loads(page.input_value("#grid")) == target.tolist()
    picture(page, "grid")
    box = canvas.bounding_box()
    page.mouse.click(box["x"] + 3, box["y"] + 3)  # paints the first cell, which is taken back
    page.click("text=Undo")
    assert json.loads(page.input_value("#grid")) == target.tolist()
    page.click("main >> text=Answer")
    page.wait_for_selector("text=Right")


def test_a_question_is_answered_in_words(page, live: Site) -> None:
    begin(page, "covr/iid")
    (session,) = live.database.sessions("test")
    answer = unseen.load(*session.plan[0]["item"][:2])[session.plan[0]["item"][3]].target["answer"]
    page.fill("#words", answer)
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Right")


def test_the_next_image_is_chosen_among_four(page, live: Site) -> None:
    begin(page, "svib/dsprites-sna")
    assert page.locator("#choices img").count() == 4
    page.click("#choices button >> nth=1")
    page.wait_for_selector("#next")


@pytest.mark.parametrize("form", ["count", "follow"])
def test_objects_of_a_video_are_counted_or_clicked_on(page, live: Site, form: str) -> None:
    begin(page, "video/spmot", form)
    page.wait_for_selector("#frame")
    if form == "count":
        page.fill("#number", "3")
    else:
        page.click("#frame", position={"x": 40, "y": 40})
        page.locator("#frame").focus()
        page.keyboard.press("2")
        page.keyboard.press("PageDown")
        page.keyboard.press("Enter")
        clicks = json.loads(page.input_value("#clicks"))
        assert [click[:2] for click in clicks] == [[1, 0], [2, 1]]
    page.click("main >> text=Answer")
    page.wait_for_selector("#next")


def test_predictions_are_uploaded_and_removed(page, live: Site, tmp_path: Path) -> None:
    file = tmp_path / "mine.parquet"
    scores = [np.eye(4)[example.target["odd"]] for example in unseen.load("cvr/shape", "test")[:5]]
    write_predictions(file, unseen.task("cvr/shape"), "test", scores, model="oracle", indices=range(5))
    page.goto("/board/new")
    page.fill("#name", "oracle")
    page.set_input_files("#files", file)
    page.click("text=Score and add")
    page.wait_for_selector("#token")
    assert "100" in page.inner_text("table")
    page.click("button:has-text('Remove this entry')")
    page.wait_for_selector("text=Nobody is on the board yet")


# ---------------------------------------------------------------------------- looks and access

PAGES = (
    *(
        "/",
        "/cvr",
        "/cvr/shape",
        "/cvr/shape/test/0",
        "/cvr/shape/test/0/3",
        "/video/spmot/test/0/1",
        "/covr/iid/test/0/3",
    ),
    *(
        "/search?q=contact",
        "/results",
        "/results/cvr",
        "/test",
        "/test?task=video/vmds",
        "/study",
        "/study/tiny",
        "/board",
    ),
    *("/board/new", "/nowhere"),
)


LOOKS = (("dark", 390), ("light", 1200))  # a phone at night, and a wide screen


@pytest.fixture
def seen(browser, live: Site) -> Iterator[object]:
    """A page that axe-core can look into."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: `make browser` installs it")
    context = browser.new_context(base_url=live.address, bypass_csp=True)
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def test_nothing_on_a_page_shuts_people_out(seen) -> None:
    for path in PAGES:
        seen.goto(path)
        check(seen, path)


def test_an_item_and_a_step_shut_nobody_out(seen) -> None:
    for task, ready in (
        ("cvr/shape", "#choices"),
        ("cogitao/s1-rotate", "#canvas"),
        ("covr/iid", "#words"),
        ("video/spmot", "#frame"),
    ):
        begin(seen, task)
        seen.wait_for_selector(ready)
        check(seen, task)
    seen.goto("/study/tiny")
    seen.click("text=Begin")
    seen.wait_for_selector("text=I agree")
    check(seen, "consent")
    seen.click("text=I agree")
    seen.click("text=Next")
    seen.wait_for_selector("fieldset")
    check(seen, "quiz")
    seen.set_viewport_size({"width": 1000, "height": 800})
    seen.check("input[value='0']")
    seen.click("#go")
    seen.click("text=Continue")
    seen.wait_for_selector(".fixation")
    check(seen, "fixation")
    seen.set_viewport_size({"width": 1000, "height": 800})
    fixate(seen)
    check(seen, "trial")
    seen.click(".four-choice >> nth=0")
    seen.wait_for_selector("input[type=range]")
    check(seen, "confidence")
    seen.locator("input[type=range]").press("ArrowRight")
    seen.click("text=Continue")
    seen.wait_for_selector(".four-choice.odd")
    check(seen, "feedback")


def test_a_score_an_entry_and_administration_shut_nobody_out(seen, live: Site) -> None:
    begin(seen, "cvr/shape")
    for k in range(5):
        seen.click("#choices button >> nth=0")
        seen.wait_for_selector("#next")
        if k == 0:
            check(seen, "told")
        seen.click("#next")
    seen.wait_for_selector("text=Your score")
    check(seen, "score")
    seen.fill("input[name=name]", "Ada")
    seen.click("text=Put me on the board")
    seen.wait_for_selector("#token")
    check(seen, "entry")
    seen.goto("/board")
    check(seen, "board")
    seen.goto(f"/admin?token={live.tokens.admin}")
    check(seen, "admin")


def check(page, what: str) -> None:
    """Find nothing serious, and nothing wider than the screen, by night and by day."""
    page.add_script_tag(path=str(AXE))
    for look, width in LOOKS:
        page.emulate_media(color_scheme=look, reduced_motion="reduce")
        page.set_viewport_size({"width": width, "height": 800})
        result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        serious = [
            (one["id"], [node["html"][:200] for node in one["nodes"][:3]])
            for one in result["violations"]
            if one["impact"] in ("serious", "critical")
        ]
        assert not serious, (what, look, serious)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{what} is {wide} pixels too wide for {width}"


# ---------------------------------------------------------------------------- a study without a server


class Quiet(SimpleHTTPRequestHandler):
    """Files of a folder."""

    def log_message(self, *_: object) -> None: ...


@contextmanager
def listening(handler) -> Iterator[str]:
    """The address of an HTTP server of its own."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def short(tiny_study: Study) -> Study:
    """A study of one trial after one to practice on."""
    return replace(
        tiny_study, blocks=1, trials=1, describe="", pause="", questions=(), instructions=(), confidence=False
    )


def go_through(page, address: str, query: str) -> None:
    """Go through the short study, with a wrong answer to its quiz, up to its last button."""
    page.goto(f"{address}/index.html?{query}")
    page.click("text=I agree")
    page.check("input[value='1']")  # wrong
    page.click("#go")
    page.click("text=Continue")
    page.check("input[value='0']")
    page.click("#go")
    for _ in range(2):
        page.click("text=Continue")
        fixate(page)
        page.click(".four-choice >> nth=1")
        page.click("text=Continue")
    page.click("text=Finish")


def test_a_bundle_runs_from_files_and_hands_its_answers_to_jatos(
    page, live: Site, short: Study, tmp_path: Path
) -> None:
    folder = tmp_path / "bundle"
    bundle_study(live, short, folder, people=2, submit="jatos")
    (folder / "jatos.js").write_text(  # what JATOS would serve in its place
        "window.rows = []; window.jatos = {appendResultData: async (row) => rows.push(JSON.parse(row)),"
        " endStudy: async () => { window.ended = true; }};"
    )
    with listening(partial(Quiet, directory=folder)) as address:
        go_through(page, address, "person=1")
        page.wait_for_selector("#code")
    rows = page.evaluate("rows")
    assert page.evaluate("window.ended") is True
    assert [row["choice"] for row in rows if row["kind"] == "odd"] == [1, 1]
    assert [row["position"] for row in rows] == [0, 1, *range(1, len(rows) - 1)]  # the quiz was taken twice
    assert {row["person"] for row in rows} == {1}


class Pipe(BaseHTTPRequestHandler):
    """DataPipe, as its interface is documented: a file is stored once, other names and experiments are refused."""

    trouble: ClassVar[list[str]] = []  # what happens to the next requests
    stored: ClassVar[dict[str, list[dict]]] = {}

    def log_message(self, *_: object) -> None: ...

    def do_OPTIONS(self) -> None:
        self.send_response(204)
        for name in ("Origin", "Headers", "Methods"):
            self.send_header(f"Access-Control-Allow-{name}", "*")
        self.end_headers()

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        trouble = self.trouble.pop(0) if self.trouble else ""
        if trouble == "500":
            self.tell(500, {"error": "DATA_PERSIST_ERROR", "message": "Failed to save data."})
        elif trouble == "upload":
            self.tell(400, {"error": "OSF_UPLOAD_ERROR", "message": "An error occurred."})
        elif sent["experimentID"] != "abc123":
            self.tell(400, {"error": "EXPERIMENT_NOT_FOUND", "message": "There is no <b>such</b> experiment"})
        elif sent["filename"] in self.stored:
            self.tell(400, {"error": "FILE_EXISTS", "message": "A file with this name already exists."})
        else:
            self.stored[sent["filename"]] = json.loads(sent["data"])
            if trouble == "cut":  # stored, and nobody gets to know
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
            else:
                self.tell(201, {"message": "Success"})

    def tell(self, status: int, said: dict[str, str]) -> None:
        self.send_response(status)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(said).encode())


@pytest.mark.parametrize(
    "trouble",
    [
        pytest.param(["500", "cut"], id="cut"),
        pytest.param(["upload", "500"], id="upload", marks=pytest.mark.slow),
        pytest.param([], id="refused"),
    ],
)
def test_a_bundle_hands_its_answers_to_datapipe_whatever_happens(
    browser, live: Site, short: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: list[str]
) -> None:
    Pipe.stored.clear()
    Pipe.trouble[:] = trouble
    folder = tmp_path / "bundle"
    with listening(Pipe) as pipe, listening(partial(Quiet, directory=folder)) as address:
        monkeypatch.setattr(bundle, "DATAPIPE", f"{pipe}/api/data/")
        bundle_study(live, short, folder, people=2, submit="datapipe:abc123" if trouble else "datapipe:other")
        context = browser.new_context(viewport={"width": 1000, "height": 800})
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        go_through(page, address, "person=1&PROLIFIC_PID=../ada")
        if trouble:
            page.wait_for_selector("#code")
            ((name, rows),) = Pipe.stored.items()
            assert re.fullmatch(r"ada-[0-9a-f]{24}\.json", name)
        else:  # nothing is lost: the person has it
            page.wait_for_selector("text=There is no <b>such</b> experiment")
            with page.expect_download() as saving:
                page.click("text=Save my answers")
            rows = json.loads(Path(saving.value.path()).read_text())
            assert not Pipe.stored
        context.close()
    assert [row["choice"] for row in rows if row["kind"] == "odd"] == [1, 1]
    assert [row["again"] for row in rows if row["kind"] == "quiz"] == [True, False]
