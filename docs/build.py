"""Build the site from the hand-written pages, the code and its docstrings; no network.

python docs/build.py [folder]        make docs builds site/
"""

from __future__ import annotations

import posixpath
import re
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path

import covrpages
import cvrpages
import reference
import svibpages
import taskpages
from markdown_it import MarkdownIt
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from unseen.core.catalogue import BENCHMARKS

DOCS = Path(__file__).parent
# the navigation: sections, and the places of their pages in order; every benchmark is a branch of its own
SECTIONS = {
    # and every further hand-written page
    "Guide": ("index", "install", "train", "sweep", "scale", "takers", "study", "extend"),
    "Benchmarks": (),
    "Measured": ("results", "speed", "audit"),
    "Reference": ("api", "architecture", "fidelity"),
}
BRANCHES = {"cogitao": ("code_order",), "covr": ("questions",)}  # pages of a benchmark that do not begin with its name
LIGHT, DARK = "default", "github-dark"  # styles of highlighted code


@dataclass(frozen=True)
class Page:
    """A page of the site: its place without suffix, and its text in Markdown."""

    place: str
    text: str

    @property
    def title(self) -> str:
        return self.text.partition("\n")[0].lstrip("# ")


Branch = dict[str, "Branch"] | list[Page]  # of the navigation: titles and what is under them, or pages
Tree = dict[str, Branch]


def build(site: Path) -> list[Page]:
    """Write the whole site into a folder, in place of what an earlier build left there."""
    if site.exists():
        shutil.rmtree(site)
    images = site / "images"
    images.mkdir(parents=True)
    shutil.copytree(DOCS / "pictures", site / "pictures")
    pages = [Page(path.stem, path.read_text()) for path in sorted(DOCS.glob("*.md"))]
    pages += [Page(place, text) for place, text in taskpages.pages(images)]
    pages += [Page(place, text) for place, text in cvrpages.pages(DOCS / "measured")]
    pages += [Page(place, text) for place, text in svibpages.pages(images)]
    pages += [Page(place, text) for place, text in covrpages.pages(DOCS / "measured" / "statistics", images)]
    pages += [Page(place, text) for place, text in reference.pages(DOCS / "measured")]
    tree = navigation(pages)
    for page in pages:
        path = site / f"{page.place}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html_of(page, tree))
    (site / "style.css").write_text((DOCS / "style.css").read_text() + code_styles())
    return pages


def navigation(pages: list[Page]) -> Tree:
    """All pages as a tree: sections of pages, among them one with a branch for each benchmark."""
    rest = {page.place: page for page in pages}
    branches = {name: [rest.pop(place) for place in _branch(name, rest)] for name in BENCHMARKS}
    tree: Tree = {title: [rest.pop(place) for place in places if place in rest] for title, places in SECTIONS.items()}
    tree["Benchmarks"] = {branch[0].title: branch for branch in branches.values()}
    tree["Guide"] += rest.values()
    return tree


def _branch(benchmark: str, places: Iterable[str]) -> list[str]:
    """The places of a benchmark's pages: its own first, then its rules and what is told about it, then its tasks."""
    own = f"benchmarks/{benchmark}"
    told = sorted(place for place in places if place == benchmark or place.startswith(f"{benchmark}-"))
    first = (own, f"{own}-rules", *told, *BRANCHES.get(benchmark, ()))
    return [
        *(one for one in first if one in places),
        *(p for p in places if p.startswith(f"{own}-") and p not in first),
    ]


def html_of(page: Page, tree: Tree) -> str:
    """A page with its frame."""
    up = "../" * page.place.count("/")
    body = re.sub(r'(href|src)="/', rf'\1="{up}', body_of(page.text))  # from the site's top, wherever that is
    filled = {"title": escape(page.title), "up": up, "links": links_of(tree, page), "body": body}
    frame = (DOCS / "frame.html").read_text()
    return re.sub(r"\{\{(\w+)\}\}", lambda match: filled[match[1]], frame)


def links_of(branch: Branch, page: Page) -> str:
    """A branch of the navigation as seen from a page: open where the page is, closed elsewhere."""
    if isinstance(branch, dict):
        return "".join(
            f"<details{' open' if page in leaves(inner) else ''}><summary>{escape(title)}</summary>"
            f"{links_of(inner, page)}</details>"
            for title, inner in branch.items()
        )
    return f"<ul>{''.join(f'<li>{_link(other, page)}</li>' for other in branch)}</ul>"


def leaves(branch: Branch) -> list[Page]:
    """All pages of a branch."""
    return [page for inner in branch.values() for page in leaves(inner)] if isinstance(branch, dict) else branch


def _link(to: Page, page: Page) -> str:
    up = "../" * page.place.count("/")
    here = " aria-current=page" if to == page else ""
    return f'<a href="{up}{to.place}.html"{here}>{escape(to.title)}</a>'


def body_of(text: str) -> str:
    """Markdown as HTML: code highlighted, headings with anchors, wide tables that scroll, links to built pages."""
    markdown = MarkdownIt("commonmark", {"html": True, "highlight": highlighted}).enable("table")
    body = markdown.render(text)
    body = re.sub(r"<h([23])>(.*?)</h\1>", _anchored, body)
    body = body.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")
    return re.sub(r'href="(?!https?:)([^"#]+)\.md(#[^"]*)?"', lambda m: f'href="{m[1]}.html{m[2] or ""}"', body)


def _anchored(match: re.Match[str]) -> str:
    level, inside = match.groups()
    anchor = re.sub(r"\W+", "-", re.sub(r"<.*?>|\(.*", "", inside)).strip("-").lower()
    return f'<h{level} id="{anchor}"><a class="anchor" href="#{anchor}">{inside}</a></h{level}>'


def highlighted(code: str, language: str, _attributes: str) -> str:
    """Code with its words marked; plain where the language is not known."""
    try:
        lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return ""
    return highlight(code, lexer, HtmlFormatter(nowrap=True))


def code_styles() -> str:
    """The colors of code, for light and dark screens."""
    light, dark = (HtmlFormatter(style=style).get_style_defs("code") for style in (LIGHT, DARK))
    return f"\n{_tokens(light)}\n@media (prefers-color-scheme: dark) {{\n{_tokens(dark)}\n}}\n"


def _tokens(styles: str) -> str:
    return "\n".join(line for line in styles.splitlines() if line.startswith("code ."))


def broken_links(site: Path) -> list[str]:
    """Links and images of a built site that lead nowhere."""
    broken = []
    for path in site.rglob("*.html"):
        for target in re.findall(r'(?:href|src)="([^"]+)"', path.read_text()):
            file, _, anchor = target.partition("#")
            if file.startswith(("http:", "https:")):
                continue
            there = Path(posixpath.normpath(path.parent / file)) if file else path
            if not there.is_file() or (anchor and f'id="{anchor}"' not in there.read_text()):
                broken.append(f"{path.relative_to(site)}: {target}")
    return broken


def main() -> None:
    site = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS.parent / "site"
    pages = build(site)
    if broken := broken_links(site):
        sys.exit("links that lead nowhere:\n" + "\n".join(broken))
    print(f"{len(pages)} pages: {site / 'index.html'}")


if __name__ == "__main__":
    main()
