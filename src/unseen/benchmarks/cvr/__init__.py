"""CVR: odd one out of four images; 103 rules over nine elementary relations."""

from unseen.benchmarks.cvr.splits import add_rule
from unseen.core.task import Benchmark

BENCHMARK = Benchmark(
    name="cvr",
    title="CVR: compositional visual relations, odd one out of four images",
    paper="A Benchmark for Compositional Visual Reasoning",
    kind="odd",
    version=2,
    package="unseen.benchmarks.cvr",
    view="unseen.benchmarks.cvr.spec:View",
    metrics=("odd_accuracy",),
    asks="Of four images, three follow a rule: point at the one that breaks it.",
    example="shape-contact-2 test_ood",
)

__all__ = ["BENCHMARK", "add_rule"]
