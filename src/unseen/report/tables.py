"""Findings as Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from unseen.core.analysis import DASH, Finding

Cells = Sequence[str]

MINUS = "\N{MINUS SIGN}"
FEW = 20  # published rows that are not worth folding
LATEX = {  # characters that mean something to LaTeX, or that its fonts lack
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    MINUS: "$-$",
    DASH: "--",
}


def markdown(finding: Finding, *, whole: bool = False) -> str:
    """Return a finding as a Markdown table under its title; `whole`, with all rows that were not run."""
    rows, folded = folding(finding, whole=whole)
    pieces = [f"**{finding.title}.** {finding.about}"]
    if rows:
        pieces.append(markdown_table(finding.columns, rows, words=finding.words))
    if folded:
        pieces.append(f"{folded.capitalize()}.")
    return "\n\n".join(pieces)


def latex(finding: Finding, *, whole: bool = False) -> str:
    """Return a finding as a LaTeX table; `whole`, with all rows that were not run."""
    rows, folded = folding(finding, whole=whole)
    said = f"{finding.title}. {finding.about}" + (f" {folded.capitalize()}." if folded else "")
    return latex_table(finding.columns, rows, caption=said, words=finding.words)


def folding(finding: Finding, *, whole: bool = False) -> tuple[tuple[Cells, ...], str]:
    """Return the rows to show, those that have a run first, and a line on the published rows that are folded away.

    A few published rows are shown next to those that have a run; many are folded, unless the `whole` is asked for.

    >>> folding(Finding("", "", ("task",), rows=(("a",),), published=(("b",),)))
    ((('a',), ('b',)), '')
    >>> folding(Finding("", "", ("task",), published=(("b",),)))
    ((), '1 published row without a run')
    """
    if whole or (finding.rows and len(finding.published) <= FEW):
        return finding.rows + finding.published, ""
    return finding.rows, rest(finding) if finding.published else ""


def rest(finding: Finding) -> str:
    """Tell how many rows of the paper have no run.

    >>> rest(Finding("", "", ("task",), rows=(("a",),), published=(("b",), ("c",))))
    'and 2 published rows without a run'
    """
    count = len(finding.published)
    said = f"{count} published {'row' if count == 1 else 'rows'} without a run"
    return f"and {said}" if finding.rows else said


def markdown_table(columns: Cells, rows: Iterable[Cells], *, words: int = 1) -> str:
    """Return a table in Markdown; the columns after the first `words` are set to the right.

    >>> print(markdown_table(("task", "score"), [("a|b", "1.0")]))
    | task | score |
    |---|---:|
    | a\\|b | 1.0 |
    """
    rule = "|" + "---|" * words + "---:|" * (len(columns) - words)
    return "\n".join((_line(columns), rule, *map(_line, rows)))


def _line(cells: Cells) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def latex_table(columns: Cells, rows: Iterable[Cells], *, caption: str, words: int = 1) -> str:
    r"""A floating table in LaTeX, for the package booktabs; the columns after the first `words` are set to the right.

    >>> print(latex_table(("task", "score"), [("c_1", "5 %")], caption="Scores"))
    \begin{table}
      \centering
      \caption{Scores}
      \begin{tabular}{lr}
        \toprule
        task & score \\
        \midrule
        c\_1 & 5 \% \\
        \bottomrule
      \end{tabular}
    \end{table}
    """
    body = [rf"    {' & '.join(map(latex_text, row))} \\" for row in rows]
    return "\n".join(
        (
            r"\begin{table}",
            r"  \centering",
            rf"  \caption{{{latex_text(caption)}}}",
            rf"  \begin{{tabular}}{{{'l' * words}{'r' * (len(columns) - words)}}}",
            r"    \toprule",
            rf"    {' & '.join(map(latex_text, columns))} \\",
            r"    \midrule",
            *body,
            r"    \bottomrule",
            r"  \end{tabular}",
            r"\end{table}",
        )
    )


def latex_text(words: str) -> str:
    """Words with every character that LaTeX would read otherwise written out.

    >>> latex_text("50 % of s2_a ± 1")
    '50 \\\\% of s2\\\\_a $\\\\pm$ 1'
    """
    return "".join(LATEX.get(character, character) for character in words)
