"""The published results as data: Table 2, the appendix tables, and the texVMDS board of the authors' repository.

Scores are in percent, as printed, but for the MSE, which is summed over pixels and channels; a spread is the population
standard deviation over three training seeds. Tables are kept as text in the paper's layout, so that they can be checked
against it line by line, and are read when this file is imported.

Held against each other, the numbers of Table 2 are the means and spreads of the runs in Table E.1. The text of the
ablation study names the numbers of Table E.5 in the other order than the table does, which is followed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from unseen.core.paper import Citation, Rate, Result, Speed
from unseen.core.recipe import Recipe

CITATION = Citation(
    key="weis2021video",
    authors=(
        "Weis, Marissa A.",
        "Chitta, Kashyap",
        "Sharma, Yash",
        "Brendel, Wieland",
        "Bethge, Matthias",
        "Geiger, Andreas",
        "Ecker, Alexander S.",
    ),
    title="Benchmarking Unsupervised Object Representations for Video Sequences",
    year=2021,
    arxiv="2006.07034",
    journal="Journal of Machine Learning Research",
)


@dataclass(frozen=True)
class Score:
    """One number of a table: how a model did on a set, by one metric."""

    task: str  # "vmds"
    model: str  # with a star: trained on videos in which size, color and orientation change
    split: str
    metric: str  # as registered, "mota"
    value: float
    spread: float | None = None  # population standard deviation over seeds
    run: int | None = None  # of a single training run, from 1


METRICS = ("mota", "motp", "md", "mt", "match", "miss", "id_switches", "false_positives", "video_mse")


def _scores(names: dict[str, str], numbers: list[str], metrics: tuple[str, ...]) -> Iterator[Score]:
    """The numbers of a line: a value for each metric, or a value and its spread."""
    spreads = len(numbers) == 2 * len(metrics)
    values = numbers[::2] if spreads else numbers
    run = int(names.pop("run")) if "run" in names else None
    for i, (metric, value) in enumerate(zip(metrics, values, strict=True)):
        spread = float(numbers[2 * i + 1]) if spreads else None
        yield Score(**names, metric=metric, value=float(value), spread=spread, run=run)


def _table(text: str, *columns: str, metrics: tuple[str, ...] = METRICS, **fixed: str) -> tuple[Score, ...]:
    """Read a table: columns that say what a line is of, then its numbers."""
    scores: list[Score] = []
    for line in text.strip().splitlines():
        words = line.split()
        names = dict(zip(columns, words, strict=False))
        scores += _scores({**fixed, **names}, words[len(columns) :], metrics)
    return tuple(scores)


# ---------------------------------------------------------------------------- Table 2: all sets

#             MOTA       MOTP         MD         MT      Match       Miss      ID S.        FPs        MSE
TABLE_2 = """
spmot monet   70.2  0.8  89.6  1.0  92.4  0.6  50.4  2.4  75.3  1.3   4.4  0.4  20.3  1.6   5.1  0.5  13.0  2.0
spmot vimon   92.9  0.2  91.8  0.2  87.7  0.8  87.2  0.8  95.0  0.2   4.8  0.2   0.2  0.0   2.1  0.1  11.1  0.6
spmot tba     79.7 15.0  71.2  0.3  83.4  9.7  80.0 13.6  87.8  9.0   9.6  6.0   2.6  3.0   8.1  6.0  11.9  1.9
spmot op3     89.1  5.1  78.4  2.4  92.4  4.0  91.8  3.8  95.9  2.2   3.7  2.2   0.4  0.0   6.8  2.9  13.3 11.9
spmot scalor  94.9  0.5  80.2  0.1  96.4  0.1  93.2  0.7  95.9  0.4   2.4  0.0   1.7  0.4   1.0  0.1   3.4  0.1
vor   monet   37.0  6.8  81.7  0.5  76.9  2.2  37.3  7.8  64.4  5.0  15.8  1.6  19.8  3.5  27.4  2.3  12.2  1.4
vor   vimon   89.0  0.0  89.5  0.5  90.4  0.5  90.0  0.4  93.2  0.4   6.5  0.4   0.3  0.0   4.2  0.4   6.4  0.6
vor   op3     65.4  0.6  89.0  0.6  88.0  0.6  85.4  0.5  90.7  0.3   8.2  0.4   1.1  0.2  25.3  0.6   3.0  0.1
vor   scalor  74.6  0.4  86.0  0.2  76.0  0.4  75.9  0.4  77.9  0.4  22.1  0.4   0.0  0.0   3.3  0.2   6.4  0.1
vmds  monet   49.4  3.6  78.6  1.8  74.2  1.7  35.7  0.8  66.7  0.7  13.6  1.0  19.7  0.6  17.2  3.1  22.2  2.2
vmds  vimon   86.8  0.3  86.8  0.0  86.2  0.3  85.0  0.3  92.3  0.2   7.0  0.2   0.7  0.0   5.5  0.1  10.7  0.1
vmds  tba     54.5 12.1  75.0  0.9  62.9  5.9  58.3  6.1  75.9  4.3  21.0  4.2   3.2  0.3  21.4  7.8  28.1  2.0
vmds  op3     91.7  1.7  93.6  0.4  96.8  0.5  96.3  0.4  97.8  0.1   2.0  0.1   0.2  0.0   6.1  1.5   4.3  0.2
vmds  scalor  74.1  1.2  87.6  0.4  67.9  1.1  66.7  1.1  78.4  1.0  20.7  1.0   0.8  0.0   4.4  0.4  14.0  0.1
"""

# ---------------------------------------------------------------------------- Table E.1: the runs behind it

#              run  MOTA   MOTP     MD     MT  Match   Miss  ID S.    FPs    MSE
TABLE_E1 = """
spmot  monet   1   70.0   90.6   92.8   49.4   74.7    4.1   21.2    4.7   10.4
spmot  monet   2   69.4   90.0   92.7   48.1   74.2    4.1   21.6    4.8   13.4
spmot  monet   3   71.3   88.1   91.6   53.8   77.1    4.9   18.0    5.8   15.2
spmot  vimon   1   92.7   92.0   87.5   87.0   94.9    4.9    0.2    2.2   10.5
spmot  vimon   2   92.8   92.0   86.9   86.3   94.8    5.0    0.2    2.0   11.8
spmot  vimon   3   93.2   91.6   88.8   88.3   95.2    4.6    0.2    2.0   10.9
spmot  tba     1   90.5   71.4   90.2   89.8   94.4    5.3    0.3    3.9   10.3
spmot  tba     2   58.4   70.7   69.6   60.8   75.0   18.1    6.9   16.6   14.6
spmot  tba     3   90.1   71.5   90.3   89.4   94.0    5.5    0.5    3.9   10.9
spmot  op3     1   92.4   80.0   94.5   93.7   97.3    2.4    0.4    4.8    4.3
spmot  op3     2   81.9   74.9   86.9   86.5   92.8    6.8    0.3   10.9   30.1
spmot  op3     3   92.9   80.1   95.9   95.2   97.6    2.0    0.4    4.7    5.6
spmot  scalor  1   94.4   80.1   96.5   92.3   95.4    2.4    2.2    1.0    3.3
spmot  scalor  2   94.7   80.2   96.4   93.1   95.8    2.4    1.8    1.1    3.4
spmot  scalor  3   95.5   80.2   96.3   94.0   96.4    2.4    1.2    0.9    3.6
vor    monet   1   28.0   81.3   73.8   26.7   57.4   18.0   24.6   29.4   14.1
vor    monet   2   44.5   82.4   78.2   45.4   68.7   15.0   16.3   24.2   11.8
vor    monet   3   38.5   81.6   78.7   39.8   67.0   14.4   18.5   28.5   10.8
vor    vimon   1   89.0   88.9   90.2   89.8   92.9    6.8    0.3    3.9    7.1
vor    vimon   2   89.0   89.8   89.9   89.6   93.0    6.8    0.2    4.0    6.2
vor    vimon   3   89.0   89.9   91.0   90.6   93.8    6.0    0.2    4.8    5.9
vor    op3     1   64.8   89.5   87.2   85.1   90.3    8.8    0.9   25.5    3.1
vor    op3     2   66.2   88.1   88.6   85.1   90.7    7.9    1.4   24.5    2.9
vor    op3     3   65.3   89.3   88.2   86.1   91.1    8.0    0.9   25.8    3.0
vor    scalor  1   74.1   85.8   75.6   75.5   77.4   22.6    0.0    3.3    6.4
vor    scalor  2   74.6   86.0   75.9   75.9   78.1   21.9    0.1    3.5    6.4
vor    scalor  3   75.1   86.1   76.5   76.4   78.2   21.7    0.0    3.1    6.3
vmds   monet   1   51.7   79.6   75.1   36.7   67.6   12.9   19.5   15.9   20.8
vmds   monet   2   44.3   76.1   71.8   34.8   65.9   15.0   19.1   21.5   25.3
vmds   monet   3   52.2   80.2   75.6   35.5   66.5   13.0   20.5   14.2   20.4
vmds   vimon   1   87.0   86.8   86.7   85.4   92.4    6.8    0.7    5.5   10.6
vmds   vimon   2   87.1   86.8   86.1   85.1   92.3    7.1    0.6    5.3   10.8
vmds   vimon   3   86.5   86.7   86.0   84.6   92.1    7.2    0.7    5.6   10.6
vmds   tba     1   68.5   76.1   69.3   65.3   80.7   16.5    2.8   12.2   26.0
vmds   tba     2   38.9   73.8   55.1   50.5   70.2   26.6    3.2   31.3   30.8
vmds   tba     3   56.0   75.0   64.3   59.2   76.7   19.8    3.5   20.8   27.5
vmds   op3     1   93.1   94.2   97.2   96.7   98.0    1.9    0.2    4.9    4.0
vmds   op3     2   92.7   93.4   96.9   96.3   97.8    2.0    0.2    5.1    4.3
vmds   op3     3   89.4   93.3   96.2   95.8   97.6    2.2    0.2    8.3    4.6
vmds   scalor  1   75.7   88.1   69.4   68.3   79.8   19.4    0.8    4.0   13.9
vmds   scalor  2   72.7   87.2   66.7   65.6   77.6   21.6    0.8    4.9   14.2
vmds   scalor  3   73.7   87.6   67.5   66.2   77.9   21.2    0.9    4.2   14.0
"""

# ---------------------------------------------------------------------------- Table E.2: challenge sets of VMDS

#                           MOTA         MOTP         MT
TABLE_E2 = """
test_occlusion   vimon     67.1  0.4    82.5  0.0    63.0  0.1
test_occlusion   tba       37.5 10.4    72.8  0.8    38.3  4.6
test_occlusion   op3       85.3  1.0    91.6  0.4    89.6  0.9
test_occlusion   scalor    58.8  1.0    86.6  0.4    46.8  1.2
test_same_color  vimon     72.2  0.1    83.6  0.1    70.4  0.3
test_same_color  tba       47.2  9.4    73.0  0.7    45.2  3.9
test_same_color  op3       51.5  1.3    86.5  0.3    66.3  1.3
test_same_color  scalor    53.7  1.1    83.4  0.3    46.2  1.1
test_small       vimon     86.3  0.2    83.3  0.2    83.4  0.4
test_small       tba       74.3  0.7    71.9  0.4    65.3  1.6
test_small       op3       93.3  1.6    93.0  0.4    97.0  0.2
test_small       scalor    74.4  0.7    86.1  0.4    67.6  1.3
test_large       vimon     70.7  0.5    85.1  0.1    76.1  0.7
test_large       tba       25.6 15.0    73.4  0.9    44.7  6.7
test_large       op3       83.8  2.0    92.2  0.4    93.5  0.4
test_large       scalor    66.1  1.9    86.6  0.5    62.4  1.4
"""

# ---------------------------------------------------------------------------- Table E.3: sets out of distribution

#                           MOTA         MOTP         MD           MT
TABLE_E3 = """
test_size        vimon     61.4  2.5    78.0  0.3    71.3  2.1    66.8  1.9
test_size        vimon*    80.3  0.9    82.1  0.5    82.5  0.4    79.8  0.5
test_size        tba       52.3  8.7    73.3  0.7    59.8  4.9    51.8  4.9
test_size        tba*       1.3  7.8    68.4  1.9    30.6  4.5    24.8  3.4
test_size        op3       87.0  1.9    90.8  0.4    96.4  0.1    95.3  0.1
test_size        op3*      84.0  2.8    91.2  1.0    95.9  0.8    94.5  1.2
test_size        scalor    68.1  1.7    84.9  0.4    63.3  1.7    60.0  2.0
test_size        scalor*   67.5  1.2    85.2  0.6    61.2  1.2    57.1  0.7
test_color       vimon     87.4  0.4    86.2  0.2    86.4  0.1    85.0  0.2
test_color       vimon*    84.5  0.6    84.6  0.5    83.4  0.5    81.8  0.3
test_color       tba       56.1 11.4    75.1  0.9    63.7  5.4    59.0  5.2
test_color       tba*     -16.5  8.1    69.6  1.5    29.1  3.8    25.4  3.3
test_color       op3       90.8  1.2    93.5  0.5    97.3  0.1    95.8  0.1
test_color       op3*      83.6  3.7    91.6  1.3    95.5  0.5    92.9  1.6
test_color       scalor    75.5  1.1    89.9  0.5    67.0  1.4    65.7  1.6
test_color       scalor*   73.3  0.7    89.8  0.5    64.8  1.1    63.0  0.9
test_rotation    vimon    -10.4  4.0    70.5  0.4    39.5  2.6    29.8  1.0
test_rotation    vimon*    78.7  1.6    82.0  0.6    79.2  0.4    76.4  0.6
test_rotation    tba       52.4  9.9    73.6  0.8    59.3  6.2    49.8  5.5
test_rotation    tba*      -7.5  7.9    69.4  1.4    26.6  4.0    20.6  3.4
test_rotation    op3       54.7  5.7    84.2  0.7    87.1  1.7    80.5  2.5
test_rotation    op3*      74.5  2.2    89.8  0.7    94.8  0.6    93.3  0.8
test_rotation    scalor    46.5  1.8    82.1  0.5    41.9  1.7    37.1  1.3
test_rotation    scalor*   61.6  1.4    83.5  0.4    53.4  1.5    50.2  1.1
"""

# ---------------------------------------------------------------------------- Table E.5: parts of ViMON left out

#                                  MOTA   MOTP     MD     MT  Match   Miss  ID S.    FPs    MSE
TABLE_E5 = """
vimon-without-mask-conditioning   70.6   87.8   75.7   66.0   81.4   13.4    5.2   10.8   16.9
vimon-without-gru                 81.4   86.9   79.8   77.3   88.2   10.3    1.4    6.8   18.9
"""

# ---------------------------------------------------------------------------- texVMDS, added after the paper

#        MOTA        MOTP          MD          MT       Match        Miss       ID S.         FPs         MSE
TEXVMDS = """
monet   -73.3  5.5   67.7  1.1   16.0  3.4   12.3  3.1   24.7  4.7   73.1  5.1    2.2  0.8   98.0  1.7  200.5  5.7
vimon   -85.5  2.8   69.0  0.6   24.2  1.3   23.8  1.4   34.7  1.7   65.0  1.7    0.3  0.0  120.2  2.5  171.4  3.3
scalor  -99.2 11.7   74.0  0.5    6.5  0.6    6.3  0.6   12.3  0.4   87.5  0.4    0.2  0.0  111.5 11.4  133.7 11.1
op3    -110.4  4.3   70.6  0.6   16.5  5.1   16.2  5.0   22.9  6.6   76.9  6.7    0.2  0.1  133.4  2.9  132.8 16.2
"""

SCORES: dict[str, tuple[Score, ...]] = {
    "2": _table(TABLE_2, "task", "model", split="test"),
    "E.1": _table(TABLE_E1, "task", "model", "run", split="test"),
    "E.2": _table(TABLE_E2, "split", "model", task="vmds", metrics=("mota", "motp", "mt")),
    "E.3": _table(TABLE_E3, "split", "model", task="vmds", metrics=("mota", "motp", "md", "mt")),
    "E.5": _table(TABLE_E5, "model", task="vmds", split="test"),
    "texVMDS": _table(TEXVMDS, "model", task="texvmds", split="test"),
}


def _result(score: Score) -> Result:
    """A score as a mean over seeds, with the deviation that is printed."""
    return Result(score.task, score.model, score.split, score.value, score.spread)


SEEDS = 3  # runs behind every number with a spread
TABLES: dict[str, tuple[Result, ...]] = {  # means over seeds of the first metric; single runs are in SCORES only
    name: tuple(_result(score) for score in scores if score.metric == METRICS[0])
    for name, scores in SCORES.items()
    if name != "E.1"
}
TITLES = {
    "2": "Tracking on all sets",
    "E.2": "Challenge sets of VMDS",
    "E.3": "VMDS out of distribution",
    "E.5": "ViMON without some of its parts",
    "texVMDS": "VMDS with natural textures",
}

# ---------------------------------------------------------------------------- recipes: appendix C

ADAM = Recipe(optimizer="adam", weight_decay=0.0, schedule="constant", warmup=0, clip=0.0, learning_rate=1e-4)
# Rates are cut to a third where the validation loss does not fall any more; weights are those of the least error
MONET = replace(ADAM, batch_size=64, epochs=600, schedule="plateau", plateau=25, cut=1 / 3, select="val:squared_error")
VIMON = replace(MONET, batch_size=32, epochs=1000, plateau=100)
# Unstable: the paper takes the weights of the least divergence from before training falls apart
OP3 = replace(ADAM, batch_size=16, epochs=300, learning_rate=3e-4, clip=5.0, select="val:divergence")
TBA = replace(ADAM, batch_size=64, epochs=1000, learning_rate=5e-4, betas=(0.9, 0.99), weight_decay=1e-6, clip=5.0)
SCALOR = replace(ADAM, batch_size=16, epochs=300, clip=1.0)  # RMSprop in the authors' program; Adam here
# Of the SAVi paper, for videos of MOVi; this benchmark's paper does not have the model
SAVI = replace(
    ADAM, batch_size=64, epochs=1, least_steps=100_000, learning_rate=2e-4, schedule="cosine", warmup=2500, clip=0.05
)
RECIPES: dict[str | tuple[str, str], Recipe] = {
    "monet": MONET,
    "vimon": VIMON,
    ("vimon", "vor"): replace(VIMON, batch_size=24, learning_rate=7.5e-5),
    "iodine": OP3,
    "op3": OP3,
    ("op3", "spmot"): replace(OP3, learning_rate=1e-4),
    "tba": TBA,
    "scalor": SCALOR,
    ("scalor", "vmds"): replace(SCALOR, epochs=400),
    "savi": SAVI,
    "savi-hint": SAVI,
}

EPOCHS = {  # of a training on VMDS
    model: RECIPES.get((model, "vmds"), RECIPES[model]).epochs for model in ("monet", "vimon", "tba", "op3", "scalor")
}

# ---------------------------------------------------------------------------- Table E.4: cost


@dataclass(frozen=True)
class Cost:
    """What a model took on one RTX 2080 Ti: an hour of training on VMDS, and its test set in batches of one."""

    model: str
    resolution: int  # pixels a side
    parameters: int
    train_batch: int
    train_mebibytes: int
    iterations: int  # in an hour
    epochs: float  # in an hour
    test_mebibytes: int
    seconds_a_video: float
    seconds_in_all: int


COSTS = (
    Cost("vimon", 64, 714_900, 18, 10_860, 3687, 6.63, 910, 0.28, 279),
    Cost("tba", 128, 3_884_644, 64, 10_564, 4421, 28.29, 972, 0.24, 245),  # parameters do not depend on the resolution
    Cost("op3", 64, 876_305, 10, 10_874, 2204, 2.20, 4092, 0.54, 544),
    Cost("scalor", 64, 2_763_526, 48, 10_942, 2547, 12.23, 930, 0.29, 288),
)

# ---------------------------------------------------------------------------- speed

SPEED = (Speed("SpMOT, clips of ten frames", "video/spmot", "train", 11.0, 20),)  # 1.1 ms a frame
RATES = (Rate("VMDS, ten frames with masks", "video/vmds", "train", 1_000),)
EVALUATION = {  # 11 s for 1,000 videos of ten frames of 64x64, background removed
    "label maps": Speed("evaluation of label maps", "video/vmds", "val", 11.0, 100),
    "published files": Speed("evaluation of published files, parsing included", "video/vmds", "val", 11.0, 20),
}
