"""What the pyramid commands read: campaigns, and .pyr and .pan files, several at once."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from pyramidion.cli.options_old import conditions
from pyramidion.cli.output_old import note_warnings
from pyramidion.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from pathlib import Path

    from pyramidion.campaign import Campaign, Problems
    from pyramidion.formats import Format

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILES|DATA", help="A campaign, `demo`, or .pyr and .pan files of DUCView.", show_default=False
    ),
]
Topic = Annotated[str | None, typer.Option("--topic", help="Only this topic.")]
AnnotatorOption = Annotated[str | None, typer.Option("--annotator", help="Only this annotator.")]
FormatOptions = Annotated[
    list[str] | None,
    typer.Option("--option", help="An option of the files' format, key=value, such as unmatched=marked."),
]


def read_each(data: Sequence[str]) -> Iterator[tuple[str, Campaign, Problems]]:
    """Each of them by itself, with its problems: a .pan file has a pyramid of its own inside."""
    import pyramidion
    from pyramidion.campaign import Problems

    for one in data:
        problems = Problems()
        yield one, pyramidion.source_of(one).read(problems), problems


def load_each(data: Sequence[str], *, where: list[str] | None, strict: bool, quiet: bool) -> list[Campaign]:
    """Each of them by itself; all errors of all files are refused together."""
    return _chosen(_accepted(list(read_each(data)), strict=strict, quiet=quiet), data, where)


def load_together(
    data: Sequence[str], options: Mapping[str, str], *, where: list[str] | None, strict: bool, quiet: bool
) -> list[Campaign]:
    """Campaigns one by one, files of a foreign format as one campaign; all errors are refused together."""
    return _chosen(_accepted(list(read_together(data, options)), strict=strict, quiet=quiet), data, where)


def read_together(data: Sequence[str], options: Mapping[str, str]) -> Iterator[tuple[str, Campaign, Problems]]:
    """Campaigns one by one; files of one foreign format that reads several together are one campaign."""
    import pyramidion
    from pyramidion.campaign import Problems
    from pyramidion.formats import FormatSource

    foreign: dict[str, tuple[Format, list[Path]]] = {}
    sources = [(one, pyramidion.source_of(one)) for one in dict.fromkeys(data)]
    for one, source in sources:
        if isinstance(source, FormatSource) and source.format.several:
            foreign.setdefault(source.format.name, (source.format, []))[1].append(source.path)
            continue
        if options and not isinstance(source, FormatSource):
            raise UsageError(f"--option: {one} is a campaign; only foreign formats have options")
        problems = Problems()
        if isinstance(source, FormatSource):
            yield one, source.format.read(source.path, problems, **options), problems
        else:
            yield one, source.read(problems), problems
    for format, paths in foreign.values():
        problems = Problems()
        yield " ".join(map(str, paths)), format.read(paths, problems, **options), problems


def _accepted(found: Sequence[tuple[str, Campaign, Problems]], *, strict: bool, quiet: bool) -> list[Campaign]:
    from pyramidion.campaign import Problems

    together = Problems()
    for _, _, problems in found:
        add_problems(together, problems)
    together.refuse(strict=strict)
    for name, _, problems in found:
        note_warnings(problems, name, quiet=quiet)
    return [campaign for _, campaign, _ in found]


def _chosen(campaigns: Sequence[Campaign], data: Sequence[str], where: list[str] | None) -> list[Campaign]:
    """The part of them that was asked for."""
    chosen = [campaign.where(conditions(where)) for campaign in campaigns]
    if where and not any(campaign.topic_ids for campaign in chosen):
        raise UsageError(
            f"no topic has {', '.join(where)}; `pyramidion describe {data[0]}` lists the attributes of topics"
        )
    return chosen


def add_problems(together: Problems, problems: Problems) -> None:
    """Join the problems of several files; those beyond what is kept stay counted."""
    together.kept += problems.kept
    together.counts += problems.counts


def check_names(
    campaigns: Sequence[Campaign], topic: str | None, annotator: str | None, models: Sequence[str] = ()
) -> None:
    """Refuse names that occur nowhere, with a did-you-mean."""
    topics = [id for campaign in campaigns for id in campaign.topic_ids]
    annotators = [pyramid.annotator for campaign in campaigns for pyramid in campaign.pyramids if pyramid.annotator]
    annotators += [one.annotator for campaign in campaigns for one in campaign.annotations if one.annotator]
    known_models = [model for campaign in campaigns for pyramid in campaign.pyramids for model in pyramid.models]
    for option, given, known in (
        ("--topic", [topic] if topic else [], topics),
        ("--annotator", [annotator] if annotator else [], annotators),
        ("--model", models, known_models),
    ):
        for name in given:
            if name not in known:
                there = ", ".join(dict.fromkeys(known)) or "none"
                raise UsageError(f"{option} {name}: found nowhere{did_you_mean(name, known)} there are: {there}")


def number(value: float, *, whole: bool = True) -> float | int | None:
    """A count as a whole number where it is one; None where it is not defined."""
    if math.isnan(value):
        return None
    return int(value) if whole and float(value).is_integer() else float(value)
