"""Tables for papers: chosen fields, decimals, bold, LaTeX and Markdown."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pyramidion.errors import UsageError
from pyramidion.show.table_formats import latex, lay_out, markdown
from pyramidion.show.tables import Column, Finding, Row, Table


class Value(Row, record="value-of-a-test"):
    measure: str
    coefficient: str
    value: float | None
    p: float
    lower: float = 0.1
    upper: float = 0.9
    mark: str = "†"


class Found(Finding, kw_only=False):
    values: tuple[Value, ...]

    def tables(self) -> list[Table]:
        return []


FOUND = Found(
    (
        Value(measure="a", coefficient="pearson", value=0.81234, p=0.0004),
        Value(measure="a", coefficient="kendall", value=0.5, p=0.2),
        Value(measure="b", coefficient="pearson", value=0.8119, p=0.02),
        Value(measure="b", coefficient="kendall", value=None, p=0.2),
    )
)


def test_chosen_fields_become_columns() -> None:
    table = lay_out(FOUND, fields=["measure", "value", "mark"], digits=3)
    assert [column.name for column in table.columns] == ["measure", "value", "mark"]
    assert table.cells()[::3] == [["a", "0.812", "†"], ["b", "–", "†"]]


def test_bold_is_what_is_best_as_printed_or_significant() -> None:
    fields = ["measure", "value"]
    assert lay_out(FOUND, fields=fields, bold="best").marked == {(0, 1)}
    assert lay_out(FOUND, fields=fields, bold="best", digits=2).marked == {(0, 1), (2, 1)}  # equal when printed
    assert lay_out(FOUND, fields=fields, bold="lowest").marked == {(1, 1)}
    assert lay_out(FOUND, fields=fields, bold="significant").marked == {(0, 1), (2, 1)}


def test_what_is_not_there_is_a_usage_error_that_names_what_is() -> None:
    refused: list[tuple[dict[str, Any], str]] = [
        ({"fields": ["coeficient"]}, "did you mean coefficient"),
        ({"fields": ["nothing"]}, "has no field 'nothing'"),
        ({}, "give `fields=`"),
        ({"fields": ["p"], "digits": -1}, "at least 0"),
    ]
    for options, said in refused:
        with pytest.raises(UsageError, match=re.escape(said)):
            lay_out(FOUND, **options)
    with pytest.raises(UsageError, match="nothing of the kind 'other'"):
        lay_out(FOUND, "other", fields=["p"])


def test_latex_has_booktabs_a_caption_a_label_and_bold() -> None:
    table = lay_out(FOUND, fields=["measure", "coefficient", "value"], digits=2, bold="best")
    assert (
        latex(table, caption="Agreement", label="tab:one")
        == r"""\begin{table}
\centering
\caption{Agreement. Bold: the highest value of each column.}
\label{tab:one}
\begin{tabular}{llr}
\toprule
measure & coefficient & value \\
\midrule
a & pearson & \textbf{0.81} \\
a & kendall & 0.50 \\
b & pearson & \textbf{0.81} \\
b & kendall & -- \\
\bottomrule
\end{tabular}
\end{table}
"""
    )


TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4))
def test_no_text_escapes_its_cell(rows: Sequence[tuple[str, str]]) -> None:
    table = Table(record="r", title="", columns=(Column("a"), Column("b")), rows=rows)
    body = latex(table).split("\\midrule\n")[1].split("\n\\bottomrule")[0]
    lines = body.split("\n")
    assert len(lines) == len(rows)
    for line in lines:
        assert line.endswith(r" \\") and not line.startswith("[")
        assert len(re.findall(r"(?<!\\)&", line)) == 1
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 3 for line in markdown(table).strip().split("\n"))


HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</td><script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "![x](http://127.0.0.1/x.png)",
    "<javascript:alert(1)>",
    "[x]: http://127.0.0.1/",
    "__proto__",
    "*a*",
    "`id`",
    "a\\",
    "~~x~~",
    "&lt;b&gt;",
    "a_b",
    "p < 0.05",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_markdown_shows_names_as_they_are(name: str) -> None:
    table = Table(
        record="r", title=name, columns=(Column("a"), Column("b")), rows=[(name, "x")], sentences=(f"{name} is best.",)
    )
    page = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown(table))
    cell = page.split("<td>")[1].split("</td>")[0]
    assert html.unescape(cell) == name, "a cell shows the name and nothing else"
    assert not re.search(r"<(?!/?(h3|table|thead|tbody|tr|th|td|p|code|em|strong|s)\b)", page), "no tag but Markdown's"
    assert "is best." in page


def test_markdown_keeps_plain_names_and_commands_readable() -> None:
    said = "`pyramidion look DATA[0]` shows p < 0.05 [0.1, 0.2]."
    table = Table(record="r", title="", columns=(Column("a"),), rows=[("system_a",)], sentences=(said,))
    assert "| system_a |" in markdown(table)
    assert said in markdown(table)
