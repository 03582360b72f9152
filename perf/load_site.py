"""What `unseen serve` bears: so many people in a study at once, and how long storing a trial and showing a page take.

python perf/load_site.py                        # 100 people for 20 seconds, on loopback
python perf/load_site.py --people 10 --seconds 2

A site is started on a free port over a database of its own. People arrive, answer a trial every second or so, and look
at pages of examples that were drawn before. It prints the median and the 95th percentile of both, as JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

STUDY = """
title = "Load"
tasks = ["cvr/shape", "cvr/size", "cvr/color", "cvr/inside"]
blocks = 4
trials = 60
pool = 60
"""
THINKING = (0.5, 1.5)  # seconds between two trials of a person
PAGES = [f"/cvr/shape/test/0/{index}" for index in range(10)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=20.0)
    asked = parser.parse_args()
    if not 1 <= asked.people <= 500 or not 0 < asked.seconds <= 300:
        parser.error("at most 500 people for 300 seconds")
    with tempfile.TemporaryDirectory() as folder:
        study = Path(folder) / "load.toml"
        study.write_text(STUDY)
        print(json.dumps(measure(Path(folder), study, asked.people, asked.seconds), indent=1))


def start(folder: Path, study: Path, port: int = 0) -> tuple[subprocess.Popen[str], str]:
    """Start a site, and give its process and its address."""
    command = [sys.executable, "-m", "unseen", "serve", "--port", str(port), "--study", str(study)]
    command += ["--database", str(folder / "site.db")]
    environment = {**os.environ, "UNSEEN_KERNELS": "auto"}  # as people start it: nobody waits for the compiler
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found, "the site did not start"
    return process, found[0].rstrip("/")


def measure(folder: Path, study: Path, people: int, seconds: float) -> dict[str, Any]:
    process, address = start(folder, study)
    with process:
        try:
            return asyncio.run(load(address, people, seconds))
        finally:
            process.terminate()


class Person:
    """Somebody who takes part in the study."""

    def __init__(self, address: str) -> None:
        limits = httpx.Limits(max_connections=4)
        self.client = httpx.AsyncClient(base_url=address, limits=limits, timeout=60)

    async def arrive(self) -> None:
        """Begin the study."""
        page = await self.client.get("/study/load")
        self.token = re.search(r'name="form-token" content="(\w+)"', page.text)[1]
        answer = await self.client.post("/study/load", data={"form_token": self.token})
        self.path = answer.headers["location"]
        state = (await self.client.get(f"{self.path}/state")).json()
        self.steps = list(enumerate(state["steps"], state["position"]))

    async def step(self) -> tuple[str, float, int]:
        """Answer the next step: what kind it was, how long that took, and where it was."""
        at, step = self.steps.pop(0)
        if step["kind"] == "odd":
            await asyncio.gather(*(self.client.get(f"{self.path}/image/{at}/{k}") for k in range(4)))
        body = {"choice": random.randrange(4), "rt": 800} if step["kind"] == "odd" else {}
        began = time.perf_counter()
        answer = await self.client.post(f"{self.path}/step/{at}", json=body, headers={"X-Form-Token": self.token})
        taken = time.perf_counter() - began
        answer.raise_for_status()
        return step["kind"], taken, at


async def load(address: str, people: int, seconds: float) -> dict[str, Any]:
    async with httpx.AsyncClient(base_url=address, timeout=120) as client:
        for page in PAGES:  # drawn before
            (await client.get(page)).raise_for_status()
        found = [Person(address) for _ in range(people)]
        for some in range(0, people, 10):
            await asyncio.gather(*(one.arrive() for one in found[some : some + 10]))
        stored: list[float] = []
        shown: list[float] = []
        until = time.perf_counter() + seconds

        async def take_part(person: Person) -> None:
            await asyncio.sleep(random.random() * THINKING[1])
            while time.perf_counter() < until and person.steps:
                kind, taken, _ = await person.step()
                if kind == "odd":
                    stored.append(taken)
                await asyncio.sleep(random.uniform(*THINKING))

        async def look() -> None:
            while time.perf_counter() < until:
                began = time.perf_counter()
                (await client.get(random.choice(PAGES))).raise_for_status()
                shown.append(time.perf_counter() - began)
                await asyncio.sleep(0.1)

        await asyncio.gather(look(), *map(take_part, found))
        for person in found:
            await person.client.aclose()
    return {"people": people, "seconds": seconds, "trial_stored": spread(stored), "example_page": spread(shown)}


def spread(times: list[float]) -> dict[str, float]:
    """How often, and the median and the 95th percentile in milliseconds."""
    order = sorted(times)
    at = lambda share: round(1000 * order[min(len(order) - 1, int(share * len(order)))], 1)  # noqa: E731
    return {"count": len(order), "median_ms": at(0.5), "p95_ms": at(0.95)} if order else {"count": 0}


if __name__ == "__main__":
    main()
