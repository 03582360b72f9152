"""Training: one loop on Lightning Fabric for every model and task; a model may own its objective.

recipe      what the papers trained with
interface   what a model must know of a task
modules     a model by name, or from a user's own file; weights of another run; frozen parts
loss        the default loss, prediction and notion of "right" of each kind of task
devices     what trains: devices, processes, precision, seeds
feed        batches in an order that depends on seed and epoch alone, shared among processes
loop        steps, evaluations, budgets
journal     the learning curve
checkpoint  files that are whole at any moment
training    `train`, and the model of a run
"""

from unseen.core.errors import missing_extra

try:
    import lightning_fabric  # noqa: F401
    import safetensors  # noqa: F401
    import torch  # noqa: F401
except ImportError:
    raise missing_extra("training", "train", "torch, lightning-fabric and safetensors") from None

from unseen.core.modules import make_callable
from unseen.core.recipe import Recipe
from unseen.train.devices import Devices
from unseen.train.recipe import recipe_for
from unseen.train.training import train, trained_model

__all__ = ["Devices", "Recipe", "recipe_for", "train", "trained_model"]

make_callable(__name__, "unseen.train.training:train")
