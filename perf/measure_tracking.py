"""How long does tracking evaluation take? CPU time for so many videos of 10 frames of 64x64, background removed.

python perf/measure_tracking.py 1000
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from time import process_time

import numpy as np

from unseen.benchmarks.video.paper import EVALUATION_MILLISECONDS
from unseen.metrics.tracking import evaluate, evaluate_published, to_published

FRAMES, SIDE, LARGEST = 10, 64, 20
REPEATS = 5


def videos(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Videos of 1 to 4 boxes that drift, and predictions that are off by a pixel and have a background slot."""
    rng = np.random.default_rng(0)
    truth = np.zeros((count, FRAMES, SIDE, SIDE), np.uint8)
    for video in truth:
        for label in range(1, 1 + rng.integers(1, 5)):
            height, width = rng.integers(8, LARGEST, 2)
            y, x = rng.integers(FRAMES, SIDE - LARGEST - FRAMES, 2)
            down, right = rng.integers(-1, 2, 2)
            for t, frame in enumerate(video):
                frame[y + t * down : y + t * down + height, x + t * right : x + t * right + width] = label
    predictions = np.roll(truth, 1, axis=3) + np.uint8(1)
    return truth, predictions


def least(work: Callable[[], object]) -> float:
    """CPU seconds, the best of some; the first call, which compiles, is not counted."""
    work()
    seconds = []
    for _ in range(REPEATS):
        start = process_time()
        work()
        seconds.append(process_time() - start)
    return min(seconds)


def main(count: str = "1000") -> None:
    truth, predictions = videos(int(count))
    files = json.dumps(to_published(truth, truth=True)), json.dumps(to_published(predictions, truth=False))
    measured = {
        "label maps": least(lambda: evaluate(truth, predictions)),
        "published files, parsed": least(lambda: evaluate_published(*map(json.loads, files))),
    }
    for name, seconds in measured.items():
        published = 1e-3 * EVALUATION_MILLISECONDS * int(count)
        print(f"{name:<26} {1e3 * seconds:8.1f} ms   {published / seconds:6.0f} times as fast as published")


if __name__ == "__main__":
    main(*sys.argv[1:])
