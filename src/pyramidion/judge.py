"""An LLM as an assessor, by files: `pyramidion.judge.plan("my-campaign", "requests.jsonl", llm="gpt-judge")`.

`plan` writes requests, `send` has a server answer them (batch services need no `send`), `read` adds the answers to the
campaign. Each returns a Finding.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from pyramidion.options import (
    Choice,
    JudgePlanOptions,
    JudgeReadOptions,
    JudgeSendOptions,
    Progress,
    split_keywords,
    with_options,
)
from pyramidion.options.value_types import as_path

if TYPE_CHECKING:  # the rooms are imported inside, so that `pyramidion --help` stays quick
    from pyramidion.judging.judge_answers import JudgeReading
    from pyramidion.judging.judge_requests import JudgePlan
    from pyramidion.judging.sending import JudgeSending
    from pyramidion.options.keywords import JudgePlanVerbKeywords, JudgeReadKeywords, JudgeSendKeywords
    from pyramidion.run.data import UserData

__all__ = ["plan", "read", "send"]


@with_options(JudgePlanOptions, Choice)
def plan(data: UserData, output: str | Path, **keywords: Unpack[JudgePlanVerbKeywords]) -> JudgePlan:
    """Write requests to a judge: blinded, shuffled, in the batch form of a provider; next to them a plan.

    Args:
        data: a campaign folder.
        output: the file of the requests, .jsonl.
        keywords: options.
    """
    choice, options = split_keywords(keywords, JudgePlanOptions)
    return write_plan(data, as_path(output, "output"), options, choice)


def write_plan(data: UserData, output: Path, options: JudgePlanOptions, choice: Choice) -> JudgePlan:
    """Write requests to a judge, with options as objects."""
    from pyramidion.judging.judge_requests import plan_requests
    from pyramidion.run.evaluation import Evaluation

    evaluation = Evaluation(data, choice)
    is_folder = isinstance(data, str | Path) and Path(data).is_dir()
    return plan_requests(
        evaluation.campaign.with_all_raters(),
        output,
        options,
        peers=choice.peers,
        exclude=choice.exclude,
        seed=choice.seed,
        folder=Path(str(data)) if is_folder else None,
    )


@with_options(JudgeSendOptions)
def send(
    requests: str | Path,
    answers: str | Path,
    *,
    progress: Progress | None = None,
    **keywords: Unpack[JudgeSendKeywords],
) -> JudgeSending:
    """Send requests to a server that is compatible with OpenAI's; what has an answer is not asked for again.

    Args:
        requests: the file that `plan` wrote.
        answers: the file to which answers are appended.
        progress: called as answers arrive.
        keywords: options.
    """
    from pyramidion.judging.sending import send_requests

    options = JudgeSendOptions.of(keywords)
    return send_requests(as_path(requests, "requests"), as_path(answers, "answers"), options, progress=progress)


@with_options(JudgeReadOptions)
def read(answers: str | Path, into: str | Path, **keywords: Unpack[JudgeReadKeywords]) -> JudgeReading:
    """Read the answers of a judge, and add them to a campaign as judgments, annotations or preferences.

    Args:
        answers: what `send` or a batch service returned.
        into: the campaign folder.
        keywords: options.
    """
    from pyramidion.judging.judge_answers import read_answers

    return read_answers(as_path(answers, "answers"), as_path(into, "into"), JudgeReadOptions.of(keywords))
