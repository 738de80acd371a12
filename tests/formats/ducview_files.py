"""DUCView files made for the tests: a miniature topic of two models, and a golden folder to read from."""

from __future__ import annotations

from pathlib import Path

from pyramidion.campaign import Campaign

GOLDEN = Path(__file__).parents[1] / "golden" / "pyramid"

HEADER = "----------\n{}\n----------\n"
TEXT = "".join(
    f"{HEADER.format(name)}\n{text}\n\n"
    for name, text in (
        ("X1.M.10.T.A", "The ferry burned.\nNobody died."),
        ("X1.M.10.T.B", "A ferry caught fire.\nIt was old."),
    )
)
REGEX = r"<startDocumentRegEx><![CDATA[[-]+\nX1\.M\.10\.T\.[A-Z]\n[-]+\n]]></startDocumentRegEx>"
PEER = "Fire on a ferry.\nThe ferry was old.\nIt rained."


def lines(text: str) -> str:
    return "<text>\n" + "".join(f"<line>{line}</line>\n" for line in text.removesuffix("\n").split("\n")) + "</text>\n"


def part(words: str, *, text: str = TEXT, start: int | str | None = None, end: int | str | None = None) -> str:
    """A part with the offsets of the words in the text, unless others are given."""
    at = text.find(words)
    assert at >= 0 or start is not None
    first = at if start is None else start
    last = at + len(words) if end is None else end
    return f'<part label="{words}" start="{first}" end="{last}"/>\n'


def contributor(*parts: str, label: str = "", comment: str = "") -> str:
    said = f' comment="{comment}"' if comment else ""
    return f'<contributor label="{label}"{said}>\n{"".join(parts)}</contributor>\n'


def scu(uid: int | str, label: str, *contributors: str, tag: str = "scu", comment: str = "") -> str:
    said = f' comment="{comment}"' if comment else ""
    return f'<{tag} uid="{uid}" label="{label}"{said}>\n{"".join(contributors)}</{tag}>\n'


SCUS = (
    scu(
        1,
        "A ferry burned",
        contributor(part("The ferry burned")),
        contributor(part("A ferry caught fire")),
    ),
    scu(2, "Nobody died", contributor(part("Nobody died"))),
    scu(7, "The ferry was old", contributor(part("It was old"))),
)


def pyramid(*scus: str, text: str = TEXT, regex: str = REGEX, attributes: str = "") -> str:
    return f"<pyramid{attributes}>\n{regex}\n{lines(text)}{''.join(scus or SCUS)}</pyramid>\n"


PEER_SCUS = (
    scu(1, "(2) A ferry burned", contributor(part("Fire on a ferry", text=PEER)), tag="peerscu"),
    scu(2, "(1) Nobody died", tag="peerscu"),
    scu(7, "(1) The ferry was old", contributor(part("was old", text=PEER)), tag="peerscu"),
    scu(0, "All non-matching SCUs go here", contributor(part("It rained", text=PEER)), tag="peerscu"),
)


def annotation(*units: str, own: str = "", text: str = PEER) -> str:
    """A .pan whose pyramid is the miniature, or another one."""
    return (
        f'<?xml version="1.0"?>\n<peerAnnotation>\n{own or pyramid()}'
        f"<annotation>\n{lines(text)}{''.join(units or PEER_SCUS)}</annotation>\n</peerAnnotation>\n"
    )


def words(campaign: Campaign, *, annotator: str = "") -> dict[int, list[tuple[str, list[str]]]]:
    """By SCU: the words of its contributors, cut from the texts by the offsets that were read."""
    texts = {summary.summarizer: str(summary.text) for summary in campaign.summaries if summary.kind == "model"}
    (found,) = (one for one in campaign.pyramids if one.annotator == annotator)
    return {
        unit.uid: [
            (one.model, [texts[one.model][first:last] for first, last in one.parts]) for one in unit.contributors
        ]
        for unit in found.scus
    }


def peer_words(campaign: Campaign) -> tuple[dict[int, list[list[str]]], list[list[str]] | None]:
    """The same for the only annotation, and what it left unmatched."""
    (found,) = campaign.annotations
    (text,) = (str(one.text) for one in campaign.summaries if one.summarizer == found.summarizer)

    def cut(contributors: tuple[tuple[tuple[int, int], ...], ...]) -> list[list[str]]:
        return [[text[first:last] for first, last in parts] for parts in contributors]

    matched = {match.uid: cut(match.contributors) for match in found.scus if match.present}
    return matched, None if found.unmatched is None else cut(found.unmatched)
