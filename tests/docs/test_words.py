"""Pages are finished: nothing stands in them that was to be replaced by something else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
PLACEHOLDER = re.compile(r"^[A-Z][A-Z0-9_ ]*$|@@|\b(?:TODO|FIXME|TBD)\b", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_has_no_placeholders(page: Path) -> None:
    assert PLACEHOLDER.findall(page.read_text()) == []


@pytest.mark.parametrize("left", ["FULL_SIZE", "PLAIN", "A table: @@sizes@@", "TODO: say why"])
def test_a_placeholder_is_seen(left: str) -> None:
    assert PLACEHOLDER.search(f"# A page\n\n{left}\n")
