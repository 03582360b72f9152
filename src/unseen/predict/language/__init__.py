"""Language models as test takers: examples as prompts, any OpenAI-compatible endpoint, answers as predictions."""

from unseen.predict.language.asking import Outcome, predict_with_language_model
from unseen.predict.language.budget import Budget
from unseen.predict.language.endpoint import LanguageModel

__all__ = ["Budget", "LanguageModel", "Outcome", "predict_with_language_model"]
