"""What several studies share on the command line: parts of a campaign, checks before long work, notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pyramidion.cli import options as o
from pyramidion.errors import UsageError

if TYPE_CHECKING:
    from pyramidion.campaign import Campaign

By = Annotated[
    str | None, typer.Option("--by", help="Study the parts of the campaign apart and compare them, such as part.")
]


def check(figure: Path | None, *inputs: str | Path | None, confidence: float = 95.0) -> None:
    """Refuse what can't be done, before long work."""
    o.check_figure(figure, *inputs)
    o.check_resampling(confidence, 1)


def given_with(names: Sequence[str] | None) -> list[str]:
    """What --with names; a study can't do without."""
    if not names:
        raise UsageError(
            "--with is missing: give what measures are held against, such as --with question.overall-responsiveness "
            "(`pyramidion describe` lists the questions)"
        )
    return list(names)


def holds_scores(data: str) -> bool:
    """Whether DATA is a table of scores: there are no texts, and what was scored is all there is."""
    import pyramidion
    from pyramidion.campaign import Source

    source = pyramidion.source_of(data)
    return isinstance(source, Source) and source.kind() == "scores"


def refuse_parts(by: str | None) -> None:
    """A table of scores knows nothing of its topics but their names."""
    if by is not None:
        raise UsageError(f"--by {by}: a table of scores does not say what its topics are; give the campaign")


def parts_of(campaign: Campaign, by: str | None) -> dict[str, Campaign]:
    """The campaign whole, or apart by a field or attribute of its topics."""
    if by is None:
        return {"": campaign}
    values: dict[str, None] = {}
    for id in campaign.topic_ids:
        topic = campaign.topic(id).topic
        value = getattr(topic, by) if by in ("part", "parent") else topic.attributes.get(by)
        if value not in (None, ""):
            values.setdefault(str(value).lower() if isinstance(value, bool) else str(value))
    if len(values) < 2:
        found = f"one value, {next(iter(values))}" if values else "no topic that has it"
        raise UsageError(f"--by {by}: found {found}; expected a field or attribute with two values or more")
    return {value: campaign.where({by: value}) for value in values}


def said_of(notes: Mapping[str, str], names: Iterable[str] | None = None) -> list[str]:
    """What must be said with the values of these measures (or of all), each note once with whom it is about."""
    by_note: dict[str, list[str]] = {}
    for name in dict.fromkeys(notes if names is None else names):
        if name in notes:
            by_note.setdefault(notes[name], []).append(name)
    return [f"{note[:1].upper()}{note[1:]}: {', '.join(about)}." for note, about in by_note.items()]


def note_of(notes: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """The field `note` of a record about these measures; nothing if there is nothing to say."""
    said = "; ".join(f"{name}: {notes[name]}" for name in dict.fromkeys(names) if name in notes)
    return {"note": said} if said else {}
