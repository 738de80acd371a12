"""ducview: pyramids and annotations are read as they stand and written as DUCView writes them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from formats.ducview_files import (
    GOLDEN,
    PEER,
    SCUS,
    annotation,
    contributor,
    part,
    peer_words,
    pyramid,
    scu,
    words,
)
from formats.miniature import Import, Put, only, texts_of
from pyramidion.campaign import Campaign, Problems, write_folder
from pyramidion.campaign.sources import CampaignSource
from pyramidion.errors import UsageError
from pyramidion.formats import detect_format, find_format

DUCVIEW = find_format("ducview")
KEPT_BACK = os.environ.get("PYRAMIDION_GOLDEN")  # with texts that are quoted and must not be copied
FOLDERS = [GOLDEN, *([Path(KEPT_BACK) / "pyramid"] if KEPT_BACK else [])]
FILES = [path for folder in FOLDERS for path in sorted(folder.glob("*.p[ya][rn]"))]

# The one-model miniature of the format description, word for word: "The" starts at 24.
MINIATURE = """<?xml version="1.0"?>
<pyramid>
<startDocumentRegEx><![CDATA[[-]+\\nX1\\.M\\.10\\.T\\.[A-Z]\\n[-]+\\n]]></startDocumentRegEx>
<text><line>-----</line><line>X1.M.10.T.A</line><line>-----</line><line>The ferry burned.</line></text>
<scu uid="1" label="A ferry caught fire"><contributor label="The ferry burned">\
<part label="The ferry burned" start="24" end="40"/></contributor></scu>
</pyramid>
"""


def exported(campaign: Campaign, target: Path, **options: str) -> dict[str, bytes]:
    problems = Problems()
    DUCVIEW.write(campaign, target, problems, **options)
    assert list(map(str, problems)) == []
    return {path.name: path.read_bytes() for path in target.iterdir()}


def test_the_miniature_imports_without_a_repair(put: Put, import_as: Import) -> None:
    campaign, problems = import_as("ducview", put("mini.pyr", MINIATURE))
    assert list(problems) == []
    assert texts_of(campaign) == {("X1", "model", "A"): "The ferry burned."}
    assert words(campaign) == {1: [("A", ["The ferry burned"])]}
    assert campaign.topics[0].attributes == {"length": 10, "selector": "T"}


def test_the_miniature_exports_to_what_imports_the_same(put: Put, import_as: Import) -> None:
    campaign, _ = import_as("ducview", put("X1.pyr", MINIATURE))
    exported(campaign, Path("out"))
    assert import_as("ducview", Path("out/X1.pyr"))[0] == campaign


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_golden_file_is_exported_byte_for_byte(path: Path, tmp_path: Path, import_as: Import) -> None:
    campaign, problems = import_as("ducview", path)
    assert list(map(str, problems)) == []
    files = exported(campaign, tmp_path / "out")
    assert path.read_bytes() in files.values()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_import_export_import_is_the_identity_on_every_golden_file(
    path: Path, tmp_path: Path, import_as: Import
) -> None:
    first, _ = import_as("ducview", path)
    exported(first, tmp_path / "out")
    suffix = path.suffix
    (written,) = (tmp_path / "out").glob(f"*{suffix}")
    second, problems = import_as("ducview", written)
    assert len(problems) == 0
    for nouns in ("topics", "summaries", "pyramids", "annotations", "summarizers"):
        assert getattr(second, nouns) == getattr(first, nouns)


def test_a_folder_of_golden_files_is_one_campaign_that_our_own_form_holds(tmp_path: Path, import_as: Import) -> None:
    campaign, problems = import_as("ducview", GOLDEN)
    assert list(problems) == []
    assert [(one.topic, one.annotator, len(one.scus)) for one in campaign.pyramids] == [
        ("F9002", "", 14),
        ("F9001", "", 18),
        ("F9001", "annotator2", 13),
    ]
    # Both annotators of the ferry's peers used the first annotator's pyramid; their files hold it.
    assert [(one.summarizer, one.annotator, one.pyramid) for one in campaign.annotations] == [
        ("peer7", "", None),
        ("peer12", "", None),
        *((f"peer{peer}", f"annotator{who}", "") for peer in (1, 2, 3) for who in (1, 2)),
    ]
    write_folder(campaign, tmp_path / "campaign")
    again = Problems()
    read = CampaignSource(tmp_path / "campaign").read(again)
    assert list(again) == []
    assert (read.pyramids, read.annotations) == (campaign.pyramids, campaign.annotations)


# What pyramids.json prints for these files (computed by another program).
@pytest.mark.parametrize(
    ("name", "matched", "repeats", "unmatched"),
    [
        ("ferry.peer1.annotator1.pan", [1, 2, 3, 4, 5, 8], 2, 1),
        ("ferry.peer2.annotator2.pan", [11, 12, 13], 0, 3),
        ("ferry.peer3.annotator1.pan", [], 0, 2),
        ("comet.peer7.pan", [1, 2, 4, 5, 7], 1, 1),
        ("comet.peer12.pan", [3, 8, 13, 14], 0, 1),
    ],
)
def test_matches_repeats_and_the_rest_are_those_of_the_golden_table(
    name: str, matched: list[int], repeats: int, unmatched: int, import_as: Import
) -> None:
    campaign, _ = import_as("ducview", GOLDEN / name)
    found, rest = peer_words(campaign)
    assert list(found) == matched
    assert sum(len(contributors) - 1 for contributors in found.values()) == repeats
    assert rest is not None
    assert len(rest) == unmatched


def test_models_are_cut_at_the_headers_and_parts_count_in_them(import_as: Import) -> None:
    campaign, _ = import_as("ducview", GOLDEN / "ferry.pyr")
    assert str(campaign.summaries[1].text).startswith("The Polish ferry “Żuraw” caught fire off Gdańsk")
    assert str(campaign.summaries[1].text).endswith("a broken fuel pipe in the engine room.")
    # Part order is free, focus first.
    assert words(campaign)[1][3] == ("D", ["The Żuraw", "a ferry fire"])
    assert campaign.pyramids[0].scus[2].comment == "check the wording"


def test_every_scu_is_listed_in_an_annotation_also_those_that_do_not_match(put: Put, import_as: Import) -> None:
    campaign, problems = import_as("ducview", put("X1.M.10.T.5.pan", annotation()))
    assert list(problems) == []
    assert [(match.uid, match.present) for match in campaign.annotations[0].scus] == [(1, True), (2, False), (7, True)]
    assert peer_words(campaign) == ({1: [["Fire on a ferry"]], 7: [["was old"]]}, [["It rained"]])


@pytest.mark.parametrize("light", [False, True])
def test_an_empty_bucket_means_not_marked_and_that_is_said(put: Put, import_as: Import, light: bool) -> None:
    units = [scu(1, "(2) A ferry burned", contributor(part("Fire on a ferry", text=PEER)), tag="peerscu")]
    units += [scu(2, "", tag="peerscu"), scu(7, "", tag="peerscu")]
    if not light:
        units.append(scu(0, "All non-matching SCUs go here", tag="peerscu"))
    path = put("X1.M.10.T.5.pan", annotation(*units))
    campaign, problems = import_as("ducview", path)
    assert campaign.annotations[0].unmatched is None
    assert "so X and the original score can't be computed" in only(problems)
    for option, expected in (("marked", ()), ("unmarked", None)):
        campaign, problems = import_as("ducview", path, unmatched=option)
        assert campaign.annotations[0].unmatched == expected
        assert len(problems) == 0


def test_a_bucket_that_was_marked_empty_stays_so(put: Put, import_as: Import) -> None:
    units = [scu(uid, "", tag="peerscu") for uid in (1, 2, 7)]
    path = put("X1.5.pan", annotation(*units))
    for option in ("marked", "unmarked"):
        campaign, _ = import_as("ducview", path, unmatched=option)
        exported(campaign, Path(option))
        again, _ = import_as("ducview", Path(option, "X1.5.pan"))
        assert again.annotations == campaign.annotations


@pytest.mark.parametrize(
    ("name", "topic", "summarizer", "annotator"),
    [
        ("114.D0631.M.250.J.12.pan", "D0631", "12", "114"),  # 2006
        ("D0701.M.250.A.35.pan", "D0701", "35", ""),  # 2007
        ("D0801-A.M.100.B.7", "D0801-A", "7", ""),  # TAC: no ending
        ("3.D301.M.250.I.C.txt.pan", "D301", "C", "3"),  # 2005
        ("D0703-B.M.100.E.40.pan", "D0703-B", "40", ""),
        ("ferry.sys1.ann2.pan", "ferry", "sys1", "ann2"),
        ("ferry.sys1.pan", "ferry", "sys1", ""),
        ("ferry.sys1.txt", "ferry", "sys1", ""),  # a wrong ending
    ],
)
def test_file_names_give_topic_summarizer_and_annotator(
    put: Put, import_as: Import, name: str, topic: str, summarizer: str, annotator: str
) -> None:
    # Headers that name no set, as long as those that do, so that offsets stay.
    plain_headers = annotation().replace("X1.M.10.T.", "my_models:").replace(r"X1\.M\.10\.T\.", "my_models:")
    campaign, problems = import_as("ducview", put(name, plain_headers), unmatched="marked")
    assert [problem for problem in problems if problem.severity == "error"] == []
    (found,) = campaign.annotations
    assert (found.topic, found.summarizer, found.annotator) == (topic, summarizer, annotator)


def test_the_set_in_the_headers_is_the_topic_whatever_the_file_is_called(put: Put, import_as: Import) -> None:
    campaign, _ = import_as("ducview", put("renamed.pyr", pyramid()))
    assert campaign.topic_ids == ("X1",)
    campaign, _ = import_as("ducview", put("renamed.pyr", pyramid()), topic="Y", annotator="me")
    assert (campaign.pyramids[0].topic, campaign.pyramids[0].annotator) == ("Y", "me")


def test_humans_that_are_models_of_the_topic_are_annotated_as_such(put: Put, import_as: Import) -> None:
    model = "The ferry burned.\nNobody died."
    units = [scu(1, "", contributor(part("The ferry burned", text=model)), tag="peerscu")]
    units += [scu(2, "", tag="peerscu"), scu(7, "", tag="peerscu")]
    own = put("X1.M.10.T.A.pan", annotation(*units, text=model))
    other = put("X1.M.10.T.C.pan", annotation())
    campaign, problems = import_as("ducview", [own, other], unmatched="marked")
    assert list(problems) == []
    assert list(texts_of(campaign)) == [("X1", "model", "A"), ("X1", "model", "B"), ("X1", "peer", "C")]
    assert campaign.kind_of("C") == "human"


def test_letters_of_either_case_join_files_of_a_topic(put: Put, import_as: Import) -> None:
    files = [put("X1.pyr", pyramid()), put("x1.M.10.T.5.pan", annotation().replace("X1", "x1"))]
    campaign, problems = import_as("ducview", files)
    assert list(problems) == []
    assert campaign.topic_ids == ("X1",)
    assert len(campaign.pyramids) == 1


def test_it_is_recognised_by_content_not_by_name(put: Put) -> None:
    assert detect_format(put("any.txt", annotation())) is DUCVIEW
    assert detect_format(put("some/any.xml", pyramid())) is DUCVIEW
    assert detect_format(Path("some")) is DUCVIEW
    assert detect_format(put("other/x.xml", "<Pyramid/>").parent) is not DUCVIEW


@pytest.mark.parametrize("option", [{"unmatched": "mraked"}, {"across": "x"}, {"regex": "(?=a)"}, {"summarizer": "5"}])
def test_a_wrong_option_is_a_usage_error(put: Put, import_as: Import, option: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        import_as("ducview", put("X1.pyr", pyramid()), **option)


def test_comments_on_contributors_are_kept(put: Put, import_as: Import) -> None:
    said = scu(9, "Old", contributor(part("It was old"), comment="weak &amp; late"), comment="see 1")
    campaign, _ = import_as("ducview", put("X1.pyr", pyramid(*SCUS, said)))
    assert campaign.pyramids[0].scus[3].contributors[0].comment == "weak & late"
    exported(campaign, Path("out"))
    assert import_as("ducview", Path("out/X1.pyr"))[0] == campaign


def test_the_score_block_has_the_golden_values_of_the_rounding_of_ducview_1_5(
    tmp_path: Path, import_as: Import
) -> None:
    campaign, _ = import_as("ducview", GOLDEN / "comet.peer7.pan")
    (content,) = (text for name, text in exported(campaign, tmp_path, score="yes").items() if name.endswith(".pan"))
    block = content.decode().partition("<score>")[2]
    # pyramids.json: D 14, X 7, Max 18, original .777778; floor: X′ 6, Max 16, modified .875.
    for name, value in (
        *(("totalscu", "7"), ("uniquescu", "5"), ("scusNotInPyr", "1"), ("totalWeight", "14")),
        *(("maxScoreTotalscu", "18"), ("averagescu", "6"), ("maxScoreAveragescu", "16"), ("coverageScore", "0.875")),
    ):
        assert f"<{name}>{value}</{name}>" in block
    assert "<qualityScore>0.7777777777777778<" in block
    again, problems = import_as("ducview", tmp_path / "F9002.peer7.pan")
    assert list(problems) == []
    assert again.annotations == campaign.annotations
