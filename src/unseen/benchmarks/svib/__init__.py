"""SVIB: imagine the next image of objects in combinations never seen, under one rule; flat sprites to textured 3-D."""

from unseen.benchmarks.svib.splits import combinations
from unseen.core.task import Benchmark

BENCHMARK = Benchmark(
    name="svib",
    title="SVIB: systematic visual imagination",
    paper="Imagine the Unseen World: A Benchmark for Systematic Generalization in Visual World Models",
    kind="image",
    version=2,
    package="unseen.benchmarks.svib",
    view="unseen.benchmarks.svib.spec:View",
    metrics=("mse", "lpips", "mse_per_value", "ssim", "psnr", "mse_first_320", "lpips_first_320"),
    asks="Given an image of two objects, draw the next image under a hidden rule.",
    example="dsprites-mna test_ood",
)

__all__ = ["BENCHMARK", "combinations"]
