"""Writes llms.txt, llms-full.txt and each page as Markdown into the site, for language models.

`make docs` runs it after zensical, so they are as current as the site. llms.txt lists the pages with their first
sentence (llmstxt.org); llms-full.txt has the skill and all pages in one file.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pyramidion.cli.skill import FILE as SKILL

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
Entries = Sequence[Mapping[str, Any]]


class Page(NamedTuple):
    """A page of the documentation."""

    group: str
    title: str
    path: str

    @property
    def text(self) -> str:
        """What the page says, in Markdown."""
        return (DOCS / self.path).read_text(encoding="utf-8")

    @property
    def first_sentence(self) -> str:
        """The first sentence of prose below the title, without markup."""
        paragraphs = re.split(r"\n{2,}", self.text)
        prose = next((paragraph for paragraph in paragraphs if re.match(r"(?!```)[^#|\s!>-]", paragraph)), self.title)
        plain = re.sub(r"\[([^\]]+)\]\([^)]+\)|[*`]", r"\1", " ".join(prose.split()))
        return re.split(r"(?<=[.!?]) (?=[A-Z])|:$", plain)[0].rstrip(":")


def pages() -> list[Page]:
    """All pages in the order of the site's navigation."""
    site = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))
    return list(_pages(site["project"]["nav"], "Start"))


def _pages(entries: Entries, group: str) -> Iterator[Page]:
    for entry in entries:
        for title, content in entry.items():
            if isinstance(content, str):
                yield Page(group, title, content)
            else:
                yield from _pages(content, title)


def short_text() -> str:
    """llms.txt: what pyramidion is, and a link to each page with its first sentence."""
    site = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]
    lines = [f"# {site['site_name']}", "", f"> {site['site_description']}", ""]
    lines += ["[SKILL.md](SKILL.md) says what to run for which question; `pyramidion skill` prints it."]
    lines += ["[llms-full.txt](llms-full.txt) has it and all pages in one file."]
    group = ""
    for page in pages():
        if page.group != group:
            group = page.group
            lines += ["", f"## {group}", ""]
        lines.append(f"- [{page.title}]({page.path}): {page.first_sentence}")
    return "\n".join(lines) + "\n"


def full_text() -> str:
    """llms-full.txt: the skill and all pages, each under the path of its file."""
    parts = [SKILL.read_text(encoding="utf-8")]
    parts += [f"<!-- {page.path} -->\n\n{page.text}" for page in pages()]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def write_pages(site: Path) -> None:
    """Write all of it into a folder."""
    (site / "llms.txt").write_text(short_text(), encoding="utf-8")
    (site / "llms-full.txt").write_text(full_text(), encoding="utf-8")
    (site / "SKILL.md").write_bytes(SKILL.read_bytes())
    for page in pages():
        target = site / page.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(page.text, encoding="utf-8")


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
