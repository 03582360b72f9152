"""Tables of text as Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Cells = Sequence[str]

MINUS, DASH = "\N{MINUS SIGN}", "\N{EN DASH}"
LATEX = {  # characters that mean something to LaTeX, or that its fonts lack
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    MINUS: "$-$",
    DASH: "--",
}


def markdown_table(columns: Cells, rows: Iterable[Cells], *, words: int = 1) -> str:
    """A table in Markdown; the columns after the first `words` are set to the right.

    >>> print(markdown_table(("task", "ours"), [("a|b", "1.0")]))
    | task | ours |
    |---|---:|
    | a\\|b | 1.0 |
    """
    rule = "|" + "---|" * words + "---:|" * (len(columns) - words)
    return "\n".join((_line(columns), rule, *map(_line, rows)))


def _line(cells: Cells) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def latex_table(columns: Cells, rows: Iterable[Cells], *, caption: str, words: int = 1) -> str:
    r"""A floating table in LaTeX, for the package booktabs; the columns after the first `words` are set to the right.

    >>> print(latex_table(("task", "ours"), [("c_1", "5 %")], caption="Ours"))
    \begin{table}
      \centering
      \caption{Ours}
      \begin{tabular}{lr}
        \toprule
        task & ours \\
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
