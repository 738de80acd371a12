"""The ferry of tests/golden/pyramid as campaign nouns, read by a few lines of their own, not by the importer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from pyramidion.campaign import Contributor, Match, PeerAnnotation, Pyramid, Scu, Summary, Topic, TopicData
from pyramidion.campaign.nouns import Parts

FOLDER = Path(__file__).parents[1] / "golden" / "pyramid"
HEADER = re.compile(r"-+\nF9001\.M\.100\.T\.([A-Z])\n-+\n")


def _text(element: ElementTree.Element) -> str:
    return "".join(f"{line.text or ''}\n" for line in element.iterfind("text/line"))


def _parts(contributor: ElementTree.Element) -> Parts:
    return tuple((int(part.attrib["start"]), int(part.attrib["end"])) for part in contributor.iterfind("part"))


def _bodies(text: str) -> list[tuple[str, int, str]]:
    """Name, offset and text of each model."""
    headers = list(HEADER.finditer(text))
    ends = [*(header.start() for header in headers[1:]), len(text)]
    return [(header[1], header.end(), text[header.end() : end]) for header, end in zip(headers, ends, strict=True)]


def _scus(pyramid: ElementTree.Element, bodies: list[tuple[str, int, str]]) -> Iterator[Scu]:
    for scu in pyramid.iterfind("scu"):
        contributors = []
        for contributor in scu.iterfind("contributor"):
            parts = _parts(contributor)
            name, offset, _ = [body for body in bodies if body[1] <= parts[0][0]][-1]
            moved = tuple((start - offset, end - offset) for start, end in parts)
            contributors.append(Contributor(model=name, parts=moved))
        yield Scu(uid=int(scu.attrib["uid"]), label=scu.attrib["label"], contributors=tuple(contributors))


def read_pyramid(name: str, annotator: str) -> tuple[Pyramid, list[Summary]]:
    root = ElementTree.parse(FOLDER / name).getroot()
    bodies = _bodies(_text(root))
    pyramid = Pyramid(
        topic="ferry",
        annotator=annotator,
        models=tuple(body[0] for body in bodies),
        scus=tuple(_scus(root, bodies)),
    )
    return pyramid, [Summary(topic="ferry", summarizer=who, kind="model", text=text) for who, _, text in bodies]


def read_peer(peer: str, annotator: str) -> tuple[PeerAnnotation, Summary]:
    root = ElementTree.parse(FOLDER / f"ferry.{peer}.{annotator}.pan").getroot()
    annotation = root.find("annotation")
    assert annotation is not None
    matches = []
    unmatched: tuple[Parts, ...] = ()
    for scu in annotation.iterfind("peerscu"):
        contributors = tuple(_parts(contributor) for contributor in scu.iterfind("contributor"))
        if scu.attrib["uid"] == "0":
            unmatched = contributors
        else:
            uid = int(scu.attrib["uid"])
            matches.append(Match(uid=uid, present=bool(contributors), contributors=contributors))
    noun = PeerAnnotation(
        topic="ferry",
        summarizer=peer,
        annotator=annotator,
        pyramid="annotator1",
        scus=tuple(matches),
        unmatched=unmatched,
    )
    return noun, Summary(topic="ferry", summarizer=peer, kind="peer", text=_text(annotation))


def ferry() -> TopicData:
    """Two pyramids of the same five models, and three peers that both annotators matched against the first."""
    first, models = read_pyramid("ferry.pyr", "annotator1")
    second, _ = read_pyramid("ferry.annotator2.pyr", "annotator2")
    peers = [
        read_peer(peer, annotator) for peer in ("peer1", "peer2", "peer3") for annotator in ("annotator1", "annotator2")
    ]
    return TopicData(
        topic=Topic(topic="ferry"),
        models=tuple(models),
        peers=tuple(summary for _, summary in peers[::2]),
        pyramids=(first, second),
        annotations=tuple(annotation for annotation, _ in peers),
    )
