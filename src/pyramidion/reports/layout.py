"""Sections laid out as one HTML page that needs nothing else, with one script and one style of our own."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib import resources

import jinja2
from markupsafe import Markup

from pyramidion.present.section import Block, Dots, Figure, Section, Shaded
from pyramidion.reports import filters
from pyramidion.reports.svg import figure_drawing
from pyramidion.show.tables import Table
from pyramidion.version import VERSION

Item = Table | Dots | Shaded | Figure | Block | Section


@dataclass(frozen=True, kw_only=True)
class Chooser:
    """Items of one group: by choice, what is shown together."""

    group: str
    id: str
    choices: dict[str, list[Item]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Heading:
    """What stands above the sections."""

    title: str
    date: str
    compared: str
    """What was compared, in one line."""
    description: str
    """The first sentences of the campaign's description."""
    cut: bool
    """Whether the description has more."""
    simulated: str
    """What is simulated, in a sentence; empty if nothing is."""


def render_page(heading: Heading, sections: Sequence[Section]) -> str:
    """Sections as a page; everything that comes from the data is escaped."""
    style, script = _join_files("css"), _join_files("js")
    answer, *others = sections
    return (
        _environment()
        .get_template("page.html")
        .render(
            **vars(heading),
            answer=answer,
            sections=[section for section in others if not section.appendix],
            appendix=[section for section in others if section.appendix],
            data="data" in {section.id for section in others},
            invitation=next((section.invitation for section in others if section.invitation), ""),
            # The page runs nothing but our own script, whose hash it names: text from the data that got through all
            # escaping would still be inert. No address is allowed, so that a report never calls home.
            policy=(
                f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data: blob:; "
                "base-uri 'none'; form-action 'none'"
            ),
            style=Markup(style),
            script=Markup(script),
            version=VERSION,
        )
    )


def arrange(items: Iterable[Item], owner: str) -> list[Item | Chooser]:
    """Items as they come; neighbours of one group become a chooser."""
    arranged: list[Item | Chooser] = []
    for item in items:
        if not item.group:
            arranged.append(item)
            continue
        last = arranged[-1] if arranged else None
        if not (isinstance(last, Chooser) and last.group == item.group):
            last = Chooser(group=item.group, id=f"{owner}-{item.group}-{len(arranged)}".replace(" ", "-"))
            arranged.append(last)
        last.choices.setdefault(item.about, []).append(item)
    return arranged


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        autoescape=True,
        # A misspelt name in a template is an error in the tests, not an empty place on a page.
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Whatever a template prints goes through this: no control character of the data reaches the page.
        finalize=filters.clean,
        loader=jinja2.FunctionLoader(_template),
    )
    environment.filters |= {
        "arranged": arrange,
        "body": filters.table_body,
        "breakable": filters.breakable,
        "dots_axis": filters.dots_axis,
        "dots_body": filters.dots_body,
        "drawing": figure_drawing,
        "id": filters.TableIds(),
        "json": filters.inert_json,
        "shaded": filters.shaded_body,
        "kind": lambda item: type(item).__name__.lower(),
        "prose": filters.prose,
        "unbroken": filters.unbroken,
        "own_template": lambda block: _own_template(environment, block),
    }
    return environment


def _own_template(environment: jinja2.Environment, block: Block) -> Markup:
    return Markup(environment.get_template(block.template).render(**block.values, block=block))


def _template(name: str) -> str:
    return resources.files("pyramidion.reports").joinpath("templates", name).read_text(encoding="utf-8")


def _join_files(ending: str) -> str:
    """All files of an ending in templates/ as one text, that of the page first."""
    files = resources.files("pyramidion.reports").joinpath("templates").iterdir()
    names = sorted(file.name for file in files if file.name.endswith(f".{ending}"))
    first = {"css": "style.css", "js": "script.js"}[ending]
    return "\n".join(_template(name) for name in sorted(names, key=lambda name: name != first))


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
