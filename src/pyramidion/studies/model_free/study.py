"""How well summaries can be judged by comparing them with their source documents (Louis & Nenkova 2009, Tables 1–4).

The ten model-free features, their regression and ROUGE are correlated with every human score: over systems (macro) and
within topics (micro), with words stemmed and as they are, and for update topics with each of their inputs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pyramidion.errors import InputError, UsageError
from pyramidion.measures.deriving import with_derived
from pyramidion.options import CorrelateOptions, ModelFreeOptions
from pyramidion.scores import ScoreTable
from pyramidion.show.tables import Finding, Row, Table, grouped, pivot
from pyramidion.show.wording import capital, listed, notes_about, number, p_in_words
from pyramidion.studies.correlations.correlations import correlate
from pyramidion.studies.correlations.pairs import Correlation, SignificantTopics
from pyramidion.studies.model_free.plan import INPUTS, REGRESSION, Compared, ModelFreePlan, PlannedColumn, is_there
from pyramidion.studies.parts import on_topics

SIDE_BY_SIDE = 3
"""Human scores in one table."""
_COMPARED = {
    "documents": "summaries compared with their source documents",
    "background": "summaries compared with the background documents",
    "average": "mean of the values for source and background documents",
}


class Feature(Row):
    """Which column of the study a row is about, and in which part of the campaign."""

    feature: str
    compared: Compared
    stem: bool
    part: str = ""

    @property
    def label(self) -> str:
        """The name of its row in a table."""
        return "regression on both" if self.compared == "both" else self.feature

    @property
    def unstemmed(self) -> str:
        """What its columns are called in addition."""
        return "" if self.stem else ", unstemmed"


class FeatureCorrelation(Correlation, Feature, record="feature-correlation"):
    """A model-free feature, regression or ROUGE correlated with a human score, over the means of summarizers."""


class FeatureMicro(SignificantTopics, Feature, record="feature-micro"):
    """The same within topics: how many correlations are significant, and the strongest and weakest of these."""


class ModelFreeStudy(Finding, eq=True):
    """How model-free measures, their regression and ROUGE correlate with human scores."""

    macro: tuple[FeatureCorrelation, ...]
    micro: tuple[FeatureMicro, ...]
    """Of the same columns, in the same order."""
    targets: tuple[str, ...]
    options: ModelFreeOptions
    left_out: Mapping[str, Sequence[str]]
    """By part, what could not be studied, and why."""
    lower_is_better: frozenset[str]
    notes: Mapping[str, str]
    """By measure, what one must know about its values."""

    def __repr__(self) -> str:
        return f"<ModelFreeStudy with {', '.join(self.targets)}>"

    def cell(
        self, feature: str, target: str, *, compared: Compared = "documents", stem: bool = True, part: str = ""
    ) -> tuple[FeatureCorrelation, FeatureMicro]:
        """One cell of the tables, over systems and within topics."""
        wanted = (feature, target, stem, part)
        for macro, micro in zip(self.macro, self.micro, strict=True):
            same = (macro.feature, macro.with_, macro.stem, macro.part) == wanted
            if same and macro.compared in (compared, "models"):
                return macro, micro
        raise UsageError(f"there is no {feature} with {target} for {compared} and stem={'yes' if stem else 'no'}")

    def tables(self) -> list[Table]:
        """For each part and input: over systems, and for each human score within topics."""
        parts = dict.fromkeys(row.part for row in self.macro)
        return [table for part in parts for compared in INPUTS for table in self._tables(part, compared)]

    def _tables(self, part: str, compared: Compared) -> Iterator[Table]:
        """ROUGE is shown with the features of the documents, the regression over both inputs with their mean."""
        among = {"documents": (compared, "models"), "average": (compared, "both")}.get(compared, (compared,))
        macro = [row for row in self.macro if row.part == part and row.compared in among]
        if not any(row.compared == compared for row in macro):
            return
        micro = [row for row in self.micro if row.part == part and row.compared in among]
        order = _order(macro)
        whose = f"{_COMPARED[compared]}{f', {part}' if part else ''}"
        coefficient = self.options.coefficient.capitalize()
        for start in range(0, len(self.targets), SIDE_BY_SIDE):
            some = self.targets[start : start + SIDE_BY_SIDE]
            chosen = [row for row in macro if row.with_ in some]
            cells = {
                (row.label, f"{row.with_}{row.unstemmed}"): "–"
                if row.value is None
                else f"{row.value:.3f} ({_p(row.p)})"
                for target in some
                for row in chosen
                if row.with_ == target
            }
            yield pivot(
                cells,
                "measure",
                order,
                record="feature-correlation",
                title=f"Macro level, {whose}: {coefficient} correlation of system means, with p",
                sentences=tuple(f"{capital(whose)}: {one}" for target in some for one in self._best(chosen, target)),
                notes=(*self._notes(chosen, micro), *(f"Left out: {why}." for why in self.left_out.get(part, ()))),
                about=part,
            )
        for target in self.targets:
            yield pivot(
                {
                    (row.label, f"{name}{row.unstemmed}"): cell
                    for row in micro
                    if row.with_ == target
                    for name, cell in _micro_cells(row)
                },
                "measure",
                order,
                record="feature-micro",
                title=f"Micro level, {whose}: {coefficient} correlation with {target} within topics",
                notes=(
                    f"The strongest and the weakest significant correlation (two-sided p < "
                    f"{1 - self.options.confidence / 100:.4g}), and the number of topics with one.",
                ),
                about=part,
            )

    def _best(self, rows: Sequence[FeatureCorrelation], target: str) -> Iterator[str]:
        """The model-free measure with the highest correlation with a human score, and ROUGE."""
        there = [row for row in rows if row.with_ == target and row.value is not None]
        free = [row for row in there if row.compared != "models"]
        if not free:
            return
        best = max(free, key=self._agreement)
        rouge = max((row for row in there if row.compared == "models"), key=self._agreement, default=None)
        others = "" if rouge is None else f"; {rouge.feature}: {number(rouge.value or 0.0)}"
        value = f"{best.coefficient.capitalize()} {number(best.value or 0.0)}"
        yield f"{best.label} has the strongest correlation with {target} ({value}{others})."

    def _agreement(self, row: FeatureCorrelation) -> float:
        turned = (row.measure in self.lower_is_better) != (row.with_ in self.lower_is_better)
        return (row.value or 0.0) * (-1 if turned else 1)

    def _notes(self, macro: Sequence[FeatureCorrelation], micro: Sequence[FeatureMicro]) -> Iterator[str]:
        """Numbers, directions, and notes on measures; those on features hold for the regression on them, too."""
        counts = sorted({row.n for row in macro})
        summarizers = " to ".join(map(str, dict.fromkeys((counts[0], counts[-1]))))
        yield f"{summarizers} summarizers, {max(row.n + row.undefined for row in micro)} topics."
        if low := dict.fromkeys(row.label for row in macro if row.measure in self.lower_is_better):
            yield f"Lower is better, so good agreement is a negative correlation: {', '.join(low)}."
        said = {
            f"{row.feature}{' (unstemmed)' if not row.stem else ''}": self.notes.get(row.measure, "")
            for row in macro
            if row.feature != REGRESSION
        }
        yield from notes_about({**said, **self.notes}, [*said, *dict.fromkeys(row.with_ for row in macro)])


def _micro_cells(row: FeatureMicro) -> Iterator[tuple[str, str]]:
    yield "strongest", "–" if row.largest is None else f"{row.largest:.3f}"
    yield "weakest", "–" if row.smallest is None else f"{row.smallest:.3f}"
    yield "significant", "–" if row.percentage is None else f"{row.significant} ({row.percentage:.1f} %)"


def _order(rows: Sequence[FeatureCorrelation]) -> list[str]:
    """Features by strength with the first human score, then regressions, then ROUGE, as in the paper's tables."""
    places: dict[str, tuple[int, float]] = {}
    for row in rows:
        place = {"both": 2, "models": 3}.get(row.compared, 1 if row.feature == REGRESSION else 0)
        places.setdefault(row.label, (place, 0.0 if place else -abs(row.value or 0.0)))
    return sorted(places, key=places.__getitem__)


def _p(value: float | None) -> str:
    if value is None:
        return "no p"
    return p_in_words(value).replace(" =", "")


def study_model_free(
    tables: Mapping[str, ScoreTable], plans: Mapping[str, ModelFreePlan], options: ModelFreeOptions | None = None
) -> ModelFreeStudy:
    """Correlate every column of the plans with every human score, over systems and within topics.

    Args:
        tables: by part of the campaign (the whole has an empty name), the scores of the plan's selections.
        plans: by part, what to look at; columns that have no value in the table are left out.
        options: coefficient and level of significance.
    """
    options = options or ModelFreeOptions()
    macro: list[FeatureCorrelation] = []
    micro: list[FeatureMicro] = []
    left_out: dict[str, tuple[str, ...]] = {}
    lower_is_better: set[str] = set()
    notes: dict[str, str] = {}
    asked = CorrelateOptions(
        coefficient=(options.coefficient,), interval="fisher", sides="two", micro=True, confidence=options.confidence
    )
    for part, plan in plans.items():
        table, present = _with_regressions(tables[part], plan)
        for target in plan.targets:
            here = [one for one in present if one.target in (None, target) and one.measure != target]
            for together in grouped(here, lambda one: one.compared).values():
                own = table.matrix(together[0].measure).topics  # only update topics have background documents
                found = correlate(on_topics(table, own), [one.measure for one in together], [target], asked)
                lower_is_better |= set(found.lower_is_better)
                notes |= found.notes
                for one, over_systems, within in zip(together, found.correlations, found.significant, strict=True):
                    about = {"feature": one.feature, "compared": one.compared, "stem": one.stem, "part": part}
                    macro.append(FeatureCorrelation(**vars(over_systems) | about))
                    micro.append(FeatureMicro(**vars(within) | about))
        empty = dict.fromkeys(one.measure for one in plan.columns if one not in present)
        left_out[part] = (*plan.left_out, *([f"{listed(list(empty))}: no summary has a value"] if empty else ()))
    return ModelFreeStudy(
        macro=tuple(macro),
        micro=tuple(micro),
        targets=tuple(dict.fromkeys(target for plan in plans.values() for target in plan.targets)),
        options=options,
        left_out=left_out,
        lower_is_better=frozenset(lower_is_better),
        notes=notes,
    )


def _with_regressions(table: ScoreTable, plan: ModelFreePlan) -> tuple[ScoreTable, list[PlannedColumn]]:
    """The table with the plan's regressions, and the columns that have a value."""
    known = ", ".join(table.measures) or "none"
    if missing := [name for name in plan.targets if name not in table.measures]:
        raise InputError(f"no summary has a score on {', '.join(missing)}; there are scores on: {known}")
    there = [one for one in plan.columns if is_there(one, table)]
    table = with_derived(table, [one.regression for one in there if one.regression])
    present = [one for one in there if one.measure in table.measures]  # a regression may come out empty
    if all(one.compared == "models" for one in present):
        raise InputError(
            f"no summary has a score on a model-free measure; there are scores on: {known}. Give a campaign with "
            "documents"
        )
    return table, present
