"""Texts and names from foreign files that no file of ours can hold: they are mended before anything else is done."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import msgspec

from pyramidion.campaign.campaign import NOUNS, Campaign
from pyramidion.campaign.nouns import encode, to_plain
from pyramidion.files.opening import is_encodable, repair_text, repair_value
from pyramidion.files.problems import Place, shorten
from pyramidion.show.wording import counted


def with_whole_texts(campaign: Campaign, at: Place) -> Campaign:
    """The campaign with texts that can be written: names that are not UTF-8, and halves of characters, are mended.

    It is said once how many rows were, with the first of them.
    """
    mended: list[str] = []

    def mend(noun: Any) -> Any:
        try:
            encode(noun)
        except UnicodeEncodeError as error:
            mended.append(shorten(error.object[max(error.start - 20, 0) : error.start + 20]))
            return msgspec.convert(repair_value(to_plain(noun)), type(noun))
        return noun

    nouns: dict[str, Any] = {name: tuple(map(mend, getattr(campaign, name))) for name in NOUNS}
    settings = {field.name: getattr(campaign, field.name) for field in fields(campaign)}
    texts: dict[str, Any] = {name: value for name, value in settings.items() if isinstance(value, str)}
    summarizers = {repair_text(id): mend(summarizer) for id, summarizer in campaign.summarizers.items()}
    if not mended and all(map(is_encodable, [*texts.values(), *campaign.summarizers])):
        return campaign
    if mended:
        at.warning(
            f"{counted(len(mended), 'row')} with a name or text that is not valid Unicode, first {mended[0]}",
            "UTF-8",
            "Bytes of names were read as Windows-1252, halves of characters as U+FFFD; rename the files to be sure.",
            count=len(mended),
        )
    return replace(campaign, summarizers=summarizers, **repair_value(texts), **nouns)
