"""nist: other years, made from the miniatures by moving and renaming what differs in them."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

import pyramidion
from formats.nist.packages import GOLDEN, expected, imported
from pyramidion.campaign import Campaign, Problems, plain, write_folder
from pyramidion.campaign.folder import read_folder
from pyramidion.formats import find_format

pytestmark = pytest.mark.slow
NIST = find_format("nist")


def read(folder: Path, **options: str) -> tuple[Campaign, Problems]:
    problems = Problems()
    campaign = NIST.read(folder, problems, **options)
    assert problems.errors == 0
    written, again = folder.parent / "campaign", Problems()
    write_folder(campaign, written)
    read_folder(written, again)
    assert again.errors == 0
    return campaign, problems


def moved(source: Path, target: Path, *changes: tuple[str, str]) -> Path:
    """A copy with other numbers of sets, in names and contents alike."""

    def changed(text: str) -> str:
        for old, new in changes:
            text = text.replace(old, new)
        return text

    for path in sorted(source.rglob("*")):
        if path.is_file():
            place = target / changed(str(path.relative_to(source)))
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(changed(path.read_bytes().decode("latin-1")).encode("latin-1"))
    return target


def by_parts(path: Path, *, letters: int | None) -> None:
    """A table or an output, part by part; tables of 2009 and later have tabs and a second letter."""
    for part in "AB":
        rows = []
        for line in path.read_text().splitlines():
            cells = line.split()
            if letters is None:
                if re.search(rf"Eval D[0-9]+-{part}\.", line) or "Average" in line or line.startswith(("-", ".")):
                    rows.append(line)
            elif cells[0].endswith(f"-{part}"):
                rows.append("\t".join([*cells[: letters + 1], cells[letters], *cells[letters + 1 :]]))
        name = f"{path.name}.{part}" if letters is not None else path.name.replace(".m.", f"_{part}.m.")
        path.with_name(name).write_text("\n".join(rows) + "\n")
    path.unlink()


@pytest.fixture
def tac2009(tmp_path: Path) -> Path:
    folder = moved(GOLDEN / "tac2008/tree", tmp_path / "tac2009", ("D089", "D099"), ("d089", "d099"))
    manual = folder / "UpdateSumm08_eval/manual"
    by_parts(manual / "manual.model", letters=3)
    by_parts(manual / "manual.peer", letters=5)
    for name in ("ROUGE/rouge.m.out", "ROUGE/rougejk.m.out", "BE/simple.m.hm.out", "BE/simplejk.m.hm.out"):
        by_parts(folder / "UpdateSumm08_eval" / name, letters=None)
    return folder


def test_tac_2009_has_tables_and_outputs_by_part(tac2009: Path) -> None:
    before, _ = imported("tac2008", "tree")
    campaign, problems = read(tac2009, baselines="0")
    assert campaign.name == "TAC 2009"
    assert [question.scale for question in campaign.questions] == [(1, 10)] * 2
    assert len(campaign.judgments) == len(before.judgments)
    assert {
        (one.measure, one.topic.replace("D099", "D089"), one.summarizer, one.value) for one in campaign.imported
    } == {(one.measure, one.topic, one.summarizer, one.value) for one in before.imported}
    assert {one.annotator for one in campaign.annotations} == {"A", "F"}
    assert {question.name for question in campaign.questions} == {"linguistic-quality", "overall-responsiveness"}
    assert len(problems) == len(imported("tac2008", "tree")[1])


def test_texts_of_2009_without_line_breaks_are_split(tac2009: Path) -> None:
    before, _ = read(tac2009)
    for path in (tac2009 / "UpdateSumm08_eval/ROUGE/models").iterdir():
        path.write_bytes(path.read_bytes().replace(b"\n", b" "))
    campaign, problems = read(tac2009)
    assert any("without line breaks were split" in remark for remark in problems.remarks)
    texts = {(one.topic, one.summarizer): plain(one.text) for one in campaign.summaries}
    assert texts == {(one.topic, one.summarizer): plain(one.text) for one in before.summaries}
    assert campaign.pyramids == before.pyramids


def test_baselines_are_found_in_a_readme(tac2009: Path) -> None:
    (tac2009 / "UpdateSumm08_eval/README_eval.txt").write_text("The baselines are runs 1, 2 and 60.\n")
    campaign, _ = read(tac2009)
    assert {id for id, who in campaign.summarizers.items() if who.kind == "baseline"} == {"1", "2", "60"}


def test_tac_2010_has_categories_and_no_narrative(tmp_path: Path) -> None:
    folder = moved(GOLDEN / "tac2008/tree", tmp_path / "tac2010", ("D089", "D109"), ("d089", "d109"))
    topics = folder / "UpdateSumm08_test_topics.xml.txt"
    text = re.sub(r"<narrative>.*?</narrative>", "", topics.read_text(), flags=re.S)
    text = text.replace('<topic id = "D1091A">', '<topic id = "D1091A" category = "2">')
    topics.write_text("<!DOCTYPE g [\n<!ELEMENT topic (title)>\n<!-- <topic> -->\n]>\n" + text)
    campaign, _ = read(folder)
    first = campaign.topics[0]
    assert (first.narrative, first.attributes["category"], first.attributes["category_name"]) == ("", 2, "Attacks")


def test_tac_2011_takes_documents_from_gigaword_and_maps_labels(tmp_path: Path) -> None:
    folder = moved(GOLDEN / "tac2008/tree", tmp_path / "tac2011", ("D089", "D119"), ("d089", "d119"))
    months: dict[str, str] = {}
    for path in sorted((folder / "UpdateSumm08_test_docs_files").rglob("*")):
        if path.is_file():
            months[path.name[:14].lower()] = months.get(path.name[:14].lower(), "") + path.read_text("latin-1")
            path.unlink()
    for month, text in months.items():
        place = folder / "gigaword/data" / month[:7] / f"{month}.gz"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(
            gzip.compress((text + '<DOC id="OTHER" type="story">\n<TEXT>x</TEXT></DOC>').encode("latin-1"))
        )
    topics = folder / "UpdateSumm08_test_topics.xml.txt"
    topics.write_text(re.sub(r'(doc id = "[^"]+)"', r'\1.LDC2009T13"', topics.read_text()))
    for path in (folder / "UpdateSumm08_eval/manual/peers").glob("D1191-A.*"):
        text = path.read_text("latin-1")
        text = re.sub(r'(<(?:peer)?scu uid=")([1-9])', r"\g<1>7\2", text)
        path.write_text(re.sub(r'(<scu uid="[0-9]+" label="[^"]*)"', r'\1 (2.1)"', text), "latin-1")
    campaign, problems = read(folder)
    before, _ = imported("tac2008", "tree")
    assert [[one.id for one in topic.documents] for topic in campaign.topics] == [
        [one.id for one in topic.documents] for topic in before.topics
    ]
    assert [[one.text for one in topic.documents] for topic in campaign.topics] == [
        [one.text for one in topic.documents] for topic in before.topics
    ]
    assert len(campaign.pyramids) == 4
    assert sum("matched by their labels" in one.remedy for one in problems) == 3


def test_a_month_of_gigaword_that_grows_too_far_is_left_out(tmp_path: Path) -> None:
    folder = moved(GOLDEN / "tac2008/tree", tmp_path / "tac2011", ("D089", "D119"), ("d089", "d119"))
    documents = [path for path in (folder / "UpdateSumm08_test_docs_files").rglob("*") if path.is_file()]
    bomb = gzip.compress(b" " * 2**27)
    for path in documents:
        (folder / f"{path.name[:14].lower()}.gz").write_bytes(bomb)
        path.unlink()
    _, problems = read(folder)
    found = {one.found for one in problems if one.file.endswith(".gz")}
    assert found == {"a file that can't be unpacked (more than 64 MB of data in 127 kB)"}


def joined_parts(tmp_path: Path) -> Path:
    folder = moved(GOLDEN / "tac2008/tree", tmp_path / "tac2011", ("D089", "D119"), ("d089", "d119"))
    pyramids = folder / "UpdateSumm08_eval/manual/pyramids"
    (pyramids / "D1191-AB.pyr").write_bytes((pyramids / "D1191-A.pyr").read_bytes())
    return folder


def test_pyramids_of_joined_parts_are_no_ordinary_topics(tmp_path: Path) -> None:
    without = moved(GOLDEN / "tac2008/tree", tmp_path / "before", ("D089", "D119"), ("d089", "d119"))
    expected, _ = read(without)
    campaign, problems = read(joined_parts(tmp_path))
    assert [topic.topic for topic in campaign.topics] == [topic.topic for topic in expected.topics]
    # Humans and systems have the averages that they have without the joined pyramid: over the same topics.
    assert [score.topic for score in pyramidion.score(campaign, "pyramid.modified", peers="all")] == [
        score.topic for score in pyramidion.score(expected, "pyramid.modified", peers="all")
    ]
    assert any("joined parts of topics were left out (first D1191-AB)" in remark for remark in problems.remarks)


def test_pyramids_of_joined_parts_can_be_topics_of_their_own(tmp_path: Path) -> None:
    campaign, _ = read(joined_parts(tmp_path), joined="topics")
    joined = next(topic for topic in campaign.topics if topic.topic == "D1191-AB")
    assert (joined.parent, joined.part, len(joined.documents)) == ("D1191", "AB", 5)
    assert sum(one.topic == "D1191-AB" for one in campaign.pyramids) == 1


def test_ids_of_documents_that_are_not_in_the_package_are_kept(tmp_path: Path) -> None:
    folder = moved(GOLDEN / "tac2008/tree", tmp_path / "tac2011", ("D089", "D119"), ("d089", "d119"))
    before, _ = imported("tac2008", "tree")
    for path in sorted((folder / "UpdateSumm08_test_docs_files").rglob("*")):
        if path.is_file():
            path.unlink()
    campaign, _ = read(folder)
    assert [topic.attributes["document_ids"] for topic in campaign.topics] == [
        " ".join(document.id for document in topic.documents) for topic in before.topics
    ]


def test_participants_of_duc_2006_have_their_names() -> None:
    campaign, problems = imported("duc2006", "tree")
    assert any("names of Table 1 of the overview of DUC 2006" in remark for remark in problems.remarks)
    names = {id: (who.name, who.organisation) for id, who in campaign.summarizers.items() if who.kind != "human"}
    # Table 1 of the overview of DUC 2006.
    assert names == {
        "1": ("Baseline", "NIST"),
        "2": ("OGI.OHSU06", "Oregon Health & Science University"),
        "8": ("JIKD", "IDA CCS and University of Maryland Joint Institute for Knowledge Discovery"),
        "15": ("CCS06", "IDA Center for Computing Sciences"),
    }
    other_year, _ = imported("duc2007", "tree")
    assert {who.name for who in other_year.summarizers.values()} == {""}


def test_aesop_scores_are_columns(tac2009: Path) -> None:
    (tac2009 / "AESOP/data").mkdir(parents=True)
    (tac2009 / "AESOP/data/aesop_allpeers_A").write_text(
        "sys topic 1 2\nS1 T91 0.5 NaN\nSA T91 0.25 0.75\nS0 T92 1 2\n"
    )
    campaign, _ = read(tac2009)
    scores = {
        (one.measure, one.topic, one.summarizer): one.value for one in campaign.imported if "aesop" in one.measure
    }
    assert scores == {
        ("aesop_1", "D0991-A", "1"): 0.5,
        ("aesop_1", "D0991-A", "A"): 0.25,
        ("aesop_2", "D0991-A", "A"): 0.75,
        ("aesop_1", "D0992-A", "0"): 1,
        ("aesop_2", "D0992-A", "0"): 2,
    }


@pytest.fixture
def duc2005(tmp_path: Path) -> Path:
    folder = moved(GOLDEN / "duc2006/tree", tmp_path / "source", ("D069", "D69"))
    target = tmp_path / "duc2005"
    results = target / "results"
    (results / "ROUGE").mkdir(parents=True)
    for name in ("models", "peers"):
        (folder / f"NISTeval/ROUGE/{name}").rename(results / "ROUGE" / name)
    (folder / "NISTeval/ROUGE/rougejk.m.out").rename(results / "ROUGE/rougejk.m.out")
    (results / "ROUGE/extras").mkdir()
    (results / "ROUGE/models/D691.M.250.A.E").rename(results / "ROUGE/extras/D691.M.250.A.E")
    (results / "ROUGE/peers/D691.M.250.A.E").unlink()
    (results / "responsiveness").mkdir()
    (folder / "NISTeval/responsiveness/overall.table").rename(results / "responsiveness/responsiveness.table")
    (folder / "NISTeval/linguistic_quality").rename(results / "linguistic_quality")
    (folder / "DUC2006pyramiddata/allpans").rename(target / "pans")
    rows = []
    for line in (folder / "DUC2006pyramiddata/scoring/2006_modified_scores.txt").read_text().splitlines():
        cells = line.split("\t")
        rows.append(" ".join([cells[0][1:], cells[1], "0.5", *cells[2:5]]))
    (target / "processed_pans.txt").write_text("\n".join(rows) + "\n")
    (target / "unprocessed_pans.txt").write_text("691 1 0.9 0.9 9 9\n")
    topics = (folder / "duc2006_topics.sgml").read_text()
    topics = re.sub(r"<num> D(\d+)([A-Z]) </num>", lambda m: f"<num> d{m[1]}{m[2].lower()} </num>", topics)
    (target / "duc2005_topics.sgml").write_text(
        topics.replace("</topic>", "<granularity> general </granularity>\n</topic>")
    )
    for path in sorted((folder / "duc2006_docs").iterdir()):
        if path.is_dir():
            place = target / "duc2005_docs" / path.name.lower()
            place.parent.mkdir(exist_ok=True)
            path.rename(place)
    return target


def test_duc_2005_has_pyramids_in_pans_alone_and_extra_humans(duc2005: Path) -> None:
    campaign, problems = read(duc2005)
    before, _ = imported("duc2006", "tree", texts="judged")
    assert [topic.topic for topic in campaign.topics] == ["D691", "D692", "D693"]
    assert {topic.attributes["granularity"] for topic in campaign.topics} == {"general"}
    assert [len(topic.documents) for topic in campaign.topics] == [3, 3, 3]
    assert not any("the folder" in one.found for one in problems)
    extra = [one for one in campaign.summaries if one.extra]
    assert [(one.topic, one.summarizer, one.kind) for one in extra] == [("D691", "E", "model")]
    assert [one.summarizer for one in campaign.topic("D691").models] == ["A", "B", "C"]
    assert [one.summarizer for one in campaign.topic("D691", peers="humans").peers] == ["A", "B", "C", "E"]
    assert {one.question for one in campaign.judgments} >= {"responsiveness", "grammaticality"}
    assert len(campaign.annotations) == 16
    assert len(campaign.pyramids) == 3
    scores = {(one.measure, one.topic, one.summarizer): one.value for one in campaign.imported}
    assert scores["nist-pyramid.original", "D691", "1"] == 0.5
    official = {
        (row["topic"].replace("D069", "D69"), row["summarizer"]): row["modified"]
        for row in expected("duc2006")["official_pyramid_scores"]["rows"]
    }
    assert scores["nist-pyramid.modified", "D691", "2"] == official["D691", "2"]
    assert ("nist-pyramid(annotator=a).modified", "D693", "1") in scores
    assert scores["rouge-2(jackknife=yes).recall", "D691", "1"] == next(
        one.value
        for one in before.imported
        if (one.measure, one.topic, one.summarizer) == ("rouge-2(jackknife=yes).recall", "D0691", "1")
    )


@pytest.mark.parametrize("part", ["NISTeval", "NISTeval2", "DUC2006pyramiddata", "duc2006_docs"])
def test_parts_of_a_package_are_enough(part: str, tmp_path: Path) -> None:
    folder = moved(GOLDEN / "duc2006/tree" / part, tmp_path / "renamed folder" / "x")
    campaign, _ = read(folder.parent)
    texts = {"NISTeval": 24, "NISTeval2": 24, "DUC2006pyramiddata": 24, "duc2006_docs": 0}
    assert len(campaign.summaries) == texts[part]
    assert len(campaign.topics) == 3
    if part == "DUC2006pyramiddata":
        assert (len(campaign.pyramids), len(campaign.annotations)) == (3, 16)
        assert {one.question for one in campaign.judgments} >= {"content-responsiveness", "focus"}


def test_both_forms_together_are_one_campaign() -> None:
    problems = Problems()
    campaign = NIST.read([GOLDEN / "tac2008/tree", GOLDEN / "tac2008/archives"], problems)
    once, _ = imported("tac2008", "tree")
    assert (campaign.summaries, campaign.pyramids, campaign.judgments) == (
        once.summaries,
        once.pyramids,
        once.judgments,
    )
    assert problems.errors == 0
