"""`pyramidion study …`: what an evaluation says about itself; one file for each study."""

from __future__ import annotations

import typer

from pyramidion.cli.study.heterogeneity import heterogeneity
from pyramidion.cli.study.model_free import model_free
from pyramidion.cli.study.models import models
from pyramidion.cli.study.orders import orders
from pyramidion.cli.study.topics import topics

app = typer.Typer(no_args_is_help=True, help="Studies of measures and of the evaluation itself.")
app.command()(models)
app.command()(topics)
app.command()(orders)
app.command()(heterogeneity)
app.command("model-free")(model_free)
