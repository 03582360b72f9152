"""Settings of all tests: no deadlines (the first call of a kernel compiles), same examples every run."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("unseen", deadline=None, derandomize=True)
settings.load_profile("unseen")
