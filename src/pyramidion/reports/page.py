"""The page: sections laid out as one HTML file that needs nothing else, with one script and one style of our own."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyramidion.errors import InputError, MissingExtraError
from pyramidion.files import atomic_writer
from pyramidion.reports.characters import visible
from pyramidion.reports.context import Context
from pyramidion.reports.section import Block, Figure, Section
from pyramidion.reports.sections import SECTIONS
from pyramidion.tables import Cell, Column, Table
from pyramidion.version import VERSION
from pyramidion.wording import shortened

if TYPE_CHECKING:
    import jinja2

    from pyramidion.evaluation import Evaluation, Measures
    from pyramidion.options import ReportOptions

LONGEST = 1000
"""Characters of a text in a table."""

Item = Table | Figure | Block | Section


@dataclass(frozen=True, kw_only=True)
class Chooser:
    """Items of one group: by choice, what is shown together."""

    group: str
    id: str
    choices: dict[str, list[Item]] = field(default_factory=dict)


def write_report(path: Path, evaluation: Evaluation, measures: Measures | None, options: ReportOptions) -> Path:
    """Make all sections, lay them out and write the page, whole or not at all."""
    page = render_page(*made(evaluation, measures, options))
    with atomic_writer(path) as file:
        file.write(page.encode())
    return path


def made(evaluation: Evaluation, measures: Measures | None, options: ReportOptions) -> tuple[Context, list[Section]]:
    """All sections, and what they draw on."""
    _environment()  # a missing extra is better known before the work than after it
    evaluation.campaign  # noqa: B018  # read whole, once, before anything is scored
    context = Context(evaluation=evaluation, chosen=measures, options=options)
    if not context.comparison.standings:
        raise InputError("there are no scores to report; `pyramidion check` and `describe` show what the data has")
    sections = []
    for make in SECTIONS:
        if evaluation.progress:
            evaluation.progress("sections of the report", 1, len(SECTIONS))
        sections.append(make(context))
    return context, [section for section in sections if section is not None]


def render_page(context: Context, sections: Sequence[Section]) -> str:
    """Sections as a page; everything that comes from the data is escaped."""
    from markupsafe import Markup

    environment = _environment()
    style, script = _joined("css"), _joined("js")
    campaign, table = context.campaign, context.table
    facts = [
        ("topics", len(table.topics)),
        (f"{context.comparison.kind}s", len(table.summarizers)),
        ("measures", len(table.measures)),
        ("scores", len(table)),
        ("judgments", len(campaign.judgments)),
    ]
    return environment.get_template("page.html").render(
        title=campaign.name or "Evaluation",
        description=campaign.description,
        simulated=campaign.simulated,
        facts=[(what, count) for what, count in facts if count],
        sections=sections,
        policy=(
            f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data: blob:; "
            "base-uri 'none'; form-action 'none'"
        ),
        style=Markup(style),
        script=Markup(script),
        version=VERSION,
    )


def _environment() -> jinja2.Environment:
    try:
        import jinja2
    except ImportError:
        raise MissingExtraError("a report", "report") from None
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_clean,
        loader=jinja2.FunctionLoader(_template),
    )
    environment.filters |= {
        "arranged": arranged,
        "body": body,
        "breakable": breakable,
        "drawing": drawing,
        "id": _Ids(),
        "json": inert_json,
        "kind": lambda item: type(item).__name__.lower(),
        "own_template": lambda block: _own_template(environment, block),
    }
    return environment


def _own_template(environment: jinja2.Environment, block: Block) -> Any:
    from markupsafe import Markup

    return Markup(environment.get_template(block.template).render(**block.values, block=block))


def _template(name: str) -> str:
    return resources.files("pyramidion.reports").joinpath("templates", name).read_text(encoding="utf-8")


def _joined(ending: str) -> str:
    """All files of an ending in templates/ as one text, that of the page first."""
    files = resources.files("pyramidion.reports").joinpath("templates").iterdir()
    names = sorted(file.name for file in files if file.name.endswith(f".{ending}"))
    first = {"css": "style.css", "js": "script.js"}[ending]
    return "\n".join(_template(name) for name in sorted(names, key=lambda name: name != first))


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def arranged(items: Iterable[Item], owner: str) -> list[Item | Chooser]:
    """Items as they come; neighbours of one group become a chooser."""
    found: list[Item | Chooser] = []
    for item in items:
        if not item.group:
            found.append(item)
            continue
        last = found[-1] if found else None
        if not (isinstance(last, Chooser) and last.group == item.group):
            last = Chooser(group=item.group, id=f"{owner}-{item.group}-{len(found)}".replace(" ", "-"))
            found.append(last)
        last.choices.setdefault(item.about, []).append(item)
    return found


class _Ids:
    """Ids of tables on the page, from the section, the record and what a table is about; each once."""

    def __init__(self) -> None:
        self._given: Counter[str] = Counter()

    def __call__(self, table: Table, owner: str) -> str:
        id = re.sub(r"[^a-z0-9]+", "-", f"{owner} {table.record} {table.about}".lower()).strip("-")[:80]
        self._given[id] += 1
        return id if self._given[id] == 1 else f"{id}-{self._given[id]}"


def breakable(text: str) -> Any:
    """A name of a measure that may be broken before its statistic."""
    from markupsafe import Markup, escape

    return Markup("<wbr>.").join(escape(_clean(part)) for part in re.split(r"\.(?=[a-z])", text))


def body(table: Table) -> Any:
    """The rows of a table; a number that the eye sees rounded has its exact value, which sorting and CSV use."""
    from markupsafe import Markup, escape

    numeric = [table.is_numeric(place) for place in range(len(table.columns))]
    lines = []
    for number, row in enumerate(table.rows):
        cells = []
        for place, (value, column) in enumerate(zip(row, table.columns, strict=True)):
            shown, head = _shown(value, column), place < table.heads
            exact = _exact(value)
            kinds = (
                "r" * numeric[place],
                "best" * ((number, place) in table.marked),
                "short" * (head and len(shown) < 28),
            )
            classes = f' class="{" ".join(filter(None, kinds))}"' if any(kinds) else ""
            data = f' data-value="{exact}"' if exact not in ("", shown) else ""
            tag, scope = ("th", ' scope="row"') if head else ("td", "")
            cells.append(f"<{tag}{scope}{classes}{data}>{escape(_clean(shown))}</{tag}>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return Markup("\n".join(lines))


def _shown(value: Cell, column: Column) -> str:
    """A cell for human eyes: true minus signs, thousands apart, nothing endless."""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    shown = column.shown(value)
    return shown.replace("-", "−") if isinstance(value, float) else shortened(shown, LONGEST)


def _exact(value: Cell) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        return ""
    return f"{value:.7g}" if isinstance(value, float) else str(value)


_INSIDE = re.compile(r' (?:aria-[a-z]+|role|class)="[^"]*"')
_IDS = re.compile(r'(\bid="|url\(#|href="#)')


def drawing(figure: Figure) -> Any:
    """A figure's SVG inside the page: one image with its words, ids of its own, no more than is needed."""
    from markupsafe import Markup, escape

    svg = _IDS.sub(rf"\g<1>{re.escape(figure.id)}-", _INSIDE.sub("", figure.draw().to_svg()))
    words = escape(_clean(figure.alt))
    return Markup(svg.replace("<svg", f'<svg role="img" aria-label="{words}"', 1))


def inert_json(value: Any) -> Any:
    """Data for the script inside of an element that runs nothing: no character of it can end the element."""
    from markupsafe import Markup

    text = json.dumps(_without_controls(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def _without_controls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_controls(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_without_controls(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return _clean(value)


def _clean(value: Any) -> Any:
    """Text from the data without control characters, every other one in its place; what is markup is left alone."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return visible(value)
    return value
