"""pyreval: contributors find their models by their words, and weights are right where they can't."""

from __future__ import annotations

from pathlib import Path

import pytest

from formats.miniature import Import, Put, only, texts_of
from pyramidion.errors import UsageError
from pyramidion.formats import detect_format, find_format

PYREVAL = find_format("pyreval")
# The layout of the format description.
XML = """<Pyramid>
<scu uid="3"><contributor label="The ferry burned"/><contributor label="a ferry  caught fire"/></scu>
<scu uid="5" label="It was old"><contributor label="It was old"/></scu>
</Pyramid>
"""
TABLE = "3\t2\tThe ferry burned\n5\t1\tIt was old\n"


def test_without_texts_the_weights_are_right(put: Put, import_as: Import) -> None:
    for path in (put("t.xml", XML), put("t.txt", TABLE)):
        campaign, problems = import_as("pyreval", path)
        (pyramid,) = campaign.pyramids
        assert [(scu.uid, scu.label, scu.weight) for scu in pyramid.scus] == [
            (3, "The ferry burned", 2),
            (5, "It was old", 1),
        ]
        assert pyramid.topic == "t"
        assert list(texts_of(campaign)) == [("t", "model", "model1"), ("t", "model", "model2")]
        assert "no texts of 2 models" in only(problems)


def test_a_line_for_each_contributor_is_as_the_tool_writes_it(put: Put, import_as: Import) -> None:
    lines = "SCU\t0\t2\tA ferry burned.\nSCU\t0\t2\tThe ferry caught fire.\nSCU\t1\t1\tNobody died.\n"
    path = put("t.pyr.txt", lines)
    assert detect_format(path) is PYREVAL
    campaign, problems = import_as("pyreval", path)
    assert [(scu.uid, scu.label, scu.weight) for scu in campaign.pyramids[0].scus] == [
        (0, "A ferry burned.", 2),
        (1, "Nobody died.", 1),
    ]
    assert problems.warnings == 1
    put("models/A.txt", "Nobody died. A ferry burned.")
    put("models/B.txt", "The ferry caught fire.")
    campaign, problems = import_as("pyreval", path, models="models")
    assert [one.parts for one in campaign.pyramids[0].scus[0].contributors] == [((13, 28),), ((0, 22),)]
    _, problems = import_as("pyreval", put("wrong.txt", lines.replace("SCU\t1\t1", "SCU\t1\t3")))
    assert any("the weight 3 of uid 1, and 1 line" in str(one) for one in problems)


def test_with_texts_contributors_are_found_in_the_models(put: Put, import_as: Import) -> None:
    put("models/A.txt", "It was old.\nThen a ferry\ncaught fire.\n")
    put("models/B.txt", "The ferry burned.\n")
    campaign, problems = import_as("pyreval", put("t.xml", XML), models="models", topic="D1")
    assert list(problems) == []
    texts = {model: str(text) for (_, _, model), text in texts_of(campaign).items()}
    found = {
        scu.uid: [(one.model, [texts[one.model][start:end] for start, end in one.parts]) for one in scu.contributors]
        for scu in campaign.pyramids[0].scus
    }
    assert found == {3: [("B", ["The ferry burned"]), ("A", ["a ferry\ncaught fire"])], 5: [("A", ["It was old"])]}


def test_words_that_are_in_no_model_are_kept_without_a_place(put: Put, import_as: Import) -> None:
    put("models/A.txt", "It was old.")
    put("models/B.txt", "The ferry burned.")
    campaign, problems = import_as("pyreval", put("t.xml", XML), models="models")
    assert campaign.pyramids[0].scus[0].weight == 2
    assert campaign.pyramids[0].scus[0].contributors[1].parts == ()
    assert only(problems).startswith('t.xml:2: warning: uid="3": found')


def test_it_is_recognised_by_content(put: Put) -> None:
    assert detect_format(put("a.dat", '<?xml version="1.0"?>\n' + XML)) is PYREVAL
    assert detect_format(put("b.dat", TABLE)) is PYREVAL
    assert detect_format(put("c.dat", "3\t2\n")) is not PYREVAL
    assert detect_format(put("d.dat", "")) is None


def test_comments_before_the_root_are_skipped_however_many_there_are(put: Put) -> None:
    """Each way to divide them used to be tried, 2 to the power of their number: this test did not end."""
    comments = "<!-- a comment -->\n" * 60
    assert detect_format(put("t.xml", comments + XML)) is PYREVAL
    assert detect_format(put("u.xml", f"{comments}<other/>")) is None


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "no SCU"),
        ("<Pyramid/>", "no SCU"),
        ("<Pyramid><scu>", "not well-formed"),
        ('<Pyramid><scu uid="x"/></Pyramid>', "uid='x'"),
        ('<Pyramid><scu uid="1"/>\n<scu uid="1"/></Pyramid>', "t.x:2: error: found the uid 1 again"),
        ("1\t2\n", "t.x:1: error"),
        ("1\t1\ta\n\n1\t1\tb\n", "t.x:3: error: found the uid 1 again"),
        ("1\t99999\ta\n", "the weight 99999"),
        ('<!DOCTYPE Pyramid [<!ENTITY a "b">]><Pyramid/>', "t.x:1: error"),
    ],
)
def test_what_can_not_be_read_is_said_with_file_and_line(put: Put, import_as: Import, content: str, said: str) -> None:
    _, problems = import_as("pyreval", put("t.x", content))
    assert problems.errors
    assert any(said in str(problem) for problem in problems)


def test_odd_bytes_are_read(put: Put, import_as: Import) -> None:
    content = b"\xef\xbb\xbf" + "1\t1\tCaf\xe9\r\n".encode("cp1252")
    campaign, problems = import_as("pyreval", put("t.txt", content))
    assert campaign.pyramids[0].scus[0].label == "Café"
    assert problems.errors == 0
    assert problems.warnings == 4  # the mark, the encoding, the line ends, the missing texts


def test_a_folder_of_models_that_is_not_there_is_a_usage_error(put: Put, import_as: Import) -> None:
    with pytest.raises(UsageError, match="found no folder"):
        import_as("pyreval", put("t.xml", XML), models=str(Path("absent")))
