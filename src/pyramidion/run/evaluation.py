"""A run over one campaign: it reads the data once, scores measures once, and offers every analysis.

The public verbs and the command line are thin layers on `Evaluation`; the analyses themselves live in `studies` and see
score tables, never files.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from pyramidion import options as o
from pyramidion.campaign import Campaign, CampaignWarning, Judgment, Problems
from pyramidion.campaign.inspection import Inspection, inspect_campaign
from pyramidion.campaign.sources import CampaignSource, RowSource
from pyramidion.engines.evidence_store import TopicEvidence, single_model_scores
from pyramidion.errors import UsageError, mention
from pyramidion.files.opening import refuse_fork, require_file_or_folder
from pyramidion.files.problems import RunFiles
from pyramidion.intake.roles import check_roles
from pyramidion.measures import Derived, Measure
from pyramidion.measures.names import parse
from pyramidion.measures.registry import Selection, column, default_rouge, known_measures, select_all
from pyramidion.options.flags import command_line
from pyramidion.run.data import DEMO, INSPECTED_CHARACTERS, CampaignData, Data, open_data, paths_in, words_for
from pyramidion.run.score_cache import Measures, ScoreCache, count_steps
from pyramidion.scores import ScoreTable
from pyramidion.scores.judges import require_same_judges
from pyramidion.show.wording import notes_about

if TYPE_CHECKING:
    from pyramidion import pyramids, studies
    from pyramidion.engines.run import ShardRun
    from pyramidion.options.keywords import (
        AssessorKeywords,
        AverageKeywords,
        ChoicesKeywords,
        CompareKeywords,
        CorrelateKeywords,
        DescribeKeywords,
        DesignKeywords,
        FrequencyKeywords,
        GateKeywords,
        HeterogeneityKeywords,
        JudgmentAgreementKeywords,
        JudgmentRegressionKeywords,
        LabelsKeywords,
        LeadKeywords,
        ModelFreeKeywords,
        OrdersKeywords,
        PlanKeywords,
        PowerKeywords,
        PreferenceKeywords,
        PyramidAgreementKeywords,
        PyramidScoreKeywords,
        PyramidShowKeywords,
        SampleSizeKeywords,
        ShardKeywords,
        TopicsKeywords,
        TrustKeywords,
    )
    from pyramidion.pyramids.coverage import PyramidCoverage
    from pyramidion.run.data import UserData
    from pyramidion.studies.clusters import TopicClusters
    from pyramidion.studies.judge_offsets import JudgeOffset


class Evaluation:
    """One run over one campaign.

    Args:
        data: a path (campaign folder, flat file, score table, a foreign format), "demo", a campaign, a score table, a
            data frame, or dictionaries, one row per summary; or a list of paths: flat files and score tables of one
            campaign, or the files of pyramids.
        choice: whose summaries, which topics, which other scores to join, the seed.
        progress: called as long work goes on.
        files: those of a run that has begun before: what it reads, and what it is going to write.
    """

    def __init__(
        self,
        data: UserData | Data,
        choice: o.Choice | None = None,
        *,
        progress: o.Progress | None = None,
        files: RunFiles | None = None,
    ) -> None:
        self.choice: o.Choice = choice or o.Choice()
        if self.choice.columns:
            check_roles(self.choice.columns)
        if progress is not None and not callable(progress):
            raise UsageError(f"progress: expected a function, found {type(progress).__name__}")
        self.progress = progress
        self.problems: Problems = Problems(files=files or RunFiles())
        """What was noticed in the data so far."""
        self._user_data = data

    @property
    def data(self) -> Data:
        """What the user gave."""
        refuse_fork()
        return self._data

    @cached_property
    def _data(self) -> Data:
        """What the user gave, opened when it is first needed."""
        if isinstance(self._user_data, Data):
            return self._user_data
        return open_data(self._user_data, self.choice, self.problems)

    @property
    def score_cache(self) -> ScoreCache:
        """The scores so far."""
        refuse_fork()  # where all scores are there, nothing is read, and Polars alone would wait for ever
        return self._score_cache

    @cached_property
    def _score_cache(self) -> ScoreCache:
        return ScoreCache(self.data, self.progress)

    @property
    def campaign(self) -> Campaign:
        """The chosen part of the campaign, with the joined scores."""
        return self.data.campaign

    @property
    def scored(self) -> ScoreTable | None:
        """Everything that was scored so far."""
        return self.score_cache.scored

    def table(self, measures: Measures | None = None, *, keep_counts: bool = False) -> ScoreTable:
        """The scores of these measures; what was scored before is not scored again.

        Args:
            measures: names such as "rouge-2.recall", or measures; by default F of ROUGE-1, -2, -L and -SU4 (recall
                where the campaign has a word limit), pyramid scores, every question and every imported column.
            keep_counts: whether to keep the counts of overlap measures, for micro averages.
        """
        return self.score_cache.table(measures, keep_counts=keep_counts)

    def select(self, measures: Measures) -> list[Selection]:
        """What names of measures mean here; a measure that was given as an object can be named from then on."""
        return self.score_cache.select(measures)

    def evidence(self, measures: Measures) -> list[TopicEvidence]:
        """What these measures found in each topic, for analyses that choose the models themselves."""
        return self.score_cache.evidence(measures)

    def with_peers(self, peers: o.PeerChoice) -> Evaluation:
        """An evaluation of other summarizers of the same campaign, which is not read again."""
        data = self.data.with_peers(peers)
        other = Evaluation(data, data.choice, progress=self.progress)
        other.score_cache.measures_by_name |= self.score_cache.measures_by_name
        return other

    def split_campaigns(self) -> list[Evaluation]:
        """An evaluation of each campaign, if the data is several of them; else this one.

        Several files without a folder among them are one campaign, as everywhere.
        """
        paths = self.data.paths
        if len(paths) < 2 or not any(path == DEMO or Path(path).is_dir() for path in paths):
            return [self]
        return [Evaluation(path, self.choice, progress=self.progress, files=self.problems.files) for path in paths]

    @property
    def label(self) -> str:
        """What the campaign is called next to others: its path without an ending."""
        return str(Path(self.data.name).with_suffix(""))

    def command(
        self,
        verb: str,
        measures: Iterable[str] = (),
        *words: str,
        options: o.Options | None = None,
        chosen: bool = True,
    ) -> str:
        """The command line that gives the same numbers, quoted for a shell.

        Args:
            verb: the command, such as "compare" or "study models".
            measures: given by -m.
            words: further words of the command line.
            options: of the analysis; defaults are left out.
            chosen: whether the command takes the options of `Choice`, as far as those of the analysis allow.
        """
        choice = self.choice if chosen else None
        user_data = self._user_data
        data_words = user_data.words if isinstance(user_data, Data) else words_for(user_data)
        return command_line(verb, data_words, measures, words, options=options, choice=choice)

    def counter(self, what: str) -> Callable[[int], None] | None:
        """What a long calculation calls with the number of steps done since its last call."""
        return count_steps(self.progress, what)

    def check(self) -> Inspection:
        """Read the data to its end; every problem in it, and how complete it is."""
        return self.data.check()

    @cached_property
    def inspection(self) -> Inspection:
        """What reading the chosen part of the campaign noted, and what `check` finds in it as a whole."""
        inspection = Inspection()
        campaign = self.campaign
        inspection.extend(self.data.problems)
        characters = sum(len(summary.text) for summary in campaign.summaries)
        if campaign.summaries and characters <= INSPECTED_CHARACTERS:
            inspect_campaign(campaign, inspection, path=self.data.name)
        return inspection

    @o.with_options(o.ShardOptions)
    def score_into(
        self,
        output: str | Path,
        measures: Measures | None = None,
        options: o.ShardOptions | None = None,
        **keywords: Unpack[ShardKeywords],
    ) -> ShardRun:
        """Score flat files shard by shard into a folder (or s3://…); a run that was stopped goes on where it was."""
        from pyramidion.engines.run import run_in_shards

        options = o.ShardOptions.choose(options, keywords)
        user_data = self._user_data
        paths = [user_data] if isinstance(user_data, str | Path) else list(paths_in(user_data))
        if not paths or DEMO in paths:
            raise UsageError("a run in shards reads files: .parquet or .jsonl with one row per summary")
        for path in paths:
            require_file_or_folder(Path(path))
        if "://" not in str(output) and Path(output).exists() and not Path(output).is_dir():
            raise UsageError(
                f"{output} is not a folder; give a new folder, or a file that ends in .parquet, .csv or .jsonl"
            )
        for name in ("peers", "where", "scores", "raters", "judge"):
            if getattr(self.choice, name) != getattr(o.Choice(), name):
                raise UsageError(f"`{name}=`: a run in shards scores the summaries of flat files; leave it out")
        listed = default_rouge(word_limit=None) if measures is None else measures
        names = listed if isinstance(listed, Sequence) and not isinstance(listed, str) else [listed]
        return run_in_shards(
            [str(path) for path in paths],
            output,
            select_all(names, known=known_measures(names)),
            options,
            columns=self.choice.columns,
            seed=self.choice.seed,
            exclude=self.choice.exclude,
            empty=self.choice.empty or "missing",
            strict=self.choice.strict,
            progress=self.progress,
            problems=self.problems,
        )

    # What can be found out

    @o.with_options(o.AverageOptions)
    def averages(
        self,
        measures: Measures | None = None,
        options: o.AverageOptions | None = None,
        **keywords: Unpack[AverageKeywords],
    ) -> studies.Averages:
        """Average every summarizer over topics."""
        from pyramidion.studies.averages import average, average_stored

        options = o.AverageOptions.choose(options, keywords)
        stored = self.data.stored_scores
        if stored and options.average == "macro" and not options.bootstrap:
            return average_stored(stored, self.score_cache.stored_columns(stored, measures), options)
        table = self.table(measures, keep_counts=options.average != "macro")
        leave_one_out = self.leave_one_out(measures) if options.bootstrap == "rouge155" and measures else None
        averages = average(table, options, seed=self.choice.seed, leave_one_out=leave_one_out)
        return dataclasses.replace(averages, offsets=self.judge_offsets(table, options.confidence))

    def leave_one_out(self, measures: Measures) -> ScoreTable | None:
        """What jackknifed measures average: their scores with one reference left out; None if none is jackknifed.

        In place of a topic each score has the evaluation that ROUGE-1.5.5 would run, TOPIC-REFERENCE.
        """
        from pyramidion.studies.averages import is_jackknifed, tabulate_leave_one_out

        if self.data.has_scores:
            return None
        selections = [selection for selection in self.select(measures) if is_jackknifed(selection.measure)]
        if not selections:
            return None
        return tabulate_leave_one_out(self.evidence(selections), selections, seed=self.choice.seed)

    @o.with_options(o.CompareOptions)
    def compare(
        self,
        measures: Measures | None = None,
        options: o.CompareOptions | None = None,
        **keywords: Unpack[CompareKeywords],
    ) -> studies.Comparison:
        """Rank summarizers on each measure, with intervals of their means, and test whether they differ."""
        from pyramidion.studies.comparison.comparison import compare, compare_large, is_large
        from pyramidion.studies.comparison.sequential import refuse_shared
        from pyramidion.studies.deciding import choose_primary

        options = o.CompareOptions.choose(options, keywords)
        if options.using:
            return self._compare_predicted(measures, options)
        for name in ("plan", "assume_random"):
            if getattr(options, name) is not None:
                raise UsageError(f"`{name}=` is for predictions: add `using=`, the predictors")
        if stored := self.data.stored_scores:
            names = self.score_cache.stored_columns(stored, measures)
            if is_large(stored, names, options):
                return compare_large(stored, names, options, scales=self.scales_of(names), seed=self.choice.seed)
        table = self._without_field(self.table(measures), options.cluster)
        self._require_same_judges(table)
        judgments = {measure: self.judgments_of(measure) for measure in table.measures}
        if options.sequential and options.cluster is None and not self.data.has_scores:
            refuse_shared([topic for topic in self.campaign.topics if topic.topic in set(table.topics)])
        shared = None
        # Only pairs speak of topics that share something, and two systems are a pair: documents can be long.
        if options.asks_for_pairs or len(table.summarizers) == 2:
            shared = self.shared_topics(options.cluster, table.topics)
        # Who asks for measures has chosen, before the numbers were known, which one decides: the first.
        primary = choose_primary(table.measures) if measures is None else next(iter(table.measures), "")
        comparison = compare(
            table,
            options,
            judgments=judgments,
            scales=self.scales_of(table.measures),
            clusters=self.clusters_of(options.cluster, table.topics),
            shared=shared,
            primary=primary,
            seed=self.choice.seed,
            progress=self.counter("sign flips"),
        )
        return dataclasses.replace(comparison, offsets=self.judge_offsets(table, options.confidence))

    def _compare_predicted(self, measures: Measures | None, options: o.CompareOptions) -> studies.Comparison:
        """Compare systems by people's answers to a sample, with predictors of the rest."""
        from pyramidion.run.prediction_data import frame_for, predictors_of, read_sample, require_people
        from pyramidion.studies.predictions.estimates import compare_predicted

        if measures is None:
            raise UsageError("`measures=` is missing: name what people answered, such as question.X or pyramid.recall")
        using = predictors_of(options.using)
        frames = [frame_for(self, selection, using) for selection in self.select(measures)]
        for frame in frames:
            require_people(self, frame)
        topics = frames[0].topics
        return compare_predicted(
            frames,
            read_sample(self, options.plan),
            options,
            clusters=self.clusters_of(options.cluster, topics),
            names={} if self.data.has_scores else self._names_of(frames[0].systems),
            seed=self.choice.seed,
        )

    def _names_of(self, systems: Sequence[str]) -> dict[str, str]:
        """Readable names of systems that have one."""
        names = {system: self.campaign.name_of(system) for system in systems}
        return {system: name for system, name in names.items() if name != system}

    @o.with_options(o.GateOptions)
    def gate(
        self, measures: Measures | None = None, options: o.GateOptions | None = None, **keywords: Unpack[GateKeywords]
    ) -> studies.Gate:
        """Decide whether a candidate passes: the first measure decides, the others guard against losses."""
        from pyramidion.run.gating import gate_runs, gate_systems, gated_measures

        options = o.GateOptions.choose(options, keywords)
        if options.self_test is not None and options.ledger is not None:
            raise UsageError("a self-test decides about no candidate, so `ledger=` has nothing to record: leave it out")
        names = gated_measures(self, measures)
        table = self.table(names)
        self._require_same_judges(table)
        if options.self_test == "runs":
            return gate_runs(self, table, names, options)
        return gate_systems(self, table, names, options)

    def shared_topics(self, field: str | None, topics: Sequence[str]) -> TopicClusters | None:
        """Which topics share a parent or a document, where nobody said that they belong together; None if none do."""
        from pyramidion.studies.clusters import find_shared

        if field is not None:
            return None
        compared = set(topics)
        return find_shared(topic for topic in self.data.described_topics(len(compared)) if topic.topic in compared)

    def _without_field(self, table: ScoreTable, field: str | None) -> ScoreTable:
        """The scores without the column that says which topics belong together: its numbers are no scores."""
        if field is None or not self.data.has_scores:
            return table
        return table.only(name for name in table.measures if name not in (field, f"imported.{field}"))

    def clusters_of(self, field: str | None, topics: Sequence[str]) -> TopicClusters | None:
        """Which topics belong together, by a field of topics or a column of the table; None if none was asked for."""
        from pyramidion.studies import clusters

        if field is None:
            return None
        cluster_of = self.data.column_by_topic(field)
        fields: list[str] = []
        if cluster_of is None and not self.data.has_scores:
            described = self.campaign.topics
            cluster_of = clusters.clusters_by_field(described, field)
            if not cluster_of and field == clusters.DOCUMENT:
                cluster_of = clusters.clusters_by_document(described)
            fields = clusters.fields_of(described)
        found = clusters.TopicClusters(field=field, cluster_of=cluster_of or {})
        return clusters.require_clusters(found, topics, fields=fields)

    @o.with_options(o.CorrelateOptions)
    def correlate(
        self,
        measures: Measures | None = None,
        options: o.CorrelateOptions | None = None,
        **keywords: Unpack[CorrelateKeywords],
    ) -> studies.Correlations:
        """Correlate measures with others, or every two with each other (`matrix=True`)."""
        from pyramidion.studies.correlations.correlations import (
            correlate,
            correlate_large,
            correlate_parts,
            is_large,
        )

        options = o.CorrelateOptions.choose(options, keywords)
        if not (options.with_ or options.matrix):
            raise UsageError(
                "`with_=` is missing: name the measure to correlate with, such as question.overall-responsiveness "
                "(`pyramidion describe` lists the questions), or use `matrix=True`"
            )
        stored = self.data.stored_scores
        pairs = self.score_cache.stored_pairs(stored, measures, options.with_) if stored else None
        if stored and pairs and is_large(stored, [*pairs[0], *pairs[1]], options):
            return correlate_large(stored, *pairs, options, seed=self.choice.seed)
        table, asked, targets = self.score_cache.table_with_targets(measures, options.with_)
        self._require_same_judges(table)
        if options.cluster is not None:
            table = self._without_field(table, options.cluster)
            asked = [name for name in asked if name in table.measures]
        clusters = self.clusters_of(options.cluster, table.topics)
        progress = self.counter("samples drawn")
        if options.by is None:
            return correlate(
                table, asked, targets, options, clusters=clusters, seed=self.choice.seed, progress=progress
            )
        selections = [*([] if measures is None else self.select(measures)), *self.select(options.with_)]
        tables = self._in_parts(table, options.by, selections)
        return correlate_parts(
            tables,
            options.by,
            asked,
            targets,
            options,
            clusters=clusters,
            seed=self.choice.seed,
            progress=progress,
        )

    @o.with_options(o.TrustOptions)
    def trust(
        self, measures: Measures | None = None, options: o.TrustOptions | None = None, **keywords: Unpack[TrustKeywords]
    ) -> studies.Trust:
        """Put judges and measures on trial against people: what each may be used for, and what it is worth."""
        from pyramidion.run.trials import gather_trial
        from pyramidion.studies.trust.results import Trust
        from pyramidion.studies.trust.trial import compare_prompts, try_judge

        options = o.TrustOptions.choose(options, keywords)
        material = gather_trial(self, measures, options)
        people, tried = material.people, material.defendants
        cards = tuple(
            try_judge(people, defendant, options, texts=material.texts, seed=self.choice.seed) for defendant in tried
        )
        return Trust(
            cards=cards,
            prompts=compare_prompts(tried, people),
            options=options,
            systems=len(people.systems),
            topics=len(people.topics),
            names=material.names,
            command=self.command("trust", [defendant.measure for defendant in tried], options=options),
            note=tried[0].note,
        )

    @o.with_options(o.PowerOptions)
    def power(
        self, measures: Measures | None = None, options: o.PowerOptions | None = None, **keywords: Unpack[PowerKeywords]
    ) -> studies.Power:
        """Compute how many topics are needed, or the smallest detectable difference, from this pilot."""
        from pyramidion.studies.power import power_analysis

        options = o.PowerOptions.choose(options, keywords)
        table = self._without_field(self.table(measures), options.cluster)
        self._require_same_judges(table)
        return power_analysis(
            table,
            options,
            judgments={measure: self.judgments_of(measure) for measure in table.measures},
            clusters=self.clusters_of(options.cluster, table.topics),
            seed=self.choice.seed,
        )

    @o.with_options(o.FrequencyOptions)
    def judgment_frequencies(
        self, options: o.FrequencyOptions | None = None, **keywords: Unpack[FrequencyKeywords]
    ) -> studies.Frequencies:
        """Count how often each answer was given, by kind of summarizer."""
        from pyramidion.studies.judgments.frequencies import judgment_frequencies

        options = o.FrequencyOptions.choose(options, keywords)
        return judgment_frequencies(self._campaign_of("question."), options)

    @o.with_options(o.JudgmentRegressionOptions)
    def judgment_regression(
        self, options: o.JudgmentRegressionOptions | None = None, **keywords: Unpack[JudgmentRegressionKeywords]
    ) -> studies.JudgmentRegression:
        """Regress one question on the others, for each assessor and for all of them together."""
        from pyramidion.studies.judgments.regression import judgment_regression

        options = o.JudgmentRegressionOptions.choose(options, keywords)
        return judgment_regression(self._campaign_of("question."), options)

    @o.with_options(o.JudgmentAgreementOptions)
    def judgment_agreement(
        self, options: o.JudgmentAgreementOptions | None = None, **keywords: Unpack[JudgmentAgreementKeywords]
    ) -> studies.JudgmentAgreement:
        """Measure how far assessors agree: Krippendorff's α, pairs of assessors, confusion."""
        from pyramidion.studies.judgments.agreement import judgment_agreement

        options = o.JudgmentAgreementOptions.choose(options, keywords)
        campaign = self._campaign_of("question.")
        return judgment_agreement(
            campaign, options, seed=self.choice.seed, progress=self.counter("questions resampled")
        )

    @o.with_options(o.AssessorOptions)
    def describe_assessors(
        self, options: o.AssessorOptions | None = None, **keywords: Unpack[AssessorKeywords]
    ) -> studies.AssessorDescription:
        """Describe assessors: who judged what, when, and how long it took; who is strict, and whether that changes."""
        from pyramidion.studies.judgments.assessors import describe_assessors

        options = o.AssessorOptions.choose(options, keywords)
        return describe_assessors(self._campaign_of("question."), options)

    @o.with_options(o.PreferenceOptions)
    def preferences(
        self, options: o.PreferenceOptions | None = None, **keywords: Unpack[PreferenceKeywords]
    ) -> studies.Preferences:
        """Count who is preferred to whom, by assessor and position, and rank summarizers (Davidson's model)."""
        from pyramidion.studies.judgments.preferences import describe_preferences

        options = o.PreferenceOptions.choose(options, keywords)
        return describe_preferences(self._campaign_of("preferences"), options, seed=self.choice.seed)

    def compare_preferences(self, options: o.CompareOptions) -> studies.Preferences:
        """Compare the systems of a table of preferences: who wins how often, with exact sign tests over topics.

        Raises:
            UsageError: if an option is for scores.
        """
        default = o.CompareOptions()
        for field in dataclasses.fields(options):
            is_changed = getattr(options, field.name) != getattr(default, field.name)
            if is_changed and field.name not in ("pair", "against", "all_pairs", "confidence"):
                raise UsageError(
                    f"`{field.name}=` is for scores; a table of preferences is compared by exact sign tests over "
                    "topics: leave it out"
                )
        pairs = list(options.pair)
        if options.against is not None:
            systems = {name for row in self.campaign.preferences for name in (row.a, row.b)} - {options.against}
            pairs += [(name, options.against) for name in sorted(systems)]
        return self.preferences(pair=pairs, confidence=options.confidence)

    @property
    def has_only_preferences(self) -> bool:
        """Whether the data is a table of preferences: there is nothing else to compare systems by."""
        source = self.data.located.source if isinstance(self.data, CampaignData) and not self.data.paths else None
        return isinstance(source, CampaignSource | RowSource) and source.kind == "preferences"

    @o.with_options(o.DesignOptions)
    def design(
        self, options: o.DesignOptions | None = None, **keywords: Unpack[DesignKeywords]
    ) -> studies.Designs | studies.LabelDesigns:
        """Find the cheapest design that detects a difference, or the best for a budget, from this pilot.

        With `using`, it is the share of the answers to ask people for, while predictors have values for all.
        """
        from pyramidion.studies.design import plan_designs

        options = o.DesignOptions.choose(options, keywords)
        if options.measure is None:
            raise UsageError(
                '`measure=` is missing: name what to plan for, such as `measure="question.overall-responsiveness"`'
            )
        if options.plans_labels:
            return self._design_labels(options.measure, options)
        (selection,) = self.select(options.measure)
        table = self.table([selection])
        self._require_same_judges(table)
        if len(table.measures) != 1:
            raise UsageError(f"{mention('measure', options.measure)}: expected one value, such as rouge-2.recall")
        judgments = self.judgments_of(table.measures[0])
        if options.difference is not None and options.margin is not None:
            raise UsageError("`difference=` and `margin=` plan for different things: give one of them")
        has_goal = options.difference is not None or options.margin is not None
        if not has_goal and not (judgments and self._has_five_points(table.measures[0])):
            raise UsageError(
                f"`difference=` is missing: say which difference in {table.measures[0]} to detect (only questions with "
                "a scale of 5 points have a default)"
            )
        has_evidence = not judgments and not self.data.has_scores
        single = single_model_scores(self.evidence([selection]), selection) if has_evidence else []
        return plan_designs(table, judgments, single, options, seed=self.choice.seed)

    def _design_labels(self, measure: str, options: o.DesignOptions) -> studies.LabelDesigns:
        """Which share of the answers people must give for a precision, with and without predictors."""
        from pyramidion.run.prediction_data import (
            answers_per_summary,
            frame_for,
            predictors_of,
            read_sample,
            require_people,
        )
        from pyramidion.studies.predictions.designs import plan_labels

        frame = frame_for(self, measure, predictors_of(options.using))
        require_people(self, frame)
        sample = read_sample(self, options.plan)
        return plan_labels(frame, sample, options, people=answers_per_summary(self, frame))

    @o.with_options(o.PlanOptions)
    def plan(self, options: o.PlanOptions | None = None, **keywords: Unpack[PlanKeywords]) -> studies.SamplePlan:
        """Draw which answers people are asked for; nothing is written."""
        from pyramidion.run.prediction_data import draw_sample

        return draw_sample(self, o.PlanOptions.choose(options, keywords))[0]

    def write_plan(self, options: o.PlanOptions, output: Path | None = None) -> studies.SamplePlan:
        """Draw which answers people are asked for, and write the sample.

        Args:
            options: what is drawn.
            output: a .csv file that gets a table of what is to be labelled; None: none is written.
        """
        from pyramidion.run.prediction_data import write_sample

        return write_sample(self, options, output)

    @o.with_options(o.SampleSizeOptions)
    def study_models(
        self,
        measures: Measures | None = None,
        options: o.SampleSizeOptions | None = None,
        **keywords: Unpack[SampleSizeKeywords],
    ) -> studies.SampleSizeStudy:
        """Study how many references an evaluation needs: correlation with a human score, by number of references."""
        from pyramidion.studies.sample_size.models import require_choosable_references, study_models
        from pyramidion.studies.sample_size.study import default_measures

        options = o.SampleSizeOptions.choose(options, keywords)
        if self.data.scores is not None:
            raise UsageError("a score table has no texts to sample references from; give the campaign")
        campaign = self.campaign  # before its scores, which are then taken from it: evidence needs it whole
        selections = self.select(default_measures(campaign) if measures is None else measures)
        require_choosable_references(selections)
        tables, asked, targets, against = self._sample_size_data(selections, options)
        scored = [selection for selection in (*selections, *against) if not isinstance(selection.measure, Derived)]
        evidence = self.evidence(scored)
        counter = self.counter("numbers of references studied")
        return study_models(tables, evidence, asked, targets, options, seed=self.choice.seed, progress=counter)

    @o.with_options(o.TopicsOptions)
    def study_topics(
        self,
        measures: Measures | None = None,
        options: o.TopicsOptions | None = None,
        **keywords: Unpack[TopicsKeywords],
    ) -> studies.SampleSizeStudy:
        """Study how many topics an evaluation needs: correlation with a human score, by number of topics."""
        from pyramidion.studies.sample_size import study_topics
        from pyramidion.studies.sample_size.study import default_measures

        options = o.TopicsOptions.choose(options, keywords)
        if measures is None and self.data.scores is None:
            measures = default_measures(self.campaign)
        tables, asked, targets, _ = self._sample_size_data(measures, options)
        counter = self.counter("numbers of topics studied")
        return study_topics(tables, asked, targets, options, seed=self.choice.seed, progress=counter)

    @o.with_options(o.HeterogeneityOptions)
    def study_heterogeneity(
        self,
        measures: Measures | None = None,
        options: o.HeterogeneityOptions | None = None,
        **keywords: Unpack[HeterogeneityKeywords],
    ) -> studies.HeterogeneityStudy:
        """Study how diverse measures are, and what they are worth alone and together (HBR)."""
        from pyramidion.measures.hbr import DEFAULT_COLUMNS
        from pyramidion.studies.heterogeneity import study_heterogeneity
        from pyramidion.studies.parts import together

        options = o.HeterogeneityOptions.choose(options, keywords)
        tables: dict[str, ScoreTable] = {}
        names: list[str] = []
        for evaluation in self.split_campaigns():
            (quality,) = evaluation._targets(options.with_)
            asked = DEFAULT_COLUMNS if measures is None and evaluation.data.scores is None else measures
            table, columns, _ = evaluation.score_cache.table_with_targets(asked, [quality])
            names += columns
            tables[evaluation.label] = table
        return study_heterogeneity(
            together(tables), quality, list(dict.fromkeys(names)), options, seed=self.choice.seed
        )

    @o.with_options(o.ChoicesOptions)
    def study_choices(
        self,
        measures: Measures | None = None,
        options: o.ChoicesOptions | None = None,
        **keywords: Unpack[ChoicesKeywords],
    ) -> studies.ChoicesStudy:
        """Study whether the answer depends on settings: every pair of systems under each setting of ROUGE."""
        from pyramidion.studies.choices import DEFAULT_MEASURES, plan_choices, study_choices

        options = o.ChoicesOptions.choose(options, keywords)
        if self.data.scores is not None:
            raise UsageError("a score table has no texts to score with other settings; give the campaign")
        campaign = self.campaign  # before its scores, which are then taken from it: evidence needs it whole
        selections = self.select(DEFAULT_MEASURES if measures is None else measures)
        plan = plan_choices(selections, campaign, options)
        table = self.table(selections[:1])  # whatever is wrong with the data or the choice of systems is said here
        evidence = self.score_cache.gather_evidence(plan.measures)
        return study_choices(
            evidence, plan, table.summarizers, options, names=table.names, progress=self.counter("settings compared")
        )

    @o.with_options(o.ModelFreeOptions)
    def study_model_free(
        self, options: o.ModelFreeOptions | None = None, **keywords: Unpack[ModelFreeKeywords]
    ) -> studies.ModelFreeStudy:
        """Study how model-free measures, their regression and ROUGE correlate with human scores."""
        from pyramidion.studies.model_free import plan_model_free, study_model_free
        from pyramidion.studies.parts import parts_of

        options = o.ModelFreeOptions.choose(options, keywords)
        if options.with_:
            options = dataclasses.replace(options, with_=tuple(self._targets(options.with_)))
        if self.data.scores is not None:
            tables = self._in_parts(self.data.scores, options.by, [])
            return study_model_free(tables, {"": plan_model_free(self.data.scores, options)}, options)
        parts = parts_of(self.campaign, options.by) if options.by else {"": self.campaign}
        plans = {name: plan_model_free(part, options) for name, part in parts.items()}
        selections = self.select([name for plan in plans.values() for name in plan.scored])
        tables = self._in_parts(self.table(selections), options.by, selections)
        # A topic without background documents lacks nothing.
        self.score_cache.ignore_unscored(name for plan in plans.values() for name in plan.of_background)
        return study_model_free(tables, plans, options)

    @o.with_options(o.OrdersOptions)
    def study_orders(
        self, options: o.OrdersOptions | None = None, **keywords: Unpack[OrdersKeywords]
    ) -> studies.OrdersStudy:
        """Study how pyramid scores behave as pyramids grow: divergence, errors, rankings."""
        from pyramidion.studies.orders import study_orders

        options = o.OrdersOptions.choose(options, keywords)
        progress = self.counter("topics studied")
        return study_orders(self.campaign, options, seed=self.choice.seed, progress=progress)

    @o.with_options(o.LabelsOptions)
    def study_labels(
        self, measures: Measures, options: o.LabelsOptions | None = None, **keywords: Unpack[LabelsKeywords]
    ) -> studies.LabelsStudy:
        """Find out what a predictor is worth on data in which everything is labelled: gain and coverage by share."""
        from pyramidion.run.prediction_data import frame_for, predictors_of
        from pyramidion.studies.predictions.labels import LabelsStudy, study_labels

        options = o.LabelsOptions.choose(options, keywords)
        if not options.using:
            raise UsageError("`using=` is missing: name the predictor whose worth is to be found out")
        points = []
        worth = []
        systems, topics = 0, 0
        for selection in self.select(measures):
            frame = frame_for(self, selection, predictors_of(options.using))
            found, r_squared = study_labels(
                frame, options, seed=self.choice.seed, progress=self.counter("shares studied")
            )
            points += found
            worth.append(r_squared)
            systems, topics = len(frame.systems), len(frame.topics)
        return LabelsStudy(
            points=tuple(points), r_squared=tuple(worth), options=options, systems=systems, topics=topics
        )

    @o.with_options(o.PyramidScoreOptions)
    def pyramid_scores(
        self, options: o.PyramidScoreOptions | None = None, **keywords: Unpack[PyramidScoreKeywords]
    ) -> pyramids.PyramidScoring:
        """Score peers with pyramids: D, X, Max and the original, modified and comprehensive score."""
        from pyramidion.pyramids.scores import score_pyramids

        options = o.PyramidScoreOptions.choose(options, keywords)
        if options.using:
            return self._predict_pyramid_scores(options)
        return score_pyramids(self.data.campaigns(), options, peers=self.choice.peers)

    def _predict_pyramid_scores(self, options: o.PyramidScoreOptions) -> pyramids.PyramidScoring:
        """Pyramid scores of systems where people answered a sample of SCUs."""
        from pyramidion.measures.pyramid import PyramidMeasure, PyramidRecall
        from pyramidion.studies.predictions.estimates import PredictedComparison, PredictedPyramidScores

        modified = PyramidMeasure(rounding=options.rounding, annotator=options.annotator, weights=options.weights)
        recall = PyramidRecall(annotator=options.annotator, weights=options.weights)
        measures = [modified.name("modified"), recall.name("recall")]
        comparison = self.compare(measures, using=options.using, plan=options.plan)
        assert isinstance(comparison, PredictedComparison)
        return PredictedPyramidScores(scores=(), options=options, comparison=comparison)

    @o.with_options(o.PyramidShowOptions)
    def show_pyramids(
        self, options: o.PyramidShowOptions | None = None, **keywords: Unpack[PyramidShowKeywords]
    ) -> pyramids.PyramidView:
        """Show pyramids: how hard topics are, what the SCUs say, what a summarizer expresses, optimal summaries."""
        from pyramidion.pyramids.view import show_pyramids

        options = o.PyramidShowOptions.choose(options, keywords)
        return show_pyramids(self.data.campaigns(), options)

    def pyramid_coverage(self) -> PyramidCoverage:
        """Find who expresses most of the heaviest SCUs, what each summarizer misses, and what nobody says."""
        from pyramidion.pyramids.coverage import cover_pyramids

        table = self.table("pyramid.modified")
        means = dict(table.means().select("summarizer", "value").iter_rows())
        names = {id: f"{name} ({id})" for id, name in table.names.items() if name not in ("", id)}
        return cover_pyramids(self.campaign, table.summarizers, scores=means, names=names)

    @o.with_options(o.PyramidAgreementOptions)
    def pyramid_agreement(
        self, options: o.PyramidAgreementOptions | None = None, **keywords: Unpack[PyramidAgreementKeywords]
    ) -> pyramids.PyramidAgreement:
        """Measure how far annotators agree: Krippendorff's α over words and over the presence of SCUs."""
        from pyramidion.pyramids.reliability.agreement import measure_agreement

        options = o.PyramidAgreementOptions.choose(options, keywords)
        names = [_name_annotators(path) for path in self.data.paths]
        names = names or [self.data.name]
        sources = list(zip(names, self.data.campaigns(together=False), strict=True))
        progress = self.counter("topics compared")
        return measure_agreement(sources, options, seed=self.choice.seed, progress=progress)

    def check_pyramids(self) -> Problems:
        """Return every problem of pyramids and annotations: in the files, and what deserves a look."""
        from pyramidion.pyramids.checks import check_each

        data = self.data
        if not isinstance(data, CampaignData):
            raise UsageError("a score table has no pyramids; give the campaign, or the files of pyramids")
        problems = Problems()
        pairs = [(source, source.read(problems)) for source in data.sources()]
        if not problems.errors:  # else the same would be reported twice, or about what was not read
            if data.paths:
                pairs = [(source, source.read(Problems())) for source in data.sources(together=False)]
            check_each([(getattr(source, "path", None), campaign) for source, campaign in pairs], problems)
        return problems

    @o.with_options(o.DescribeOptions)
    def describe(
        self, options: o.DescribeOptions | None = None, **keywords: Unpack[DescribeKeywords]
    ) -> studies.Description | studies.Roster:
        """Describe the campaign: how many topics, documents, summaries and judgments, or (`roster`) who is in it."""
        from pyramidion.studies.description import describe
        from pyramidion.studies.roster import roster_of

        options = o.DescribeOptions.choose(options, keywords)
        if options.roster:
            return roster_of(self.campaign)
        return describe(self.campaign)

    @o.with_options(o.LeadOptions)
    def add_lead(self, options: o.LeadOptions | None = None, **keywords: Unpack[LeadKeywords]) -> Campaign:
        """The campaign with the lead baseline: the start of each topic's most recent document, cut at the limit."""
        from pyramidion.campaign.baselines import add_lead

        return add_lead(self.campaign.with_all_raters(), o.LeadOptions.choose(options, keywords))

    def write_lead(self, path: str | Path, options: o.LeadOptions) -> Campaign:
        """Write the campaign with the lead baseline into a new folder, or the baseline alone into a flat file."""
        from pyramidion.campaign import write_flat, write_folder
        from pyramidion.campaign.baselines import only_summarizer
        from pyramidion.files.targets import is_new_or_empty

        target = Path(path)
        campaign = self.add_lead(options)
        if target.suffix:
            write_flat(only_summarizer(campaign, options.summarizer), target)
        elif is_new_or_empty(target):
            write_folder(campaign, target)
        else:
            raise UsageError(f"{target} is not empty; choose a new folder, or a .jsonl or .parquet file")
        return campaign

    def look(self, topic: str, summarizer: str, measure: str = "rouge-2") -> studies.MatchedWords:
        """Show which words of a summary match each reference."""
        from pyramidion.measures.rouge import Rouge
        from pyramidion.measures.rouge_score import RougeScore
        from pyramidion.studies.matches import match_words

        rouge = self.select(measure)[0].measure
        if not isinstance(rouge, Rouge | RougeScore):
            raise UsageError(f"only ROUGE measures have matching words, not {measure}")
        topic_data = self.campaign.with_first_outputs().topic(topic, peers="all")
        if isinstance(rouge, Rouge):
            rouge = rouge.within_limit([topic_data])
        return match_words(topic_data, summarizer, rouge)

    # Inside

    def judge_offsets(self, table: ScoreTable, confidence: float) -> tuple[JudgeOffset, ...]:
        """How far judges that are compared lie from people's answers to the same question."""
        # Judges answer questions or have a column of their own. Asking the campaign about other measures would read a
        # table row by row that was scored by columns.
        may_be_judged = any(measure.startswith(("question", "imported")) for measure in table.measures)
        if self.data.has_scores or not may_be_judged:
            return ()
        if not self.campaign.judgments and not self.campaign.judges:
            return ()
        from pyramidion.studies.judge_offsets import find_judge_offsets

        return find_judge_offsets(self.campaign.with_all_raters(), table, table.measures, confidence=confidence)

    def _require_same_judges(self, table: ScoreTable) -> None:
        """Refuse to compare systems that different judges scored, unless that was asked for."""
        if table.names_judges and not self.choice.mix_judges:
            require_same_judges(table)

    def _campaign_of(self, what: str) -> Campaign:
        """The campaign, with a warning where judges gave its answers: who answered is part of every result.

        Args:
            what: the answers that are looked at: "question." (all of them) or "preferences".
        """
        campaign = self.campaign
        notes = {measure: note for measure, note in campaign.rater_notes.items() if measure.startswith(what)}
        for sentence in notes_about(notes, notes):
            warnings.warn(sentence.rstrip("."), CampaignWarning, stacklevel=3)
        return campaign

    def judgments_of(self, measure: str) -> list[Judgment]:
        """The single judgments behind a question; none behind other measures and in score tables."""
        if self.data.has_scores:
            return []
        name = parse(measure)
        if name.base != "question" or name.arguments or not name.statistic:
            return []
        return [judgment for judgment in self.campaign.judgments if judgment.question == name.statistic]

    def scales_of(self, measures: Iterable[str]) -> dict[str, tuple[float, float]]:
        """By measure, the lowest and highest value that it can have, where that is known."""
        scales: dict[str, tuple[float, float]] = {}
        for measure in measures:
            scale = self._scale_of(measure)
            if scale is not None:
                scales[measure] = scale
        return scales

    def _scale_of(self, measure: str) -> tuple[float, float] | None:
        try:
            selection = select_all([measure], known=self.score_cache.measures_by_name)[0]
        except UsageError:  # a column of somebody's own
            return None
        if selection.measure.base == "question" and not self.data.has_scores:
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
                "`with_=` is missing: give the human score to correlate with, such as "
                '`with_="question.overall-responsiveness"` (`pyramidion describe` lists the questions)'
            )
        return [
            o.ITSELF
            if name == o.ITSELF
            else column(self.select(name)[0].name, known=self.score_cache.measures_by_name, columns=self.data.measures)
            for name in names
        ]

    def _in_parts(self, table: ScoreTable, by: str | None, selections: Iterable[Selection]) -> dict[str, ScoreTable]:
        """The scores of each part of the campaign; what is derived from scores is derived within each part."""
        from pyramidion.studies.parts import scores_of_parts

        if by is None:
            return {"": table}
        if self.data.has_scores:
            raise UsageError(f"{mention('by', by)}: a score table does not describe its topics; give the campaign")
        derived = [selection.measure for selection in selections if isinstance(selection.measure, Derived)]
        return scores_of_parts(self.score_cache.score([]), self.campaign, by, derived)

    def _sample_size_data(
        self, measures: Measures | None, options: o.SampleSizeOptions
    ) -> tuple[dict[str, ScoreTable], list[str], list[str], list[Selection]]:
        """By part the scores of measures and of what they are correlated with; the names of both."""
        targets = self._targets(options.with_)
        against = self.select([name for name in targets if name != o.ITSELF])
        table, asked, _ = self.score_cache.table_with_targets(measures, against)
        selections = [*([] if measures is None else self.select(measures)), *against]
        return self._in_parts(table, options.by, selections), asked, targets, against


def _name_annotators(path: str | Path) -> str:
    """What the annotators of a file are called: the file without its ending, or a folder as it was given."""
    if Path(path).suffix:
        return Path(path).stem
    return str(path)
