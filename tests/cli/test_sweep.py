"""What the command says of the sweeps that ship; what sweeps do is tested in tests/sweeps."""

from __future__ import annotations

import re

from unseen.sweeps import shipped


def test_sweeps_that_ship_are_listed_with_a_whole_sentence_each(run) -> None:
    rows = run("sweep").out.partition("──\n")[2]
    listed = dict(re.findall(r"^ (\w+/\S+) +(.+?) *\n(?=$| \w|\n)", re.sub(r" *\n {5,}", " ", rows), re.MULTILINE))
    assert listed.keys() == shipped().keys()
    assert [name for name, about in listed.items() if not about.endswith((".", "?"))] == []
    assert listed["covr/table-6"].startswith("Table 6: the i.i.d. split: with images")
