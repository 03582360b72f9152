"""TASKS -> what trivial solvers score: what needs no understanding must not be enough."""

from unseen.audit.run import Audit, Finding, audit

__all__ = ["Audit", "Finding", "audit"]
