"""Video objects: follow every object through a video, with no label to learn from; VMDS, its hard sets, SpMOT, VOR."""

from unseen.core.task import Benchmark

BENCHMARK = Benchmark(
    name="video",
    title="Video objects: to segment, and to follow from frame to frame",
    paper="Benchmarking Unsupervised Object Representations for Video Sequences",
    kind="video",
    version=2,
    package="unseen.benchmarks.video",
    view="unseen.benchmarks.video.spec:View",
    metrics=(
        "mota",
        "motp",
        "md",
        "mt",
        "mt_strict",
        "match",
        "miss",
        "id_switches",
        "false_positives",
        "hota",
        "idf1",
        "fg_ari",
        "fg_ari_frames",
        "miou",
        "mbo",
        "video_mse",
    ),
    asks="Find every object of a video, and follow it through all frames.",
    example="vmds test_occlusion",
)

__all__ = ["BENCHMARK"]
