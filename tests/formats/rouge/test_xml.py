"""rouge-xml: the configuration becomes topics, models and peers; what is odd is named with file and line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formats.miniature import CONFIGURATION, TEXTS, Import, Put, only, texts_of
from pyramidion.campaign import Campaign, CampaignError, Problems, Summary
from pyramidion.campaign.nouns import Text
from pyramidion.errors import InputError
from pyramidion.formats import detect_format, find_format

XML = find_format("rouge-xml")


def test_the_miniature_imports_without_a_repair(configuration: Path, import_as: Import) -> None:
    campaign, problems = import_as("rouge-xml", configuration)
    assert len(problems) == 0
    assert texts_of(campaign) == {
        ("D9901", "model", "A"): ("The ferry burned on Saturday.", "It was old."),
        ("D9901", "model", "B"): ("Fire stopped a ferry.",),
        ("D9901", "peer", "1"): ("The ferry stopped on Saturday.", "Nobody was hurt."),
        ("D9901", "peer", "12"): ("A fire on the ferry.",),
    }
    assert [topic.topic for topic in campaign.topics] == ["D9901"]


def test_it_is_recognised_by_content_not_by_name(put: Put, configuration: Path) -> None:
    renamed = put("settings.txt", '<?xml version="1.0"?>\n<!-- ours -->\n' + CONFIGURATION.lower())
    assert detect_format(configuration) is detect_format(renamed) is XML
    assert detect_format(put("other.xml", "<other><text/></other>")) is None
    assert detect_format(Path("absent.xml")) is None
    assert detect_format(Path()) is None


def test_tags_and_types_are_read_in_any_case(put: Put, configuration: Path, import_as: Import) -> None:
    lower = CONFIGURATION.replace("EVAL", "eval").replace("PEERS", "Peers").replace("SPL", "spl")
    campaign, problems = import_as("rouge-xml", put("lower.xml", lower))
    assert len(problems) == 0
    assert texts_of(campaign) == texts_of(import_as("rouge-xml", configuration)[0])


def test_blanks_around_names_are_trimmed(put: Put, configuration: Path, import_as: Import) -> None:
    spaced = (
        CONFIGURATION.replace(">D9901.M", ">\n\tD9901.M").replace("</P>", " \n</P>").replace(">peers<", "> peers <")
    )
    campaign, problems = import_as("rouge-xml", put("spaced.xml", spaced))
    assert len(problems) == 0
    assert len(campaign.summaries) == 4


def test_roots_beside_the_configuration_are_a_repair_said_once_each(
    configuration: Path, import_as: Import, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    campaign, problems = import_as("rouge-xml", Path("..", configuration))
    assert len(campaign.summaries) == 4
    assert [(problem.severity, problem.line) for problem in problems] == [("warning", 2)] * 2
    assert "the root 'peers'" in str(problems.kept[0])
    assert "the root 'models'" in str(problems.kept[1])
    with pytest.raises(CampaignError, match="the root 'peers'"):
        problems.refuse(strict=True)
    campaign, problems = import_as("rouge-xml", Path("..", configuration), folder=tmp_path)
    assert (len(campaign.summaries), len(problems)) == (4, 0)


def test_a_missing_peer_is_skipped_and_said(configuration: Path, import_as: Import) -> None:
    Path("peers/D9901.M.250.A.12").unlink()
    campaign, problems = import_as("rouge-xml", configuration)
    assert ("D9901", "peer", "12") not in texts_of(campaign)
    assert only(problems).startswith('config.xml:6: warning: P ID="12": found no file peers/D9901.M.250.A.12')


def test_a_missing_model_is_an_error(configuration: Path, import_as: Import) -> None:
    Path("models/D9901.M.250.A.B").unlink()
    _, problems = import_as("rouge-xml", configuration)
    assert only(problems).startswith('config.xml:7: error: M ID="B": found no file models/D9901.M.250.A.B')


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_only_regular_files_are_opened(configuration: Path, import_as: Import) -> None:
    Path("peers/D9901.M.250.A.12").unlink()
    os.mkfifo("peers/D9901.M.250.A.12")
    _, problems = import_as("rouge-xml", configuration)
    assert "skipped" in only(problems)


def jackknife(names: str = "D9901.M.250.A.") -> str:
    peers = f'<PEERS><P ID="1">{names}1</P><P ID="12">{names}12</P></PEERS>'
    head = '<PEER-ROOT>peers</PEER-ROOT><MODEL-ROOT>models</MODEL-ROOT><INPUT-FORMAT TYPE="SPL"/>'
    return "<ROUGE-EVAL>" + "".join(
        f'<EVAL ID="{number}">{head}{peers}<MODELS><M ID="{kept}">{names}{kept}</M></MODELS></EVAL>\n'
        for number, kept in ((1, "A"), (2, "B"))
    ) + "</ROUGE-EVAL>"  # fmt: skip


def test_leave_one_out_evaluations_are_topics_with_one_parent(put: Put, configuration: Path, import_as: Import) -> None:
    campaign, problems = import_as("rouge-xml", put("jk.xml", jackknife()))
    assert len(problems) == 0
    assert [(topic.topic, topic.parent, topic.attributes) for topic in campaign.topics] == [
        ("1", "D9901", {"left_out": "B"}),
        ("2", "D9901", {"left_out": "A"}),
    ]
    assert len(campaign.summaries) == 6


def test_a_model_named_twice_is_two_models(put: Put, configuration: Path, import_as: Import) -> None:
    twice = CONFIGURATION.replace("</MODELS>", '<M ID="B">D9901.M.250.A.B</M></MODELS>')
    campaign, problems = import_as("rouge-xml", put("twice.xml", twice))
    assert [one.summarizer for one in campaign.summaries if one.kind == "model"] == ["A", "B", "B.2"]
    assert not len(problems)


def test_roots_of_another_machine_are_found_beside_the_file_and_in_another_run(
    put: Put, configuration: Path, import_as: Import
) -> None:
    moved = CONFIGURATION.replace(">peers<", ">/home/somewhere1/eval/peers<").replace(
        ">models<", ">\n/home/somewhere1/eval/models\n<"
    )
    for name, text in TEXTS.items():
        put(f"run2/ROUGE/{name}" if name.startswith("peers") else f"run1/ROUGE/{name}", text)
    campaign, problems = import_as("rouge-xml", put("run2/ROUGE/jk.in", moved))
    assert texts_of(campaign) == texts_of(import_as("rouge-xml", configuration)[0])
    assert [remark.partition(" is not there")[0] for remark in problems.remarks] == [
        "run2/ROUGE/jk.in: the folder /home/somewhere1/eval/peers",
        "run2/ROUGE/jk.in: the folder /home/somewhere1/eval/models",
    ]
    assert not len(problems)


def jackknife_of_nist() -> str:
    """Two evaluations with NIST's IDs; the first has the human whose model it lacks among its peers."""
    ids = (
        jackknife()
        .replace('EVAL ID="1"', 'EVAL ID="D9901.M.250.A-B"')
        .replace('EVAL ID="2"', 'EVAL ID="D9901.M.250.A-A"')
    )
    return ids.replace("</PEERS>", '<P ID="B">D9901.M.250.A.B</P></PEERS>', 1)


def test_leave_one_out_evaluations_with_names_of_nist_stay_apart(
    put: Put, configuration: Path, import_as: Import
) -> None:
    campaign, problems = import_as("rouge-xml", put("jk.xml", jackknife_of_nist()))
    assert [(topic.topic, topic.parent, topic.attributes) for topic in campaign.topics] == [
        ("D9901.M.250.A-B", "D9901", {"left_out": "B"}),
        ("D9901.M.250.A-A", "D9901", {"left_out": "A"}),
    ]
    assert [(one.summarizer, one.kind) for one in campaign.summaries[:4]] == [
        ("A", "model"),
        ("1", "peer"),
        ("12", "peer"),
        ("B", "peer"),
    ]
    # B is scored where it is left out; A is among the models there, and no peer.
    assert [peer.summarizer for peer in campaign.topic("D9901.M.250.A-B", peers="all").peers] == ["1", "12", "B"]
    assert not len(problems)


def test_leave_one_out_evaluations_with_names_of_nist_are_one_topic_if_joined(
    put: Put, configuration: Path, import_as: Import
) -> None:
    campaign, problems = import_as("rouge-xml", put("jk.xml", jackknife_of_nist()), evaluations="joined")
    assert [(topic.topic, topic.parent, topic.attributes["jackknife"]) for topic in campaign.topics] == [
        ("D9901", "", "yes")
    ]
    assert [(one.summarizer, one.kind) for one in campaign.summaries] == [
        ("A", "model"),
        ("B", "model"),
        ("1", "peer"),
        ("12", "peer"),
    ]
    assert not len(problems)


def test_without_nist_names_the_parent_is_the_first_evaluation(put: Put, import_as: Import) -> None:
    for name in ("peers/x1", "peers/x12", "models/xA", "models/xB"):
        put(name, "one")
    campaign, _ = import_as("rouge-xml", put("jk.xml", jackknife("x")))
    assert [topic.parent for topic in campaign.topics] == ["1", "1"]


def test_an_empty_file_that_stands_for_missing_peers_joins_no_topics(put: Put, import_as: Import) -> None:
    for name, text in (("peers/x1", ""), ("peers/x12", ""), ("models/xA", "one"), ("models/xB", "two")):
        put(name, text)
    campaign, problems = import_as("rouge-xml", put("jk.xml", jackknife("x")))
    assert [topic.parent for topic in campaign.topics] == ["", ""]
    assert [str(problem).partition(":")[0] for problem in problems] == ["peers/x1", "peers/x12"]


def test_a_model_with_the_id_of_another_peer_gets_another_name(
    put: Put, configuration: Path, import_as: Import
) -> None:
    clash = CONFIGURATION.replace('M ID="A"', 'M ID="1"')
    campaign, problems = import_as("rouge-xml", put("clash.xml", clash))
    assert [summary.summarizer for summary in campaign.summaries] == ["M.1", "B", "1", "12"]
    assert "The summarizer of the model was renamed to 'M.1'; both count" in only(problems)


def test_a_human_among_its_own_models_is_a_peer_as_well(put: Put, configuration: Path, import_as: Import) -> None:
    put("peers/D9901.M.250.A.A", TEXTS["models/D9901.M.250.A.A"])
    own = CONFIGURATION.replace("<PEERS>", '<PEERS><P ID="A">D9901.M.250.A.A</P>')
    campaign, problems = import_as("rouge-xml", put("own.xml", own))
    assert [summary.summarizer for summary in campaign.summaries] == ["M.A", "B", "A", "1", "12"]
    assert "both count, as for ROUGE-1.5.5" in only(problems)
    campaign, problems = import_as("rouge-xml", Path("own.xml"), self="leave-out")
    assert [summary.summarizer for summary in campaign.summaries] == ["A", "B", "1", "12"]
    assert "the model 'A' among its own peers" in only(problems)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('EVAL ID="D9901"', "EVAL"), "bad.xml:2: error: EVAL: found EVAL without an ID"),
        (('P ID="12"', "P"), "bad.xml:6: error: P: found P without an ID"),
        (('P ID="12"', 'P ID="1"'), "bad.xml:6: error: P ID=\"1\": found the ID again (first on line 6)"),
        (('"SPL"', '"SIMPEL"'), "bad.xml:2: error: INPUT-FORMAT: found 'SIMPEL'"),
        (('"SPL"', '"PDF"'), "bad.xml:2: error: INPUT-FORMAT: found 'PDF'; expected SPL or SEE or ISI"),
        (('<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>', ""), "bad.xml:2: warning: INPUT-FORMAT: found no INPUT-FORMAT"),
        (("</PEERS>", ""), "bad.xml:8: error: found XML that is not well-formed: mismatched tag"),
        (("D9901.M.250.A.1<", "a & b<"), "bad.xml:6: error: found XML that is not well-formed"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_file_and_line(
    put: Put, configuration: Path, import_as: Import, change: tuple[str, str], message: str
) -> None:
    _, problems = import_as("rouge-xml", put("bad.xml", CONFIGURATION.replace(*change)))
    assert only(problems).startswith(message)


def test_an_evaluation_twice_is_an_error(put: Put, configuration: Path, import_as: Import) -> None:
    start, end = CONFIGURATION.index("<EVAL"), CONFIGURATION.index("</ROUGE")
    twice = CONFIGURATION[:end] + CONFIGURATION[start:]
    _, problems = import_as("rouge-xml", put("twice.xml", twice))
    assert only(problems).startswith("twice.xml:9: error: EVAL ID: found 'D9901' again (first on line 2)")


DOUBLED = "".join(f'<!ENTITY a{n} "&a{n - 1};&a{n - 1};">\n' for n in range(1, 40))
LAUGHS = f'<!DOCTYPE x [\n<!ENTITY a0 "ha">\n{DOUBLED}]>\n<ROUGE-EVAL><EVAL ID="&a39;"/></ROUGE-EVAL>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>\n<ROUGE-EVAL><EVAL ID="1">&f;</EVAL></ROUGE-EVAL>'
REMOTE = '<!DOCTYPE x SYSTEM "http://example.invalid/x.dtd">\n<ROUGE-EVAL/>'


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (LAUGHS, "an entity declared in the DTD"),
        (OUTSIDE, "an entity declared in the DTD"),
        (REMOTE, "a reference to another file (http://example.invalid/x.dtd)"),
    ],
)
def test_hostile_xml_is_refused_in_clear_words(put: Put, import_as: Import, content: str, found: str) -> None:
    campaign, problems = import_as("rouge-xml", put("hostile.xml", content))
    assert not campaign.summaries
    assert not campaign.topics
    (problem,) = problems
    assert problem.severity == "error"
    assert problem.line in (1, 2)
    assert problem.found == found


@pytest.mark.parametrize("content", [b"", b"plain text", CONFIGURATION[:200].encode(), b"\xff\xfe\x00", b"\x89PNG\r\n"])
def test_what_is_no_configuration_is_one_error_with_a_line(put: Put, import_as: Import, content: bytes) -> None:
    _, problems = import_as("rouge-xml", put("config.xml", content))
    (error,) = [problem for problem in problems if problem.severity == "error"]
    assert error.line
    assert error.file == "config.xml"


def test_an_absent_file_is_an_error(put: Put, import_as: Import) -> None:
    _, problems = import_as("rouge-xml", Path("absent.xml"))
    assert only(problems).startswith("absent.xml: error: found no such file")


def test_windows_files_are_read_with_warnings(put: Put, configuration: Path, import_as: Import) -> None:
    dos = b"\xef\xbb\xbf" + CONFIGURATION.replace("\n", "\r\n").encode()
    put("peers/D9901.M.250.A.1", b"\xef\xbb\xbfThe caf\xe9 burned.\r\nNobody.\r\n")
    campaign, problems = import_as("rouge-xml", put("dos.xml", dos))
    assert texts_of(campaign)["D9901", "peer", "1"] == ("The café burned.\r", "Nobody.\r")
    assert problems.errors == 0
    assert [(problem.file, problem.line, problem.found) for problem in problems] == [
        ("dos.xml", 1, "a byte-order mark"),
        ("peers/D9901.M.250.A.1", 1, "a byte-order mark"),
        ("peers/D9901.M.250.A.1", 1, "byte 0xE9, which is not UTF-8"),
        ("peers/D9901.M.250.A.1", 1, "2 Windows line ends (CR LF)"),
    ]


def test_names_in_another_encoding_lead_to_their_files(put: Put, configuration: Path, import_as: Import) -> None:
    put("peers/é", "one")
    renamed = CONFIGURATION.replace("D9901.M.250.A.12", "é")
    campaign, problems = import_as("rouge-xml", put("undeclared.xml", renamed.encode("cp1252")))
    assert texts_of(campaign)["D9901", "peer", "12"] == ("one",)
    assert "read as Windows-1252" in only(problems)
    declared = '<?xml version="1.0" encoding="ISO-8859-1"?>' + renamed
    campaign, problems = import_as("rouge-xml", put("declared.xml", declared.encode("latin-1")))
    assert texts_of(campaign)["D9901", "peer", "12"] == ("one",)
    assert len(problems) == 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=st.one_of(
        st.binary(),
        st.tuples(st.integers(0, len(CONFIGURATION)), st.binary(max_size=8), st.integers(0, len(CONFIGURATION))).map(
            lambda cut: CONFIGURATION.encode()[: cut[0]] + cut[1] + CONFIGURATION.encode()[cut[2] :]
        ),
    )
)
def test_any_bytes_give_problems_never_a_traceback(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "config.xml"
    path.write_bytes(content)
    problems = Problems()
    XML.detect(path)
    campaign = XML.read(path, problems, folder=tmp_path)
    assert campaign.summaries or len(problems)


ids = st.text(
    st.characters(min_codepoint=32, exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff"), min_size=1
)
sentence = st.text(st.characters(codec="utf-8", exclude_characters="\n\ufeff"), min_size=1)
texts = st.lists(sentence, min_size=1, max_size=3).map(tuple)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_export_and_import_give_the_same_texts(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    topics = data.draw(st.lists(ids, min_size=1, max_size=3, unique=True))
    names = data.draw(st.lists(ids, min_size=3, max_size=4, unique=True))
    summaries = tuple(
        Summary(topic=topic, summarizer=name, kind="model" if index < 2 else "peer", text=data.draw(texts))
        for topic in topics
        for index, name in enumerate(names)
    )
    target = tmp_path_factory.mktemp("export")
    problems = Problems()
    XML.write(Campaign(summaries=summaries), target, problems)
    assert len(problems) == 0
    campaign = XML.read(target / "rouge.xml", problems, folder=target)
    assert campaign.summaries == summaries
    assert problems.errors == 0


def exported(tmp_path: Path, text: Text) -> bytes:
    both = (
        Summary(topic="t", summarizer="A", kind="model", text=text),
        Summary(topic="t", summarizer="1", kind="peer", text=text),
    )
    XML.write(Campaign(summaries=both), tmp_path / "ours.xml", Problems())
    assert (tmp_path / "ours.xml").exists()
    return (tmp_path / "peers/t/1").read_bytes()


def test_a_text_is_exported_one_sentence_per_line(tmp_path: Path) -> None:
    assert exported(tmp_path, "one\n\ntwo") == b"one\ntwo\n"
    assert exported(tmp_path, ("one\nmore\n", "", "two")) == b"one more \ntwo\n"
    assert exported(tmp_path, "") == b""


def test_exported_names_stay_inside_the_target(tmp_path: Path) -> None:
    hostile = "../../etc"
    summaries = (
        Summary(topic=hostile, summarizer="..", kind="model", text="one"),
        Summary(topic=hostile, summarizer="/a/b" * 100, kind="peer", text="two"),
    )
    target = tmp_path / "target"
    XML.write(Campaign(summaries=summaries), target, Problems())
    assert {path.name for path in tmp_path.iterdir()} == {"target"}
    assert texts_of(XML.read(target / "rouge.xml", Problems())).keys() == {
        (hostile, "model", ".."),
        (hostile, "peer", "/a/b" * 100),
    }


WRITERS: dict[str, Literal["model", "peer"]] = {"A": "model", "1": "peer"}


def test_what_an_export_can_not_hold_is_said(tmp_path: Path) -> None:
    problems = Problems()
    alone = Summary(topic="t", summarizer="1", kind="peer", text="x")
    others = [Summary(topic="u", summarizer=who, kind=kind, text="x") for who, kind in WRITERS.items()]
    XML.write(Campaign(summaries=(alone, *others)), tmp_path, problems)
    assert "found no models; expected models and peers. The topic was left out." in only(problems)
    with pytest.raises(InputError, match="nothing to export: no topic has models and peers"):
        XML.write(Campaign(summaries=(alone,)), tmp_path / "nothing", Problems())
    assert not (tmp_path / "nothing").exists()
    bad = Campaign(
        summaries=(
            Summary(topic="t\0", summarizer="1", kind="peer", text="x"),
            Summary(topic="t\0", summarizer="A", kind="model", text="x"),
        )
    )
    with pytest.raises(InputError, match=r"U\+0000"):
        XML.write(bad, tmp_path, Problems())
