"""Draw the README's pictures, an example of each benchmark, as small PNG files; the report of the demo shows them too.

python docs/pictures.py        make pictures
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import unseen
from unseen.core.catalogue import BENCHMARKS
from unseen.core.task import Example
from unseen.render.png import encode_png
from unseen.report.gallery import picture

PICTURES = Path(__file__).parent / "pictures"
LARGEST = 100_000  # bytes, so that the page is there at once
CHOSEN = {  # a place and an index, where the first example is less telling
    "cogitao": ("custom+grid=9+max_size=4+sequences=translate_up:rot90+sequential=true train", 4),
    "svib": ("clevr-mna test_ood", 0),
}


def chosen(benchmark: str) -> Example:
    """The example that stands for a benchmark."""
    place, index = CHOSEN.get(benchmark, (BENCHMARKS[benchmark].example, 0))
    task, split = place.split()
    return unseen.load(f"{benchmark}/{task}", split)[index]


def main() -> None:
    for name in BENCHMARKS:
        content = encode_png(np.asarray(picture(chosen(name))))
        if len(content) > LARGEST:
            raise SystemExit(f"the picture of {name} has {len(content):,} bytes, more than {LARGEST:,}: choose another")
        (PICTURES / f"{name}.png").write_bytes(content)
        print(f"{PICTURES / name}.png: {len(content):,} bytes")


if __name__ == "__main__":
    main()
