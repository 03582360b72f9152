"""Many runs from one file: tasks x models x seeds x options, and what starts from what. A published table is a sweep.

plan    a file, or a table that ships with a benchmark -> the runs it asks for
claim   which process works on a run, and how far it is
job     one run from training to its record, in a process of its own
cost    what runs cost, measured by a few steps of each
sweep   runs over an engine, those that others start from first
"""

from unseen.sweeps.job import Outcome
from unseen.sweeps.plan import Planned, plan, read_sweep, shipped
from unseen.sweeps.sweep import sweep

__all__ = ["Outcome", "Planned", "plan", "read_sweep", "shipped", "sweep"]
