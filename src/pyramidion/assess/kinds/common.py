"""What several kinds of work share: the request, texts as they are shown, and rules about what is handed in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from pyramidion.assess.kinds.base import RefusedError, TaskContext, cut_text
from pyramidion.assess.store.work import Event
from pyramidion.campaign.nouns import Text, plain
from pyramidion.show.wording import counted


def request_of(context: TaskContext) -> dict[str, str]:
    """What a topic asks for."""
    topic = context.topic
    return {"topic": topic.topic, "title": topic.title, "narrative": topic.narrative}


def count_words(text: str) -> int:
    """The number of words: what stands between ASCII white space, which is what bytes are split at."""
    return len(text.encode("utf-8", "surrogatepass").split())


def shown_text(text: Text, limit: int | None) -> dict[str, Any]:
    """A summary as people read it: cut at the limit in words, and how many words were cut."""
    whole = plain(text)
    shown = cut_text(whole, limit)
    words = count_words(shown)
    words_cut = 0
    if len(shown) < len(whole):
        words_cut = count_words(whole) - words
    return {"text": shown, "words": words, "cut": words_cut}


def check_text(value: Any, what: str, longest: int) -> None:
    """Refuse what is not a text, or too long."""
    if value is None:
        return
    if not isinstance(value, str) or len(value) > longest:
        raise RefusedError(f"{what} is a text of at most {longest:,} characters")


def check_answered(missing: Collection[object], what: str) -> None:
    """Refuse to hand in what lacks answers."""
    if missing:
        verb = "has" if len(missing) == 1 else "have"
        raise RefusedError(f"{counted(len(missing), what)} {verb} no answer yet")


def answer_times(events: Iterable[Event]) -> dict[str, dict[str, Any]]:
    """For each key of the state when it was last set, and how many seconds all its settings took."""
    times: dict[str, dict[str, Any]] = {}
    for event in events:
        for key in event.changes:
            seconds = times.get(key, {}).get("seconds", 0) + event.seconds
            times[key] = {"time": event.time, "seconds": round(seconds, 1)}
    return times


def last_time(events: Iterable[Event]) -> str:
    """When the last of the events was."""
    return max((event.time for event in events), default="")


def pick_fields(nouns: Iterable[object], names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Some fields of each noun, by their names: rows of an exported table."""
    for noun in nouns:
        yield {name: getattr(noun, name) for name in names}
