"""Writing a campaign for ROUGE-1.5.5: `rouge.xml` with one EVAL per topic, and SPL texts under `peers` and `models`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pyramidion.campaign import Campaign, Problems, TopicData
from pyramidion.campaign.nouns import Text
from pyramidion.errors import InputError
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.guarded_xml import NOT_XML
from pyramidion.formats.text_files import any_file_name_of, has_all, require_exportable, save_lines
from pyramidion.text.basic_elements.simple import is_simple

CONFIGURATION = "rouge.xml"


def write(campaign: Campaign, target: Path, problems: Problems) -> None:
    """Write the configuration and its texts into the folder `target` (or next to it, if it ends in .xml).

    ROUGE-1.5.5 is then started in that folder, because the roots are relative to where it runs.
    """
    configuration = target if target.suffix.lower() == ".xml" else target / CONFIGURATION
    evaluations: list[str] = []
    for data in campaign.given_topics():
        if has_all(Place(problems, configuration), data, models=data.models, peers=data.peers):
            evaluations += _evaluation(data, configuration.parent)
    require_exportable(evaluations, "no topic has models and peers")
    beginning = ['<?xml version="1.0" encoding="UTF-8"?>', '<ROUGE-EVAL version="1.0">']
    save_lines(configuration, [*beginning, *evaluations, "</ROUGE-EVAL>"])


def _evaluation(data: TopicData, folder: Path) -> Iterator[str]:
    """Write the texts of a topic; the lines of its EVAL element."""
    from xml.sax.saxutils import escape  # loads urllib, which every command would wait for

    yield f"<EVAL ID={_attribute(data.topic.topic)}>"
    yield "<PEER-ROOT>peers</PEER-ROOT>"
    yield "<MODEL-ROOT>models</MODEL-ROOT>"
    texts = [summary.text for summary in (*data.peers, *data.models)]
    type = "SIMPLE" if is_simple(texts) else "SPL"
    yield f'<INPUT-FORMAT TYPE="{type}"></INPUT-FORMAT>'
    for root, tag, summaries in (("peers", "P", data.peers), ("models", "M", data.models)):
        yield f"<{root.upper()}>"
        for summary in summaries:
            name = f"{any_file_name_of(summary.topic)}/{any_file_name_of(summary.summarizer)}"
            save_lines(folder / root / name, _sentences(summary.text))
            yield f"<{tag} ID={_attribute(summary.summarizer)}>{escape(name)}</{tag}>"
        yield f"</{root.upper()}>"
    yield "</EVAL>"


def _sentences(text: Text) -> Iterator[str]:
    """The sentences that are not empty; a break within a known sentence becomes a blank, the same to every measure."""
    if isinstance(text, str):
        return filter(None, text.split("\n"))
    return filter(None, (sentence.replace("\n", " ") for sentence in text))


def _attribute(id: str) -> str:
    """An id as the value of an attribute.

    Raises:
        InputError: if it has a character that XML can't hold.
    """
    from xml.sax.saxutils import quoteattr

    wrong = NOT_XML.search(id)
    if wrong:
        raise InputError(
            f"found the character U+{ord(wrong[0]):04X} in the id {shorten(id)}; expected characters that XML allows. "
            "Rename the topic or summarizer."
        )
    return quoteattr(id)
