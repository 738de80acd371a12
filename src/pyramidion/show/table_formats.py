"""Tables for papers: chosen fields of what was found; as LaTeX (booktabs) or Markdown.

`lay_out` chooses the cells; `latex` and `markdown` write any table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Unpack

from pyramidion.errors import UsageError, did_you_mean
from pyramidion.options import TableOptions, with_options
from pyramidion.show.tables import Cell, Column, Finding, Row, Table, notes_of
from pyramidion.show.wording import printable

if TYPE_CHECKING:
    from pyramidion.options.keywords import TableKeywords

LEVEL: Final = 0.05
MOST_DIGITS: Final = 5


@with_options(TableOptions)
def lay_out(finding: Finding, record: str = "", **keywords: Unpack[TableKeywords]) -> Table:
    """A table of chosen fields of one kind of record, by default the main one.

    >>> lay_out(found, fields=["summarizer", "value", "letters"], digits=3, bold="best")  # doctest: +SKIP

    Raises:
        UsageError: for a record or a field that is not there, or without fields.
    """
    return laid_out(finding, TableOptions.of(keywords), record)


def laid_out(finding: Finding, options: TableOptions, record: str = "") -> Table:
    """As `lay_out`, with options that are checked already."""
    if not options.fields:
        raise UsageError("give `fields=`: the fields of the records that become columns")
    record = record or finding.main_record()
    rows = [row for row in finding.rows() if row.record == record]
    if not rows:
        raise UsageError(f"nothing of the kind {record!r} was found")
    names = [_field(rows[0], name) for name in options.fields]
    cells = [[_cell(getattr(row, name)) for name in names] for row in rows]
    return Table(
        record=record,
        title=options.caption,
        columns=tuple(Column(name, digits=options.digits) for name in names),
        rows=cells,
        marked=frozenset(_marked(cells, rows, options)),
        notes=(*_notes(options), *notes_of(rows)),
    )


def _marked(cells: Sequence[Sequence[Cell]], rows: Sequence[Row], options: TableOptions) -> Iterator[tuple[int, int]]:
    """The cells in bold: the best of each column as it is printed, or those that are significant."""
    if options.bold == "none":
        return
    # Rounded first: numbers that are printed alike are equally good to a reader.
    digits = MOST_DIGITS if options.digits is None else options.digits
    for place, column in enumerate(zip(*cells, strict=True)):
        numbers = {at: round(value, digits) for at, value in enumerate(column) if isinstance(value, float)}
        if options.bold == "significant":
            chosen = [at for at in numbers if _is_significant(rows[at])]
        else:
            best_of = max if options.bold == "best" else min
            best = best_of(numbers.values(), default=None)
            chosen = [at for at, value in numbers.items() if value == best]
        yield from ((at, place) for at in chosen)


def _notes(options: TableOptions) -> tuple[str, ...]:
    bold = {
        "best": "Bold: the highest value of each column.",
        "lowest": "Bold: the lowest value of each column.",
        "significant": "Bold: significant at the 5 % level.",
    }
    return tuple(filter(None, [bold.get(options.bold, "")]))


def _field(row: Row, name: str) -> str:
    """The attribute that a field of the record has."""
    names = type(row).field_names()
    if name not in names:
        raise UsageError(f"{row.record} has no field {name!r}{did_you_mean(name, names)} it has: {', '.join(names)}")
    return name if hasattr(row, name) else f"{name}_"


def _cell(value: Any) -> Cell:
    if isinstance(value, list | tuple | frozenset):
        return ", ".join(map(str, value))
    cell: Cell = value
    return cell


def _p(row: Row) -> float | None:
    adjusted = getattr(row, "p_adjusted", None)
    p: float | None = getattr(row, "p", None) if adjusted is None else adjusted
    return p


def _is_significant(row: Row) -> bool:
    verdict = getattr(row, "significant", None)
    if isinstance(verdict, bool):
        return verdict
    p = _p(row)
    return p is not None and p < LEVEL


def with_digits(table: Table, digits: int) -> Table:
    """The table with this many decimals in every column of numbers that are not whole."""
    return replace(table, columns=tuple(replace(column, digits=digits) for column in table.columns))


_TAG = r"<(?=[A-Za-z/!?])|&(?=#?\w+;)"
"""What Markdown hands on as HTML; `p < 0.05` is none."""
_MARKDOWN = re.compile(rf"{_TAG}|[\\|*\[`~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
"""What Markdown takes for its own in a cell; `system_a` is plain."""
_LIVE = re.compile(rf"{_TAG}|\[(?=[^\]]*\][(:\[])")
"""What would be a link or HTML in a sentence, which may hold commands between backticks."""


def markdown_sentence(text: str) -> str:
    """A sentence in which names are neither HTML nor links."""
    return _LIVE.sub(r"\\\g<0>", _safe(text))


def markdown(table: Table, *, caption: str = "", bold: tuple[str, str] = ("", r"\*")) -> str:
    """A Markdown table; what stands out is put between the two signs of `bold`."""

    def line(values: Iterable[str]) -> str:
        return "| " + " | ".join(values) + " |"

    def escaped(text: str) -> str:
        return _MARKDOWN.sub(r"\\\g<0>", _safe(text)).replace("\n", " ")

    rows = [
        line(escaped(column.name) for column in table.columns),
        line("---" for _ in table.columns),
        *(line(cells) for cells in _cells(table, escaped, bold)),
    ]
    heading = " ".join(markdown_sentence(caption or table.title).split())
    below = "\n".join(map(markdown_sentence, (*table.sentences, *table.notes)))
    parts = [f"### {heading}" if heading else "", "\n".join(rows), below]
    return "\n\n".join(part for part in parts if part) + "\n"


_LATEX = str.maketrans(
    {
        "\n": " ",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "[": "{[}",  # a row that begins with a bracket would be an argument of the line break before it
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\\": r"\textbackslash{}",
        "<": "$<$",
        ">": "$>$",
        "|": r"\textbar{}",
        "–": "--",
        "−": "$-$",
        "’": "'",
        "…": r"\ldots{}",
        "×": r"$\times$",
        "±": r"$\pm$",
        "≥": r"$\geq$",
        "≤": r"$\leq$",
        "∞": r"$\infty$",
        "½": r"$\frac{1}{2}$",
        "²": "$^2$",
        "′": "$'$",
        "→": r"$\rightarrow$",
        "α": r"$\alpha$",
        "β": r"$\beta$",
        "δ": r"$\delta$",
        "ρ": r"$\rho$",
        "τ": r"$\tau$",
        "χ": r"$\chi$",
        "Δ": r"$\Delta$",
        "†": r"\dag{}",
        "‡": r"\ddag{}",
        "§": r"\S{}",
        "¶": r"\P{}",
        "‖": r"$\|$",
    }
)
"""What LaTeX takes for its own, and the signs of ours that plain LaTeX does not know."""


def latex(table: Table, *, caption: str = "", label: str = "") -> str:
    r"""A table with booktabs' rules (`\usepackage{booktabs}`); what stands out is bold.

    Title (or the given caption) and notes make the caption; sentences, too long for one, stand below as comments.
    """

    def escaped(text: str) -> str:
        return _safe(text).translate(_LATEX)

    def line(cells: Iterable[str]) -> str:
        joined = " & ".join(cells)
        # After the end of a row, LaTeX takes [ for the start of an option and * for one.
        guard = "{}" if joined.startswith(("[", "*")) else ""
        return guard + joined + r" \\"

    aligned = "l" * table.heads
    for place in range(table.heads, len(table.columns)):
        aligned += "r" if _is_right(table, place) else "l"
    head = line(escaped(column.name) for column in table.columns)
    body = "\n".join(map(line, _cells(table, escaped, (r"\textbf{", "}"))))
    tabular = f"\\begin{{tabular}}{{{aligned}}}\n\\toprule\n{head}\n\\midrule\n{body}\n\\bottomrule\n\\end{{tabular}}"
    title = ". ".join(filter(None, ((caption or table.title).rstrip("."), " ".join(table.notes))))
    if not title and not label:
        return tabular
    heading = f"\\caption{{{' '.join(_safe(title).split()).translate(_LATEX)}}}\n" if title else ""
    named = f"\\label{{{label}}}\n" if label else ""
    comments = "".join(f"% {' '.join(_safe(sentence).split())}\n" for sentence in table.sentences)
    return f"\\begin{{table}}\n\\centering\n{heading}{named}{tabular}\n\\end{{table}}\n{comments}"


def _is_right(table: Table, place: int) -> bool:
    """Numbers, and numbers with an interval or marks behind them, are aligned right."""
    if table.is_numeric(place):
        return True
    values = [row[place] for row in table.rows if row[place] is not None]
    return all(str(value).lstrip("-−–")[:1].isdigit() for value in values)


def _cells(table: Table, escaped: Callable[[str], str], bold: tuple[str, str]) -> list[list[str]]:
    before, behind = bold
    lines: list[list[str]] = []
    for number, cells in enumerate(table.cells()):
        line = [escaped(text) for text in cells]
        for place, text in enumerate(line):
            if (number, place) in table.marked:
                line[place] = f"{before}{text}{behind}"
        lines.append(line)
    return lines


def _safe(text: str) -> str:
    """Everything escaped that a terminal would obey; line breaks stay."""
    return "\n".join(map(printable, text.split("\n")))
