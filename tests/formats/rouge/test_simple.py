"""SIMPLE files, lists of Basic Elements, through ROUGE-1.5.5's configurations and lists."""

from pathlib import Path

import pytest

import pyramidion
from formats.miniature import Import, Put
from pyramidion.campaign import Problems
from pyramidion.formats import find_format

CONFIGURATION = """<ROUGE-EVAL version="1.0">
<EVAL ID="D1"><PEER-ROOT>peers</PEER-ROOT><MODEL-ROOT>models</MODEL-ROOT><INPUT-FORMAT TYPE="SIMPLE"></INPUT-FORMAT>
<PEERS><P ID="1">p</P></PEERS><MODELS><M ID="A">a</M></MODELS></EVAL>
</ROUGE-EVAL>
"""


@pytest.fixture
def simple(put: Put) -> Path:
    put("peers/p", "stop|ferry|subj\nferry|NIL|NIL\n")
    put("models/a", "stop|ferry|subj\nferry|old|mod\n")
    return put("be.xml", CONFIGURATION)


def test_a_configuration_of_type_simple_is_scored_as_elements(simple: Path, import_as: Import) -> None:
    campaign, problems = import_as("rouge-xml", simple)
    assert list(problems) == []
    assert campaign.summaries[1].text == ("stop|ferry|subj", "ferry|NIL|NIL")
    table = pyramidion.score(campaign, ["be-hm", "be-h.recall"])
    assert table.frame["value"].to_list() == [0.5, 1.0, pytest.approx(2 / 3), 0.0]


def test_it_is_exported_as_simple_and_read_back(simple: Path, import_as: Import) -> None:
    campaign, problems = import_as("rouge-xml", simple)
    find_format("rouge-xml").write(campaign, Path("out"), problems)
    assert 'TYPE="SIMPLE"' in Path("out/rouge.xml").read_text(encoding="utf-8")
    again = find_format("rouge-xml").read(Path("out/rouge.xml"), problems, folder="out")
    assert list(problems) == []
    assert again.summaries == campaign.summaries


def test_a_line_without_two_bars_is_an_error_with_file_and_line(simple: Path, put: Put, import_as: Import) -> None:
    put("models/a", "stop|ferry|subj\r\n\r\nferry|old\r\na|b|c|d\r\n")
    _, problems = import_as("rouge-xml", simple)
    errors = [str(problem) for problem in problems if problem.severity == "error"]
    assert [error.partition(";")[0] for error in errors] == [
        "models/a:3: error: found 'ferry|old'",
        "models/a:4: error: found 'a|b|c|d'",
    ]


def test_a_list_of_simple_files_is_seen_from_its_texts(simple: Path, put: Put) -> None:
    problems = Problems()
    campaign = find_format("rouge-list").read(put("list", "peers/p models/a"), problems)
    assert [problem.found for problem in problems] == ["sentences of type SIMPLE in peers/p"]
    assert pyramidion.score(campaign, "be-hm.recall").frame["value"].to_list() == [0.5]
