"""What a run folder is, for those who write it and those who read it. Nobody else knows a name in it.

runs/cogitao/s2-translate/resnet/seed-0/
    config.json                 what was asked for: all it takes to run it again
    log.jsonl                   the learning curve, a line per evaluation; the same for TensorBoard in tensorboard/
    last.safetensors            all that training goes on from
    best.safetensors            the weights with the best value on the chosen split; best-STAGE.safetensors where a
                                model learns in stages
    predictions-test.parquet    answers, a file per predicted split
    attribution-test.npz        where the model looked, if that was asked for
    views-test.npz              what the model makes of a few examples on the way to its answers, where it can tell

A baseline that needs no training has a run too, without log and weights, so that it is scored and compared like any
other; so has a language model, and so have people. Nothing here needs PyTorch.

names    a task, a model and its options as the names of folders and files
config   what was asked for
log      the learning curve
state    where training is
views    images of what a model makes of some examples, and where it looked
run      the folder itself
"""

from unseen.runs.config import LANGUAGE, PEOPLE, Config, broken
from unseen.runs.log import LogLine
from unseen.runs.names import RUNS, file_name, folder_of, model_name, record_place
from unseen.runs.run import Run, find_runs, is_run, open_run, write_untrained
from unseen.runs.state import State

__all__ = [
    "LANGUAGE",
    "PEOPLE",
    "RUNS",
    "Config",
    "LogLine",
    "Run",
    "State",
    "broken",
    "file_name",
    "find_runs",
    "folder_of",
    "is_run",
    "model_name",
    "open_run",
    "record_place",
    "write_untrained",
]
