"""Writing a campaign for ROUGE-1.5.5: `rouge.xml` with one EVAL per topic, and SPL texts under `peers` and `models`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from pyramidion.campaign import Campaign, Problems, Summary, Text, TopicData
from pyramidion.campaign.problems import shorten
from pyramidion.errors import InputError
from pyramidion.files import atomic_writer
from pyramidion.formats.base import file_name_of
from pyramidion.text.basic_elements.simple import is_simple

CONFIGURATION = "rouge.xml"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(campaign: Campaign, target: Path, problems: Problems) -> None:
    """Write the configuration and its texts into the folder `target` (or beside it, if it ends in .xml).

    ROUGE-1.5.5 is then started in that folder, because the roots are relative to where it runs.
    """
    configuration = target if target.suffix.lower() == ".xml" else target / CONFIGURATION
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<ROUGE-EVAL version="1.0">']
    for data in campaign.each_topic(peers="all"):
        peers = [peer for peer in data.peers if peer.kind == "peer"]
        missing = [role for role, found in (("models", data.models), ("peers", peers)) if not found]
        if missing:
            problems.add(
                "warning",
                file=configuration,
                field=f"topic {shorten(data.topic.topic)}",
                found=f"no {' and no '.join(missing)}",
                expected="models and peers",
                remedy="The topic was left out.",
            )
            continue
        lines += _evaluation(data, peers, configuration.parent)
    lines.append("</ROUGE-EVAL>")
    _write_bytes(configuration, ("\n".join(lines) + "\n").encode())


def _evaluation(data: TopicData, peers: Sequence[Summary], folder: Path) -> Iterator[str]:
    yield f"<EVAL ID={_attribute(data.topic.topic)}>"
    yield "<PEER-ROOT>peers</PEER-ROOT>"
    yield "<MODEL-ROOT>models</MODEL-ROOT>"
    type = "SIMPLE" if is_simple(summary.text for summary in (*peers, *data.models)) else "SPL"
    yield f'<INPUT-FORMAT TYPE="{type}"></INPUT-FORMAT>'
    for root, tag, summaries in (("peers", "P", peers), ("models", "M", data.models)):
        yield f"<{root.upper()}>"
        for summary in summaries:
            name = f"{file_name_of(summary.topic)}/{file_name_of(summary.summarizer)}"
            _write_bytes(folder / root / name, _one_sentence_per_line(summary.text))
            yield f"<{tag} ID={_attribute(summary.summarizer)}>{escape(name)}</{tag}>"
        yield f"</{root.upper()}>"
    yield "</EVAL>"


def _one_sentence_per_line(text: Text) -> bytes:
    """One line per sentence; a break inside a known sentence becomes a blank, which no measure tells from it."""
    sentences = text.split("\n") if isinstance(text, str) else [sentence.replace("\n", " ") for sentence in text]
    return "".join(f"{sentence}\n" for sentence in sentences if sentence).encode(errors="replace")


def _attribute(id: str) -> str:
    wrong = _NOT_XML.search(id)
    if wrong:
        raise InputError(
            f"found the character U+{ord(wrong[0]):04X} in the id {shorten(id)}; expected characters that XML allows. "
            "Rename the topic or summarizer."
        )
    return quoteattr(id)


def _write_bytes(path: Path, content: bytes) -> None:
    with atomic_writer(path) as file:
        file.write(content)
