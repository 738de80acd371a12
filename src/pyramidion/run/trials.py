"""What a trial of judges needs from a run: people's answers, the scores on trial, the texts, and an anchor."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign import Campaign, Judgment
from pyramidion.campaign.nouns import Assessor, Preference, plain
from pyramidion.campaign.raters import name_of_column
from pyramidion.errors import InputError, UsageError, check_known, mention
from pyramidion.measures import Measure
from pyramidion.measures.names import MeasureName, MeasureOption, parse
from pyramidion.measures.registry import Selection
from pyramidion.options import TrustOptions
from pyramidion.scores import ScoreMatrix, ScoreTable
from pyramidion.studies.deciding import find_programs
from pyramidion.studies.judgments.questions import note_on_judgments
from pyramidion.studies.lengths import lengths_of
from pyramidion.studies.runs import runs_of_scores
from pyramidion.studies.trust.material import (
    Defendant,
    HumanScores,
    Texts,
    people_of_answers,
    places_in_order,
    run_matrix,
)

if TYPE_CHECKING:
    from pyramidion.run.evaluation import Evaluation
    from pyramidion.run.score_cache import Measures

COPIED = "coverage"
"""The measure that says how much of a summary was copied."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TrialMaterial:
    """People, and everybody on trial."""

    people: HumanScores
    defendants: tuple[Defendant, ...]
    texts: Texts | None
    names: Mapping[str, str]


def gather_trial(evaluation: Evaluation, measures: Measures | None, options: TrustOptions) -> TrialMaterial:
    """Everything that a trial looks at.

    Raises:
        UsageError: if the human score or the judge is missing, or people and judge can't be told apart.
        InputError: if nobody gave the human score.
    """
    return _Gathering(evaluation, options).material(measures)


class _Gathering:
    def __init__(self, evaluation: Evaluation, options: TrustOptions) -> None:
        self.evaluation = evaluation
        self.options = options
        self.campaign: Campaign | None = None
        if not evaluation.data.has_scores:
            self.campaign = evaluation.campaign.with_all_raters()
        self.target = self._target()
        self.question = self._question_of(self.target)
        self.judgments: list[Judgment] = []
        if self.campaign is not None and self.question:
            self.judgments = [answer for answer in self.campaign.judgments if answer.question == self.question]

    def material(self, measures: Measures | None) -> TrialMaterial:
        names, judges = self._on_trial(measures)
        table = self.evaluation.table(names)
        columns = [self._column(name, table) for name in names]
        systems, topics = self._shape(table, columns)
        people = self._people(systems, topics, set(judges.values()))
        people = dataclasses.replace(people, outside=self._outside(people))
        defendants = tuple(
            self._defendant(column, judges.get(name, ""), table, people)
            for name, column in zip(names, columns, strict=True)
        )
        return TrialMaterial(
            people=people,
            defendants=defendants,
            texts=self._texts(people),
            names=table.names,
        )

    # Who is on trial, and against whom

    def _target(self) -> str:
        if self.options.with_ is None:
            raise UsageError(
                "`with_=` is missing: name the human score to follow, such as "
                '`with_="question.overall-responsiveness"` (`pyramidion describe` lists the questions)'
            )
        return self.evaluation.select(self.options.with_)[0].name

    @staticmethod
    def _question_of(target: str) -> str:
        """The question of a measure that is the mean over people; empty for others."""
        name = parse(target)
        if name.base != "question" or name.arguments:
            return ""
        return name.statistic or ""

    def _on_trial(self, measures: Measures | None) -> tuple[list[str], dict[str, str]]:
        """The measures on trial, and by measure the assessor that it is."""
        answered = {answer.assessor for answer in self.judgments}
        asked = self._asked(measures, answered)
        names: list[str] = []
        judges: dict[str, str] = {}
        for name in asked:
            if isinstance(name, str) and name in answered and name:
                measure = str(MeasureName("question", (MeasureOption("assessor", name),), self.question))
                judges[measure] = name
                names.append(measure)
                continue
            for selection in self.evaluation.select([name]):
                names.append(selection.name)
                assessor = _assessor_of(selection.name)
                column = name_of_column(selection.name)
                if assessor:
                    judges[selection.name] = assessor
                elif self.campaign is not None and column in self.campaign.judges:
                    judges[selection.name] = column
        if self.target in names:
            raise UsageError(f"{mention('measures', self.target)}: it can't be on trial against itself")
        return list(dict.fromkeys(names)), judges

    def _asked(self, measures: Measures | None, answered: set[str]) -> Sequence[str | Measure | Selection]:
        """What was asked for; by default all judges that answered the question."""
        if measures is not None:
            return list(measures) if isinstance(measures, Sequence) and not isinstance(measures, str) else [measures]
        programs = find_programs(self.campaign) if self.campaign is not None else set()
        judges = sorted(answered & programs)
        if not judges:
            raise UsageError(
                "`measures=` is missing: name the judge or the measure on trial, such as rouge-2.f; no assessor of "
                f"{self.target} is a judge"
            )
        return judges

    def _column(self, name: str, table: ScoreTable) -> str:
        """The only column of a measure."""
        selection = self.evaluation.select(name)[0]
        columns = [column for column in table.measures if column == selection.name]
        columns = columns or list(selection.among(table.measures))
        if not columns:
            raise InputError(f"{name} has no scores here; `pyramidion describe` shows what the data has")
        if len(columns) > 1:
            raise UsageError(
                f"{mention('measures', name)}: expected a measure with one value; found {', '.join(columns)}"
            )
        return columns[0]

    def _shape(self, table: ScoreTable, columns: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The systems and topics of the trial, sorted: what a seed draws does not depend on the order of a file."""
        scores = table.only(columns)
        return tuple(sorted(scores.summarizers)), tuple(sorted(scores.topics))

    def _people(self, systems: tuple[str, ...], topics: tuple[str, ...], on_trial: set[str]) -> HumanScores:
        if self.judgments:
            programs = find_programs(self.campaign) if self.campaign is not None else set()
            people = people_of_answers(
                self.judgments,
                name=self.target,
                judges=programs | on_trial,
                systems=systems,
                topics=topics,
                scale=self._scale(programs | on_trial),
            )
            if not people.persons:
                raise InputError(
                    f"{self.target}: nobody but judges answered it; a trial compares a judge with people's answers. In "
                    "a table, a column judge holds judges: call it assessor if people are among them, and name the "
                    "judges with `judge=`"
                )
            return people
        table = self.evaluation.table([self.target])
        column = self._column(self.target, table)
        matrix = table.matrix(column)
        empty = HumanScores(
            name=column,
            systems=systems,
            topics=topics,
            means=np.full((len(systems), len(topics)), np.nan),
            answers=np.full((len(systems), len(topics), 0), np.nan),
            scale=self._scale(set()) or _scale_of_column(matrix, column),
            is_reversed=not matrix.higher_is_better,
        )
        return dataclasses.replace(empty, means=_oriented(empty, matrix))

    def _outside(self, people: HumanScores) -> Floats:
        """Human scores of systems and topics that nothing on trial has scored."""
        table = self.evaluation.table([self.target])
        matrix = table.matrix(self._column(self.target, table))
        is_inside = np.isin(matrix.summarizers, people.systems)[:, None] & np.isin(matrix.topics, people.topics)[None]
        values = matrix.values[~is_inside & ~np.isnan(matrix.values)]
        return values if matrix.higher_is_better else -values

    def _scale(self, judges: set[str]) -> tuple[float, float] | None:
        """The scale of the question: as declared, or from the lowest to the highest answer if all are whole numbers."""
        if self.campaign is None or not self.question:
            return None
        declared = self.campaign.questions.get(self.question)
        if declared is not None:
            return float(declared.scale[0]), float(declared.scale[1])
        values = [float(answer.value) for answer in self.judgments if answer.assessor not in judges]
        if not values or not all(value.is_integer() for value in values) or min(values) == max(values):
            return None
        return min(values), max(values)

    # Scores on trial

    def _defendant(self, column: str, judge: str, table: ScoreTable, people: HumanScores) -> Defendant:
        matrix = table.matrix(column)
        answers = [answer for answer in self.judgments if judge and answer.assessor == judge]
        facts = self._facts(judge)
        return Defendant(
            measure=column,
            judge=judge,
            facts=facts,
            relatives=self._relatives(facts, people),
            scores=_oriented(people, matrix),
            is_reversed=not matrix.higher_is_better,
            runs=self._runs(column, answers, table),
            places=places_in_order(answers, people),
            anchor=self._anchor(column, judge, people),
            preferences=self._preferences(judge),
            reasons={(answer.topic, answer.summarizer): answer.comment for answer in answers if answer.comment},
            note=self._note(column, table),
        )

    def _note(self, column: str, table: ScoreTable) -> str:
        if self.campaign is not None and (note := note_on_judgments(self.campaign)):
            return note
        note = table.notes.get(column, "")
        return note if "simulated" in note else ""

    def _facts(self, judge: str) -> Assessor:
        if self.campaign is None or not judge:
            return Assessor()
        return self.campaign.assessors.get(judge, Assessor())

    def _runs(self, column: str, answers: Sequence[Judgment], table: ScoreTable) -> Floats | None:
        cells: dict[tuple[str, str], list[float]] = {}
        for answer in answers:
            cells.setdefault((answer.topic, answer.summarizer), []).append(float(answer.value))
        if cells:
            return run_matrix(cells)
        runs = runs_of_scores(table, column)
        if runs is None:
            return None
        for topic, summarizer, value in runs.select("topic", "summarizer", "value").iter_rows():
            cells.setdefault((topic, summarizer), []).append(float(value))
        return run_matrix(cells)

    def _preferences(self, judge: str) -> tuple[Preference, ...]:
        if self.campaign is None or not judge:
            return ()
        return tuple(preference for preference in self.campaign.preferences if preference.assessor == judge)

    def _anchor(self, column: str, judge: str, people: HumanScores) -> Floats | None:
        """The scores of the same judge or measure in the anchor, by topic and system."""
        if self.options.anchor is None:
            return None
        from pyramidion.run.evaluation import Evaluation

        choice = dataclasses.replace(self.evaluation.choice, scores=(), where=None, columns=None)
        other = Evaluation(self.options.anchor, choice, files=self.evaluation.problems.files)
        table = other.table([column])
        columns = list(other.select(column)[0].among(table.measures))
        if len(columns) != 1:
            name = judge or column
            raise InputError(f"{self.options.anchor}: the anchor has no scores of {name}")
        return _oriented(people, table.matrix(columns[0]))

    # Texts and families

    def _texts(self, people: HumanScores) -> Texts | None:
        if self.campaign is None or not self.campaign.summaries:
            return None
        campaign = self.campaign
        lengths = lengths_of(campaign.summaries, people.systems)
        words = {
            (topic, system): float(count) for system, by_topic in lengths.items() for topic, count in by_topic.items()
        }
        texts: dict[tuple[str, str], str] = {}
        sources: dict[str, str] = {}
        for summary in campaign.with_first_outputs().summaries:
            if summary.kind == "model":
                sources.setdefault(summary.topic, plain(summary.text))
            texts[summary.topic, summary.summarizer] = plain(summary.text)
        for topic in campaign.topics:
            if topic.documents:
                sources.setdefault(topic.topic, plain(topic.documents[0].text))
        return Texts(
            lengths=people.matrix(words),
            copied=self._copied(people),
            text_of=lambda topic, system: texts.get((topic, system), ""),
            source_of=lambda topic, _: sources.get(topic, ""),
        )

    def _copied(self, people: HumanScores) -> Floats:
        """The copied share of each summary; NaN where there are no documents."""
        has_documents = self.campaign is not None and any(topic.documents for topic in self.campaign.topics)
        if not has_documents:
            return np.full(people.means.shape, np.nan)
        table = self.evaluation.table([COPIED])
        self.evaluation.score_cache.ignore_unscored([COPIED])
        if COPIED not in table.measures:
            return np.full(people.means.shape, np.nan)
        matrix = table.matrix(COPIED)
        return people.matrix(_cells(matrix))

    def _relatives(self, facts: Assessor, people: HumanScores) -> tuple[str, ...]:
        """The systems of a judge's family: those that were named, or whose organisation it is."""
        for name in self.options.family:
            check_known(name, people.systems, f"{mention('family', name)}: no such system")
        if self.options.family or self.campaign is None or not facts.family:
            return tuple(self.options.family)
        family = facts.family.casefold()
        summarizers = self.campaign.summarizers
        return tuple(
            system
            for system in people.systems
            if system in summarizers and summarizers[system].organisation.casefold() == family
        )


def _scale_of_column(matrix: ScoreMatrix, column: str) -> tuple[float, float] | None:
    """From the lowest to the highest score of an imported column, if all are whole numbers: then they are answers."""
    values = matrix.values[~np.isnan(matrix.values)]
    is_of_answers = column.startswith("imported.") and len(values) and (values == np.rint(values)).all()
    if not is_of_answers or values.min() == values.max():
        return None
    return float(values.min()), float(values.max())


def _assessor_of(measure: str) -> str:
    """The assessor that a measure is about: that of `question(assessor=gpt).coherence`; empty for others."""
    name = parse(measure)
    if name.base != "question":
        return ""
    return next((option.value for option in name.options if option.key == "assessor"), "")


def _cells(matrix: ScoreMatrix) -> dict[tuple[str, str], float]:
    """The scores by topic and system."""
    rows, columns = np.nonzero(~np.isnan(matrix.values))
    return {
        (matrix.topics[column], matrix.summarizers[row]): float(matrix.values[row, column])
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    }


def _oriented(people: HumanScores, matrix: ScoreMatrix) -> Floats:
    """Scores as systems × topics of the trial, better when high."""
    values = people.matrix(_cells(matrix))
    return values if matrix.higher_is_better else -values
