"""`pyramidion skill`: what a coding agent needs to know, as a SKILL.md."""

from __future__ import annotations

from pathlib import Path

import click

from pyramidion.cli import options as o

FILE = Path(__file__).with_name("SKILL.md")


@o.command()
def skill() -> None:
    """Print a SKILL.md for coding agents: what to run for which question, and which fields to read.

    Example: pyramidion skill > SKILL.md
    """
    click.echo(FILE.read_text(encoding="utf-8"), nl=False)
