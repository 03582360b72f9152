"""The templates and operators for people."""

from __future__ import annotations


def describe() -> list[dict[str, str]]:
    """Return every template with what it asks, then every operator with what it gives."""
    from unseen.benchmarks.covr.questions.operators import OPERATORS
    from unseen.benchmarks.covr.questions.templates import TEMPLATES

    templates = [
        {"rule": template.paper, "what it does": template.description, "published name": template.name}
        for template in TEMPLATES.values()
    ]
    operators = [
        {"rule": one.name, "what it does": one.description, "published name": one.name} for one in OPERATORS.values()
    ]
    return templates + operators
