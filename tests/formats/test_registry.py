"""Formats are found by name and by what files show; a module is imported when its format is used."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pyramidion.campaign import Campaign, Problems
from pyramidion.errors import UsageError
from pyramidion.formats import Format, all_formats, detect_format, find_format, registry
from pyramidion.formats.glimpse import Glimpse


def test_every_format_says_what_it_is_and_does() -> None:
    directions = {format.name: (format.reads, format.writes) for format in all_formats()}
    assert directions == {
        "rouge-xml": (True, True),
        "rouge-list": (True, False),
        "rouge-out": (True, False),
        "ducview": (True, True),
        "nist": (True, True),
        "pyreval": (True, False),
        "nuggetizer": (True, False),
        "auto-argue": (True, False),
        "lite-pyramid": (True, True),
        "realsumm": (True, False),
        "summeval": (True, False),
        "rose": (True, False),
        "qapyramid": (True, False),
        "newsroom": (True, False),
        "summeval-op": (True, False),
        "folder": (True, True),
        "datasets": (True, False),
        "lm-eval": (True, False),
        "inspect": (True, False),
        "promptfoo": (True, False),
        "deepeval": (True, False),
        "every-eval-ever": (True, True),
        "batch": (True, False),
        "braintrust": (True, False),
        "spans": (True, False),
        "langfuse": (True, False),
        "sacrerouge": (True, False),
        "records": (True, False),
        "lines": (True, True),
        "simetrix": (True, True),
    }
    assert all(format.description and "\n" not in format.description for format in all_formats())


def test_an_unknown_name_gets_a_did_you_mean() -> None:
    with pytest.raises(UsageError, match="there is no format 'rouge-xlm'; did you mean rouge-xml"):
        find_format("rouge-xlm")
    with pytest.raises(UsageError, match="choose one of: rouge-xml, rouge-list, rouge-out, "):
        find_format("q")


def test_a_wrong_direction_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="rouge-out can only be imported"):
        find_format("rouge-out").write(Campaign(), tmp_path, Problems())
    with pytest.raises(UsageError, match="tables can only be exported"):
        Format(name="tables", description="", writer=lambda *_: None).read(tmp_path, Problems())


def test_every_format_and_option_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs/reference/formats.md").read_text()
    for format in all_formats():
        assert f"## {format.name}" in page
        assert all(f"`{option}`" in page for option in format.options)


def test_a_format_is_listed_under_its_own_name() -> None:
    assert {entry.name: entry.load().name for entry in registry.BUILT_IN} == {
        entry.name: entry.name for entry in registry.BUILT_IN
    }


COMMAND = """
import sys
from pyramidion.cli import main
try:
    main()
except SystemExit:
    pass
print(*(name for name in sys.modules if name.startswith("pyramidion.formats.")), file=sys.stderr)
"""
ALWAYS = {"base", "glimpse", "registry", "text_files"}
"""Modules that are needed to find out which format a file has."""
OWN_ROWS = [
    {"topic": topic, "summarizer": summarizer, "summary": f"{summarizer} saw the {topic}", "references": ["the towns"]}
    for topic in ("roads", "lakes", "farms")
    for summarizer in ("A", "B")
]


def imported_formats(folder: Path, data: str) -> set[str]:
    """The modules of the room that `compare` imports for a file."""
    words = [sys.executable, "-c", COMMAND, "compare", data, "-m", "rouge-1.recall", "-q"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    return {name.removeprefix("pyramidion.formats.") for name in done.stderr.splitlines()[-1].split()}


def test_our_own_columns_import_no_format(tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in OWN_ROWS))
    assert imported_formats(tmp_path, "mine.jsonl") == set()


def test_unknown_columns_import_only_the_formats_that_can_match(tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_text("foo,bar\n1,2\n")
    (tmp_path / "reviews.csv").write_text("foo,reviews\n1,2\n")
    assert imported_formats(tmp_path, "odd.csv") == ALWAYS
    assert imported_formats(tmp_path, "reviews.csv") >= {*ALWAYS, "datasets.summeval_op"}


@pytest.mark.parametrize("content", ["foo,bar\n1,2\n", '{"foo": 1, "bar": [2]}\n', "<xml/>", "some words", ""])
def test_a_file_that_is_of_no_format_is_opened_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    path = tmp_path / "strange.dat"
    path.write_text(content)
    opened: list[Path] = []
    open_path = Path.open

    def count(self: Path, *arguments: object, **keywords: object) -> object:
        if self == path:
            opened.append(self)
        return open_path(self, *arguments, **keywords)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", count)
    assert detect_format(path) is None
    assert opened == [path]


@pytest.fixture
def _fresh_formats() -> Iterator[None]:
    registry._plug_ins.cache_clear()
    yield
    registry._plug_ins.cache_clear()


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, value: str, code: str) -> None:
    """Put a distribution with an entry point of ours on the path, as pip would."""
    facts = folder / "haiku_formats-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: haiku-formats\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(f"[{registry.ENTRY_POINTS}]\nhaiku = {value}\n")
    (folder / "haiku_formats.py").write_text(code)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "haiku_formats", raising=False)


HAIKU = """
from pyramidion.campaign import Campaign, Summary
from pyramidion.formats import Format

def detect(glimpse):
    return glimpse.first_line == "%haiku"

def read(path, problems):
    text = path.read_text().removeprefix("%haiku\\n")
    return Campaign(name="haiku", summaries=(Summary(topic="t", summarizer="s", kind="peer", text=text),))

FORMAT = Format(name="{name}", description="three lines", detector=detect, reader=read)
"""


@pytest.mark.usefixtures("_fresh_formats")
def test_another_package_brings_a_format_by_an_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "haiku_formats:FORMAT", HAIKU.replace("{name}", "haiku"))
    poem = tmp_path / "poem"
    poem.write_text("%haiku\nan old silent pond")
    format = detect_format(poem)
    assert format is find_format("haiku")
    assert format is not None
    assert [summary.text for summary in format.read(poem, Problems()).summaries] == ["an old silent pond"]
    assert all_formats()[-1] is format
    assert registry.format_names()[-1] == "haiku"


@pytest.mark.usefixtures("_fresh_formats")
@pytest.mark.parametrize(
    ("value", "name", "failure"),
    [
        ("haiku_formats:NOTHING", "haiku", "can't be loaded"),
        ("haiku_formats:read", "haiku", "is no pyramidion.formats.Format"),
        ("haiku_formats:FORMAT", "lm-eval", "another format is called lm-eval already"),
    ],
)
def test_a_format_that_can_not_be_used_is_left_out_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, name: str, failure: str
) -> None:
    install(tmp_path, monkeypatch, value, HAIKU.replace("{name}", name))
    assert find_format("lm-eval").description == "samples of lm-evaluation-harness, with their metrics"
    with pytest.raises(UsageError, match=failure):
        find_format("haiku")


def test_what_a_file_shows(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text('\ufeff"id", system\n\n1,A\n', encoding="utf-8")
    glimpse = Glimpse(table)
    assert (glimpse.is_file, glimpse.is_folder, glimpse.table_kind) == (True, False, "csv")
    assert glimpse.lines == ['"id", system', "1,A"]
    assert glimpse.header == {"id", "system"}
    assert (glimpse.shows(b"system"), glimpse.shows(b"model")) == (True, False)
    nothing = Glimpse(tmp_path / "nothing")
    assert (nothing.head, nothing.lines, nothing.first_line, nothing.shows(b"x")) == (b"", [], "", False)
    utf16 = tmp_path / "utf16.xml"
    utf16.write_text("<pyramid>", encoding="utf-16")
    assert Glimpse(utf16).xml_head == b"<pyramid>"
