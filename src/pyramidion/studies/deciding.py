"""Which measure decides: chosen by its kind, not by its place among the measures.

What people said comes first: answers to questions (overall quality before the rest), then preferences between two
summaries, then pyramids. A judge (a program that rates like a person) comes after them, automatic measures come last.
Measures that only describe a summary, such as its length, never decide.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from pyramidion.campaign import Campaign
from pyramidion.campaign.nouns import Judgment
from pyramidion.errors import UsageError
from pyramidion.measures.names import parse
from pyramidion.scores import ScoreTable
from pyramidion.scores.judges import judges_in

Kind = Literal["human", "preferences", "pyramid", "judge", "automatic", "descriptive"]
ORDER: tuple[Kind, ...] = ("human", "preferences", "pyramid", "judge", "automatic", "descriptive")
"""The kinds that can decide, what counts most first."""
Rater = Literal["judge", "assessor"]
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
    set_aside: tuple[str, ...] = ()
    """Programs whose answers do not count in the question, but can be asked for by their names."""

    @property
    def single(self) -> str:
        """The only assessor; empty if there are several, or if the name is missing or stands for several people."""
        everybody = (*self.people, *self.programs)
        # Published tables often hold means over assessors under one name, such as "experts" or "average".
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
        question: Assessors(
            people=tuple(sorted(names - programs)),
            programs=tuple(sorted(names & programs)),
            set_aside=tuple(sorted({*campaign.judges} - names)),
        )
        for question, names in answered.items()
    }


def find_programs(campaign: Campaign) -> set[str]:
    """Assessors of judgments and preferences that are programs."""
    # No person answers the same question about the same summary again and again.
    repeated = {judgment.assessor for judgment in campaign.judgments if judgment.run > 1}
    names = {judgment.assessor for judgment in campaign.judgments}
    names |= {preference.assessor for preference in campaign.preferences}
    named = {name for name in names if is_language_model(name)}
    return named | (repeated - {""}) | {*campaign.judges}


def is_language_model(name: str) -> bool:
    """Whether a name is that of a language model.

    >>> [is_language_model(name) for name in ("gpt-4o", "llmJudge", "claude-3", "Claude", "assessor 7")]
    [True, True, True, False, False]
    """
    return any(_MODEL.search(spelling) for spelling in _spellings(name))


def find_single_rater(measure: str, judgments: Sequence[Judgment], signatures: Sequence[str] = ()) -> Rater | None:
    """Who alone is behind the scores on a measure: a judge, an assessor, or None for several or an automatic measure.

    Args:
        measure: its name; a column of somebody's own is a judge's if its name says so.
        judgments: the answers behind a question.
        signatures: of the scores, which name the judges among the assessors.
    """
    try:
        name = parse(measure)
    except UsageError:  # a score table made in Python may call a measure anything
        return None
    if name.base not in ("imported", "question"):
        return None
    judges = frozenset[str]().union(*map(judges_in, signatures))
    if len(judges) == 1:
        return "judge"
    if name.base == "imported":
        return "judge" if _kind_of_column(name.statistic or "") == "judge" else None
    names = {judgment.assessor for judgment in judgments}
    if not Assessors(people=tuple(names)).single:
        return None
    # Nobody asks a person the same question twice about one summary: several runs are those of a program.
    has_runs = any(judgment.run > 1 for judgment in judgments)
    return "judge" if has_runs or is_language_model(names.pop()) else "assessor"


def kind_of(measure: str, assessors: Mapping[str, Assessors], judges: Collection[str] = ()) -> Kind:
    """What kind of measure a name is; of a column of somebody's own, its name tells whether people or a judge rated.

    Args:
        measure: its name.
        assessors: by question, who answered it.
        judges: columns that are those of judges, whatever their names.

    >>> [kind_of(f"imported.{name}", {}) for name in ("human_score", "gpt_judge", "bertscore", "gpt2_perplexity")]
    ['human', 'judge', 'automatic', 'automatic']
    """
    name = parse(measure)
    if name.base == "question":
        answered = assessors.get(name.statistic or "", Assessors())
        chosen = next((one.value for one in name.options if one.key == "assessor"), None)
        if chosen is not None:
            return "judge" if chosen in (*answered.programs, *answered.set_aside) else "human"
        return "judge" if answered.programs and not answered.people else "human"
    if name.base == "imported":
        return "judge" if name.statistic in judges else _kind_of_column(name.statistic or "")
    if name.base in ANNOTATED:
        return "pyramid"
    return "descriptive" if name.base in DESCRIPTIVE else "automatic"


def _kind_of_column(column: str) -> Kind:
    spellings = _spellings(column)
    # People first: "human_score_of_gpt4" is a rating by people.
    if any(_PEOPLE.search(spelling) for spelling in spellings):
        return "human"
    if any(_NO_RATING.search(spelling) for spelling in spellings):
        return "automatic"
    if any(_JUDGE.search(spelling) or _MODEL.search(spelling) for spelling in spellings):
        return "judge"
    return "descriptive" if column.lower() in DESCRIPTIVE else "automatic"


def _spellings(name: str) -> tuple[str, str]:
    """A name in lower case, as it is and with its words apart: `llmJudge` is `llm-judge`."""
    # Both: patterns look for whole words, and names come as llm-judge and as llmJudge.
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


def choose_primary(measures: Sequence[str]) -> str:
    """The measure of a comparison that decides where none was asked for: the first that people or a judge gave.

    Empty where all are automatic, so that none was chosen beforehand.

    >>> choose_primary(["rouge-1.f", "question.focus", "question.overall-quality"])
    'question.overall-quality'
    >>> choose_primary(["rouge-1.f", "rouge-2.f"])
    ''
    """
    try:
        kinds = {name: kind_of(name, {}) for name in measures}
    except UsageError:  # a score table made in Python may call a measure anything
        return ""
    rated = [name for name, kind in kinds.items() if kind in ("human", "pyramid", "judge")]
    in_order = sorted(order_of_annotated(order_by_generality(rated)), key=lambda name: ORDER.index(kinds[name]))
    return next(iter(in_order), "")


def order_of_annotated(measures: Sequence[str]) -> list[str]:
    """The modified pyramid score first, the others in their order."""
    return sorted(measures, key=lambda measure: not measure.endswith(".modified"))


def order_of_automatic(measures: Sequence[str]) -> list[str]:
    """Automatic measures, those that DUC and TAC used first, the others in their order."""
    return list(dict.fromkeys([*(name for name in PREFERRED if name in measures), *measures]))


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasureRoles:
    """What each measure of a score table is for: which one decides, which are automatic, in what order they follow."""

    table: ScoreTable
    campaign: Campaign
    compared: tuple[str, ...] = ()
    """The measures on which systems were compared; others can't decide."""
    asked_pair: tuple[str, str] | None = None
    """The two systems that were asked for, if any."""
    chosen: str | None = None
    """The measure that the user chose to decide, or `PREFERENCES`; None: the kinds of the measures choose."""
    preferences: Kind | None = None
    """The kind of the preferences between the systems: `preferences` of people, `judge`, or None without any."""

    @property
    def measures(self) -> tuple[str, ...]:
        """All measures of the table."""
        return self.table.measures

    @cached_property
    def judged(self) -> tuple[str, ...]:
        """The questions that assessors answered: `question.…`."""
        return tuple(name for name in self.measures if parse(name).base == "question")

    @cached_property
    def assessors(self) -> dict[str, Assessors]:
        """By question, the people and the programs that answered it."""
        return assessors_of(self.campaign)

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """By measure, its kind."""
        kinds = {name: kind_of(name, self.assessors, self.campaign.judges) for name in self.measures}
        descriptive: dict[str, Kind] = dict.fromkeys(filter(self.table.is_descriptive, kinds), "descriptive")
        return kinds | descriptive

    @cached_property
    def automatic(self) -> tuple[str, ...]:
        """Measures that no person gave: neither questions nor pyramids nor columns of human scores."""
        without_people = ("judge", "automatic", "descriptive")
        return tuple(name for name in self.measures if self.kinds[name] in without_people and name not in self.judged)

    @property
    def chosen_measure(self) -> str | None:
        """The measure that the user chose to decide; None also where preferences were chosen."""
        return None if self.chosen == PREFERENCES else self.chosen

    @cached_property
    def reference(self) -> str | None:
        """The human score that counts most: the chosen one, else overall quality, a question, the pyramid.

        Where only a judge answered questions, its answers.
        """
        candidates = [
            *self.candidates["human"],
            *self.candidates["pyramid"],
            *(name for name in self.candidates["judge"] if name in self.judged),
        ]
        if self.chosen_measure in candidates:
            return self.chosen_measure
        return next(iter(candidates), None)

    @cached_property
    def candidates(self) -> dict[Kind, list[str]]:
        """By kind, the measures that can decide, the first of them first.

        From the scores alone: not every question can be compared as asked.
        """
        able = [name for name in self.measures if self._comparable[name]]
        by_kind = {kind: [name for name in able if self.kinds[name] == kind] for kind in ORDER}
        # A question that was hardly answered does not decide, however general it is.
        most = max((self._comparable[name] for name in by_kind["human"]), default=0)
        enough = [name for name in by_kind["human"] if 2 * self._comparable[name] >= most]
        return {
            **by_kind,
            "human": order_by_generality(enough),
            "pyramid": order_of_annotated(by_kind["pyramid"]),
            "judge": order_by_generality(by_kind["judge"]),
            "automatic": order_of_automatic(by_kind["automatic"]),
        }

    @cached_property
    def _comparable(self) -> dict[str, int]:
        """By measure, how many scores can be compared; none where two systems share no topic, or only one has any."""
        systems = self.asked_pair or self.table.summarizers
        return {name: self._count_comparable(name, systems) for name in self.measures}

    def _count_comparable(self, measure: str, systems: Sequence[str]) -> int:
        matrix = self.table.matrix(measure)
        is_scored = ~np.isnan(matrix.values)
        rows = [is_scored[matrix.summarizers.index(name)] for name in systems if name in matrix.summarizers]
        with_scores = sum(bool(row.any()) for row in rows)
        can_compare = with_scores > 1 or len(systems) == 1
        if len(systems) == 2 and can_compare:
            can_compare = bool((rows[0] & rows[1]).any())
        return int(is_scored.sum()) if can_compare else 0

    @cached_property
    def deciding_kind(self) -> Kind:
        """The kind of what decides; `preferences` also stands for those of a judge."""
        if self.chosen_measure:
            return self.kinds[self.chosen_measure]
        if self.chosen == PREFERENCES:
            return "preferences"
        kinds = [kind for kind in ORDER if self._compared_candidates(kind)]
        if self.preferences:
            kinds.append(self.preferences)
        if not kinds:
            return "automatic"
        first = min(kinds, key=ORDER.index)
        if first == "judge" and not self._compared_candidates("judge"):
            return "preferences"
        return first

    def _compared_candidates(self, kind: Kind) -> list[str]:
        """The measures of a kind that can decide, and on which systems were compared."""
        return [name for name in self.candidates[kind] if name in self.compared]

    @property
    def is_decided_by_preferences(self) -> bool:
        """Whether preferences decide, not a measure."""
        return self.deciding_kind == "preferences"

    @cached_property
    def main(self) -> tuple[str, ...]:
        """What decides, and what else counts: the human score, pyramids, one automatic measure.

        Where preferences decide, what would decide without them comes first.
        """
        kinds: tuple[Kind, ...] = ("human", "pyramid", "judge", "automatic")
        first = [name for kind in kinds for name in self._compared_candidates(kind)[:1]]
        if "human" in {self.kinds[name] for name in first}:
            # Where people judged, a judge is one of the other measures.
            first = [name for name in first if self.kinds[name] != "judge"]
        names = [self.chosen_measure, *first] if self.chosen_measure else first
        main = tuple(name for name in dict.fromkeys(names) if name in self.compared)
        return main or self.compared[:1]

    @property
    def deciding(self) -> str:
        """The measure that decides; where preferences do, the one that would without them."""
        return self.main[0]

    @cached_property
    def ordered(self) -> tuple[str, ...]:
        """All measures on which systems were compared, those that decide first."""
        return tuple(dict.fromkeys([*self.main, *self.compared]))

    @cached_property
    def evaluative(self) -> tuple[str, ...]:
        """Measures that say which summary is better, those that decide first."""
        return tuple(name for name in self.ordered if self.kinds[name] != "descriptive")
