"""How many rewards a second of CPU time one core gives, for every form of every benchmark.

python perf/measure_rewards.py [count]

Answers are right ones, which take longest to read and compare. Each example is rewarded once, as if it had just been
drawn; its record is there, its arrays are not, and what was worked out for its answer is forgotten.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from itertools import islice

import unseen
from unseen.benchmarks.svib.choices import choices
from unseen.core.asking import forms_of
from unseen.core.catalogue import BENCHMARKS
from unseen.core.task import Example

TASKS = ("cogitao/c1-1", "cvr/all", "svib/dsprites-mna", "svib/clevr-mna", "video/vmds", "covr/iid")


def measured(count: int) -> Iterator[tuple[str, str, float]]:
    """Task, form, and rewards a second."""
    for task in TASKS:
        for form in forms_of(BENCHMARKS[task.partition("/")[0]]).values():
            examples = list(islice(filter(form.asks, unseen.load(task, "train")), count))
            answers = [form.say(form.truth(example)) for example in examples]
            fresh = [Example(one.task, one.split, one.index, one.record) for one in examples]
            unseen.reward(fresh[0], answers[0], form=form.name)  # compiles what is not compiled yet
            choices.cache_clear()
            began = time.process_time()
            for example, answer in zip(fresh, answers, strict=True):
                unseen.reward(example, answer, form=form.name)
            yield task, form.name, count / (time.process_time() - began)


if __name__ == "__main__":
    for task, form, rate in measured(int(sys.argv[1]) if len(sys.argv) > 1 else 200):
        print(f"{task:20} {form:10} {rate:10,.0f} rewards/s")
