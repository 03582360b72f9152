"""What a benchmark's paper says, as data: how to cite it, a number of a table, the speed of its program."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Citation:
    """How to cite a paper."""

    key: str
    authors: tuple[str, ...]  # family name first
    title: str
    year: int
    arxiv: str
    journal: str = ""
    booktitle: str = ""  # proceedings
    note: str = ""

    @property
    def url(self) -> str:
        """Where to read the paper."""
        return f"https://arxiv.org/abs/{self.arxiv}"

    def bibtex(self) -> str:
        """Write the entry for a bibliography.

        >>> print(Citation("doe2026", ("Doe, Jane", "Roe, Richard"), "On Seeing", 2026, "2601.00001").bibtex())
        @misc{doe2026,
          author = {Doe, Jane and Roe, Richard},
          title = {{On Seeing}},
          year = {2026},
          eprint = {2601.00001},
          archivePrefix = {arXiv},
          url = {https://arxiv.org/abs/2601.00001},
        }
        """
        kind = "article" if self.journal else "inproceedings" if self.booktitle else "misc"
        fields = {
            "author": " and ".join(self.authors),
            "title": f"{{{self.title}}}",
            "journal": self.journal,
            "booktitle": self.booktitle,
            "year": self.year,
            "eprint": self.arxiv,
            "archivePrefix": "arXiv",
            "url": self.url,
            "note": self.note,
        }
        lines = (f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
        return f"@{kind}{{{self.key},\n{''.join(lines)}}}"


@dataclass(frozen=True)
class Result:
    """A number of a published table: the score of a model on a task or on a whole setting, shares in percent."""

    task: str  # "c1-1"; where a table has a row for a setting, "c1"
    model: str
    split: str
    mean: float
    sem: float | None = None  # the standard error, or the deviation where the table prints that


@dataclass(frozen=True)
class Speed:
    """What a published program takes on one CPU core for one configuration, and how much faster we mean to be."""

    name: str
    task: str
    split: str
    milliseconds: float  # per example
    target_ratio: float


@dataclass(frozen=True)
class Rate:
    """How fast we mean to be where no generator was published."""

    name: str
    task: str
    split: str
    per_second: int  # examples per second of CPU time
