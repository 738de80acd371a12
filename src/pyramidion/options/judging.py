"""How a model is asked to judge: what it is asked, how requests are sent, how answers are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from pyramidion.options.base import Options, option

JudgedKind = Literal["questions", "coverage", "preferences"]
"""What a judge is asked: the questions of the campaign, whether a summary expresses each SCU, or which of two
summaries is better."""
Provider = Literal["openai", "anthropic"]
AnswerForm = Literal["json-schema", "json-object", "text"]


class JudgePlanOptions(Options, unused_choice=("scores", "raters", "judge", "mix_judges", "runs", "empty")):
    """What a judge is asked, and by which prompt."""

    llm: str | None = option(
        None,
        "The judge: an assessor of campaign.toml (`[assessors]`), or a new name; then it is also the model unless "
        "`model=` says otherwise.",
        metavar="NAME",
    )
    kind: JudgedKind = option(
        "questions",
        "What it is asked: the campaign's questions, whether a summary expresses each SCU (coverage), or which of two "
        "summaries is better (preferences, in both orders).",
    )
    questions: Sequence[str] = option(
        (), "Only these questions of the campaign. Default: all.", separator=",", metavar="NAME,…"
    )
    pair: Sequence[tuple[str, str]] = option(
        (), "Only these two systems (preferences); repeatable. Default: all pairs.", metavar="A B"
    )
    model: str | None = option(None, "The model, as its provider calls it. Default: that of campaign.toml.")
    prompt: str | Path | None = option(
        None,
        "File of the prompt, a Jinja template. Default: that of campaign.toml, else one that comes with pyramidion.",
        metavar="FILE",
    )
    temperature: float | None = option(
        None, "Temperature of the model. Default: that of campaign.toml.", minimum=0, maximum=10
    )
    provider: Provider = option("openai", "Whose form of batch requests to write.")
    answer: AnswerForm = option(
        "json-schema",
        "How OpenAI's form asks for JSON: by a schema, as any object, or by the prompt alone (text), for servers that "
        "know neither.",
    )
    times: int = option(1, "How often each question is asked.", minimum=1, most=1000)
    max_tokens: int | None = option(
        None, "Most tokens of an answer. Default: 1024 for Anthropic, else as the server has it.", minimum=1
    )
    body: Mapping[str, str] | None = option(
        None, "A further field of each request, such as top_p=0.9; repeatable.", metavar="KEY=VALUE"
    )
    plan: str | Path | None = option(
        None, "Only what this sample has drawn (sample.jsonl of `pyramidion plan`). Default: all.", metavar="FILE"
    )
    again: bool = option(False, "Also ask what the campaign has an answer of this judge to.")
    price_input: float | None = option(None, "Price of a million tokens of requests.", minimum=0, maximum=1e6)
    price_output: float | None = option(None, "Price of a million tokens of answers.", minimum=0, maximum=1e6)


class JudgeSendOptions(Options):
    """How requests are sent."""

    endpoint: str | None = option(
        None,
        "Address of a server that is compatible with OpenAI's, such as http://127.0.0.1:8000/v1.",
        metavar="URL",
    )
    parallel: int = option(8, "How many requests wait for an answer at the same time.", minimum=1, maximum=256)
    retries: int = option(
        6, "How often a request is repeated that was refused for now (429, 5xx) or lost.", minimum=0, maximum=100
    )
    timeout: float = option(120.0, "Seconds to wait for an answer.", above=0)
    key_variable: str = option(
        "OPENAI_API_KEY",
        "Environment variable that holds the key of the server; no key is sent if it is not set.",
        metavar="NAME",
    )


class JudgeReadOptions(Options):
    """How answers are read and added to a campaign."""

    plan: str | Path | None = option(
        None,
        "The plan that `judge plan` wrote next to the requests. Default: the one next to the answers that has their "
        "ids.",
        metavar="FILE",
    )
    dry_run: bool = option(False, "Read the answers and write nothing.")
    replace: bool = option(False, "Overwrite conflicting values in the campaign with the new ones.")
    strict: bool = option(False, "Treat warnings as errors.")
