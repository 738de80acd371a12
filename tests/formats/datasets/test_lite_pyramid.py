"""lite-pyramid: line k of every file is about topic k, both ways."""

from __future__ import annotations

from pathlib import Path

import pytest

import pyramidion
from formats.miniature import Import, Put, only, texts_of
from pyramidion.campaign import Problems
from pyramidion.errors import UsageError
from pyramidion.formats import detect_format, find_format

LITE = find_format("lite-pyramid")
FILES = {
    "SCUs.txt": "A ferry burned.\tNobody died.\nRain fell.",
    "ids.txt": "d1\nd2",
    "references.txt": "<t> a ferry burned . </t> <t> nobody died . </t>\n<t> rain fell . </t>",
    "documents.txt": "the ferry burned on sunday .\nit rained .",
    "summaries/s1.summary": "fire on a ferry . nobody slept .\nsun .",
    "summaries/s2.summary": "nobody died .\n",
    "labels/s1.label": "1\t0\n0",
    "labels/s2.label": "0\t1\n0",
}


@pytest.fixture
def folder(put: Put) -> Path:
    for name, text in FILES.items():
        put(f"lite/{name}", text)
    return Path("lite")


def test_units_become_a_light_pyramid_and_labels_annotations(folder: Path, import_as: Import) -> None:
    campaign, problems = import_as("lite-pyramid", folder)
    assert list(problems) == []
    assert texts_of(campaign)["d1", "model", "ref1"] == ("a ferry burned .", "nobody died .")
    assert texts_of(campaign)["d1", "peer", "s1"] == ("fire on a ferry .", "nobody slept .")
    assert campaign.topics[0].documents[0].text == "the ferry burned on sunday ."
    assert [(scu.uid, scu.label, scu.weight) for scu in campaign.pyramids[0].scus] == [
        (1, "A ferry burned.", 1),
        (2, "Nobody died.", 1),
    ]
    present = {(one.topic, one.summarizer): [match.present for match in one.scus] for one in campaign.annotations}
    assert present == {
        ("d1", "s1"): [True, False],
        ("d2", "s1"): [False],
        ("d1", "s2"): [False, True],
        ("d2", "s2"): [False],
    }


def test_export_gives_the_files_back_byte_for_byte(folder: Path, import_as: Import) -> None:
    campaign, _ = import_as("lite-pyramid", folder)
    problems = Problems()
    LITE.write(campaign, Path("out"), problems)
    assert list(problems) == []
    found = {str(path.relative_to("out")): path.read_text() for path in Path("out").rglob("*") if path.is_file()}
    assert found == FILES


def test_a_folder_may_be_given_as_data(folder: Path) -> None:
    assert detect_format(folder) is LITE
    assert len(pyramidion.load(folder).annotations) == 4


def test_the_other_units_are_read_on_request(folder: Path, put: Put, import_as: Import) -> None:
    put("lite/STUs.txt", "fire\tdeath\train\nrain\n")
    campaign, problems = import_as("lite-pyramid", folder, units="stus")
    assert "the units of SCUs.txt, which the labels belong to" in only(problems)
    assert campaign.annotations == ()
    assert [scu.label for scu in campaign.pyramids[0].scus] == ["fire", "death", "rain"]
    with pytest.raises(UsageError, match="choose one of: scus, stus"):
        import_as("lite-pyramid", folder, units="sents")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("labels/s1.label", "1\n0\n", "lite/labels/s1.label:1: error: found 1 labels of 's1'; expected 2"),
        (
            "labels/s1.label",
            "1\t2\n0\n",
            "lite/labels/s1.label:1: error: found '2' as a label of 's1'; expected 0 or 1",
        ),
        ("labels/s1.label", "1\t0", "lite/labels/s1.label:2: error: found 1 lines; expected 2"),
        ("labels/s9.label", "1\t0\n0\n", "labels of 's9'"),
        ("references.txt", "<t> a </t>\n<t> b </t>\n<t> c </t>\n", "lite/references.txt:3: error: found 3 lines"),
        ("ids.txt", "d1\nd1\n", "lite/ids.txt:2: error: found 'd1' again"),
        ("SCUs.txt", "", "lite/SCUs.txt:1: error: found an empty file"),
    ],
)
def test_what_does_not_fit_is_an_error_with_both_counts(
    folder: Path, put: Put, import_as: Import, name: str, text: str, said: str
) -> None:
    put(f"lite/{name}", text)
    _, problems = import_as("lite-pyramid", folder)
    assert said in only(problems)


def test_odd_bytes_are_read_and_missing_files_said(folder: Path, put: Put, import_as: Import) -> None:
    put("lite/ids.txt", b"\xef\xbb\xbfd1\r\nd\xe9\r\n")
    Path("lite/references.txt").unlink()
    campaign, problems = import_as("lite-pyramid", folder)
    assert campaign.topic_ids == ("d1", "dé")
    assert (problems.errors, problems.warnings) == (1, 3)


def test_what_the_files_can_not_hold_is_said(import_as: Import, tmp_path: Path) -> None:
    from formats.ducview_files import GOLDEN

    campaign, _ = import_as("ducview", GOLDEN)
    problems = Problems()
    LITE.write(campaign, tmp_path / "out", problems)
    said = "\n".join(map(str, problems))
    for lost in (
        "several models of 2 topics",
        "several pyramids of 1 topic;",
        "the words of",
        "'peer1' was not annotated",
    ):
        assert lost in said
    assert (tmp_path / "out/SCUs.txt").read_text().count("\n") == 1
    again, problems = import_as("lite-pyramid", tmp_path / "out")
    assert problems.errors == 0
    assert [len(one.scus) for one in again.pyramids] == [14, 18]
