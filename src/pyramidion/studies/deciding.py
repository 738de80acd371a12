"""Which measure decides: chosen by its kind, not by its place among the measures.

What people said comes first: answers to questions (overall quality before the rest), then preferences between two
summaries, then pyramids. A judge (a program that rates like a person) comes after them, automatic measures come last.
Measures that only describe a summary, such as its length, never decide.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pyramidion.campaign import Campaign
from pyramidion.measures.names import parse

Kind = Literal["human", "preferences", "pyramid", "judge", "automatic", "descriptive"]
ORDER: tuple[Kind, ...] = ("human", "preferences", "pyramid", "judge", "automatic", "descriptive")
"""The kinds that can decide, what counts most first."""
PREFERENCES = "preferences"
"""What `--decide` calls the preferences of a campaign."""
DESCRIPTIVE = frozenset({"coverage", "density", "compression", "length", "novelty"})
"""Measures for which neither high nor low values are good."""
ANNOTATED = frozenset({"pyramid", "see-coverage"})
"""Measures of content that people annotated."""
OVERALL = (
    "overall-responsiveness",
    "overall",
    "overall-quality",
    "responsiveness",
    "quality",
    "content-responsiveness",
    "relevance",
)
"""Questions that sum up a summary, the most general first; the last two are about its content."""
ABOUT_CONTENT = 2
PREFERRED = ("rouge-2.recall", "rouge-su4.recall", "rouge-1.recall")
"""The automatic measure that comes first, if it is there (those of DUC and TAC)."""
_PEOPLE = re.compile(r"(?<![a-z])(humans?|people|experts?|annotators?|assessors?|raters?|crowd|manual)(?![a-z])")
_MODEL = re.compile(
    r"(?<![a-z])(llms?|(chat)?gpt|g[-_ ]?eval|gemini|llama|mistral|mixtral|qwen|deepseek|prometheus"
    r"|claude(?=[-_. ]?(\d|opus|sonnet|haiku|instant)))(?![a-z])"
)
"""Names of language models; "claude" alone may be a person."""
_JUDGE = re.compile(r"(?<![a-z])judges?(?![a-z])")
_NO_RATING = re.compile(r"(?<![a-z])(perplexity|ppl|logprobs?|tokens?|cost|latency|seconds|time|rouge|bleu)(?![a-z])")
_SEVERAL = re.compile(
    r"(?<![a-z])(mean|average|median|majority|consensus|crowd|experts|people|assessors|annotators|raters|all)(?![a-z])"
)
"""One assessor whose name says that it stands for several people."""


@dataclass(frozen=True, kw_only=True)
class Assessors:
    """Who answered a question: people, programs, or both."""

    people: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()

    @property
    def single(self) -> str:
        """The only assessor; empty if there are several, or if the name is missing or stands for several people."""
        everybody = (*self.people, *self.programs)
        if len(everybody) != 1 or _SEVERAL.search(everybody[0].lower()):
            return ""
        return everybody[0]


def assessors_of(campaign: Campaign) -> dict[str, Assessors]:
    """By question, who answered it.

    A program is an assessor that campaign.toml calls a judge (`[assessors] NAME = { kind = "judge" }`), that answered
    several times (runs), or that has the name of a language model.
    """
    programs = find_programs(campaign)
    answered: dict[str, set[str]] = defaultdict(set)
    for judgment in campaign.judgments:
        answered[judgment.question].add(judgment.assessor)
    return {
        question: Assessors(people=tuple(sorted(names - programs)), programs=tuple(sorted(names & programs)))
        for question, names in answered.items()
    }


def find_programs(campaign: Campaign) -> set[str]:
    """Assessors of judgments and preferences that are programs."""
    repeated = {judgment.assessor for judgment in campaign.judgments if judgment.run > 1}
    names = {judgment.assessor for judgment in campaign.judgments}
    names |= {preference.assessor for preference in campaign.preferences}
    named = {name for name in names if is_language_model(name)}
    return named | (repeated - {""}) | _declared_judges(campaign)


def _declared_judges(campaign: Campaign) -> set[str]:
    declared = campaign.unknown.get("assessors")
    if not isinstance(declared, Mapping):
        return set()
    return {name for name, facts in declared.items() if isinstance(facts, Mapping) and facts.get("kind") == "judge"}


def is_language_model(name: str) -> bool:
    """Whether a name is that of a language model.

    >>> [is_language_model(name) for name in ("gpt-4o", "llmJudge", "claude-3", "Claude", "assessor 7")]
    [True, True, True, False, False]
    """
    return any(_MODEL.search(spelling) for spelling in _spellings(name))


def kind_of(measure: str, assessors: Mapping[str, Assessors]) -> Kind:
    """What kind of measure a name is; of a column of somebody's own, its name tells whether people or a judge rated.

    >>> [kind_of(f"imported.{name}", {}) for name in ("human_score", "gpt_judge", "bertscore", "gpt2_perplexity")]
    ['human', 'judge', 'automatic', 'automatic']
    """
    name = parse(measure)
    if name.base == "question":
        answered = assessors.get(name.statistic or "", Assessors())
        chosen = next((one.value for one in name.options if one.key == "assessor"), None)
        if chosen is not None:
            return "judge" if chosen in answered.programs else "human"
        return "judge" if answered.programs and not answered.people else "human"
    if name.base == "imported":
        return _kind_of_column(name.statistic or "")
    if name.base in ANNOTATED:
        return "pyramid"
    return "descriptive" if name.base in DESCRIPTIVE else "automatic"


def _kind_of_column(column: str) -> Kind:
    spellings = _spellings(column)
    if any(_PEOPLE.search(spelling) for spelling in spellings):
        return "human"
    if any(_NO_RATING.search(spelling) for spelling in spellings):
        return "automatic"
    if any(_JUDGE.search(spelling) or _MODEL.search(spelling) for spelling in spellings):
        return "judge"
    return "descriptive" if column.lower() in DESCRIPTIVE else "automatic"


def _spellings(name: str) -> tuple[str, str]:
    """A name in lower case, as it is and with its words apart: `llmJudge` is `llm-judge`."""
    return name.lower(), re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def order_by_generality(measures: Iterable[str]) -> list[str]:
    """Questions and ratings about a summary as a whole first, the others in their order."""
    return sorted(measures, key=generality)


def generality(measure: str) -> int:
    """The place of a question in `OVERALL`; those that are about one aspect come last."""
    subject = re.sub(r"[_ ]", "-", (parse(measure).statistic or measure).lower())
    if subject in OVERALL:
        return OVERALL.index(subject)
    return 1 if re.search(r"(?<![a-z])overall(?![a-z])", subject) else len(OVERALL)


def is_overall(measure: str) -> bool:
    """Whether a question is about a summary as a whole, not about its content or another aspect.

    >>> [is_overall(f"question.{name}") for name in ("overall_quality", "relevance", "fluency")]
    [True, False, False]
    """
    return generality(measure) < len(OVERALL) - ABOUT_CONTENT


def order_of_annotated(measures: Sequence[str]) -> list[str]:
    """The modified pyramid score first, the others in their order."""
    return sorted(measures, key=lambda measure: not measure.endswith(".modified"))


def order_of_automatic(measures: Sequence[str]) -> list[str]:
    """Those of DUC and TAC first, the others in their order."""
    return list(dict.fromkeys([*(name for name in PREFERRED if name in measures), *measures]))
