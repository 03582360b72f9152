"""Where does the time of an example go? A profile of one configuration, hottest functions first.

python perf/profile_examples.py cogitao/c1-1 train 20000
"""

from __future__ import annotations

import cProfile
import pstats
import sys

import unseen
from unseen.report.speed import WARM_UP, draw_each


def main(name: str = "cogitao/c1-1", split: str = "train", count: str = "20000") -> None:
    dataset = unseen.load(name, split)
    draw_each(dataset, range(WARM_UP))
    profile = cProfile.Profile()
    profile.runcall(draw_each, dataset, range(int(count)))
    pstats.Stats(profile).sort_stats("tottime").print_stats(20)


if __name__ == "__main__":
    main(*sys.argv[1:])
