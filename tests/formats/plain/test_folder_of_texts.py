"""folder: plain text files are topics, models and peers, both ways; a folder of texts alone is models."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pyramidion
from formats.miniature import CONFIGURATION, TEXTS, Import, Put, only, texts_of
from pyramidion.campaign import Campaign, Document, Judgment, Problems, Summary, Topic
from pyramidion.formats import detect_format, find_format

FOLDER = find_format("folder")
FILES = {
    "topics/d1/docs/n1.txt": "The ferry burned on Sunday.\n",
    "topics/d1/models/A.txt": "A ferry burned.\nNobody died.\n",
    "topics/d1/peers/1.txt": "Fire.\n",
    "topics/d1/topic.json": '{\n "title": "Ferry",\n "narrative": "What happened?"\n}\n',
    "topics/d2/peers/1.txt": "Rain.\n",
    "judgments.csv": "topic,summarizer,assessor,question,value\nd1,1,X,focus,4\nd2,1,,focus,2.5\n",
}


@pytest.fixture
def folder(put: Put) -> Path:
    for name, text in FILES.items():
        put(f"texts/{name}", text)
    return Path("texts")


def test_the_folder_is_a_campaign(folder: Path, import_as: Import) -> None:
    campaign, problems = import_as("folder", folder)
    assert list(problems) == []
    assert texts_of(campaign) == {
        ("d1", "model", "A"): "A ferry burned.\nNobody died.",
        ("d1", "peer", "1"): "Fire.",
        ("d2", "peer", "1"): "Rain.",
    }
    assert (campaign.topics[0].title, campaign.topics[0].documents[0].text) == ("Ferry", "The ferry burned on Sunday.")
    assert [(one.assessor, one.value) for one in campaign.judgments] == [("X", 4), ("", 2.5)]


def test_export_gives_the_files_back_byte_for_byte(folder: Path, import_as: Import) -> None:
    campaign, _ = import_as("folder", folder)
    problems = Problems()
    FOLDER.write(campaign, Path("out"), problems)
    assert list(problems) == []
    found = {str(path.relative_to("out")): path.read_text() for path in Path("out").rglob("*") if path.is_file()}
    assert found == FILES


def test_a_folder_of_texts_alone_is_the_models_of_a_topic(put: Put, import_as: Import) -> None:
    put("D1/A.txt", "A ferry burned.\n")
    put("D1/B.txt", "Fire.\n")
    assert detect_format(Path("D1")) is FOLDER
    campaign, problems = import_as("folder", Path("D1"))
    assert list(problems) == []
    assert texts_of(campaign) == {("D1", "model", "A"): "A ferry burned.", ("D1", "model", "B"): "Fire."}
    campaign, _ = import_as("folder", Path("D1"), topic="x", kind="peer")
    assert list(texts_of(campaign)) == [("x", "peer", "A"), ("x", "peer", "B")]


def test_models_in_a_folder_make_a_pyramid_to_annotate_without_any_expression(put: Put, import_as: Import) -> None:
    put("D1/A.txt", "A ferry burned.\n")
    put("D1/B.txt", "Fire 🔥.\nNobody died.\n")
    find_format("ducview").write(pyramidion.load(Path("D1")), Path("out"), Problems())
    campaign, problems = import_as("ducview", Path("out/D1.pyr"))
    assert list(problems) == []
    assert texts_of(campaign) == {
        ("D1", "model", "A"): "A ferry burned.",
        ("D1", "model", "B"): "Fire 🔥.\nNobody died.",
    }
    assert [(one.models, one.scus) for one in campaign.pyramids] == [(("A", "B"), ())]


def test_one_topic_may_stand_in_the_folder_itself(put: Put, import_as: Import) -> None:
    put("D1/models/A.txt", "a")
    put("D1/peers/1.txt", "b")
    put("D1/peers/A.txt", "a")
    campaign, problems = import_as("folder", Path("D1"))
    assert list(texts_of(campaign)) == [("D1", "model", "A"), ("D1", "peer", "1")]
    assert "a model among the peers" in only(problems)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("topics/d1/topic.json", "{", "texts/topics/d1/topic.json:1: error"),
        ("topics/d1/topic.json", "[]", "texts/topics/d1/topic.json:1: error"),
        ("topics/d1/topic.json", '{"titel": 1}', "warning: found the key 'titel'"),
        ("topics/d1/peers/2.txt", "", "an empty text"),
        ("topics/d1/peers/A.txt", "other\n", "another text of 'A'"),
        ("topics/d1/extra/A.txt", "other\n", "an unknown folder"),
        ("judgments.csv", "topic,summarizer\n", "judgments.csv:1: error: found no column question, value"),
        ("judgments.csv", "topic,summarizer,question,value\nd1,1,q,x\n", "judgments.csv:2: error: value: found 'x'"),
        ("judgments.csv", "topic,summarizer,question,value\nd1,1,q,nan\n", "judgments.csv:2: error: value"),
        ("judgments.csv", "topic,summarizer,question,value\nd1,9,q,1\n", "found ('d1', '9')"),
        ("judgments.csv", "topic,summarizer,question,value\nd1,1,,1\n", "found no question"),
        ("judgments.csv", "topic,summarizer,question,value\nd1,1,q,1\nd1,1,q,2\n", "judgments.csv:3: error"),
        ("judgments.csv", 'topic,summarizer,question,value\nd1,1,"q,1\n', "judgments.csv:2: error"),
        ("topics/d1/peers/2.txt", b"\xef\xbb\xbfa\r\n", "a byte-order mark"),
        ("topics/d1/peers/2.txt", b"caf\xe9\n", "byte 0xE9"),
    ],
)
def test_what_is_odd_is_said_with_file_and_line(
    folder: Path, put: Put, import_as: Import, name: str, content: str | bytes, said: str
) -> None:
    put(f"texts/{name}", content)
    _, problems = import_as("folder", folder)
    assert any(said in str(problem) for problem in problems)


def test_a_folder_that_is_not_there_or_empty_is_an_error(tmp_path: Path, import_as: Import) -> None:
    assert "no folder" in only(import_as("folder", tmp_path / "absent")[1])
    assert "no texts" in only(import_as("folder", tmp_path)[1])
    assert detect_format(tmp_path) is None


def test_the_same_texts_through_two_formats_give_the_same_scores(put: Put) -> None:
    for name, text in TEXTS.items():
        put(name, text)
        root, _, rest = name.partition("/")
        put(f"texts/topics/D9901/{root}/{rest.rpartition('.')[2]}.txt", text)
    through_xml = pyramidion.score(put("config.xml", CONFIGURATION), ["rouge-2", "rouge-l.f"])
    through_folder = pyramidion.score(Path("texts"), ["rouge-2", "rouge-l.f"])
    assert through_folder.frame.drop("signature").equals(through_xml.frame.drop("signature"))


IDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)
LINES = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=30)


@settings(max_examples=50, deadline=None)
@given(topic=IDS, ids=st.lists(IDS, min_size=2, max_size=4, unique_by=str.casefold), texts=st.lists(LINES, min_size=4))
def test_any_names_and_texts_come_back(topic: str, ids: list[str], texts: list[str]) -> None:
    document = Document(id=ids[0], text=texts[0], date="2031-01-02", headline="x")
    campaign = Campaign(
        topics=(Topic(topic=topic, title="t", documents=(document,), part="A", parent="P"),),
        summaries=(
            Summary(topic=topic, summarizer=ids[0], kind="model", text=texts[1]),
            Summary(topic=topic, summarizer=ids[1], kind="peer", text=texts[2]),
        ),
        judgments=(Judgment(topic=topic, summarizer=ids[1], assessor=texts[3], question="q", value=3),),
    )
    with tempfile.TemporaryDirectory() as folder:
        problems = Problems()
        FOLDER.write(campaign, Path(folder), problems)
        again = FOLDER.read(Path(folder), problems)
        assert problems.errors == 0
        for nouns in ("topics", "summaries", "judgments"):
            assert getattr(again, nouns) == getattr(campaign, nouns)


@pytest.mark.parametrize(
    "files",
    [
        {"d1/models/A": "Model.", "d1/peers/1": "One.", "d2/peers/1.txt": "Two."},
        {"1/d1.txt": "One.", "1/d2": "Two.", "models/A/d1.txt": "Model."},
        {"peers/1/d1.txt": "One.", "peers/1/d2.txt": "Two.", "models/d1/A.txt": "Model."},
        {"runs/1/d1.txt": "One.", "runs/1/d2.txt": "Two.", "models/A/d1.txt": "Model."},
        {"d1.M.250.B.A": "Model.", "d1.M.250.B.1": "One.", "d2.M.250.B.1": "Two."},
        {"models/d1.M.250.B.A": "Model.", "peers/d1.M.250.B.01": "One.", "peers/d2.M.250.B.1": "Two."},
        {"models/d1.M.250.B.A": "Model.", "peers/d1.M.250.B.A": "Model.", "peers/d1.M.250.B.1": "One.",
         "peers/d2.M.250.B.1": "Two."},
    ],
)  # fmt: skip
def test_other_layouts_give_the_same_texts(put: Put, import_as: Import, files: dict[str, str]) -> None:
    for name, text in files.items():
        put(f"texts/{name}", f"{text}\n")
    campaign, problems = import_as("folder", Path("texts"))
    assert problems.errors == 0
    assert texts_of(campaign) == {
        ("d1", "model", "A"): "Model.",
        ("d1", "peer", "1"): "One.",
        ("d2", "peer", "1"): "Two.",
    }
    assert campaign.word_limit == (250 if "250" in str(files) else None)


def test_a_folder_that_is_called_models_holds_models(put: Put, import_as: Import) -> None:
    put("references/A/d1.txt", "Model.")
    put("references/B/d1.txt", "Another.")
    campaign, _ = import_as("folder", Path("references"))
    assert list(texts_of(campaign)) == [("d1", "model", "A"), ("d1", "model", "B")]


def test_folders_of_texts_may_be_topics(put: Put, import_as: Import) -> None:
    put("texts/d1/1", "One.")
    campaign, _ = import_as("folder", Path("texts"), folders="topics", kind="peer")
    assert texts_of(campaign) == {("d1", "peer", "1"): "One."}


def test_files_that_are_no_texts_are_left_out_and_named(put: Put, import_as: Import) -> None:
    for name in ("d1.txt", "README.md", "scores.csv"):
        put(f"texts/sys/{name}", "One.")
    campaign, problems = import_as("folder", Path("texts"))
    assert list(texts_of(campaign)) == [("d1", "peer", "sys")]
    assert "2 files that are no text: README.md and scores.csv" in only(problems)


def test_a_folder_without_any_text_is_an_error(put: Put, import_as: Import) -> None:
    put("texts/topics/d1/notes.md", "Nothing.")
    assert "no texts" in str(next(iter(import_as("folder", Path("texts"))[1])))


def test_attributes_of_topics_are_kept_both_ways(put: Put, import_as: Import) -> None:
    put("texts/topics/d1/peers/1.txt", "One.")
    put("texts/topics/d1/topic.json", '{"title": "Ferry", "attributes": {"granularity": "specific", "n": 2}}')
    campaign, problems = import_as("folder", Path("texts"))
    assert list(problems) == []
    assert campaign.topics[0].attributes == {"granularity": "specific", "n": 2}
    FOLDER.write(campaign, Path("out"), Problems())
    assert import_as("folder", Path("out"))[0].topics == campaign.topics
    put("texts/topics/d1/topic.json", '{"attributes": [1]}')
    assert "attributes" in only(import_as("folder", Path("texts"))[1])
