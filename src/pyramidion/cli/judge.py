"""`pyramidion judge plan|send|read`: an LLM as an assessor, by files."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from pyramidion.cli import options as o
from pyramidion.cli.output import note, plain_warnings, print_finding, progress, writing
from pyramidion.cli.run import check_written, take_options
from pyramidion.errors import UsageError
from pyramidion.options import Choice, JudgePlanOptions, JudgeReadOptions, JudgeSendOptions

PATH: Any = click.Path(path_type=Path)
STOPPED = 130
"""What shells report for a program that Ctrl-C ended."""

judge: o.Program = o.group(
    "judge", "Let a model judge: write requests, send them to a server, read the answers into the campaign."
)


@judge.add
@o.command()
@o.data
@o.output("The file of the requests, .jsonl; the plan is written next to it.", None, required=True)
@o.options_of(JudgePlanOptions)
@o.options_of(Choice, without=JudgePlanOptions.unused_choice)
@o.replace
@o.format
@o.quiet
def plan(data: Any, output: Path, replace: bool, format: str, quiet: bool, **flags: object) -> None:
    """Write requests to a judge: blinded, in random order, in the batch form of OpenAI or Anthropic.

    Example: pyramidion judge plan demo --questions focus --llm gpt-judge -o requests.jsonl
    """
    from pyramidion.judge import write_plan
    from pyramidion.judging.judge_plan import plan_path

    options = take_options(JudgePlanOptions, flags)
    choice = take_options(Choice, flags)
    if output.suffix != ".jsonl":
        raise UsageError(f"-o {output}: expected a file that ends in .jsonl")
    check_written(output, data, choice, None, options, replace=replace)
    check_written(plan_path(output), data, choice, None, options, replace=replace)
    with plain_warnings(quiet=quiet), writing(output):
        finding = write_plan(data, output, options, choice)
    print_finding(finding, format)


@judge.add
@o.command()
@o.argument("requests", type=PATH, about="The requests that `judge plan` wrote, in OpenAI's form.")
@o.argument("answers", type=PATH, about="The file to which answers are appended; it is made if need be.")
@o.options_of(JudgeSendOptions)
@o.format
@o.quiet
def send(requests: Path, answers: Path, format: str, quiet: bool, **flags: object) -> None:
    """Send requests to a server that is compatible with OpenAI's (vLLM, Ollama, llama.cpp, a gateway).

    Each answer is in the file before its request counts as done. Run the same command again to go on after a stop;
    nothing that has an answer is asked again.

    Example: pyramidion judge send requests.jsonl answers.jsonl --endpoint http://127.0.0.1:8000/v1
    """
    from pyramidion.judging.sending import send_requests

    options = take_options(JudgeSendOptions, flags)
    with plain_warnings(quiet=quiet), writing(answers), progress(quiet=quiet, lines=True) as counter:
        finding = send_requests(requests, answers, options, progress=counter)
    print_finding(finding, format)
    if finding.sent.stopped:
        sys.exit(STOPPED)
    if finding.sent.unanswered:
        sys.exit(1)


@judge.add
@o.command()
@o.argument("answers", type=PATH, about="What `judge send` or a batch service returned.")
@click.option("--into", type=PATH, metavar="CAMPAIGN", required=True, help="Add to this campaign folder.")
@o.options_of(JudgeReadOptions)
@o.format
@click.option(
    "--show",
    multiple=True,
    type=o.RecordChoice("judging.judge_answers:JudgeReading"),
    help="Show only these records; repeatable.",
)
def read(answers: Path, into: Path, format: str, show: Sequence[str] = (), **flags: object) -> None:
    """Read the answers of a judge into a campaign: judgments, annotations of SCUs, or preferences.

    JSON is read by the schema that was asked for, other answers by the grammar of answers ("4/5", "Score: 4").
    Refusals, answers that were cut off and answers that can't be read are counted and listed; nothing is guessed.

    Example: pyramidion judge read answers.jsonl --into my-campaign
    """
    from pyramidion.judging.judge_answers import read_answers

    options = take_options(JudgeReadOptions, flags)
    with plain_warnings(quiet=False), writing(into):
        finding = read_answers(answers, into, options)
    for problem in finding.imported.problems:
        note(str(problem))
    print_finding(finding, format, show)
    if finding.imported.refused:
        sys.exit(1)
