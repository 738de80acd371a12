"""`pyramidion pyramid score|show|check|agreement|convert`: one file for each of them."""

from __future__ import annotations

import typer

from pyramidion.cli.pyramid.agreement import agreement
from pyramidion.cli.pyramid.check import check
from pyramidion.cli.pyramid.convert import convert
from pyramidion.cli.pyramid.score import score
from pyramidion.cli.pyramid.show import show

app = typer.Typer(no_args_is_help=True, help="Pyramids: score peers by them, look at them, check and convert them.")
app.command()(score)
app.command()(show)
app.command()(check)
app.command()(agreement)
app.command()(convert)
