"""Parquet files that others may have made: how large they unfold is checked before anything is read."""

from __future__ import annotations

from typing import Any

from unseen.core.errors import DataError

MOST_BYTES = 1 << 33  # of a file, unfolded: what is compressed to a thousandth of it can be any file
MOST_GROUP_BYTES = 1 << 31  # of a row group, which is read at once


def open_parquet(source: Any, what: object, **how: Any) -> Any:
    """Open a Parquet file, or refuse one that would not fit into memory; Arrow's errors are left to the caller."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(source, page_checksum_verification=True, **how)
    except UnicodeDecodeError as error:  # names of columns, which Arrow decodes without checking them
        raise pa.ArrowInvalid(str(error)) from error
    groups = [file.metadata.row_group(number) for number in range(file.metadata.num_row_groups)]
    sizes = [sum(group.column(k).total_uncompressed_size for k in range(group.num_columns)) for group in groups]
    if any(size < 0 for size in sizes) or max(sizes, default=0) > MOST_GROUP_BYTES or sum(sizes) > MOST_BYTES:
        file.close()
        raise DataError(
            f"{what} would unfold to {max(sum(sizes), 0) / 2**30:,.1f} GiB, and {MOST_BYTES / 2**30:.0f} GiB in all and"
            f" {MOST_GROUP_BYTES / 2**30:.0f} GiB in a row group are the most"
        )
    return file
