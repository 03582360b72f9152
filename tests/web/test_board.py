"""The board: files are scored by the library, rows belong to who added them, and the whole goes out and in again."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from starlette.testclient import TestClient

import unseen
from unseen.core.errors import DataError
from unseen.predict import write_predictions
from unseen.web import board
from unseen.web.board import export_board, import_board
from unseen.web.database import Database
from unseen.web.judging import MOST_VALUES, judged
from unseen.web.site import Site


@pytest.fixture
def upload(client: TestClient, tmp_path: Path):
    """Upload answers to the first examples of a split, so many of them right."""

    def upload(
        name: str = "mine",
        *,
        right: int = 3,
        splits=("test",),
        by: TestClient = client,
        task="cvr/inside",
        **fields: str,
    ):
        files = []
        for split in splits:
            truth = [example.target["odd"] for example in unseen.load(task, split)[:4]]
            scores = [
                [float(k == (odd if i < right else (odd + 1) % 4)) for k in range(4)] for i, odd in enumerate(truth)
            ]
            path = tmp_path / f"{name}-{split}.parquet"
            write_predictions(path, unseen.task(task), split, scores, model=name, indices=range(4))
            files.append(("predictions", (path.name, path.read_bytes())))
        token = re.search(r'name="form-token" content="(\w+)"', by.get("/search").text)[1]
        return by.post("/board/new", data={"name": name, "form_token": token, **fields}, files=files)

    return upload


def test_an_upload_is_scored_here_in_and_out_of_distribution(client: TestClient, upload) -> None:
    answer = upload(right=3, splits=("test", "test_ood"), description="<b>bold</b>", link="https://example.org/paper")
    assert answer.status_code == 200
    assert "&lt;b&gt;bold" in answer.text
    text = client.get("/board").text
    assert text.count("75.0") == 2
    assert "published" in text


def test_people_of_the_paper_are_on_the_board(client: TestClient, upload) -> None:
    upload()
    assert "people" in client.get("/board").text


def test_a_name_belongs_to_who_took_it_first(upload) -> None:
    upload("mine", right=3)
    second = upload("mine", right=4)
    assert second.status_code == 400
    assert "choose another name" in second.text


def test_only_its_owner_removes_an_entry(client: TestClient, site: Site, upload, send) -> None:
    answer = upload()
    token = re.search(r'<code id="token">([^<]+)</code>', answer.text)[1]
    place = f"/board/{site.database.entries()[0]['id']}"
    assert "<code id=" not in client.get(place).text  # shown once
    assert send(f"{place}/remove", {"token": "guess"}).status_code == 403
    assert len(site.database.entries()) == 1
    assert send(f"{place}/remove", {"token": token}).status_code == 200
    assert site.database.entries() == []


def test_a_row_can_be_scored_again(client: TestClient, site: Site, upload, send) -> None:
    upload()
    row = site.database.entries()[0]
    site.database.rescored(row["id"], "test", {**row["files"]["test"]["scores"], "count": -1})
    send(f"/board/{row['id']}/again")
    assert site.database.entries()[0]["files"]["test"]["scores"]["count"] == 4


@pytest.mark.parametrize("content", [b"", b"PAR1 and more", b"<html>"])
def test_what_is_no_predictions_file_is_refused_in_a_sentence(client: TestClient, content: bytes) -> None:
    token = re.search(r'name="form-token" content="(\w+)"', client.get("/search").text)[1]
    answer = client.post(
        "/board/new", data={"name": "x", "form_token": token}, files=[("predictions", ("x.parquet", content))]
    )
    assert answer.status_code == 400
    assert "predictions" in answer.text or "Parquet" in answer.text
    assert "/tmp" not in answer.text


def test_a_few_bytes_that_stand_for_millions_of_values_are_refused_before_they_are_read(tmp_path: Path) -> None:
    lists = pa.ListArray.from_arrays(np.array([0, MOST_VALUES], np.int32), pa.array(np.zeros(MOST_VALUES, np.int8)))
    pq.write_table(pa.table({"index": [0], "scores": lists}), tmp_path / "bomb.parquet", compression="zstd")
    content = (tmp_path / "bomb.parquet").read_bytes()
    assert len(content) < 100_000
    with pytest.raises(DataError, match="values, and the most"):
        judged(content)


def test_a_link_that_runs_a_script_is_refused(upload) -> None:
    assert upload(link="javascript:alert(1)").status_code == 400


def test_a_board_that_is_full_takes_no_more(site: Site, upload, monkeypatch: pytest.MonkeyPatch) -> None:
    assert upload("first").status_code == 200
    size = site.database.board_bytes()
    assert size > 100
    monkeypatch.setattr(board, "MOST_BOARD", size + 10)
    assert "the board is full" in upload("second").text


def test_a_board_of_a_stranger_is_imported_as_carefully_as_an_upload(
    site: Site, upload, tmp_path: Path, workers
) -> None:
    upload("first")
    export_board(site, tmp_path / "board")
    (path,) = (tmp_path / "board" / "entries").glob("*.entry.json")
    about = json.loads(path.read_text())
    other = Site(Database(tmp_path / "other.db"))
    other.__dict__["scoring"] = workers
    for change in ({"link": "javascript:alert(1)"}, {"name": "x" * 200}, {"splits": {"../../../site": ""}}):
        path.write_text(json.dumps({**about, **change}))
        added, problems = import_board(other, tmp_path / "board")
        assert (added, len(problems)) == (0, 1)
    other.database.close()


def rows_of(site: Site) -> list[object]:
    """The rows of a board without the times at which they were scored."""
    scores = lambda row: {split: one["scores"] for split, one in row["files"].items()}  # noqa: E731
    return [(row["name"], row["owner"], scores(row)) for row in site.database.entries()]


def test_an_exported_board_is_read_by_results_and_imported_to_the_same_board(
    site: Site, upload, tmp_path: Path, workers
) -> None:
    upload("first", right=3, splits=("test", "test_ood"))
    upload("second", right=1)
    folder = tmp_path / "board"
    assert export_board(site, folder) == 2
    found = unseen.results("cvr", records=[str(folder)])
    assert len(found.records) == 2
    assert not [one for one in found.left_out if "record" not in one]
    other = Site(Database(tmp_path / "other.db"))
    other.__dict__["scoring"] = workers
    assert import_board(other, folder) == (2, [])
    assert import_board(other, folder) == (0, [])
    assert rows_of(other) == rows_of(site)
    other.database.close()


def test_a_person_who_took_the_test_finds_themselves_on_the_board(client: TestClient, send) -> None:
    path = send("/test", {"task": "cvr/shape", "split": "test", "count": "1"}, follow_redirects=False).headers[
        "location"
    ]
    send(path, {"choice": "1", "position": "0"})
    session = path.rpartition("/")[2]
    assert send("/board/me", {"session": session, "name": "Ada"}).status_code == 200
    assert ">Ada</a>" in client.get("/board").text
