"""ducview: everything that is not as DUCView writes it is mended where it can be, and always said, with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from formats.ducview_files import (
    GOLDEN,
    PEER,
    PEER_SCUS,
    REGEX,
    SCUS,
    TEXT,
    annotation,
    contributor,
    part,
    peer_words,
    pyramid,
    scu,
    words,
)
from formats.miniature import Import, Put, only, texts_of
from pyramidion.campaign import CampaignError
from pyramidion.formats.ducview.ducview_file import bare_label

NOTHING_LOST = {
    1: [("A", ["The ferry burned"]), ("B", ["A ferry caught fire"])],
    2: [("A", ["Nobody died"])],
    7: [("B", ["It was old"])],
}


def test_a_missing_expression_is_replaced_by_headers_between_dashes(put: Put, import_as: Import) -> None:
    campaign, problems = import_as("ducview", put("X1.pyr", pyramid(regex="")))
    assert words(campaign) == NOTHING_LOST
    assert "found no startDocumentRegEx" in only(problems)
    assert only(problems).endswith("Models were found by headers between dashes.")


def test_then_by_names_on_lines_of_their_own(put: Put, import_as: Import) -> None:
    campaign, problems = import_as("ducview", put("X1.pyr", pyramid(regex="").replace("----------", "==========")))
    # The rule below a name is now part of the text, above the words.
    assert {uid: [one[1] for one in found] for uid, found in words(campaign).items()} == {
        uid: [one[1] for one in found] for uid, found in NOTHING_LOST.items()
    }
    assert "NIST's names" in str(problems.kept[0])
    assert "before the first model" in str(problems.kept[1])


def test_the_number_of_models_decides_between_ways_to_tell_them_apart(put: Put, import_as: Import) -> None:
    text = "The ferry burned.\nNobody died.\n\nA ferry caught fire.\nIt was old.\n"
    scus = (scu(1, "Fire", contributor(part("burned", text=text)), contributor(part("caught fire", text=text))),)
    file = pyramid(*scus, text=text, regex="", attributes=' numModels="2"')
    campaign, problems = import_as("ducview", put("X1.pyr", file))
    assert texts_of(campaign) == {
        ("X1", "model", "1"): "The ferry burned.\nNobody died.",
        ("X1", "model", "2"): "A ferry caught fire.\nIt was old.",
    }
    assert campaign.pyramids[0].scus[0].weight == 2
    assert "numModels=2" in only(problems)


@pytest.mark.parametrize("regex", [REGEX, ""])
def test_another_number_of_models_than_the_text_has_is_said(put: Put, import_as: Import, regex: str) -> None:
    campaign, problems = import_as("ducview", put("X1.pyr", pyramid(regex=regex, attributes=' numModels="5"')))
    assert words(campaign) == NOTHING_LOST
    assert "found numModels=5;" in str(problems.kept[-1])
    assert str(problems.kept[-1]).endswith("2 models were found in the text.")
    assert len(problems.kept) == (1 if regex else 2)


def test_models_that_nothing_tells_apart_are_an_error_with_a_way_out(put: Put, import_as: Import) -> None:
    text = "The ferry burned.\nNobody died.\n"
    path = put("X1.pyr", pyramid(scu(1, "", contributor(part("burned", text=text))), text=text, regex=""))
    _, problems = import_as("ducview", path)
    assert problems.errors == 1
    assert '`option={"regex": ' in only(problems)
    campaign, problems = import_as("ducview", path, regex="^")
    assert problems.errors == 1
    campaign, problems = import_as("ducview", path, regex="The")
    assert (problems.errors, campaign.pyramids[0].models) == (0, ("The",))


@pytest.mark.parametrize("regex", ["(?=a)b", "nothing like it", "(", "[" * 5000], ids=lambda regex: regex[:20])
def test_an_expression_that_is_no_use_is_said_and_replaced(put: Put, import_as: Import, regex: str) -> None:
    element = f"<startDocumentRegEx><![CDATA[{regex}]]></startDocumentRegEx>"
    campaign, problems = import_as("ducview", put("X1.pyr", pyramid(regex=element)))
    assert words(campaign) == NOTHING_LOST
    assert "a startDocumentRegEx that" in only(problems)


def test_of_appended_documents_the_last_counts(put: Put, import_as: Import) -> None:
    old = pyramid(SCUS[0])
    campaign, problems = import_as(
        "ducview", put("X1.pyr", f'<?xml version="1.0"?>\n{old}<?xml version="1.0"?>\n{pyramid()}')
    )
    assert words(campaign) == NOTHING_LOST
    line = old.count("\n") + 2
    assert only(problems).startswith(f"X1.pyr:{line + 1}: warning: found 2 documents in one file")


@pytest.mark.parametrize("shift", [-3, 2, 1000])
def test_offsets_that_do_not_fit_are_mended_by_the_label(put: Put, import_as: Import, shift: int) -> None:
    at = TEXT.index("It was old")
    moved = scu(7, "The ferry was old", contributor(part("It was old", start=at + shift, end=at + shift + 10)))
    campaign, problems = import_as("ducview", put("X1.pyr", pyramid(SCUS[0], SCUS[1], moved)))
    assert words(campaign) == NOTHING_LOST
    assert f"Its words were found at {at} to {at + 10}." in only(problems)
    with pytest.raises(CampaignError):
        problems.refuse(strict=True)


def test_the_nearest_of_several_places_is_taken_and_only_in_the_same_model(put: Put, import_as: Import) -> None:
    text = TEXT.replace("Nobody died.", "A ferry and a ferry.")
    first, second = text.index("ferry and"), text.index("a ferry.") + 2
    scus = [
        scu(uid, "", contributor(part("ferry", text=text, start=start, end=start + 5)))
        for uid, start in ((1, first + 2), (2, second + 3))
    ]
    scus.append(scu(3, "", contributor(part("caught", text=text, start=first, end=first + 6))))
    campaign, problems = import_as("ducview", put("X1.pyr", pyramid(*scus, text=text)))
    offset = text.index("The ferry burned")
    starts = [one.contributors[0].parts for one in campaign.pyramids[0].scus]
    assert starts == [((first - offset, first - offset + 5),), ((second - offset, second - offset + 5),), ()]
    assert campaign.pyramids[0].scus[2].weight == 1  # the words are lost, not what the annotator said
    assert problems.warnings == 3
    assert "The part was dropped." in "\n".join(map(str, problems))


def test_labels_that_differ_in_white_space_or_entities_are_found(put: Put, import_as: Import) -> None:
    text = TEXT.replace("It was old.", 'It was "old" & rusty.').replace("&", "&amp;").replace('"', "&quot;")
    real = text.replace("&amp;", "&").replace("&quot;", '"')
    at = real.index("It was")
    twice = '<part label="It was &amp;quot;old&amp;quot; &amp;amp; rusty" start="3" end="9"/>'.replace(
        '"3" end="9"', f'"{at + 1}" end="{at + 4}"'
    )
    spaced = f'<part label="Nobody   died" start="{real.index("Nobody") + 4}" end="{real.index("Nobody") + 6}"/>'
    campaign, problems = import_as(
        "ducview",
        put("X1.pyr", pyramid(scu(1, "", contributor(twice)), scu(2, "", contributor(spaced)), text=text)),
    )
    assert words(campaign) == {1: [("B", ['It was "old" & rusty'])], 2: [("A", ["Nobody died"])]}
    assert ["after decoding entities" in str(one) for one in problems] == [True, False]
    assert "ignoring white space" in str(problems.kept[1])


def test_entities_left_in_labels_are_decoded_once_more(put: Put, import_as: Import) -> None:
    unit = scu(1, "He said &amp;quot;no&amp;quot;", contributor(part("Nobody died")))
    campaign, problems = import_as("ducview", put("X1.pyr", pyramid(unit)))
    assert campaign.pyramids[0].scus[0].label == 'He said "no"'
    assert "&quot; left in" in only(problems)


def test_parts_in_two_models_are_one_contributor_or_two_or_none(put: Put, import_as: Import) -> None:
    path = put("X1.pyr", pyramid(scu(1, "Fire", contributor(part("burned"), part("caught fire"), part("died")))))
    campaign, problems = import_as("ducview", path)
    assert words(campaign) == {1: [("A", ["burned", "died"])]}
    assert campaign.pyramids[0].scus[0].contributors[0].label == "burned...caught fire...died"
    assert "It counts once, for model 'A'" in only(problems)
    campaign, problems = import_as("ducview", path, across="split")
    assert words(campaign) == {1: [("A", ["burned", "died"]), ("B", ["caught fire"])]}
    assert "a contributor with parts in the models 'A' and 'B'" in only(problems)
    campaign, problems = import_as("ducview", path, across="drop")
    assert words(campaign) == {1: []}
    assert "It was dropped." in only(problems)


def test_two_contributors_of_a_model_are_kept_and_each_counts(put: Put, import_as: Import) -> None:
    twice = scu(1, "Fire", contributor(part("ferry")), contributor(part("burned")), contributor(part("caught fire")))
    campaign, problems = import_as("ducview", put("X1.pyr", pyramid(twice)))
    assert [one[0] for one in words(campaign)[1]] == ["A", "A", "B"]
    (pyramid_,) = campaign.pyramids
    assert (pyramid_.weights, pyramid_.weight_of(pyramid_.scus[0]), pyramid_.scus[0].weight) == ("contributors", 3, 2)
    assert not len(problems)


def test_a_copy_of_the_pyramid_is_no_second_pyramid(put: Put, import_as: Import) -> None:
    noisy = pyramid().replace('label="Nobody died"', 'label="Nobody died (NONE)"', 1)
    campaign, problems = import_as("ducview", [put("X1.pyr", pyramid()), put("X1.5.pan", annotation(own=noisy))])
    assert list(problems) == []
    assert len(campaign.pyramids) == 1


def test_other_uids_are_mapped_by_their_labels(put: Put, import_as: Import) -> None:
    shifted = (
        annotation()
        .replace('uid="1" ', 'uid="101" ')
        .replace('uid="2" ', 'uid="1" ')
        .replace('label="The ferry was old"', 'label="The ferry was old (2.1)"')
    )
    campaign, problems = import_as("ducview", [put("X1.pyr", pyramid()), put("X1.5.pan", shifted)])
    assert len(campaign.pyramids) == 1
    assert peer_words(campaign)[0] == {1: [["Fire on a ferry"]], 7: [["was old"]]}
    assert "3 of 3 SCUs were matched by their labels" in only(problems)


def test_scus_that_the_pyramid_does_not_have_are_kept_as_non_matching(put: Put, import_as: Import) -> None:
    own = pyramid(*SCUS, scu(9, "It rained", contributor(part("It was")))).replace('uid="1" ', 'uid="101" ')
    units = [one.replace('uid="1" ', 'uid="101" ') for one in PEER_SCUS[:3]]
    units.append(scu(9, "(1) It rained", contributor(part("It rained", text=PEER)), tag="peerscu"))
    path = put("X1.5.pan", annotation(*units, own=own))
    campaign, problems = import_as("ducview", [put("X1.pyr", pyramid()), path], unmatched="marked")
    assert peer_words(campaign) == ({1: [["Fire on a ferry"]], 7: [["was old"]]}, [["It rained"]])
    assert problems.warnings == 2


def test_a_pyramid_that_is_not_that_of_the_pyr_is_kept_beside_it(put: Put, import_as: Import) -> None:
    other = pyramid(scu(1, "Something else", contributor(part("The ferry"))))
    units = [scu(1, "(1) Something else", contributor(part("Fire on a ferry", text=PEER)), tag="peerscu")]
    files = [put("X1.pyr", pyramid()), put("X1.5.pan", annotation(*units, own=other))]
    campaign, problems = import_as("ducview", files, unmatched="unmarked")
    assert [(one.annotator, len(one.scus)) for one in campaign.pyramids] == [("", 3), ("pan", 1)]
    assert campaign.annotations[0].pyramid == "pan"
    assert "Both were kept" in only(problems)


def test_an_unknown_uid_is_non_matching_with_a_note(put: Put, import_as: Import) -> None:
    stranger = scu(55, "(3) Unheard of", contributor(part("a ferry", text=PEER)), tag="peerscu")
    campaign, problems = import_as("ducview", put("X1.5.pan", annotation(*PEER_SCUS, stranger)))
    assert peer_words(campaign)[1] == [["It rained"], ["a ferry"]]
    assert "the uid 55, which no SCU of the pyramid has" in only(problems)


def test_a_blank_peer_is_read_as_empty(put: Put, import_as: Import) -> None:
    units = [scu(uid, "", tag="peerscu") for uid in (1, 2, 7)]
    campaign, problems = import_as("ducview", put("X1.5.pan", annotation(*units, text="")), unmatched="marked")
    assert campaign.summaries[2].text == ""
    assert "an empty peer" in only(problems)


def test_another_text_of_a_model_is_said_and_parts_are_found_again(put: Put, import_as: Import) -> None:
    typo = pyramid().replace("The ferry burned.</line>", "The ferry burned. Badly.</line>")
    campaign, problems = import_as("ducview", [put("X1.pyr", pyramid()), put("X1.two.pyr", typo)])
    assert words(campaign, annotator="two") == NOTHING_LOST
    assert any("another text of model 'A'" in str(one) for one in problems)


def test_two_texts_of_a_peer_are_an_error(put: Put, import_as: Import) -> None:
    files = [put("X1.5.a.pan", annotation()), put("X1.5.b.pan", annotation(text=PEER.replace("rained", "poured")))]
    _, problems = import_as("ducview", files)
    assert problems.errors == 1
    assert any("another text of '5'" in str(one) for one in problems)


@pytest.mark.parametrize(
    ("character", "units"),
    [("𝔣", "UTF-16"), ("🔥", "UTF-16"), ("🔥", "code points"), ("é", "bytes"), ("\ufffd", "bytes")],
)
def test_offsets_in_any_unit_become_code_points(put: Put, import_as: Import, character: str, units: str) -> None:
    text = TEXT.replace("The ferry", f"The {character * 3} ferr\u0301y")  # a combining mark is a code point of its own

    def count(before: str) -> int:
        codec = {"UTF-16": "utf-16-le", "bytes": "utf-8", "code points": "utf-32-le"}[units]
        return len(before.encode(codec)) // {"UTF-16": 2, "bytes": 1, "code points": 4}[units]

    parts = []
    for wanted in (f"{character * 3} ferr\u0301y burned", "Nobody died", "It was old"):
        at = text.index(wanted)
        parts.append(part(wanted, text=text, start=count(text[:at]), end=count(text[: at + len(wanted)])))
    scus = [scu(uid, "", contributor(one)) for uid, one in enumerate(parts, start=1)]
    campaign, problems = import_as("ducview", put("X1.pyr", pyramid(*scus, text=text)))
    found = words(campaign)
    assert [found[uid][0][1] for uid in (1, 2, 3)] == [
        [f"{character * 3} ferr\u0301y burned"],
        ["Nobody died"],
        ["It was old"],
    ]
    assert [str(one) for one in problems if units != "bytes"] == []
    assert problems.warnings == (units == "bytes")


def test_emoji_are_exported_as_two_units(put: Put, import_as: Import) -> None:
    from pyramidion.campaign import Problems
    from pyramidion.formats import find_format

    text = TEXT.replace("The ferry", "🔥🔥 The ferry")
    at = text.index("Nobody")
    scus = [scu(1, "", contributor(part("Nobody died", text=text, start=at + 2, end=at + 13)))]
    campaign, problems = import_as("ducview", put("X1.pyr", pyramid(*scus, text=text)))
    assert list(problems) == []
    find_format("ducview").write(campaign, Path("out"), Problems())
    assert f'<part label="Nobody died" start="{at + 2}" end="{at + 13}"/>' in Path("out/X1.pyr").read_text()


DEFECTS = (
    '<scu uid="one" label="x"><contributor label="x"><part label="died" start="1" end="2"/></contributor></scu>\n',
    scu(1, "again", contributor(part("burned"))),
    '<scu uid="20"><contributor label="x">' + part("burned") + "</contributor></scu>\n",
    scu(21, "lost", contributor(part("not in the text", start=30, end=45))),
    scu(22, "far", contributor(part("Nobody died", start=9000, end=9011))),
    scu(23, "no number", contributor(part("Nobody died", start="x"))),
    scu(24, "two models", contributor(part("burned"), part("caught fire"))),
    scu(25, "none"),
    "<remark>?</remark>\n",
)


def test_a_file_with_ten_defects_gives_ten_messages(put: Put, import_as: Import) -> None:
    stranger = scu(99, "(1) x", contributor(part("a ferry", text=PEER)), tag="peerscu")
    listed = [scu(uid, "", tag="peerscu") for uid in (20, 21, 22, 23, 24, 25)]
    file = annotation(*PEER_SCUS, *listed, stranger, own=pyramid(*SCUS, *DEFECTS))
    _, problems = import_as("ducview", put("X1.5.pan", file))
    messages = list(map(str, problems))
    assert len(messages) == len(DEFECTS) + 1 == 10
    assert all(one.line for one in problems)
    assert (problems.errors, problems.warnings) == (2, 8)
    for said in ("uid='one'", "the uid 1 again", "no label", "'not in the text'", "at 9000 to 9011", "at x to 64"):
        assert sum(said in message for message in messages) == 1, said
    for said in ("'A' and 'B'", "without contributors", "<remark>", "the uid 99"):
        assert sum(said in message for message in messages) == 1, said


def test_a_file_that_grows_without_limit_is_refused_at_once(put: Put, import_as: Import) -> None:
    entities = "".join(f'<!ENTITY lol{number} "{f"&lol{number - 1};" * 10}">' for number in range(1, 10))
    bomb = f'<?xml version="1.0"?><!DOCTYPE pyramid [<!ENTITY lol0 "lol">{entities}]><pyramid>&lol9;</pyramid>'
    campaign, problems = import_as("ducview", put("bomb.pan", bomb))
    assert campaign.summaries == ()
    assert only(problems).startswith("bomb.pan:1: error: found an entity declared in the DTD")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "an empty file"),
        ("   \n", "an empty file"),
        ("hello", "not well-formed"),
        ("<pyramid><text>", "not well-formed"),
        ("<a><pyramid/></a>", "the root element <a>"),
        ("<peerAnnotation><pyramid/></peerAnnotation>", "no <annotation>"),
        ("<pyramid/>", "no <text>"),
        (
            '<!DOCTYPE pyramid SYSTEM "file:///etc/passwd"><pyramid/>',
            "a reference to another file (file:///etc/passwd)",
        ),
        ('<!DOCTYPE pyramid [<!ATTLIST scu label CDATA "x">]><pyramid/>', "a default of an attribute"),
        ("<pyramid>" * 3000, "nested more than"),
        ("<pyramid/>" * 3000, "more than 100 XML documents"),
        (b"\xff\xfe<\x00", "not well-formed"),
        (b"\x00\x01\x02", "not well-formed"),
    ],
)
def test_a_file_that_can_not_be_read_says_where_and_why(
    put: Put, import_as: Import, content: str | bytes, said: str
) -> None:
    _, problems = import_as("ducview", put("x.pan", content))
    errors = [one for one in problems if one.severity == "error"]
    assert any(said in str(one) for one in errors)
    assert all(one.file == "x.pan" and one.line for one in errors)


@pytest.mark.parametrize("cut", range(50, 4000, 400))
def test_a_truncated_file_is_an_error_with_its_line(put: Put, import_as: Import, cut: int) -> None:
    content = (GOLDEN / "comet.peer7.pan").read_bytes()[:cut]
    _, problems = import_as("ducview", put("x.pan", content))
    line = content.count(b"\n") + 1
    assert only(problems).startswith(f"x.pan:{line}: error: ")


def test_odd_bytes_are_mended_and_said(put: Put, import_as: Import) -> None:
    file = b"\xef\xbb\xbf" + pyramid().replace("It was old.<", "It was old & caf\xe9 \x01.<").replace(
        "\n", "\r\n"
    ).encode("cp1252")
    campaign, problems = import_as("ducview", put("X1.pyr", file))
    assert str(campaign.summaries[1].text).endswith("It was old & café \ufffd.")
    assert words(campaign) == NOTHING_LOST
    found = [str(one) for one in problems]
    for said in ("a byte-order mark", "byte 0xE9", "U+0001", "a bare &"):
        assert sum(said in one for one in found) == 1
    assert problems.errors == 0


def test_a_file_that_is_not_there_and_an_empty_folder_are_errors(put: Put, import_as: Import, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    _, problems = import_as("ducview", [tmp_path / "absent.pyr", tmp_path / "empty"])
    assert problems.errors == 2
    assert "found no such file;" in str(problems.kept[1]) or "found no such file;" in str(problems.kept[0])


def test_the_regex_element_may_be_there_and_empty(put: Put, import_as: Import) -> None:
    assert REGEX in pyramid()
    campaign, problems = import_as("ducview", put("X1.pyr", pyramid(regex="<startDocumentRegEx/>")))
    assert words(campaign) == NOTHING_LOST
    assert problems.warnings == 1


@pytest.mark.parametrize("encoding", ["punycode", "idna", "rot13", "zlib", "unicode_escape", "nonsense"])
def test_only_encodings_of_texts_are_obeyed(put: Put, import_as: Import, encoding: str) -> None:
    content = f'<?xml version="1.0" encoding="{encoding}"?>' + pyramid() + "é" * 40_000
    _, problems = import_as("ducview", put("X1.pyr", content.replace("é" * 40_000, f"<!-- {'é' * 40_000} -->")))
    assert [str(one) for one in problems if "encoding" in one.found] == [
        f"X1.pyr:1: warning: found the encoding '{encoding}'; expected UTF-8. It was read as any text; convert it to "
        "UTF-8."
    ]


def test_bare_ampersands_are_one_warning_for_each_line_however_many(put: Put, import_as: Import) -> None:
    many = 200_000
    file = pyramid().replace("<text>", f"<text><line>R&D</line><line>{'&' * many}</line>\n<line>&\n&</line>", 1)
    _, problems = import_as("ducview", put("X1.pyr", file))
    first = file[: file.index("R&D")].count("\n") + 1
    bare = [one for one in problems if "bare &" in one.found]
    assert [(one.line, one.found, one.count) for one in bare] == [
        (first, f"{many + 1:,} bare &", many + 1),
        (first + 1, "a bare &", 1),
        (first + 2, "a bare &", 1),
    ]


def test_a_label_of_blanks_takes_no_time() -> None:
    """At 25,000 blanks it took two seconds, and sixteen times as long at four times as many: here it would not end."""
    assert bare_label(f"(2) {' ' * 1_000_000}x (1.1) ") == "x"
    assert bare_label(f"(1){' ' * 1_000_000}x") == "x"
