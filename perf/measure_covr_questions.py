"""How many finished, balanced questions a CPU second gives, and how much memory they take.

python perf/measure_covr_questions.py [questions]        20,000 take about a minute and a half
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from pathlib import Path

SETTINGS = {"UNSEEN_CACHE": tempfile.mkdtemp()}  # nothing that was made before


def main(count: int) -> None:
    """Draw the first questions of `covr/iid` and print the rate and the peak of memory."""
    import unseen

    training = unseen.load("covr/iid", "train")
    training[0]  # compiles kernels, and reads the lexicon
    start = time.process_time()
    for index in range(60, 60 + count):
        training[index]
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{count:,} questions in {seconds:.0f} CPU seconds: {count / seconds:.0f} a second; at most {peak:.2f} GB")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
    os.environ |= SETTINGS
    main(int(sys.argv[1]) if sys.argv[1:] else 20_000)
