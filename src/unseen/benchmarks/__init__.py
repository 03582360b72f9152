"""The benchmarks, each a package with the same file names."""

from unseen.core.catalogue import BENCHMARKS


def names() -> list[str]:
    """The names of all benchmarks, from here and from other packages.

    >>> "cogitao" in names()
    True
    """
    return list(BENCHMARKS)
