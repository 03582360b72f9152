"""Training: one loop on Lightning Fabric for every model and task; a model may own its objective.

recipe      what the papers trained with: sizes, learning rate, schedule, selection, budgets
interface   what a model must know of a task
modules     a model by name, or from a user's own file; weights of another run; frozen parts
loss        the default loss, prediction and notion of "right" of each kind of task
devices     what trains: devices, processes, precision, seeds
feed        batches in an order that depends on seed and epoch alone, shared among processes
loop        steps, evaluations, budgets
journal     the learning curve
checkpoint  files that are whole at any moment
run         the folder of one training run, and `train`
"""

from unseen.core.errors import missing_extra

try:
    import lightning_fabric  # noqa: F401
    import safetensors  # noqa: F401
    import torch  # noqa: F401
except ImportError:
    raise missing_extra("training", "train", "torch, lightning-fabric and safetensors") from None

from unseen.train.devices import Devices
from unseen.train.recipe import Recipe, recipe_for
from unseen.train.run import Run, open_run, train

__all__ = ["Devices", "Recipe", "Run", "open_run", "recipe_for", "train"]
