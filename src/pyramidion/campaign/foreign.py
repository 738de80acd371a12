"""What a campaign from elsewhere must satisfy before it is used or written: the same that `check` asks of our files."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import msgspec

from pyramidion.campaign.campaign import NOUNS, Campaign
from pyramidion.campaign.checks import Table, check_tables
from pyramidion.campaign.decoding import RowDecoder
from pyramidion.campaign.nouns import Noun, Summarizer, encode, to_plain
from pyramidion.files.characters import is_encodable, repair_text, repair_value
from pyramidion.files.problems import Place, Problem, Problems, shorten
from pyramidion.wording import counted, listed


def with_whole_texts(campaign: Campaign, at: Place) -> Campaign:
    """The campaign with texts that can be written: names that are not UTF-8, and halves of characters, are mended.

    It is said once how many rows were, with the first of them.
    """
    mended: list[str] = []

    def whole_noun(noun: Any) -> Any:
        try:
            encode(noun)
        except UnicodeEncodeError as error:
            mended.append(shorten(error.object[max(error.start - 20, 0) : error.start + 20]))
            return msgspec.convert(repair_value(to_plain(noun)), type(noun))
        return noun

    nouns: dict[str, Any] = {name: tuple(map(whole_noun, getattr(campaign, name))) for name in NOUNS}
    texts: dict[str, Any] = {
        one.name: text for one in fields(campaign) if isinstance(text := getattr(campaign, one.name), str)
    }
    who = {repair_text(id): whole_noun(one) for id, one in campaign.summarizers.items()}
    if not mended and all(map(is_encodable, [*texts.values(), *campaign.summarizers])):
        return campaign
    if mended:
        at.warning(
            f"{counted(len(mended), 'row')} with a name or text that is not valid Unicode, first {mended[0]}",
            "UTF-8",
            "Bytes of names were read as Windows-1252, halves of characters as U+FFFD; rename the files to be sure.",
            count=len(mended),
        )
    return replace(campaign, summarizers=who, **repair_value(texts), **nouns)


def note_refused(campaign: Campaign, at: Place) -> None:
    """Note what `check` would refuse if the campaign were written, each kind of error once."""
    found = Problems()
    path = Path(at.file)
    tables = {noun: Table(path, _valid(getattr(campaign, name), noun, found.at(path))) for name, noun in NOUNS.items()}
    _valid(tuple(campaign.summarizers.values()), Summarizer, found.at(path))
    check_tables(tables, {path: campaign.imported} if len(campaign.imported) else {}, campaign.questions, found)
    kinds: dict[tuple[str | None, str], list[Problem]] = {}
    for problem in found:
        if problem.severity == "error":
            kinds.setdefault((problem.field, problem.expected), []).append(problem)
    for (field, expected), problems in kinds.items():
        shown = list(dict.fromkeys(problem.found for problem in problems))
        at.error(listed(shown, most=3), expected, problems[0].remedy, field=field, count=len(problems))


def _valid(nouns: tuple[Any, ...], noun: type[Noun], at: Place) -> list[tuple[int, Any]]:
    """The rows that can be read again; the others are noted."""
    decoder = RowDecoder(noun, Path(at.file), at.problems)
    return [(0, one) for one in nouns if decoder.decode_line(0, encode(one)) is not None]
