"""rouge-list: items numbered from 1, one summarizer, models by position."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formats.miniature import Import, Put, only, texts_of
from pyramidion.campaign import Problems
from pyramidion.errors import UsageError
from pyramidion.formats import detect_format, find_format

LIST = "peers/d1.txt models/d1.A.txt models/d1.B.txt\npeers/d2.txt models/d2.A.txt\n"
FORMAT = find_format("rouge-list")


@pytest.fixture
def listed(put: Put) -> Path:
    for name in LIST.split():
        put(name, f"The text of {name}\nhas two lines.\n")
    return put("list.txt", LIST)


def test_the_miniature_imports_without_a_repair(listed: Path, import_as: Import) -> None:
    campaign, problems = import_as("rouge-list", listed)
    assert len(problems) == 0
    assert {key: text[0] for key, text in texts_of(campaign).items() if isinstance(text, tuple)} == {
        ("1", "model", "M.1"): "The text of models/d1.A.txt",
        ("1", "model", "M.2"): "The text of models/d1.B.txt",
        ("1", "peer", "X"): "The text of peers/d1.txt",
        ("2", "model", "M.1"): "The text of models/d2.A.txt",
        ("2", "peer", "X"): "The text of peers/d2.txt",
    }


def test_the_summarizer_can_be_named(listed: Path, import_as: Import) -> None:
    campaign, _ = import_as("rouge-list", listed, summarizer="27")
    assert {summary.summarizer for summary in campaign.summaries if summary.kind == "peer"} == {"27"}


def test_comments_blank_lines_tabs_and_windows_ends_are_accepted(put: Put, listed: Path, import_as: Import) -> None:
    odd = "# a comment\n \t\n" + LIST.replace(" ", " \t ").replace("\n", " \r\n")
    campaign, problems = import_as("rouge-list", put("odd.txt", odd))
    assert texts_of(campaign) == texts_of(import_as("rouge-list", listed)[0])
    assert only(problems).startswith("odd.txt:3: warning: found 2 Windows line ends")


def test_it_is_recognised_when_its_models_are_there(put: Put, listed: Path) -> None:
    assert detect_format(listed) is FORMAT
    assert detect_format(put("prose.txt", "Two words\nand more.")) is None
    assert detect_format(put("binary", b"\0\1\2 \3")) is None
    assert detect_format(put("empty", b"")) is None


def test_paths_beside_the_list_are_a_repair(
    listed: Path, import_as: Import, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path / "peers")
    campaign, problems = import_as("rouge-list", tmp_path / listed)
    assert len(campaign.summaries) == 5
    assert "They were read relative to list.txt" in only(problems)


@pytest.mark.parametrize(
    ("sentence", "type"),
    [
        ('<S SNTNO="1">The ferry stopped.</S>', "ISI"),
        ('<a name="1">[1]</a> <a href="#1" id=1>The ferry stopped.</a>', "SEE"),
    ],
)
def test_tagged_texts_are_seen_or_told(put: Put, import_as: Import, sentence: str, type: str) -> None:
    put("peer", f"{sentence}\n")
    put("model", f"{sentence}\n")
    path = put("list", "peer model")
    campaign, problems = import_as("rouge-list", path)
    assert texts_of(campaign)["1", "peer", "X"] == ("The ferry stopped.",)
    assert f"sentences of type {type} in peer" in only(problems)
    campaign, problems = import_as("rouge-list", path, texts=type.lower())
    assert texts_of(campaign)["1", "peer", "X"] == ("The ferry stopped.",)
    assert len(problems) == 0
    campaign, problems = import_as("rouge-list", path, texts="SPL")
    assert texts_of(campaign)["1", "peer", "X"] == (sentence,)
    assert len(problems) == 0


def test_what_is_missing_is_named_with_its_line(put: Put, listed: Path, import_as: Import) -> None:
    Path("peers/d2.txt").unlink()
    campaign, problems = import_as("rouge-list", listed)
    assert only(problems).startswith("list.txt:2: warning: found no file peers/d2.txt; expected the text of the peer")
    assert ("2", "peer", "X") not in texts_of(campaign)
    Path("models/d1.B.txt").unlink()
    _, problems = import_as("rouge-list", listed)
    assert str(problems.kept[0]).startswith("list.txt:1: error: found no file models/d1.B.txt")
    _, problems = import_as("rouge-list", put("short.txt", f"{LIST}peers/d1.txt\n"))
    assert str(problems.kept[-1]).startswith(
        "short.txt:3: error: found 'peers/d1.txt'; expected the path of the peer and"
    )
    _, problems = import_as("rouge-list", put("none.txt", "# nothing\n"))
    assert only(problems).startswith("none.txt:1: error: found no item")


def test_wrong_options_are_usage_errors(listed: Path, import_as: Import) -> None:
    with pytest.raises(UsageError, match="no texts of type 'SLP'; did you mean SPL"):
        import_as("rouge-list", listed, texts="SLP")
    with pytest.raises(UsageError, match="no option 'summariser'; did you mean summarizer"):
        import_as("rouge-list", listed, summariser="27")
    with pytest.raises(UsageError, match="does not start with M"):
        import_as("rouge-list", listed, summarizer="M.1")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary())
def test_any_bytes_give_problems_never_a_traceback(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "list"
    path.write_bytes(content)
    problems = Problems()
    FORMAT.detect(path)
    assert FORMAT.read(path, problems, folder=tmp_path).summaries or problems.errors


def test_a_list_is_recognised_though_a_file_is_missing(put: Put) -> None:
    put("peers/1", "one")
    put("models/1.A", "one")
    assert detect_format(put("items.txt", "peers/1 models/1.A models/1.B\npeers/2 models/2.A\n")) is find_format(
        "rouge-list"
    )
    assert detect_format(put("words.txt", "peers/1 and models/1.A are words of a text\n")) is None
