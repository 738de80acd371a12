"""The page: sections laid out as one HTML file that needs nothing else, with one script and one style of our own."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyramidion.errors import InputError, MissingExtraError
from pyramidion.files import atomic_writer
from pyramidion.files.targets import check_output
from pyramidion.measures.registry import files_in_measures
from pyramidion.options import ReportOptions
from pyramidion.options.flags import spell_flags
from pyramidion.reports.characters import visible
from pyramidion.reports.context import Context
from pyramidion.reports.deciding import PREFERENCES, find_programs
from pyramidion.reports.dots import Scale, axis, bar, scale_of
from pyramidion.reports.dots import drawing as dot_drawing
from pyramidion.reports.section import Block, Dots, Figure, Section, Shaded
from pyramidion.reports.sections import SECTIONS, answer, maker_of
from pyramidion.tables import Cell, Column, Table
from pyramidion.version import VERSION
from pyramidion.wording import counted, listed, shortened

if TYPE_CHECKING:
    import jinja2

    from pyramidion.run.evaluation import Evaluation
    from pyramidion.run.score_cache import Measures

TRUTH = "imported.simulated-"
"""How the true scores of simulated texts begin."""
WITHOUT_SCORES = ("assessors", "data", "methods")
"""Sections that do not need scores: where only preferences decide."""
LONGEST_LEAD = 200
"""Characters of the description on the first screen."""
LONGEST_WORD = 50
UNBROKEN_NAME = 12
"""Characters of a name that fits everywhere."""
LONGEST = 1000
"""Characters of a text in a table."""

Item = Table | Dots | Shaded | Figure | Block | Section


@dataclass(frozen=True, kw_only=True)
class Chooser:
    """Items of one group: by choice, what is shown together."""

    group: str
    id: str
    choices: dict[str, list[Item]] = field(default_factory=dict)


def write_report(
    path: Path, evaluation: Evaluation, measures: Measures | None = None, options: ReportOptions | None = None
) -> Path:
    """Make all sections, lay them out and write the page, whole or not at all; returns its path.

    Raises:
        UsageError: if the page would overwrite the data, or another file that is read.
    """
    files = evaluation.data.files
    for named_file in files_in_measures(measures):
        files.note_read(named_file)
    check_output(path, evaluation.data.output_conflicts, replace=True)
    with files.expecting(path):
        page = render_page(*made(evaluation, measures, options or ReportOptions()))
        with atomic_writer(path) as file:
            file.write(page.encode())
    return path


def made(evaluation: Evaluation, measures: Measures | None, options: ReportOptions) -> tuple[Context, list[Section]]:
    """All sections, and what they draw on."""
    _environment()  # a missing extra is better known before the work than after it
    evaluation.campaign  # noqa: B018  # read whole, once, before anything is scored
    chosen = _with_decided(evaluation, _without_truth(evaluation, measures), options.decide)
    context = Context(evaluation=evaluation, chosen=chosen, options=options)
    wanted = [name for name in SECTIONS if not options.sections or name in options.sections]
    if not context.comparison.standings:
        if not context.by_preferences:
            raise InputError("there are no scores to report; `pyramidion check` and `describe` show what the data has")
        wanted = [name for name in wanted if name in WITHOUT_SCORES]
    sections = [answer.make(context)]
    for name in wanted:
        if evaluation.progress:
            evaluation.progress("sections of the report", 1, len(wanted))
        section = maker_of(name)(context)
        sections += [section] if section else []
    return context, sections


def _without_truth(evaluation: Evaluation, measures: Measures | None) -> Measures | None:
    """Unless they were asked for, not the true scores behind simulated texts: they are no measures."""
    if measures is not None or not evaluation.campaign.simulated:
        return measures
    names = evaluation.table().measures
    others = [name for name in names if not name.startswith(TRUTH)]
    return others if 0 < len(others) < len(names) else None


def _with_decided(evaluation: Evaluation, measures: Measures | None, decide: str | None) -> Measures | None:
    """The measures of the report, with the one that is to decide."""
    if decide is None or decide == PREFERENCES:
        return measures
    selections = evaluation.select(decide)
    known = evaluation.table(measures).measures
    if any(one.among(known) for one in selections):
        return measures
    given = evaluation.select(known if measures is None else measures)
    return [*given, *selections]


def render_page(context: Context, sections: Sequence[Section]) -> str:
    """Sections as a page; everything that comes from the data is escaped."""
    from markupsafe import Markup

    environment = _environment()
    style, script = _joined("css"), _joined("js")
    campaign = context.campaign
    first, *others = sections
    return environment.get_template("page.html").render(
        title=context.options.title or campaign.name or "Evaluation",
        date=_today() if context.options.date is None else context.options.date,
        compared=_compared(context),
        description=lead(campaign.description),
        cut=lead(campaign.description) != campaign.description,
        simulated=_simulated(campaign.simulated),
        answer=first,
        sections=[section for section in others if not section.appendix],
        appendix=[section for section in others if section.appendix],
        data="data" in {section.id for section in others},
        invitation=next((section.invitation for section in others if section.invitation), ""),
        policy=(
            f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data: blob:; "
            "base-uri 'none'; form-action 'none'"
        ),
        style=Markup(style),
        script=Markup(script),
        version=VERSION,
    )


def _today() -> str:
    today = datetime.now().astimezone()
    return f"{today.day} {today:%B %Y}"


def lead(description: str) -> str:
    """The first sentences of a description, without what only programs read; the section on the data has all of it."""
    said = ""
    for sentence in re.split(r"(?<=[.!?])\s+", description.replace("`", "")):
        if any(len(word) > LONGEST_WORD for word in sentence.split()):
            continue
        if len(said) + len(sentence) > LONGEST_LEAD:
            return said or f"{sentence[:LONGEST_LEAD].rpartition(' ')[0]} …"
        said = f"{said} {sentence}".strip()
    return said


def _simulated(what: str) -> str:
    """What is simulated, in a sentence."""
    parts = [{"judgments": "human scores"}.get(one, one) for one in re.split(r",\s*", what)]
    known = all(one in ("texts", "human scores") for one in parts)
    return f"The {listed(parts)} are simulated." if known else f"Simulated in this campaign: {what}." if what else ""


def _compared(context: Context) -> str:
    """What was compared, in one line."""
    campaign, kind = context.campaign, context.comparison.kind
    systems, topics = context.table.summarizers, len(context.table.topics)
    if context.preferred and not systems:
        systems, topics = tuple(sorted(context.preferred.systems)), context.preferred.topics
    programs = find_programs(campaign)
    of_programs = sum(judgment.assessor in programs for judgment in campaign.judgments)
    names = [context.comparison.label(system) for system in systems]
    parts = [
        listed(names) if len(names) == 2 else counted(len(names), kind),
        counted(topics, "topic"),
        _count_some(len(context.comparison.measures), "measure"),
        _count_some(len(campaign.judgments) - of_programs, "human score"),
        _count_some(of_programs, "score by a judge", "scores by judges"),
        _count_some(len(context.preferred.given) if context.preferred else 0, "preference"),
    ]
    return " · ".join(filter(None, parts))


def _count_some(count: int, what: str, plural: str = "") -> str:
    """`12 topics`; nothing if there are none."""
    return counted(count, what, plural) if count else ""


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
        "dots_axis": dots_axis,
        "dots_body": dots_body,
        "drawing": drawing,
        "id": _Ids(),
        "json": inert_json,
        "shaded": shaded,
        "kind": lambda item: type(item).__name__.lower(),
        "prose": prose,
        "unbroken": unbroken,
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

    if len(text) <= UNBROKEN_NAME:
        return escape(_clean(text))
    return Markup("<wbr>.").join(escape(_clean(part)) for part in re.split(r"\.(?=[a-z])", text))


def prose(text: str) -> Any:
    """A sentence that breaks neither `95 %` nor `p = 0.026`, `oracle (16)`, `system-07` or `D03-B` into two lines."""
    from markupsafe import Markup, escape

    return Markup(_NUMBERED.sub(r'<span class="whole">\1</span>', str(escape(unbroken(_clean(text))))))


def unbroken(text: str) -> str:
    """The same without markup, for captions: a name with a number may be broken."""
    return _UNBROKEN.sub("\u00a0", spell_flags(text))  # the page shows commands: its options are flags, too


_UNBROKEN = re.compile(r"(?<=\d) (?=%)|(?<=\b[pαr]) (?=[=<] [\d−])|(?<=\b[pαr] [=<]) (?=[\d−])|(?<=\S) (?=\(\w+\))")
_NUMBERED = re.compile(r"(\b(?:\w+-\d+|\w{0,9}\d-\w{1,9})\b)(?!\.\w)")


def body(table: Table) -> Any:
    """The rows of a table; a number that the eye sees rounded has its exact value, which sorting and CSV use."""
    from markupsafe import Markup

    return Markup("\n".join(f"<tr>{''.join(row)}</tr>" for row in _cells(table)))


def shaded(table: Table) -> Any:
    """The same with a colour for each correlation: c0 for −1, c4 for 0, c8 for 1."""
    from markupsafe import Markup

    def colour(value: Cell) -> str:
        known = isinstance(value, float) and not math.isnan(value)
        return f"c{round(4 + 4 * max(-1.0, min(1.0, float(value or 0))))}" if known else ""

    colours = [[colour(value) for value in row] for row in table.rows]
    return Markup("\n".join(f"<tr>{''.join(row)}</tr>" for row in _cells(table, colours)))


def _cells(table: Table, colours: Sequence[Sequence[str]] = ()) -> Iterator[list[str]]:
    """The cells of each row, as HTML."""
    from markupsafe import escape

    numeric = [table.is_numeric(place) for place in range(len(table.columns))]
    for number, row in enumerate(table.rows):
        cells = []
        for place, (value, column) in enumerate(zip(row, table.columns, strict=True)):
            shown, head = _shown(value, column), place < table.heads
            exact = _exact(value)
            kinds = (
                "r" * numeric[place],
                "best" * ((number, place) in table.marked),
                "short" * (head and len(shown) < 28),
                colours[number][place] if colours else "",
            )
            classes = f' class="{" ".join(filter(None, kinds))}"' if any(kinds) else ""
            data = f' data-value="{exact}"' if exact not in ("", shown) else ""
            tag, scope = ("th", ' scope="row"') if head else ("td", "")
            text = breakable(shown) if head else escape(_clean(shown))
            cells.append(f"<{tag}{scope}{classes}{data}>{text}</{tag}>")
        yield cells


def dots_axis(dots: Dots) -> Any:
    """The numbers above the drawings; where each row has a scale of its own only 0, which is in the middle of all."""
    from markupsafe import Markup

    if dots.own:
        return Markup(axis(Scale(-1, 1), [0.0]) if dots.zero else "")
    scale = scale_of(dots.points, zero=dots.zero)
    return Markup(axis(scale, scale.ticks()) if scale else "")


def dots_body(dots: Dots, table: Table) -> list[Any]:
    """The rows with their drawings: those that are seen at once, and the others."""
    from markupsafe import Markup

    shared = None if dots.own else scale_of(dots.points, zero=dots.zero)
    lines = []
    for number, (cells, point) in enumerate(zip(_cells(table), dots.points, strict=True)):
        scale = scale_of([point], zero=dots.zero, own=True) if dots.own else shared
        ticks = [0.0] if dots.own else scale.ticks() if scale else []
        for place, column in enumerate(table.columns):
            if column.key in dots.spare:
                cells[place] = f"{cells[place][:3]} data-spare{cells[place][3:]}"
        drawn = f'<td class="plot">{dot_drawing(point, scale, ticks, strong=number in dots.strong)}</td>'
        counted_ = [f'<td class="plot bars">{bar(dots.counts[number])}</td>'] if dots.counts else []
        lines.append(f"<tr>{''.join([*cells[: table.heads], drawn, *cells[table.heads :], *counted_])}</tr>")
    first = dots.first if dots.first and len(lines) > dots.first + 2 else len(lines)
    return [Markup("\n".join(part)) for part in (lines[:first], lines[first:]) if part]


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
_TAG = re.compile(r"<[^<>]*>")
_FRACTION = re.compile(r"(\d\.\d\d)\d+")
"""Places of a drawing have more digits than can be seen."""
_NOTHING = re.compile(
    r'<path d="(?:M0,0h0v0h0Z)?" [^<>]*/>| pointer-events="[a-z]+"| stroke-miterlimit="10"| opacity="1"'
    r'| stroke-width="1"| text-anchor="start"| font-family="sans-serif"| font-size="12px"| transform="translate\(0,0\)"'
)
"""What draws nothing, says what is so anyway, or is said once for the whole drawing."""
_IDS = re.compile(r'(\bid="|url\(#|href="#)')


def drawing(figure: Figure) -> Any:
    """A figure's SVG inside the page: one image with its words, ids of its own, no more than is needed."""
    from markupsafe import Markup, escape

    svg = _IDS.sub(rf"\g<1>{re.escape(figure.id)}-", _INSIDE.sub("", figure.draw().to_svg()))
    svg = _TAG.sub(lambda tag: _FRACTION.sub(r"\1", tag[0]), _NOTHING.sub("", svg))
    words = escape(_clean(figure.alt))
    font = 'font-family="sans-serif" font-size="12px"'
    return Markup(svg.replace("<svg", f'<svg role="img" aria-label="{words}" {font}', 1))


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
        return [one if type(one) is int else _without_controls(one) for one in value]  # mostly places in texts
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return _clean(value)


def _clean(value: Any) -> Any:
    """Text from the data without control characters, every other one in its place; what is markup is left alone."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return visible(value)
    return value
