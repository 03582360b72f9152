"""Predictions: what models hand over to metrics, one file schema per kind of task."""

from unseen.core.modules import make_callable
from unseen.predict.predictions import Predictions, read_predictions, write_predictions

__all__ = ["Predictions", "read_predictions", "write_predictions"]

make_callable(__name__, "unseen.predict.trained:predict")
