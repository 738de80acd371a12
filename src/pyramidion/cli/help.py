"""Help that a person reads: the options of a command in groups, and commands that may have been meant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import click

from pyramidion.errors import close_to

OWN_GROUP = "Options"
"""What a command has of its own comes first."""
SHARED_GROUPS: Mapping[str, tuple[str, ...]] = {
    "Which data": ("peers", "where", "exclude", "scores"),
    "Table layout": ("format", "fields", "digits", "bold", "caption", "label"),
    "Reading files": ("predictions", "references", "sources", "columns", "option", "strict"),
}
"""Options that many commands share, by the names that functions know them by; they mean the same in all commands."""


def group_options(options: Iterable[click.Option]) -> dict[str, list[click.Option]]:
    """The options of a command by the heading of their group, its own first; without empty groups."""
    heading_of = {name: heading for heading, names in SHARED_GROUPS.items() for name in names}
    groups: dict[str, list[click.Option]] = {heading: [] for heading in (OWN_GROUP, *SHARED_GROUPS)}
    for option in options:
        groups[heading_of.get(option.name or "", OWN_GROUP)].append(option)
    return {heading: members for heading, members in groups.items() if members}


def write_options(command: click.Command, context: click.Context, formatter: click.HelpFormatter) -> None:
    """Write the options of a command to its help, a section for each group."""
    options = [option for option in command.get_params(context) if isinstance(option, click.Option)]
    for heading, members in group_options(options).items():
        records = [option.get_help_record(context) for option in members]
        shown_records = [record for record in records if record is not None]
        if shown_records:
            with formatter.section(heading):
                formatter.write_dl(shown_records)


def suggest_commands(group: click.Group, word: str) -> list[str]:
    """Commands that an unknown word may have meant: one that is spelt much alike, or one of a group below."""
    near = close_to(word, group.commands)
    if near:
        return near
    subgroups = [command for command in group.commands.values() if isinstance(command, click.Group)]
    return [f"{subgroup.name} {word}" for subgroup in subgroups if word in subgroup.commands]
