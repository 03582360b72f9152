"""What do trivial solvers reach on every rule of CVR? Writes what the page on CVR shows.

python perf/measure_cvr_audit.py docs/measured/audit.json 1500 shape size

The number is that of problems of each rule and version, the first of which the learned solver learns from. Without
names all rules are audited. What is in the file already is kept, unless it is named, or the benchmark's content or what
the rule declares has changed since; so a run that was ended goes on.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import unseen
from unseen.audit.run import Audit, audit, plain
from unseen.benchmarks.cvr.rules import BY_NAME, RULES
from unseen.benchmarks.cvr.vocabulary import Rule
from unseen.cli.output import progress_bar
from unseen.core.catalogue import BENCHMARKS
from unseen.core.files import written_aside

SPLITS = ("train", "test_ood")
SHOWN, TELLING = 4, 0.4  # findings of a split that are kept: the highest few, if they tell anything


def main(path: str, count: str, *names: str) -> None:
    """Audit rules one after the other, and write the file anew after each."""
    file = Path(path)
    known = {(one["task"], one["split"]): one for one in (json.loads(file.read_text()) if file.exists() else [])}
    with progress_bar() as progress:
        for rule in RULES:
            task = unseen.task(f"cvr/{rule.name}")
            for split in SPLITS:
                basis = {"count": int(count), **basis_of(rule)}
                current = basis.items() <= known.get((task.id, split), {}).items()
                if rule.name in names or not (names or current):
                    found = audit(task, split, count=int(count), progress=progress)
                    known[task.id, split] = shortened(found)
                    write(file, known)


def basis_of(rule: Rule) -> dict[str, Any]:
    """What an audit of a rule depends on: the benchmark's content, and the statistics that are declared, as a digest.

    The reasons may be put into other words.
    """
    declared = hashlib.sha256(" ".join(sorted(rule.tells)).encode()).hexdigest()[:16]
    return {"content": BENCHMARKS["cvr"].version, "declared": declared}


def shortened(found: Audit) -> dict[str, Any]:
    """An audit with its highest findings and what was learned, rounded, and with what it depends on."""
    highest = sorted(found.findings, key=lambda one: -one.value)
    told = [one.solver for one in highest if one.value >= TELLING][:SHOWN]
    told += [one.solver for one in highest if one.held][:1]
    told += [one.solver for one in highest if one.solver != "learned"][:1]
    whole = plain(found)
    rows = [_rounded(one) for one in whole["findings"] if one["solver"] in (*told, "learned")]
    basis = basis_of(BY_NAME[found.task.removeprefix("cvr/").replace("-", "_")])
    return {**whole, **basis, "findings": rows, "worst": whole["worst"] and _rounded(whole["worst"])}


def _rounded(finding: dict[str, Any]) -> dict[str, Any]:
    kept = ("solver", "metric", "value", "bound", "reason")
    return {name: round(finding[name], 4) if name == "value" else finding[name] for name in kept}


def write(file: Path, known: dict[tuple[str, str], dict[str, Any]]) -> None:
    """Write all that is known, in the order of the rules, a line each."""
    order = [(f"cvr/{rule.name.replace('_', '-')}", split) for rule in RULES for split in SPLITS]
    lines = [json.dumps(known[place]) for place in order if place in known]
    with written_aside(file) as aside:
        aside.write_text("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
