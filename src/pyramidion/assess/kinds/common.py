"""What several kinds of work share: the request, texts as they are shown, and rules about what is handed in."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from pyramidion.assess.kinds.base import Piece, RefusedError
from pyramidion.assess.store.work import Event
from pyramidion.campaign.nouns import Text, plain
from pyramidion.show.wording import counted
from pyramidion.text.tokens import cut


def request_of(piece: Piece) -> dict[str, str]:
    """What a topic asks for."""
    topic = piece.topic
    return {"topic": topic.topic, "title": topic.title, "narrative": topic.narrative}


def count_words(text: str) -> int:
    """The number of words: what stands between ASCII white space, which is what bytes are split at."""
    return len(text.encode("utf-8", "surrogatepass").split())


def shown_text(text: Text, limit: int | None) -> dict[str, Any]:
    """A summary as people read it: cut at the limit in words, and how many words were cut."""
    whole = plain(text)
    kept = cut(whole, words=limit, leading_blank_is_word=False) if limit else whole
    words = count_words(kept)
    return {"text": kept, "words": words, "cut": count_words(whole) - words if len(kept) < len(whole) else 0}


def check_text(value: Any, what: str, longest: int) -> None:
    """Refuse what is not a text, or too long."""
    if value is not None and not (isinstance(value, str) and len(value) <= longest):
        raise RefusedError(f"{what} is a text of at most {longest:,} characters")


def check_answered(missing: Collection[object], what: str) -> None:
    """Refuse to hand in what lacks answers."""
    if missing:
        verb = "has" if len(missing) == 1 else "have"
        raise RefusedError(f"{counted(len(missing), what)} {verb} no answer yet")


def given(events: Iterable[Event]) -> dict[str, dict[str, Any]]:
    """For each key of the state when it was last set, and how many seconds all its settings took."""
    found: dict[str, dict[str, Any]] = {}
    for event in events:
        for key in event.changes:
            seconds = found.get(key, {}).get("seconds", 0) + event.seconds
            found[key] = {"time": event.time, "seconds": round(seconds, 1)}
    return found


def last_time(events: Iterable[Event]) -> str:
    """When the last of the events was."""
    return max((event.time for event in events), default="")
