"""Pages to look at: every benchmark and task has one, examples are drawn when asked for, options have an address."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from starlette.testclient import TestClient

import unseen
from unseen.core.catalogue import BENCHMARKS
from unseen.web.site import Kept, Site

EXAMPLES = {  # of every kind
    "cvr": "/cvr/shape/test_ood/0/7",
    "cogitao": "/cogitao/s1-rotate/test/0/7",
    "svib": "/svib/dsprites-sna/test_ood/0/7",
    "video": "/video/spmot/test/0/7",
    "covr": "/covr/iid/test/0/7",
}


@pytest.mark.parametrize("name", list(BENCHMARKS))
def test_every_benchmark_has_a_page_with_its_tasks_and_rules(client: TestClient, name: str) -> None:
    text = client.get(f"/{name}").text
    assert all(f'href="/{name}/{row.name}"' in text for row in BENCHMARKS[name].rows)
    assert all(f'id="{row["rule"]}"' in text for row in BENCHMARKS[name].file("rules").describe())


@pytest.mark.parametrize("path", EXAMPLES.values(), ids=EXAMPLES)
def test_an_example_of_every_kind_has_a_page(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert "Proven." in answer.text
    assert f'src="/picture/example{path}"' in answer.text
    assert client.get(f"/picture/example{path}").content[1:4] == b"PNG"


@pytest.mark.parametrize("path", EXAMPLES.values(), ids=EXAMPLES)
def test_the_code_on_the_page_loads_this_very_example(client: TestClient, path: str) -> None:
    code = re.search(r"<pre [^>]*><code>(import unseen.*?)</code></pre>", client.get(path).text, re.DOTALL)
    scope: dict[str, object] = {}
    exec(code[1].replace("&#34;", '"').replace("&#39;", "'"), scope)
    shown = client.get(f"/picture/example{path}").content
    assert np.array_equal(np.asarray(scope["example"].show()), np.asarray(Image.open(BytesIO(shown)).convert("RGB")))


@pytest.mark.parametrize(
    ("task", "split", "index"),
    [("cogitao/c1-1", "train", 40), ("cogitao/c1-2", "test_ood", 300), ("covr/iid", "test", 40)],
)
def test_a_machine_that_has_compiled_nothing_draws_in_time(tmp_path: Path, task: str, split: str, index: int) -> None:
    code = (
        "import sys, time; from unseen.web.drawing import Address, picture; began = time.process_time()\n"
        f"drawn = picture(Address({task!r}, {split!r}, 0, {index}))\n"
        "assert time.process_time() - began < 15; sys.stdout.buffer.write(drawn)"
    )
    environment = {**os.environ, "UNSEEN_KERNELS": "plain", "UNSEEN_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
    drawn = np.asarray(Image.open(BytesIO(done.stdout)).convert("RGB"))
    assert np.array_equal(drawn, np.asarray(unseen.load(task, split)[index].show()))


def test_pages_of_all_tasks_are_there(client: TestClient) -> None:
    for name in ("cvr/all", "cogitao/c1-1", "svib/custom", "video/vmds", "covr/iid"):
        text = client.get(f"/{name}").text
        for split in unseen.task(name).splits.values():
            assert f"All {split.size:,} examples" in text


def test_the_options_of_a_form_become_an_address_that_can_be_shared(client: TestClient) -> None:
    answer = client.get("/options/cvr/shape", params={"size": "64", "style": "outline"}, follow_redirects=False)
    assert answer.headers["location"] == "/cvr/shape+size=64"  # the style is the default, and left out
    assert 'value="64"' in client.get("/cvr/shape+size=64/test/0/1").text


@pytest.mark.parametrize(
    "path",
    [
        "/nobody",
        "/cvr/nothing",
        "/cvr/shape/never/0",
        "/cvr/shape/test/0/1000",
        "/cvr/shape/test/0/-1",
        "/cvr/shape/test/x/1",
    ],
)
def test_what_does_not_exist_is_not_found(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_an_option_that_cannot_be_is_said_in_a_sentence(client: TestClient) -> None:
    answer = client.get("/cvr/shape+size=zero")
    assert answer.status_code == 400
    assert "size of cvr/shape cannot be" in answer.text


def test_galleries_go_on_to_the_end_of_a_split(client: TestClient) -> None:
    first = client.get("/cvr/shape/test/0").text
    assert 'href="/cvr/shape/test/0?from=24"' in first
    last = client.get("/cvr/shape/test/0?from=990").text
    assert 'id="more"' not in last
    assert last.count("<figure") == 10


def test_search_finds_rules_setups_and_transformations(client: TestClient) -> None:
    assert 'href="/cvr/shape-contact-2"' in client.get("/search?q=contact shape").text
    assert "rot90" in client.get("/search?q=rot90").text
    assert 'href="/covr/has-quant-all-m250"' in client.get("/search?q=has quant all").text
    nothing = client.get("/search", params={"q": "<script>alert(1)</script>"}).text
    assert "<script>alert" not in nothing
    assert "0 of" in nothing


def test_results_and_runs_are_pages_of_the_site(client: TestClient, site: Site, make_run) -> None:
    make_run(right={"test": 9})
    run = "cogitao/s2-translate/resnet/seed-0"
    assert f'href="/results/run/{run}"' in client.get("/results").text
    assert "On new examples of what it was trained on" in client.get(f"/results/run/{run}").text
    assert client.get("/results/cogitao").status_code == 200
    assert client.get("/results/run/../../site.db").status_code == 404


def test_what_was_drawn_is_kept_within_a_bound() -> None:
    kept = Kept(1000)
    for number in range(100):
        kept.get(number, lambda: bytes(100))
    assert 500 < kept.bytes <= 1000
    assert kept.get(99, lambda: b"made anew") == bytes(100)
    assert kept.get(0, lambda: b"made anew") == b"made anew"


def test_too_large_to_keep_is_not_kept() -> None:
    kept = Kept(100)
    assert len(kept.get("a", lambda: bytes(500))) == 500
    assert kept.bytes == 0
