"""`pyramidion look`: which words of a summary match each reference."""

from __future__ import annotations

import sys
from typing import Any

import click

from pyramidion.cli import options as o
from pyramidion.cli.output import print_finding, safe
from pyramidion.cli.run import running, take_options
from pyramidion.options import Choice


@o.command()
@o.data
@click.option("--topic", required=True, metavar="TOPIC", help="The topic of the summary.")
@click.option("--summarizer", required=True, metavar="SUMMARIZER", help="The summarizer that wrote it.")
@click.option(
    "--measure", "-m", default="rouge-2", metavar="MEASURE", help="A ROUGE measure, such as rouge-l or rouge2."
)
@o.format
@o.options_of_choice("columns", "option")
@o.strict
@o.quiet
def look(data: Any, topic: str, summarizer: str, measure: str, format: str, quiet: bool, **flags: object) -> None:
    """Show which words of a summary match each reference.

    Example: pyramidion look demo --topic D02 --summarizer 16 -m rouge-2
    """
    with running(data, take_options(Choice, flags), quiet=quiet) as run:
        found = run.evaluation.look(topic, summarizer, measure)
    if format != "table":
        print_finding(found, format)
        return
    from pyramidion.present.scores import marked_texts

    bold, plain = ("\033[1m", "\033[0m") if sys.stdout.isatty() else ("[", "]")
    # marks that no text has: a terminal must not obey what texts contain
    for heading, peer, model in marked_texts(found, "\0", "\1"):
        for text in (heading, peer, model):
            shown = safe(text).replace("\\x00", bold).replace("\\x01", plain)
            print(shown if text is heading else f"{shown}\n")
