"""COGITAO: grid to grid; sequences of 28 object transformations, and the scenes they act in."""

from unseen.benchmarks.cogitao.rules import TRANSFORMATIONS, apply, transformation
from unseen.core.task import Benchmark

BENCHMARK = Benchmark(
    name="cogitao",
    title="COGITAO: compositions of object transformations on grids",
    paper="COGITAO: A Procedural Object-Centric Framework to Evaluate Compositional Generalization",
    kind="grid",
    version=1,
    package="unseen.benchmarks.cogitao",
    view="unseen.benchmarks.cogitao.spec:View",
    metrics=(
        "grid_accuracy",
        "cell_accuracy",
        "non_background_accuracy",
        "object_iou",
        "perfect_objects",
        "missed_objects",
        "extra_objects",
        "duplicate_objects",
        "stubbornness",  # of paired test sets
    ),
    asks="Given a grid and the names of some transformations, draw the grid that results.",
    example="c1-1 test_ood",
)

__all__ = ["BENCHMARK", "TRANSFORMATIONS", "apply", "transformation"]
