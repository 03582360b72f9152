"""The leaderboard: files of predictions, scored here by the library, next to the published rows."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from unseen.core.analysis import IN, OUT
from unseen.core.catalogue import task as task_named
from unseen.core.errors import DataError, SpecError, UnseenError
from unseen.core.files import write_whole
from unseen.core.paper import Result
from unseen.engines.bounded import GIBIBYTE
from unseen.web import judging
from unseen.web.respond import Form, check_open, file, page, see, site_of
from unseen.web.safety import Refused, clean, digest, new_token
from unseen.web.site import Site
from unseen.web.taking import own_predictions

LONGEST = {"name": 60, "description": 2000, "link": 300}
MOST_BOARD = 4 * GIBIBYTE  # of all files together
FOLDER, ENDING = "entries", ".entry.json"  # of an exported board
COLUMNS = ("id", "name", "description", "link", "task", "owner", "session", "added")


def board(request: Request, form: Form) -> Response:
    """Return the whole board, or that of one task."""
    site = site_of(request)
    wanted = request.query_params.get("task", "")
    rows = [row for row in site.database.entries() if not wanted or row["task"] == wanted]
    tables: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        tables.setdefault((row["task"], _form(row)), []).append(row)
    return page(
        request,
        "board.html",
        tables=[
            (task, view, _sorted(found), published(task) if not view else []) for (task, view), found in tables.items()
        ],
        wanted=wanted,
        mine=request.state.visitor,
    )


def _form(row: dict[str, Any]) -> str:
    return str(next(iter(row["files"].values()))["scores"]["form"]) if row["files"] else ""


def _sorted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The best first, out of distribution before in distribution."""

    def worth(row: dict[str, Any]) -> tuple[bool, float]:
        scores = next(
            (row["files"][split]["scores"] for split in (OUT, IN, *row["files"]) if split in row["files"]), None
        )
        if scores is None:
            return False, 0.0
        headline = next(iter(scores["metrics"].values()))
        return True, headline["value"] if headline["better"] == "higher" else -headline["value"]

    return sorted(rows, key=worth, reverse=True)


def published(task: str) -> list[tuple[str, dict[str, float]]]:
    """Return the rows of the paper on a task: a model with its scores by split."""
    from unseen.report.takers import published_people

    try:
        settled = task_named(task)
    except UnseenError:
        return []
    paper = settled.benchmark.optional_file("paper")
    found: dict[str, dict[str, float]] = {}
    for table in getattr(paper, "TABLES", {}).values():
        for row in table:
            if isinstance(row, Result) and row.task == settled.row.name and not settled.written_options:
                found.setdefault(row.model, {}).setdefault(row.split, row.mean)
    if people := published_people(settled, IN):
        found["people"] = {IN: people.value}
    return sorted(found.items())


def entry(request: Request, form: Form) -> Response:
    """Return a row with all its metrics, groups and rules."""
    found = site_of(request).database.entry(request.path_params["entry"])
    return page(
        request, "entry.html", entry=found, token=request.query_params.get("token", ""), others=published(found["task"])
    )


def new(request: Request, form: Form) -> Response:
    """Return the form for an upload."""
    return page(request, "upload.html", longest=LONGEST)


def upload(request: Request, form: Form) -> Response:
    """Score files of predictions and put them on the board; their owner gets a token to remove them by."""
    contents = form.get("predictions")
    if not isinstance(contents, list) or not any(contents):
        raise SpecError("choose a file of predictions, as `unseen predict` writes it")
    return _add(request, _said(form), [content for content in contents if content])


def join(request: Request, form: Form) -> Response:
    """Put one's own test on the board."""
    site = site_of(request)
    session = site.database.session(str(form.get("session", "")))
    if session.purpose != "test":
        raise SpecError("only a test can be put on the board; a study has its own data")
    about = _said({"name": form.get("name"), "description": "a person, who took the test here"})
    return _add(request, about, [own_predictions(site, session, about["name"])], session=session.id)


def _add(request: Request, about: dict[str, str], contents: list[bytes], session: str | None = None) -> Response:
    site, token = site_of(request), new_token()
    files = [scored(site, content) for content in contents]
    for one in files:  # a score tells which answers were right
        check_open(request, one["scores"]["task"], one["split"], one["seed"])
    tasks = {one["scores"]["task"] for one in files}
    if len(tasks) > 1:
        raise SpecError(f"the files of an entry answer one task, not {' and '.join(sorted(tasks))}")
    if site.database.board_bytes() + sum(map(len, contents)) > MOST_BOARD:
        raise SpecError("the board is full; whoever runs this site can remove entries")
    splits = [one["split"] for one in files]
    if len(set(splits)) < len(splits):
        raise SpecError("two of the files answer the same split")
    row = {
        **about,
        "id": new_token(),
        "task": tasks.pop(),
        "owner": digest(token),
        "session": session,
        "added": time.time(),
    }
    site.database.add_entry(row, files)
    return see(f"/board/{row['id']}?token={token}")


def scored(site: Site, content: bytes) -> dict[str, Any]:
    """Return a file with its scores, parsed and scored in a process of its own."""
    scores = site.scoring.call(judging.judged, content)
    return {
        "split": scores["split"],
        "seed": scores["seed"],
        "predictions": content,
        "digest": hashlib.sha256(content).hexdigest(),
        "scores": scores,
        "scored": time.time(),
    }


def _said(form: Form) -> dict[str, str]:
    """What somebody says of their entry, checked."""
    about = {name: _text(form, name, most, needed=name == "name") for name, most in LONGEST.items()}
    if about["link"] and urlsplit(about["link"]).scheme not in ("http", "https"):
        raise SpecError("a link begins with http:// or https://")
    return about


def _text(form: Form, name: str, most: int, *, needed: bool = False) -> str:
    value = form.get(name, "")
    text = " ".join(clean(value).split()) if isinstance(value, str) else ""
    if len(text) > most or (needed and not text):
        raise SpecError(f"the {name} of an entry has 1 to {most} characters" if needed else f"the {name} is too long")
    return text


def remove(request: Request, form: Form) -> Response:
    """Take a row off the board: its owner may, and whoever runs the site."""
    site = site_of(request)
    found = site.database.entry(request.path_params["entry"])
    if not (_owns(found, form.get("token")) or site.tokens.is_admin(request)):
        raise Refused("only its owner can remove an entry, by the token that was shown when it was added")
    site.database.remove_entry(found["id"])
    return see("/board")


def _owns(found: dict[str, Any], token: Any) -> bool:
    return isinstance(token, str) and hmac.compare_digest(digest(token.strip()), found["owner"])


def rescore(request: Request, form: Form) -> Response:
    """Score a row once more, which anybody may ask for, as it changes nothing but with the library."""
    site = site_of(request)
    found = site.database.entry(request.path_params["entry"])
    for split in found["files"]:
        scores = site.scoring.call(judging.judged, site.database.predictions(found["id"], split))
        site.database.rescored(found["id"], split, scores)
    return see(f"/board/{found['id']}")


def predictions(request: Request, form: Form) -> Response:
    """Return the file behind a row."""
    content = site_of(request).database.predictions(request.path_params["entry"], request.path_params["split"])
    return file(content, "application/vnd.apache.parquet", name="predictions.parquet")


# ---------------------------------------------------------------------------- out and in again


def export_board(site: Site, folder: Path) -> int:
    """Write the board as a folder of records that `unseen results` reads, and what it takes to import it again."""
    rows = site.database.entries()
    for row in rows:
        # the id of a session opens its pages, so that only its being there goes out
        about = {**{name: row[name] for name in COLUMNS}, "session": "a person's" if row["session"] else None}
        for split in row["files"]:
            content = site.database.predictions(row["id"], split)
            write_whole(folder / FOLDER / f"{row['id']}.{split}.parquet", content)
        splits = {split: one["digest"] for split, one in row["files"].items()}
        write_whole(
            folder / FOLDER / f"{row['id']}{ENDING}", json.dumps({**about, "splits": splits}, indent=1).encode()
        )
        for place, record in _records(row):
            write_whole(folder / place, (json.dumps(record, indent=2) + "\n").encode())
    return len(rows)


def _records(row: dict[str, Any]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """A row as the record of a run without training; answers to a view are no result of the task, and have none."""
    from unseen.core.machine import checkout_commit, this_machine
    from unseen.core.options import parse_id
    from unseen.results.record import FORMAT, Budget, MetricValue, Record, SplitScores

    own = {split: one for split, one in row["files"].items() if not one["scores"]["form"]}
    if not own:
        return
    scores = {
        split: SplitScores(
            one["scores"]["count"],
            one["seed"],
            one["digest"],
            {name: MetricValue(value["value"], value["better"]) for name, value in one["scores"]["metrics"].items()},
        )
        for split, one in own.items()
    }
    name = "".join(c if c.isalnum() or c in "-." else "-" for c in row["name"].lower()).strip("-.") or "entry"
    record = Record(
        format=FORMAT,
        task=row["task"],
        options=parse_id(row["task"])[1],
        seed=0,
        model=name,
        model_options={},
        parameters=None,
        init_from="",
        freeze=(),
        budget=Budget({}, steps=0, examples=0, seconds=0.0, cpu_seconds=None),
        scores=scores,
        benchmark_version=next(iter(own.values()))["scores"]["version"],
        versions={},
        machine=this_machine(),
        commit=checkout_commit(),
    )
    yield record.place, asdict(record)


def import_board(site: Site, folder: Path) -> tuple[int, list[str]]:
    """Read an exported board: files are scored anew, and entries that are there already stay as they are."""
    found = sorted((folder / FOLDER).glob(f"*{ENDING}"))
    if not found:
        raise DataError(f"{folder} holds no board; `unseen serve --export-board {folder}` writes one")
    known = {row["id"] for row in site.database.entries()}
    added, problems = 0, []
    for path in found:
        try:
            about = json.loads(path.read_bytes())
            splits = about.pop("splits")
            row = {**{name: about[name] for name in COLUMNS}, **_said(about)}
            if row["id"] in known or not str(row["id"]).replace("-", "").replace("_", "").isalnum():
                continue
            paths = [folder / FOLDER / Path(f"{row['id']}.{split}.parquet").name for split in splits]
            files = [scored(site, path.read_bytes()) for path in paths]
            site.database.add_entry(row, files)
            added += 1
        except (UnseenError, OSError, ValueError, KeyError, TypeError) as error:
            problems.append(f"{path.name}: {error}")
    return added, problems
