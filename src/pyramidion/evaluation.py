"""A run over one campaign: it reads the data once, scores each measure once, and offers every analysis.

The public verbs, the command line and the report are thin layers on `Evaluation`; the analyses themselves live in
`studies` and see score tables, never files.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyramidion import options as o
from pyramidion.campaign import Judgment, Problems
from pyramidion.engines.gathering import EvidenceStore, TopicEvidence, gather, single_model_scores
from pyramidion.engines.local import batches, score_shards
from pyramidion.errors import UsageError, check_known
from pyramidion.files.paths import refuse_others
from pyramidion.measures import Derived, Measure
from pyramidion.measures.columns import named, with_directions
from pyramidion.measures.deriving import resting_on, with_derived
from pyramidion.measures.names import parse
from pyramidion.measures.registry import Selection, column, default_measures, default_rouge, known_measures, select_all
from pyramidion.measures.run_context import running_with
from pyramidion.reading import DEMO, Progress, Reading
from pyramidion.scores import ScoreTable

if TYPE_CHECKING:
    from pyramidion import pyramids, studies
    from pyramidion.engines.run import ShardRun
    from pyramidion.pyramids.coverage import PyramidCoverage
    from pyramidion.reading import Data
    from pyramidion.scores.stored import StoredScores

    Measures = str | Measure | Selection | Sequence[str | Measure | Selection]


class Evaluation(Reading):
    """One run over one campaign.

    Args:
        data: a path (campaign folder, flat file, score table, a foreign format), "demo", a campaign, a score table, a
            data frame, or dictionaries, one row per summary; for pyramids also a list of paths.
        choice: whose summaries, which topics, which other scores to join, the seed.
        progress: called as long work goes on.
    """

    def __init__(self, data: Data, choice: o.Choice | None = None, *, progress: Progress | None = None) -> None:
        super().__init__(data, choice, progress=progress)
        self._scored: ScoreTable | None = None
        self._done: set[Selection] = set()
        self._evidence = EvidenceStore()
        self._known: dict[str, Measure] = {}

    # The scores

    def among(self, peers: o.PeerChoice) -> Evaluation:
        """An evaluation of other summarizers of the same campaign, which is not read again."""
        other = Evaluation(self.data, replace(self.choice, peers=peers), progress=self.progress)
        other.__dict__["campaign"] = self.campaign
        other._known = self._known
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

    def table(self, measures: Measures | None = None, *, keep_counts: bool = False) -> ScoreTable:
        """The scores of these measures; what was scored before is not scored again.

        Args:
            measures: names such as "rouge-2.recall", or measures; by default F of ROUGE-1, -2, -L and -SU4 (recall
                where the campaign has a word limit), pyramid scores, every question and every imported column.
            keep_counts: whether to keep the counts of overlap measures, for micro averages.
        """
        if self.stored is not None and measures is not None and not self.choice.scores:
            selections, known = self.select(measures), self.stored.measures
            if all(one.among(known) for one in selections):  # else the whole table is asked
                part = self.stored.table(_among(selections, known))
                return self._columns(self._chosen_scores(part), selections)
        if self.given_scores is not None:
            return self.given_scores if measures is None else self._columns(self.given_scores, self.select(measures))
        selections = self.select(self._defaults() if measures is None else measures)
        if keep_counts and (self._scored is None or self._scored.counts is None):
            self._scored, self._done = None, set()
        return self._columns(self._score(selections, keep_counts=keep_counts), selections)

    @o.takes(o.ShardOptions)
    def score_into(self, output: str | Path, measures: Measures | None = None, **options: Any) -> ShardRun:
        """Score flat files shard by shard into a folder (or s3://…); a run that was stopped goes on where it was."""
        from pyramidion.engines.run import run_in_shards

        chosen = o.ShardOptions.of(options)
        data = [self.data] if isinstance(self.data, str | Path) else list(self.paths)
        if not data or DEMO in data:
            raise UsageError("a run in shards reads files: .parquet or .jsonl with one row per summary")
        for one in data:
            refuse_others(Path(one))
        if "://" not in str(output) and Path(output).exists() and not Path(output).is_dir():
            raise UsageError(
                f"{output} is not a folder; give a new folder, or a file that ends in .parquet, .csv or .jsonl"
            )
        for name in ("peers", "where", "scores"):
            if getattr(self.choice, name) != getattr(o.Choice(), name):
                raise UsageError(f"--{name}: a run in shards scores the summaries of flat files; leave it out")
        listed = default_rouge(word_limit=None) if measures is None else measures
        names = listed if isinstance(listed, Sequence) and not isinstance(listed, str) else [listed]
        self._known |= known_measures(names)
        return run_in_shards(
            [str(one) for one in data],
            output,
            select_all(names, known=self._known),
            chosen,
            columns=self.choice.columns,
            seed=self.choice.seed,
            exclude=self.choice.exclude,
            strict=self.choice.strict,
            progress=self.progress,
            problems=self.problems,
        )

    def evidence(self, measures: Measures) -> list[TopicEvidence]:
        """What these measures found in each topic, for analyses that choose the models themselves."""
        campaign = self.campaign  # read whole: a stream keeps values only
        selections = self.select(measures)
        self._score(selections)
        wanted = list(dict.fromkeys(selection.measure for selection in selections))
        for topics in batches(campaign.each_topic(peers=self.choice.peers)):
            self._evidence.gather(wanted, topics)
        return self._evidence.by_topic(wanted)

    @property
    def scored(self) -> ScoreTable | None:
        """Everything that was scored so far."""
        return self._scored

    def select(self, measures: Measures) -> list[Selection]:
        """What names mean here; a measure that was given as an object can be named from then on.

        A bare name that is no measure finds a question or an imported column of that name.
        """
        listed = measures if isinstance(measures, Sequence) and not isinstance(measures, str) else [measures]
        self._known |= known_measures(listed)
        if self.has_scores:
            return select_all(listed, known=self._known, columns=self.given_measures)
        try:
            return select_all(listed, known=self._known)
        except UsageError:  # what is in the data decides
            return select_all(listed, known=self._known, columns=self._columns_in_data())

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

        chosen = o.CompareOptions.of(options)
        if stored := self._unchanged:
            names = self._stored_names(stored, measures)
            if is_large(stored, names, chosen):
                return compare_large(stored, names, chosen, scales=self._scales(names), seed=self.choice.seed)
        table = self.table(measures)
        judged = {one: self._judgments_of(one) for one in table.measures}
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

        return power_analysis(self.table(measures), o.PowerOptions.of(options))

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
        selections = self.select(default_measures(self.campaign) if measures is None else measures)
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
        from pyramidion.studies.matches import match_words

        chosen = self.select(measure)[0].measure
        if not isinstance(chosen, Rouge):
            raise UsageError(f"only ROUGE measures have matching words, not {measure}")
        data = self.campaign.topic(topic, peers="all")
        return match_words(data, summarizer, chosen.within_limit([data]))

    @o.takes(o.ReportOptions)
    def report(self, path: str | Path = "report.html", measures: Measures | None = None, **options: Any) -> Path:
        """Write the report: the answer, the evidence and the detail on one self-contained page; returns its path."""
        from pyramidion.reports.page import write_report

        return write_report(Path(path), self, measures, o.ReportOptions.of(options))

    # Inside

    def _score(self, selections: Sequence[Selection], *, keep_counts: bool = False) -> ScoreTable:
        """The table of everything that was ever asked for, with these measures in it."""
        derived = [one.measure for one in selections if isinstance(one.measure, Derived)]
        direct = [one for one in selections if not isinstance(one.measure, Derived)]
        wanted = [*direct, *resting_on(derived, known=self._known)[1]]
        lacking = [one for one in dict.fromkeys(wanted) if not {one, Selection(one.measure)} & self._done]
        if lacking or self._scored is None:
            in_memory = "campaign" in self.__dict__ or not self.source.streams
            if not in_memory:
                self.problems.clear()  # those of a stream that was scored before
            with running_with(cache=_cache_beside(self.data), campaign=self.campaign if in_memory else None):
                table = score_shards(
                    [self.campaign] if in_memory else self._joined(self.source.shards(self.problems)),
                    lacking,
                    peers=self.choice.peers,
                    where=None if in_memory else self.choice.where,
                    exclude=self.choice.exclude,
                    known=self._known,
                    seed=self.choice.seed,
                    keep_counts=keep_counts,
                    progress=self.counter("summaries scored"),
                    when_read=None if in_memory else self._accept,
                    gather=self._evidence.gather if in_memory else gather,
                )
            self._done |= set(lacking)
            if self._scored is not None:  # a measure as a whole o.takes the place of single columns of it
                before = self._scored
                table = before.only(name for name in before.measures if name not in table.measures).join(table)
            self._scored = table
        self._scored = with_derived(self._scored, derived, known=self._known)
        return self._scored

    @property
    def _unchanged(self) -> StoredScores | None:
        """The scores of a run in shards, if nothing was chosen of them and nothing joined."""
        whole = not (self.choice.scores or self.choice.exclude or self.choice.where)
        return self.stored if whole and self.choice.peers == "systems" else None

    def _stored_names(self, stored: StoredScores, measures: Measures | None) -> list[str]:
        """The columns that are asked for; one that is not there is refused."""
        if measures is None:
            return list(stored.measures)
        selections = self.select(measures)
        for one in selections:
            if not one.among(stored.measures):
                check_known(one.name, stored.measures, f"the run has no measure {one.name!r}")
        return _among(selections, stored.measures)

    def _stored_pairs(
        self, stored: StoredScores, measures: Measures | None, with_: Sequence[str]
    ) -> tuple[list[str], list[str]] | None:
        """The columns that are asked for and those to correlate them with; None if something has to be derived."""
        known = stored.measures
        chosen, against = [] if measures is None else self.select(measures), self.select(with_)
        if not all(one.among(known) for one in (*chosen, *against)):
            return None
        targets = _among(against, known)
        asked = _among(chosen, known) if measures is not None else [name for name in known if name not in targets]
        return asked, targets

    def _defaults(self) -> list[str]:
        """What is scored when nothing is asked for."""
        if self.has_scores:
            return default_measures(word_limit=None)
        streams = "campaign" not in self.__dict__ and self.source.streams
        return default_measures(word_limit=(self.source if streams else self.campaign).word_limit)

    def _with(self, measures: Measures | None, with_: Measures) -> tuple[ScoreTable, list[str], list[str]]:
        """The scores of measures and of what they are correlated with; the names of both.

        Without measures: what is scored by default, or all other columns of a score table.
        """
        if measures is not None:  # a target may be derived from a measure that was given as an object
            self.select(measures)
        targets = self.select(with_)
        if measures is None and self.given_scores is not None:
            table = self.given_scores
            out = _among(targets, table.measures)
            asked = [name for name in table.measures if name not in out]
        else:
            chosen = self.select(self._defaults() if measures is None else measures)
            table = self.table([*chosen, *targets])
            asked = _among(chosen, table.measures)
        found = [name for one in targets for name in one.among(table.measures) or [one.name]]
        return table, asked, list(dict.fromkeys(found))

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

    def _in_parts(self, table: ScoreTable, by: str | None, selections: Iterable[Selection]) -> dict[str, ScoreTable]:
        """The scores of each part of the campaign; what is derived from scores is derived within each part."""
        from pyramidion.studies.parts import scores_of_parts

        if by is None:
            return {"": table}
        if self.given_scores is not None:
            raise UsageError(f"--by {by}: a score table does not describe its topics; give the campaign")
        derived = [one.measure for one in selections if isinstance(one.measure, Derived)]
        return scores_of_parts(self._score([]), self.campaign, by, derived)

    def _columns_in_data(self) -> list[str]:
        """The questions and imported columns of the campaign."""
        campaign = self.campaign
        imported = named(campaign.imported).measures
        return [*(f"question.{name}" for name in campaign.question_names), *imported]

    def _columns(self, table: ScoreTable, selections: Sequence[Selection]) -> ScoreTable:
        """What was asked for, in that order; a measure that a given table lacks is refused by the table."""
        derived = [one.measure for one in selections if isinstance(one.measure, Derived)]
        table = with_derived(table, derived, known=self._known)
        lacking = self.has_scores
        table = with_directions(table, selections) if lacking else table
        columns = [name for one in selections for name in one.among(table.measures) or [one.name] * lacking]
        unscored = {name: table.unscored[name] for one in selections for name in one.among(table.unscored)}
        return replace(table.only(columns).in_order(columns), unscored=unscored)


def _among(selections: Iterable[Selection], known: Sequence[str]) -> list[str]:
    """The columns that these mean, each once."""
    return list(dict.fromkeys(name for one in selections for name in one.among(known)))


def _cache_beside(data: object) -> Path | None:
    """Where measures keep what is costly to find (parses): in the campaign folder, else in the folder of the file."""
    if not isinstance(data, str | Path) or data == DEMO:
        return None
    path = Path(data)
    return (path if path.is_dir() else path.parent) / ".cache" / "pyramidion"
