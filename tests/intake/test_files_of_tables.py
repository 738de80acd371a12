"""Sheets, CSV in other encodings and tables of trackers give the scores of the same rows as JSON lines."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import polars as pl
import pytest

import pyramidion
from pyramidion.campaign import Problems
from pyramidion.errors import MissingExtraError
from pyramidion.intake.opened import FileTable

HEADER = ["id", "model", "prediction", "reference", "judge"]
ROWS: list[list[Any]] = [
    [1, "a", "Die Fähre brannte – stundenlang.", "Eine Fähre brannte.", 4.5],
    [1, "b", "Ein Schiff sank.", "Eine Fähre brannte.", 2],
    [2, "a", "Der Bürgermeister trat zurück.", "Kiels Bürgermeister trat zurück.", 3],
    [2, "b", "Die Stadt wählte.", "Kiels Bürgermeister trat zurück.", 1],
]
Write = Callable[[Path], None]


def write_jsonl(path: Path) -> None:
    path.write_text("".join(json.dumps(dict(zip(HEADER, row, strict=True))) + "\n" for row in ROWS), encoding="utf-8")


def csv_text(separator: str = ",", empty: int = 0) -> str:
    """The table as CSV; with `empty`, that many columns and rows without content beside and below it."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=separator)
    for row in [HEADER, *ROWS]:
        writer.writerow([*row, *[""] * empty])
    for _ in range(empty):
        writer.writerow([""] * (len(HEADER) + empty))
    return file.getvalue()


def write_bytes(content: bytes) -> Write:
    def write(path: Path) -> None:
        path.write_bytes(content)

    return write


def write_xlsx(path: Path, sheets: dict[str, list[list[Any]]] | None = None) -> None:
    """A workbook as ECMA-376 asks for: strings in the cells, numbers as numbers."""
    sheets = sheets or {"Sheet1": [HEADER, *ROWS]}
    with zipfile.ZipFile(path, "w") as archive:
        overrides = entries = links = ""
        for number, (name, rows) in enumerate(sheets.items(), start=1):
            type = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"
            overrides += f'<Override PartName="/xl/worksheets/sheet{number}.xml" ContentType="{type}"/>'
            entries += f'<sheet name="{name}" sheetId="{number}" r:id="rId{number}"/>'
            relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"
            links += f'<Relationship Id="rId{number}" Type="{relation}" Target="worksheets/sheet{number}.xml"/>'
            archive.writestr(f"xl/worksheets/sheet{number}.xml", sheet_xml(rows))
        main = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
        archive.writestr(
            "[Content_Types].xml",
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{main}"/>{overrides}</Types>',
        )
        archive.writestr(
            "_rels/.rels",
            relations(
                '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/>'
            ),
        )
        archive.writestr(
            "xl/workbook.xml",
            '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
            'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
            f"<sheets>{entries}</sheets></workbook>",
        )
        archive.writestr("xl/_rels/workbook.xml.rels", relations(links))


def relations(links: str) -> str:
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{links}</Relationships>'
    )


def sheet_xml(rows: list[list[Any]]) -> str:
    lines = ""
    for number, row in enumerate(rows, start=1):
        cells = ""
        for column, cell in zip("ABCDEFG", row, strict=False):
            if isinstance(cell, str):
                cells += f'<c r="{column}{number}" t="inlineStr"><is><t>{escape(cell)}</t></is></c>'
            else:
                cells += f'<c r="{column}{number}"><v>{cell}</v></c>'
        lines += f'<row r="{number}">{cells}</row>'
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return f'<worksheet xmlns="{space}"><sheetData>{lines}</sheetData></worksheet>'


def write_ods(path: Path) -> None:
    """A sheet as OpenDocument 1.3 asks for."""
    lines = ""
    for row in [HEADER, *ROWS]:
        cells = ""
        for cell in row:
            if isinstance(cell, str):
                kind = 'office:value-type="string"'
            else:
                kind = f'office:value-type="float" office:value="{cell}"'
            cells += f"<table:table-cell {kind}><text:p>{escape(str(cell))}</text:p></table:table-cell>"
        lines += f"<table:table-row>{cells}</table:table-row>"
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", kind)
        archive.writestr(
            "META-INF/manifest.xml",
            '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
            f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/></manifest:manifest>',
        )
        archive.writestr(
            "content.xml",
            f'<office:document-content {spaces} office:version="1.3"><office:body><office:spreadsheet>'
            f'<table:table table:name="Sheet1">{lines}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        )


def write_parquet(path: Path) -> None:
    pl.DataFrame([dict(zip(HEADER, row, strict=True)) for row in ROWS], strict=False).write_parquet(path)


TABLE = {"columns": HEADER, "data": ROWS}
FILES: dict[str, tuple[str, Write]] = {
    "an Excel sheet": ("x.xlsx", write_xlsx),
    "an OpenDocument sheet": ("x.ods", write_ods),
    "Windows-1252": ("x.csv", write_bytes(csv_text(";").encode("cp1252"))),
    "UTF-16": ("x.csv", write_bytes(csv_text("\t").encode("utf-16"))),
    "UTF-16, big-endian": ("x.tsv", write_bytes(b"\xfe\xff" + csv_text("\t").encode("utf-16-be"))),
    "Google Sheets": ("x.csv", write_bytes(csv_text(empty=3).encode())),
    "a table of MLflow": ("x.json", write_bytes(json.dumps(TABLE).encode())),
    "a table of Weights & Biases": ("x.table.json", write_bytes(json.dumps(TABLE | {"ncols": 5, "nrows": 4}).encode())),
    "a data frame in parts": ("x.json", write_bytes(json.dumps({"index": [0, 1, 2, 3]} | TABLE).encode())),
    "Parquet called CSV": ("x.csv", write_parquet),
}


def scores_of(path: Path) -> dict[tuple[str, ...], float]:
    table = pyramidion.score(path, ["rouge1", "judge"])
    rows = table.to_polars().select("measure", "topic", "summarizer", "value").rows()
    return {tuple(row[:3]): row[3] for row in rows}


@pytest.mark.filterwarnings("ignore:rouge1 reads only the letters")  # the texts have umlauts, for encodings
@pytest.mark.filterwarnings("ignore::pyramidion.campaign.CampaignWarning")
@pytest.mark.parametrize("name", FILES)
def test_a_table_gives_the_scores_of_its_rows_as_json_lines(tmp_path: Path, name: str) -> None:
    file, write = FILES[name]
    if file.endswith((".xlsx", ".ods")):
        pytest.importorskip("python_calamine")
    write(tmp_path / file)
    write_jsonl(tmp_path / "truth.jsonl")

    scores = scores_of(tmp_path / file)

    assert scores == scores_of(tmp_path / "truth.jsonl")
    assert len(scores) == 8


@pytest.mark.parametrize(
    ("encoding", "remark"),
    [
        ("cp1252", ["x.csv: read as Windows-1252, not as UTF-8"]),
        ("utf-16", ["x.csv: read as UTF-16, not as UTF-8"]),
        ("utf-8", []),
    ],
)
def test_another_encoding_is_said(tmp_path: Path, encoding: str, remark: list[str]) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(csv_text().encode(encoding))
    problems = Problems()
    rows = [row for _, row in FileTable(path).objects(problems, "a row")]

    assert problems.remarks == remark
    assert [row["prediction"] for row in rows] == [row[2] for row in ROWS]


def test_bytes_of_no_encoding_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(b"id,prediction\n1,\x81\xff\n")
    problems = Problems()

    assert list(FileTable(path).rows(problems)) == []
    assert "which is not UTF-8" in str(next(iter(problems)))


def test_of_several_sheets_the_first_that_is_filled_is_read(tmp_path: Path) -> None:
    pytest.importorskip("python_calamine")
    path = tmp_path / "x.xlsx"
    write_xlsx(path, {"Empty": [], "Data": [HEADER, *ROWS], "Notes": [["nothing"]]})
    problems = Problems()
    rows = [row for _, row in FileTable(path).objects(problems, "a row")]

    assert rows[0] == {"id": "1", "model": "a", "prediction": ROWS[0][2], "reference": ROWS[0][3], "judge": "4.5"}
    assert problems.remarks == ["x.xlsx: the sheet 'Data' is read, not Notes: the first one counts"]


def test_a_broken_workbook_is_an_error(tmp_path: Path) -> None:
    pytest.importorskip("python_calamine")
    path = tmp_path / "x.xlsx"
    path.write_bytes(b"PK\x03\x04 no workbook")
    problems = Problems()

    assert list(FileTable(path).rows(problems)) == []
    assert "a workbook (.xlsx, .xls, .ods)" in str(next(iter(problems)))


def test_a_sheet_without_the_library_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "python_calamine", None)
    path = tmp_path / "x.xlsx"
    write_xlsx(path)

    with pytest.raises(MissingExtraError, match=r"pip install 'pyramidion-eval\[sheets\]'"):
        pyramidion.score(path, ["rouge1"])
