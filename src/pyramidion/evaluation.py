"""A run over one campaign: it reads the data once (`reading`), scores measures once (`scoring`), offers every analysis.

The public verbs, the command line and the report are thin layers on `Evaluation`; the analyses themselves live in
`studies` and see score tables, never files.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyramidion import options as o
from pyramidion.campaign import Judgment, Problems
from pyramidion.campaign.sources import Readable
from pyramidion.engines.gathering import single_model_scores
from pyramidion.errors import UsageError
from pyramidion.files.opening import expect_output, note_read
from pyramidion.files.targets import check_output
from pyramidion.measures import Derived, Measure
from pyramidion.measures.names import parse
from pyramidion.measures.registry import Selection, column, files_in_measures, select_all
from pyramidion.reading import DEMO
from pyramidion.scores import ScoreTable
from pyramidion.scoring import Scoring

if TYPE_CHECKING:
    from pyramidion import pyramids, studies
    from pyramidion.pyramids.coverage import PyramidCoverage
    from pyramidion.scoring import Measures as Measures


class Evaluation(Scoring):
    """One run over one campaign.

    Args:
        data: a path (campaign folder, flat file, score table, a foreign format), "demo", a campaign, a score table, a
            data frame, or dictionaries, one row per summary; for pyramids also a list of paths.
        choice: whose summaries, which topics, which other scores to join, the seed.
        progress: called as long work goes on.
    """

    def among(self, peers: o.PeerChoice) -> Evaluation:
        """An evaluation of other summarizers of the same campaign, which is not read again."""
        other = Evaluation(self.data, replace(self.choice, peers=peers), progress=self.progress)
        other.__dict__["campaign"] = self.campaign
        other._known = self._known
        other._files = self._files
        return other

    def separately(self) -> list[Evaluation]:
        """An evaluation of each campaign, if the data is several of them; else this one.

        Several files without a folder among them are one campaign, as everywhere.
        """
        if len(self.paths) < 2 or not any(path == DEMO or Path(path).is_dir() for path in self.paths):
            return [self]
        return [Evaluation(path, self.choice, progress=self.progress) for path in self.paths]

    @property
    def own_name(self) -> str:
        """What the campaign is called next to others: its path without an ending."""
        return str(Path(self.data_name).with_suffix(""))

    # What can be found out

    @o.takes(o.AverageOptions)
    def averages(self, measures: Measures | None = None, **options: Any) -> studies.Averages:
        """Average every summarizer over topics."""
        from pyramidion.studies.averages import average, average_stored

        chosen = o.AverageOptions.of(options)
        if (stored := self._unchanged) and chosen.average == "macro" and not chosen.bootstrap:
            return average_stored(stored, self._stored_names(stored, measures), chosen)
        table = self.table(measures, keep_counts=chosen.average != "macro")
        return average(table, chosen, seed=self.choice.seed)

    @o.takes(o.CompareOptions)
    def compare(self, measures: Measures | None = None, **options: Any) -> studies.Comparison:
        """Rank summarizers on each measure, with intervals of their means, and test whether they differ."""
        from pyramidion.studies.comparison.comparison import compare
        from pyramidion.studies.comparison.large import compare_large, is_large
        from pyramidion.studies.comparison.sequential import refuse_clusters

        chosen = o.CompareOptions.of(options)
        if stored := self._unchanged:
            names = self._stored_names(stored, measures)
            if is_large(stored, names, chosen):
                return compare_large(stored, names, chosen, scales=self._scales(names), seed=self.choice.seed)
        table = self.table(measures)
        judged = {one: self._judgments_of(one) for one in table.measures}
        if chosen.sequential and not self.has_scores:
            refuse_clusters(self.campaign.topics, table.topics)
        scales, progress = self._scales(table.measures), self.counter("sign flips")
        return compare(table, chosen, judgments=judged, scales=scales, seed=self.choice.seed, progress=progress)

    @o.takes(o.CorrelateOptions)
    def correlate(self, measures: Measures | None = None, **options: Any) -> studies.Correlations:
        """Correlate measures with others, or every two with each other (`matrix=True`)."""
        from pyramidion.studies.correlations.correlations import correlate
        from pyramidion.studies.correlations.large import correlate_large, is_large
        from pyramidion.studies.correlations.parts import correlate_parts

        chosen = o.CorrelateOptions.of(options)
        if not (chosen.with_ or chosen.matrix):
            raise UsageError(
                "--with is missing: name the measure to correlate with, such as question.overall-responsiveness "
                "(`pyramidion describe` lists the questions), or use --matrix"
            )
        if (stored := self._unchanged) and (pairs := self._stored_pairs(stored, measures, chosen.with_)):
            asked, targets = pairs
            if is_large(stored, [*asked, *targets], chosen):
                return correlate_large(stored, asked, targets, chosen, seed=self.choice.seed)
        table, asked, targets = self._with(measures, chosen.with_)
        progress = self.counter("samples drawn")
        if chosen.by is None:
            return correlate(table, asked, targets, chosen, seed=self.choice.seed, progress=progress)
        selections = [*([] if measures is None else self.select(measures)), *self.select(chosen.with_)]
        tables = self._in_parts(table, chosen.by, selections)
        return correlate_parts(tables, chosen.by, asked, targets, chosen, seed=self.choice.seed, progress=progress)

    @o.takes(o.PowerOptions)
    def power(self, measures: Measures | None = None, **options: Any) -> studies.Power:
        """Compute how many topics are needed, or the smallest detectable difference, from this pilot."""
        from pyramidion.studies.power import power_analysis

        table = self.table(measures)
        judged = {one: self._judgments_of(one) for one in table.measures}
        return power_analysis(table, o.PowerOptions.of(options), judgments=judged, seed=self.choice.seed)

    @o.takes(o.FrequencyOptions)
    def judgment_frequencies(self, **options: Any) -> studies.Frequencies:
        """Count how often each answer was given, by kind of summarizer."""
        from pyramidion.studies.judgments.frequencies import judgment_frequencies

        return judgment_frequencies(self.campaign, o.FrequencyOptions.of(options))

    @o.takes(o.JudgmentRegressionOptions)
    def judgment_regression(self, **options: Any) -> studies.JudgmentRegression:
        """Regress one question on the others, for each assessor and for all of them together."""
        from pyramidion.studies.judgments.regression import judgment_regression

        return judgment_regression(self.campaign, o.JudgmentRegressionOptions.of(options))

    @o.takes(o.JudgmentAgreementOptions)
    def judgment_agreement(self, **options: Any) -> studies.JudgmentAgreement:
        """Measure how far assessors agree: Krippendorff's α, pairs of assessors, confusion."""
        from pyramidion.studies.judgments.agreement import judgment_agreement

        chosen = o.JudgmentAgreementOptions.of(options)
        return judgment_agreement(
            self.campaign, chosen, seed=self.choice.seed, progress=self.counter("questions resampled")
        )

    @o.takes(o.AssessorOptions)
    def describe_assessors(self, **options: Any) -> studies.AssessorDescription:
        """Describe assessors: who judged what, when, and how long it took; who is strict, and whether that changes."""
        from pyramidion.studies.judgments.describing import describe_assessors

        return describe_assessors(self.campaign, o.AssessorOptions.of(options))

    @o.takes(o.PreferenceOptions)
    def preferences(self, **options: Any) -> studies.Preferences:
        """Rank summarizers by preferences between pairs of their summaries (Davidson's model)."""
        from pyramidion.studies.judgments.preferences import rank_by_preferences

        return rank_by_preferences(self.campaign, o.PreferenceOptions.of(options), seed=self.choice.seed)

    @o.takes(o.DesignOptions)
    def design(self, **options: Any) -> studies.Designs:
        """Find the cheapest design that detects a difference, or the best for a budget, from this pilot."""
        from pyramidion.studies.design import plan_designs

        chosen = o.DesignOptions.of(options)
        if chosen.measure is None:
            raise UsageError("-m is missing: name what to plan for, such as -m question.overall-responsiveness")
        (selection,) = self.select(chosen.measure)
        table = self.table([selection])
        if len(table.measures) != 1:
            raise UsageError(f"-m {chosen.measure}: expected one value, such as rouge-2.recall")
        judgments = self._judgments_of(table.measures[0])
        if chosen.difference is None and not (judgments and self._has_five_points(table.measures[0])):
            raise UsageError(
                f"--difference is missing: say which difference in {table.measures[0]} to detect (only questions with "
                "a scale of 5 points have a default)"
            )
        single = [] if judgments else single_model_scores(self.evidence([selection]), selection)
        return plan_designs(table, judgments, single, chosen, seed=self.choice.seed)

    @o.takes(o.GrowthOptions)
    def study_models(self, measures: Measures | None = None, **options: Any) -> studies.GrowthStudy:
        """Study how many references an evaluation needs: correlation with a human score, by number of references."""
        from pyramidion.studies.growth.models import refuse_fixed, study_models
        from pyramidion.studies.growth.study import default_measures

        chosen = o.GrowthOptions.of(options)
        if self.given_scores is not None:
            raise UsageError("a score table has no texts to sample references from; give the campaign")
        campaign = self.campaign  # before its scores, which are then taken from it: evidence needs it whole
        selections = self.select(default_measures(campaign) if measures is None else measures)
        refuse_fixed(selections)
        tables, asked, targets, against = self._growth(selections, chosen)
        evidence = self.evidence([one for one in (*selections, *against) if not isinstance(one.measure, Derived)])
        counter = self.counter("numbers of references studied")
        return study_models(tables, evidence, asked, targets, chosen, seed=self.choice.seed, progress=counter)

    @o.takes(o.TopicsOptions)
    def study_topics(self, measures: Measures | None = None, **options: Any) -> studies.GrowthStudy:
        """Study how many topics an evaluation needs: correlation with a human score, by number of topics."""
        from pyramidion.studies.growth import study_topics
        from pyramidion.studies.growth.study import default_measures

        chosen = o.TopicsOptions.of(options)
        if measures is None and self.given_scores is None:
            measures = default_measures(self.campaign)
        tables, asked, targets, _ = self._growth(measures, chosen)
        counter = self.counter("numbers of topics studied")
        return study_topics(tables, asked, targets, chosen, seed=self.choice.seed, progress=counter)

    @o.takes(o.HeterogeneityOptions)
    def study_heterogeneity(self, measures: Measures | None = None, **options: Any) -> studies.HeterogeneityStudy:
        """Study how diverse measures are, and what they are worth alone and together (HBR)."""
        from pyramidion.measures.hbr import DEFAULT_COLUMNS
        from pyramidion.studies.heterogeneity.estimates import study_heterogeneity
        from pyramidion.studies.parts import together

        chosen = o.HeterogeneityOptions.of(options)
        tables: dict[str, ScoreTable] = {}
        names: list[str] = []
        for one in self.separately():
            (quality,) = one._targets(chosen.with_)
            asked = DEFAULT_COLUMNS if measures is None and one.given_scores is None else measures
            table, found, _ = one._with(asked, [quality])
            names += found
            tables[one.own_name] = table
        return study_heterogeneity(together(tables), quality, list(dict.fromkeys(names)), chosen, seed=self.choice.seed)

    @o.takes(o.ModelFreeOptions)
    def study_model_free(self, **options: Any) -> studies.ModelFreeStudy:
        """Study how model-free measures, their regression and ROUGE correlate with human scores."""
        from pyramidion.studies.model_free.plan import plan_model_free
        from pyramidion.studies.model_free.study import study_model_free
        from pyramidion.studies.parts import parts_of

        chosen = o.ModelFreeOptions.of(options)
        if chosen.with_:
            chosen = replace(chosen, with_=tuple(self._targets(chosen.with_)))
        if self.given_scores is not None:
            tables = self._in_parts(self.given_scores, chosen.by, [])
            return study_model_free(tables, {"": plan_model_free(self.given_scores, chosen)}, chosen)
        parts = parts_of(self.campaign, chosen.by) if chosen.by else {"": self.campaign}
        plans = {name: plan_model_free(part, chosen) for name, part in parts.items()}
        selections = self.select([name for plan in plans.values() for name in plan.scored])
        tables = self._in_parts(self.table(selections), chosen.by, selections)
        if self._scored is not None:  # a topic without background documents lacks nothing
            partial = {name for plan in plans.values() for name in plan.of_background}
            unscored = {name: count for name, count in self._scored.unscored.items() if name not in partial}
            self._scored = replace(self._scored, unscored=unscored)
        return study_model_free(tables, plans, chosen)

    @o.takes(o.OrdersOptions)
    def study_orders(self, **options: Any) -> studies.OrdersStudy:
        """Study how pyramid scores behave as pyramids grow: divergence, errors, rankings."""
        from pyramidion.studies.orders import study_orders

        progress = self.counter("topics studied")
        return study_orders(self.campaign, o.OrdersOptions.of(options), seed=self.choice.seed, progress=progress)

    @o.takes(o.PyramidScoreOptions)
    def pyramid_scores(self, **options: Any) -> pyramids.PyramidScoring:
        """Score peers with pyramids: D, X, Max and the original, modified and comprehensive score."""
        from pyramidion.pyramids.scoring import score_pyramids

        return score_pyramids(self._campaigns(), o.PyramidScoreOptions.of(options), peers=self.choice.peers)

    @o.takes(o.PyramidShowOptions)
    def show_pyramids(self, **options: Any) -> pyramids.PyramidView:
        """Show pyramids: how hard topics are, what the SCUs say, what a summarizer expresses, optimal summaries."""
        from pyramidion.pyramids.view import show_pyramids

        return show_pyramids(self._campaigns(), o.PyramidShowOptions.of(options))

    def pyramid_coverage(self) -> PyramidCoverage:
        """Find who expresses most of the heaviest SCUs, what each summarizer misses, and what nobody says."""
        from pyramidion.pyramids.coverage import cover_pyramids

        table = self.table("pyramid.modified")
        means = dict(table.means().select("summarizer", "value").iter_rows())
        names = {who: f"{name} ({who})" for who, name in table.names.items() if name and name != who}
        return cover_pyramids(self.campaign, table.summarizers, scores=means, names=names)

    @o.takes(o.PyramidAgreementOptions)
    def pyramid_agreement(self, **options: Any) -> pyramids.PyramidAgreement:
        """Measure how far annotators agree: Krippendorff's α over words and over the presence of SCUs."""
        from pyramidion.pyramids.reliability.agreement import measure_agreement

        chosen = o.PyramidAgreementOptions.of(options)
        names = [Path(one).stem if Path(one).suffix else str(one) for one in self.paths] or [self.data_name]
        sources = list(zip(names, self._campaigns(together=False), strict=True))
        progress = self.counter("topics compared")
        return measure_agreement(sources, chosen, seed=self.choice.seed, progress=progress)

    def check_pyramids(self) -> Problems:
        """Return every problem of pyramids and annotations: in the files, and what deserves a look."""
        from pyramidion.pyramids.checks import check_each

        problems = Problems()
        read = [(source, source.read(problems)) for source in self._sources()]
        if not problems.errors:  # else the same would be reported twice, or about what was not read
            if self.paths:
                read = [(source, source.read(Problems())) for source in self._sources(together=False)]
            check_each([(getattr(source, "path", None), campaign) for source, campaign in read], problems)
        return problems

    @o.takes(o.DescribeOptions)
    def describe(self, **options: Any) -> studies.Description | studies.Roster:
        """Describe the campaign: how many topics, documents, summaries and judgments, or (`roster`) who is in it."""
        from pyramidion.studies.description import describe
        from pyramidion.studies.roster import roster_of

        return (roster_of if o.DescribeOptions.of(options).roster else describe)(self.campaign)

    def look(self, topic: str, summarizer: str, measure: str = "rouge-2") -> studies.MatchedWords:
        """Show which words of a summary match each reference."""
        from pyramidion.measures.rouge import Rouge
        from pyramidion.measures.rouge_score import RougeScore
        from pyramidion.studies.matches import match_words

        chosen = self.select(measure)[0].measure
        if not isinstance(chosen, Rouge | RougeScore):
            raise UsageError(f"only ROUGE measures have matching words, not {measure}")
        data = self.campaign.topic(topic, peers="all")
        return match_words(data, summarizer, chosen.within_limit([data]) if isinstance(chosen, Rouge) else chosen)

    @o.takes(o.ReportOptions)
    def report(self, path: str | Path = "report.html", measures: Measures | None = None, **options: Any) -> Path:
        """Write the report: the answer, the evidence and the detail on one self-contained page; returns its path.

        Raises:
            UsageError: if the page would overwrite the data, or another file that is read.
        """
        from pyramidion.reports.page import write_report

        page = Path(path)
        data = self.data if isinstance(self.data, str | Path | Readable) else self.paths
        with self._files.noting():
            for file in files_in_measures(measures):
                note_read(file)
            check_output(page, data, replace=True)
            expect_output(page, may_replace=False)
            return write_report(page, self, measures, o.ReportOptions.of(options))

    # Inside

    def _judgments_of(self, measure: str) -> list[Judgment]:
        """The single judgments behind a question; none behind other measures and in score tables."""
        if self.has_scores:
            return []
        name = parse(measure)
        asked = name.statistic if name.base == "question" and not name.arguments else None
        return [judgment for judgment in self.campaign.judgments if judgment.question == asked] if asked else []

    def _scales(self, measures: Iterable[str]) -> dict[str, tuple[float, float]]:
        """By measure, the lowest and highest value that it can have, where that is known."""
        return {one: scale for one in measures if (scale := self._scale_of(one))}

    def _scale_of(self, measure: str) -> tuple[float, float] | None:
        try:
            selection = select_all([measure], known=self._known)[0]
        except UsageError:  # a column of somebody's own
            return None
        if selection.measure.base == "question" and not self.has_scores:
            question = self.campaign.questions.get(selection.statistic or "")
            return question.scale if question else None
        return selection.measure.bounds

    def _has_five_points(self, measure: str) -> bool:
        scale = self._scale_of(measure)
        return scale is not None and scale[1] - scale[0] == 4

    def _targets(self, with_: Measures | None) -> list[str]:
        """The columns to correlate with; there must be one."""
        names = [with_] if isinstance(with_, str | Measure | Selection) else list(with_ or ())
        if not names:
            raise UsageError(
                "--with is missing: give the human score to correlate with, such as --with "
                "question.overall-responsiveness (`pyramidion describe` lists the questions)"
            )
        return [
            o.ITSELF
            if name == o.ITSELF
            else column(self.select(name)[0].name, known=self._known, columns=self.given_measures)
            for name in names
        ]

    def _growth(
        self, measures: Measures | None, options: o.GrowthOptions
    ) -> tuple[dict[str, ScoreTable], list[str], list[str], list[Selection]]:
        """By part the scores of measures and of what they are correlated with; the names of both."""
        targets = self._targets(options.with_)
        against = self.select([name for name in targets if name != o.ITSELF])
        table, asked, _ = self._with(measures, against)
        selections = [*([] if measures is None else self.select(measures)), *against]
        return self._in_parts(table, options.by, selections), asked, targets, against
