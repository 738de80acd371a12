"""The command line: a file for each kind of command; the only place that prints. Heavy imports stay in the commands."""

from __future__ import annotations

import click

from pyramidion.cli.analyses import compare, correlate, describe, design, power
from pyramidion.cli.assess import assess
from pyramidion.cli.baseline import baseline
from pyramidion.cli.check import check
from pyramidion.cli.demo import demo
from pyramidion.cli.doctor import completion, doctor
from pyramidion.cli.gate import gate
from pyramidion.cli.import_export import export, import_command, init
from pyramidion.cli.judge import judge
from pyramidion.cli.judgments import judgments
from pyramidion.cli.list import list_
from pyramidion.cli.look import look
from pyramidion.cli.plan import plan
from pyramidion.cli.process import main, program
from pyramidion.cli.pyramid import pyramid
from pyramidion.cli.report import report
from pyramidion.cli.score import score
from pyramidion.cli.simulate import simulate
from pyramidion.cli.skill import skill
from pyramidion.cli.study import study
from pyramidion.cli.trust import trust
from pyramidion.version import VERSION

__all__ = ["main", "program"]

_COMMANDS: tuple[click.Command, ...] = (
    *(demo, score, compare, gate, trust, correlate, power, design, plan, judgments, judge, pyramid, study, report),
    assess,
    *(look, describe, check, list_, init, import_command, export, baseline, simulate, doctor, completion, skill),
)
for _command in _COMMANDS:
    program.add(_command)
click.version_option(VERSION, message="%(version)s", help="Print the version.")(program)
