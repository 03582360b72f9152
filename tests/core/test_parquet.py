"""Files that would unfold to more than memory holds are refused before they are read."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from unseen.core import parquet
from unseen.core.errors import DataError
from unseen.core.parquet import open_parquet


@pytest.mark.parametrize("bound", ["MOST_BYTES", "MOST_GROUP_BYTES"])
def test_a_file_that_unfolds_too_far_is_refused_before_it_is_read(
    bound: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bomb.parquet"
    pq.write_table(pa.table({"zeros": pa.array([0] * 100_000)}), path, compression="zstd", use_dictionary=False)
    assert path.stat().st_size < 10_000
    assert open_parquet(path, path).metadata.num_rows == 100_000
    monkeypatch.setattr(parquet, bound, 100_000)
    with pytest.raises(DataError, match=r"bomb\.parquet would unfold to 0\.0 GiB, and"):
        open_parquet(path, path)


def test_names_of_columns_that_are_no_text_are_arrows_error(tmp_path: Path) -> None:
    path = tmp_path / "odd.parquet"
    pq.write_table(pa.table({"column": [1]}), path, store_schema=False)
    path.write_bytes(path.read_bytes().replace(b"column", b"col\x93mn"))
    with pytest.raises(pa.ArrowInvalid, match="decode"):
        open_parquet(path, path)
