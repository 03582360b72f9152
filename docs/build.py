"""Build the site from the hand-written pages, the code and its docstrings; no network.

python docs/build.py [folder]        make docs builds site/
"""

from __future__ import annotations

import posixpath
import re
import shutil
import sys
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

DOCS = Path(__file__).parent
HAND_WRITTEN = ("index", "train", "questions", "extend", "architecture", "fidelity")
LIGHT, DARK = "default", "github-dark"  # styles of highlighted code


@dataclass(frozen=True)
class Page:
    """A page of the site: its place without suffix, and its text in Markdown."""

    place: str
    text: str

    @property
    def title(self) -> str:
        return self.text.partition("\n")[0].lstrip("# ")


def build(site: Path) -> list[Page]:
    """Write the whole site into a folder, in place of what an earlier build left there."""
    if site.exists():
        shutil.rmtree(site)
    images = site / "images"
    images.mkdir(parents=True)
    pages = [Page(name, (DOCS / f"{name}.md").read_text()) for name in HAND_WRITTEN]
    pages += [Page(place, text) for place, text in taskpages.pages(images)]
    pages += [Page(place, text) for place, text in cvrpages.pages()]
    pages += [Page(place, text) for place, text in svibpages.pages(images)]
    pages += [Page(place, text) for place, text in covrpages.pages(DOCS / "measured" / "statistics", images)]
    pages += [Page(place, text) for place, text in reference.pages(DOCS / "measured")]
    navigation = [page for page in pages if page.place.count("-") == 0]  # group pages are reached from their benchmark
    for page in pages:
        path = site / f"{page.place}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html_of(page, navigation))
    (site / "style.css").write_text((DOCS / "style.css").read_text() + code_styles())
    return pages


def html_of(page: Page, navigation: list[Page]) -> str:
    """A page with its frame."""
    up = "../" * page.place.count("/")
    links = "".join(
        f'<a href="{up}{other.place}.html"{" aria-current=page" if other == page else ""}>{escape(other.title)}</a>'
        for other in navigation
    )
    frame = (DOCS / "frame.html").read_text()
    filled = {"title": escape(page.title), "up": up, "links": links, "body": body_of(page.text)}
    return re.sub(r"\{\{(\w+)\}\}", lambda match: filled[match[1]], frame)


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
