"""Does a vision model understand compositions it has never seen? Five benchmarks, one library."""

from unseen import benchmarks
from unseen.core.catalogue import task, tasks
from unseen.data.dataset import load

__version__ = "0.1.0"
__all__ = ["benchmarks", "load", "task", "tasks"]
