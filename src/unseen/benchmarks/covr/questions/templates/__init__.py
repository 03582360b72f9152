"""The 15 templates: what each needs, its wordings, its program, its images, and its counter-example if there is one.

A template is a function from a source (a subgraph of an image, and the images related to it) to drafts. A draft has the
words for the slots of its wording, the program that answers it, and one or two sets of images: over the second set, the
same question has another answer. Answers are never set here; they come from running the program, and a draft whose
program has no answer over its images is dropped.
"""

from __future__ import annotations

# in the order in which batches go through the templates
from unseen.benchmarks.covr.questions.templates import attributes, counts, quantifiers, objects  # isort: skip
from unseen.benchmarks.covr.questions.templates.template import MOST, TEMPLATES, Draft, Template

__all__ = ["MOST", "TEMPLATES", "Draft", "Template", "attributes", "counts", "objects", "quantifiers"]
