"""COVR: questions over sets of images, answered by programs over their scene graphs."""

from unseen.benchmarks.covr.questions.execute import execute
from unseen.core.task import Benchmark

BENCHMARK = Benchmark(
    name="covr",
    title="COVR: compositional questions over sets of images",
    paper="COVR: A Test-Bed for Visually Grounded Compositional Generalization with Real Images",
    kind="question",
    version=2,
    package="unseen.benchmarks.covr",
    view="unseen.benchmarks.covr.spec:View",
    metrics=("answer_accuracy",),
    asks="Answer a question about several images, among them images that nearly fit.",
    example="has-quant-all-m250 test_ood",
)

__all__ = ["BENCHMARK", "execute"]
