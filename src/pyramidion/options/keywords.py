"""The options as keywords of functions: `def compare(data, **keywords: Unpack[CompareVerbKeywords])`.

Written by tools/option_keywords.py from the classes of options. Where an option may be given several times, a single
value stands for a list of one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, TypedDict

from pyramidion.options import (
    AccuracyTies,
    AlphaMetric,
    AnswerForm,
    Assessors,
    AssumedSample,
    Coefficient,
    Correction,
    CorrelationInterval,
    EmptyTreatment,
    JudgedKind,
    LettersTest,
    Level,
    MeanInterval,
    MissingOutputs,
    NamedMeasure,
    PairMethod,
    Panel,
    PeerChoice,
    PooledFit,
    Population,
    Progress,
    Provider,
    PyramidScoreName,
    Raters,
    RegressionErrors,
    ReportSection,
    Resampled,
    Rounding,
    SampledBy,
    Scope,
    SelfTestKind,
    SetDistance,
    Sides,
    SimulatedQuestions,
    Undecided,
    Use,
    WeightRule,
)


class ImportKeywords(TypedDict, total=False):
    """How files are added to a campaign."""

    columns: Mapping[str, str] | None
    """Which column holds which field, such as topic=ID,summarizer=SYSTEM; for judgments also QUESTION=COLUMN; for both
    judgments and scores, run=SEED. Default: recognised by their names.
    """
    dry_run: bool
    """Print the plan and write nothing."""
    replace: bool
    """Overwrite conflicting values in the campaign with the imported ones."""
    strict: bool
    """Treat warnings as errors."""
    option: Mapping[str, str] | None
    """An option of the format; repeatable."""


class InitKeywords(TypedDict, total=False):
    """What a new campaign says about itself."""

    name: str
    """Name of the campaign. Default: the name of the folder."""
    description: str
    """What is evaluated, in a sentence."""
    word_limit: int | None
    """Word limit of summaries."""
    questions: str
    """The set of questions that assessors are asked, such as duc2006."""


class LeadKeywords(TypedDict, total=False):
    """How the lead baseline is made."""

    document: Literal["latest", "first", "last"]
    """The document whose leading sentences are taken: the most recent one by date (among those of one day the highest
    id), or the first or last of the topic.
    """
    last: Literal["cut", "whole"]
    """The last sentence: cut at the limit, or taken only if the whole of it fits."""
    words: int | None
    """Cut the summary to this many words. Default: the campaign's word limit."""
    summarizer: str
    """Name of the baseline as a summarizer."""


class ChoiceKeywords(TypedDict, total=False):
    """What every analysis of a campaign has in common: whose summaries, on which topics, with which other scores."""

    peers: PeerChoice
    """Whose summaries to score; participants: all systems except baselines. Humans are never scored against their own
    reference.
    """
    where: Mapping[str, str] | None
    """Only topics whose field or attribute has this value, such as part=A; repeatable."""
    exclude: Sequence[str]
    """Leave out these summarizers."""
    scores: Sequence[str | Path] | str | Path
    """A table of other scores (.csv, .tsv, .jsonl, .parquet), joined by topic and summarizer; repeatable. Several runs
    of a judge (a column run, seed or trial) are averaged.
    """
    raters: Raters | None
    """Whose answers count: people's, judges' (programs; `[assessors]` in campaign.toml or `judge=` names them), or all
    together. Default: people's; judges' where only judges answered.
    """
    judge: Sequence[str]
    """An assessor or a column of scores that is a judge, a program; repeatable."""
    mix_judges: bool
    """Also compare systems whose scores are by different judges, which is refused otherwise."""
    columns: Mapping[str, str] | None
    """Which column of a table is which, such as summary=prediction,topic=id; other roles: summarizer, references,
    documents, scores, judgments; of score tables: scores, measure, value, run. Several columns: references=ref_a+ref_b;
    inside a cell: summary=response.choices[0].text; a system per column: summary=a+b, in score tables score=a+b. They
    apply to DATA and to the files of `scores=`, wherever a file has the column. Default: recognised by their names.
    """
    runs: bool
    """Treat rows of a table of scores that repeat a topic and summarizer (in a table of judgments also the judge) as
    runs, in their order: they are averaged. Not needed where a column numbers the runs.
    """
    empty: EmptyTreatment | None
    """How to treat empty summaries: as missing, because the request may have failed, or with a score of zero, as in
    DUC. Default: missing in tables, zero in campaign folders.
    """
    system: Mapping[str, str] | None
    """What the system behind a file is called; repeatable. The file joins DATA. Two prompts of one model are two
    systems: terse=run1.json and long=run2.json.
    """
    seed: int
    """Random seed."""
    strict: bool
    """Treat warnings as errors."""
    option: Mapping[str, str] | None
    """An option for reading DATA in another format; repeatable. See `list formats`."""


class DescribeKeywords(TypedDict, total=False):
    """What is told of a campaign."""

    roster: bool
    """List the summarizers: name, organisation, kind, topics, judged summaries."""


class CompareKeywords(TypedDict, total=False):
    """How summarizers are compared."""

    pair: Sequence[tuple[str, str]] | tuple[str, str]
    """Compare these two systems; repeatable."""
    against: str | None
    """Compare every other system with this one."""
    all_pairs: bool
    """Compare all pairs of systems."""
    method: PairMethod
    """Test of a pair, which gives p and the interval. t: paired t test; sign-flip: permutation test, which assumes no
    distribution; bounded: betting test, exact for scores with a known scale whatever their shape, with wider intervals.
    """
    scale: Sequence[float] | float
    """The lowest and highest value of measures whose scale the data does not know."""
    correction: Correction
    """Correct the p values of several pairs. Their intervals are at the Bonferroni level; with none, each stands for
    itself.
    """
    margin: Sequence[str | float] | str | float
    """The largest acceptable loss of the first system of a pair against the second, the baseline: in units of the first
    measure (0.1), as a share of the baseline's mean on any measure (5%), or of a named measure (rouge-2.f=0.02);
    repeatable. Adds verdicts: equivalent, not worse by more than the margin.
    """
    letters: LettersTest | None
    """Test behind the letters. tukey: Tukey's test, with one variance for all systems; paired: paired t tests of all
    pairs, with Holm's correction. Default: paired if scores are missing or variances clearly differ; else tukey.
    """
    cluster: str | None
    """Topics with the same value of this field belong together, such as parent, an attribute, a column of the table, or
    document (topics that share one): whole clusters are the unit of pairs, letters and intervals (CR2 standard errors;
    sign flips of clusters).
    """
    assessors: Assessors | None
    """Treat the assessors as fixed (results hold for these people) or as a random sample (results hold for other
    assessors, too). Default: random if a question has at least 3 assessors and the design allows it.
    """
    interval: MeanInterval | None
    """Method for the intervals of means; pairs have their own, see `method=` of `compare`. t: variance pooled over all
    systems; own: t with each system's own variance; percentile, studentized: bootstrap. Default: t; with `cluster=`
    own.
    """
    sequential: bool
    """Test the pairs after each topic, in random order; p values stay valid whenever you stop. Assumes independent
    topics and scores with a known scale (`scale=`), whatever their shape; without one, roughly normal differences.
    """
    fragility: bool
    """Find the fewest topics whose removal changes who leads, and the verdicts on the pairs; they are named."""
    using: Sequence[str]
    """Combine people's answers to a sample with predictors of the rest, separated by commas: measures such as
    rouge-1.recall or a judge's column; for pyramids also auto-pyramid, and pyramid(annotator=NAME), the answers of a
    program.
    """
    population: Population
    """With `using=`: results for these topics, or for all topics of which these are a sample."""
    plan: str | None
    """With `using=`: the file of the sample. Default: sample.jsonl of the campaign."""
    assume_random: AssumedSample | None
    """With `using=` and no plan: treat the topics that people judged as a random sample of all topics."""
    confidence: float
    """Confidence level, in percent."""
    resamples: int
    """Number of bootstrap samples."""
    permutations: int
    """Number of random sign flips in the permutation test of a pair with more than 16 topics."""


class DesignKeywords(TypedDict, total=False):
    """What a design must detect, and what it costs."""

    measure: str | None
    """The question or measure to plan for, such as question.overall-responsiveness."""
    difference: float | None
    """The difference between means to detect. Default for 5-point questions: 0.5."""
    margin: float | None
    """Plan to show that one of two equal systems is not worse by more than this, in units of the measure, instead of
    detecting a difference.
    """
    power: float
    """Power to reach: the chance of detecting the difference, in percent (80) or as a share (.8)."""
    budget: float | None
    """Find the design with the most power for this cost instead."""
    cost: str | None
    """What things cost: topic=20,judgment=1.5,assessor=100,model=30. Default: judgment=1. With `using=`:
    summary=2,answer=0.5 (reading a summary, each answer about it) and topic. Default: answer=1.
    """
    systems: int | None
    """Number of systems to compare. Default: as in the pilot."""
    most_assessors: int
    """Consider up to this many assessors."""
    most_topics: int
    """Consider up to this many topics."""
    most_models: int
    """Consider up to this many references for each topic (automatic measures)."""
    using: Sequence[str]
    """Plan which share of the answers people are asked for if these predict the rest, separated by commas: a judge's
    column or measures; for pyramids also auto-pyramid.
    """
    half_width: float | None
    """With `using=`: half the width that the interval of a difference is to have, in units of the measure."""
    by: SampledBy | None
    """With `using=`: what would be drawn, topic or scu. Default: both for pyramids, topic for questions."""
    topics: int | None
    """With `using=`: number of topics of the campaign that is planned. Default: as in the data."""
    population: Population
    """With `using=`: results for these topics, or for all topics of which these are a sample."""
    plan: str | None
    """With `using=`: the file of the sample that people answered as a pilot. Default: sample.jsonl of the campaign."""
    confidence: float
    """Confidence level, in percent."""


class PowerKeywords(TypedDict, total=False):
    """What a power analysis solves for."""

    difference: float | None
    """Compute the number of topics needed to detect this difference between means."""
    margin: float | None
    """Compute the number of topics needed to show that two equal systems differ by less than this, in units of the
    measure: that one is not worse by more than it, and that both are equivalent.
    """
    topics: Sequence[int] | int
    """Compute the smallest detectable difference with this many topics; repeatable."""
    power: float
    """Power: the chance of detecting a difference that exists, in percent (80) or as a share (.8)."""
    pair: Sequence[tuple[str, str]] | tuple[str, str]
    """Estimate the variance from the differences between these two systems; repeatable."""
    cluster: str | None
    """Topics with the same value of this field belong together, such as parent, an attribute, a column of the table, or
    document (topics that share one): the variance of a difference, and what is planned, are those of clusters of the
    pilot's size.
    """
    assessors: Assessors | None
    """Treat the assessors as fixed (results hold for these people) or as a random sample (results hold for other
    assessors, too). Default: random if a question has at least 3 assessors and the design allows it.
    """
    comparisons: int
    """Number of tests to correct the significance level for (Bonferroni)."""
    confidence: float
    """Confidence level, in percent."""


class CorrelateKeywords(TypedDict, total=False):
    """How measures are correlated."""

    with_: str | NamedMeasure | Sequence[str | NamedMeasure]
    """The measure to correlate with, such as question.NAME; repeatable."""
    level: Sequence[Level] | Level
    """Correlate means over topics, within each topic, or over all summaries; repeatable. Default: system."""
    coefficient: Sequence[Coefficient] | Coefficient
    """Only this correlation coefficient; repeatable; the first leads. Default: all three, Spearman's first."""
    interval: CorrelationInterval | None
    """Method for intervals. test: by the distribution that gives p, at system level. fisher: by Fisher's
    transformation, as in the tables of DUC. studentized: bootstrap-t over systems, for Pearson's coefficient at system
    level only. robust: the wider of test and studentized, with the larger p. Default: test at system level (robust for
    Pearson's if a system lies far out and there are at least 8), bootstrap elsewhere.
    """
    sides: Sides
    """Two-sided intervals, or a lower limit only, as in the tables of DUC."""
    resample: Resampled | None
    """What to resample. Default for the bootstrap: both. Default for permutation tests: systems."""
    test: Literal["permutation", "williams"] | None
    """Test for each pair of measures whether one correlates significantly better than the other."""
    micro: bool
    """Also correlate within each topic, and count the topics with a significant correlation."""
    accuracy: bool
    """Also compute pairwise accuracy: plain, with ties, tie-calibrated (also with ε chosen on other topics), soft."""
    ties: AccuracyTies
    """Ties in plain and soft pairwise accuracy. half: pairs with equal human means are left out, and equal sums add
    half to p; wmt: as in mt-metrics-eval, such pairs count, and equal sums add one.
    """
    matrix: bool
    """Correlate all measures with each other."""
    by: str | None
    """Correlate within groups of topics: those with the same value of this field, such as granularity or part."""
    cluster: str | None
    """Topics with the same value of this field belong together, such as parent, an attribute, a column of the table, or
    document (topics that share one): where topics are resampled, whole clusters are.
    """
    draw: Literal["scatter", "intervals", "tests"] | None
    """What the figure shows: systems as points, correlations with their intervals, or which measures correlate
    significantly better than others. Default: tests with `test=`, otherwise scatter.
    """
    confidence: float
    """Confidence level, in percent."""
    resamples: int | None
    """Number of bootstrap samples, and of permutations. Default: 2,000 and 9,999."""


class GateKeywords(TypedDict, total=False):
    """How a candidate is held against a baseline."""

    against: str | None
    """The baseline: the system that the candidate must not be worse than."""
    candidate: str | None
    """The candidate. Default: the only other system."""
    margin: Sequence[str | float] | str | float
    """The largest loss that is acceptable: in units of the first measure (0.1), as a share of the baseline's mean (5%,
    for all measures), or of another measure (MEASURE=0.1); repeatable. Default: none; the gate fails if the candidate
    is significantly worse.
    """
    slices: str | None
    """Also guard each group of topics with the same value of this field, such as part."""
    cluster: str | None
    """Topics with the same value of this field belong together, such as parent, an attribute, a column of the table, or
    document (topics that share one): whole clusters are the unit of the tests (CR2 standard errors).
    """
    undecided: Undecided | None
    """How the command ends if the data decides nothing: like a pass or a fail. Default: exit code 4."""
    missing: MissingOutputs
    """A missing output counts as the lowest value of the scale (for both systems), or its topic is dropped."""
    scale: Sequence[float] | float
    """The lowest and highest value of measures whose scale the data does not know."""
    self_test: SelfTestKind | None
    """Test the gate instead of the candidate. labels: exchange the two systems at random within topics, 1,000 times,
    and count how often it fails; runs: compare two runs of the baseline.
    """
    ledger: str | Path | None
    """Record the decision in this file (JSON lines), and control fails over all decisions in it: on average at most 5 %
    of them are false. Commit it next to the code.
    """
    confidence: float
    """Confidence level, in percent."""


class JudgePlanKeywords(TypedDict, total=False):
    """What a judge is asked, and by which prompt."""

    llm: str | None
    """The judge: an assessor of campaign.toml (`[assessors]`), or a new name; then it is also the model unless `model=`
    says otherwise.
    """
    kind: JudgedKind
    """What it is asked: the campaign's questions, whether a summary expresses each SCU (coverage), or which of two
    summaries is better (preferences, in both orders).
    """
    questions: Sequence[str]
    """Only these questions of the campaign. Default: all."""
    pair: Sequence[tuple[str, str]] | tuple[str, str]
    """Only these two systems (preferences); repeatable. Default: all pairs."""
    model: str | None
    """The model, as its provider calls it. Default: that of campaign.toml."""
    prompt: str | Path | None
    """File of the prompt, a Jinja template. Default: that of campaign.toml, else one that comes with pyramidion."""
    temperature: float | None
    """Temperature of the model. Default: that of campaign.toml."""
    provider: Provider
    """Whose form of batch requests to write."""
    answer: AnswerForm
    """How OpenAI's form asks for JSON: by a schema, as any object, or by the prompt alone (text), for servers that know
    neither.
    """
    times: int
    """How often each question is asked."""
    max_tokens: int | None
    """Most tokens of an answer. Default: 1024 for Anthropic, else as the server has it."""
    body: Mapping[str, str] | None
    """A further field of each request, such as top_p=0.9; repeatable."""
    plan: str | Path | None
    """Only what this sample has drawn (sample.jsonl of `pyramidion plan`). Default: all."""
    again: bool
    """Also ask what the campaign has an answer of this judge to."""
    price_input: float | None
    """Price of a million tokens of requests."""
    price_output: float | None
    """Price of a million tokens of answers."""


class JudgeReadKeywords(TypedDict, total=False):
    """How answers are read and added to a campaign."""

    plan: str | Path | None
    """The plan that `judge plan` wrote next to the requests. Default: the one next to the answers that has their ids.
    """
    dry_run: bool
    """Read the answers and write nothing."""
    replace: bool
    """Overwrite conflicting values in the campaign with the new ones."""
    strict: bool
    """Treat warnings as errors."""


class JudgeSendKeywords(TypedDict, total=False):
    """How requests are sent."""

    endpoint: str | None
    """Address of a server that is compatible with OpenAI's, such as http://127.0.0.1:8000/v1."""
    parallel: int
    """How many requests wait for an answer at the same time."""
    retries: int
    """How often a request is repeated that was refused for now (429, 5xx) or lost."""
    timeout: float
    """Seconds to wait for an answer."""
    key_variable: str
    """Environment variable that holds the key of the server; no key is sent if it is not set."""


class JudgmentRegressionKeywords(TypedDict, total=False):
    """Which question is explained by which."""

    target: str | None
    """The question to predict. Default: the last with “overall” in its name, otherwise the last."""
    on: Sequence[str]
    """A question to predict it from; repeatable. Default: all the others."""
    errors: RegressionErrors | None
    """Standard errors that allow for dependence between answers about one topic (CR2), or treat all answers as
    independent. Default: topic if there are at least 8 topics.
    """
    pooled: PooledFit
    """The fit of all assessors together: with an effect of each assessor, so that lenient and strict assessors make up
    no relation, or as if one assessor had given all answers (as in the overview of DUC 2006).
    """
    confidence: float
    """Confidence level, in percent."""


class PreferenceKeywords(TypedDict, total=False):
    """How preferences are summed up."""

    pair: Sequence[tuple[str, str]] | tuple[str, str]
    """Only these two systems; repeatable."""
    confidence: float
    """Confidence level, in percent."""
    resamples: int
    """Number of bootstrap samples."""


class LabelsKeywords(TypedDict, total=False):
    """How the worth of a predictor is found out on data in which everything is labelled."""

    using: Sequence[str]
    """Predictors of people's answers, separated by commas: measures such as rouge-1.recall or a judge's column; for
    pyramids also auto-pyramid, and pyramid(annotator=NAME), the answers of an annotator that is a program, or a file
    with the columns topic, summarizer, scu and score. none: people's answers to the sample alone.
    """
    by: SampledBy | None
    """What is drawn. Default: scu for pyramids, topic for questions."""
    shares: Sequence[float] | float
    """Shares of labels, in percent."""
    resamples: int
    """Number of random samples for each share."""
    confidence: float
    """Confidence level, in percent."""


class PlanKeywords(TypedDict, total=False):
    """What is drawn for people to answer."""

    share: float | None
    """Share of the answers that people are asked for, in percent (20) or as a share (.2)."""
    by: SampledBy | None
    """What is drawn. topic: whole topics, with all systems (questions); scu: SCUs within each topic, each in all
    systems (pyramids); unit: single answers. Default: topic if there are no pyramids.
    """
    measure: str | None
    """With `by="unit"`: whether single answers are about a question or about pyramid.recall."""
    by_uncertainty: str | None
    """Draw answers that this predictor is unsure of more often: auto-pyramid. For SCUs and single answers of pyramids.
    """
    floor: float
    """With `by_uncertainty=`: every chance is at least this share of the highest uncertainty's."""
    annotator: str | None
    """Whose pyramids, where topics have several."""
    plan: str | None
    """The file of the sample. Default: sample.jsonl in the campaign folder. If it exists, it is extended: more is drawn
    from the rest.
    """


class PyramidKeywords(TypedDict, total=False):
    """Which pyramids are looked at."""

    topic: str | None
    """Only this topic."""


class ReportKeywords(TypedDict, total=False):
    """What a report is about, and how its numbers are computed."""

    title: str | None
    """Title of the page. Default: the campaign's name."""
    date: str | None
    """Date to print on the page, in any form. Default: today."""
    pair: Sequence[tuple[str, str]] | tuple[str, str]
    """Lead with the comparison of these two systems; repeatable."""
    decide: str | None
    """The measure that the answer goes by, such as question.coherence, or `preferences`. Default: by kind: human scores
    (overall quality first), preferences, pyramids, a judge, automatic measures.
    """
    margin: Sequence[str | float] | str | float
    """The largest acceptable loss of the first system of a pair against the second, the baseline: in units of the first
    measure (0.1), as a share of the baseline's mean on any measure (5%), or of a named measure (rouge-2.f=0.02);
    repeatable. Adds verdicts: equivalent, not worse by more than the margin.
    """
    sections: Sequence[ReportSection] | ReportSection
    """Only these sections below the answer; repeatable. Default: all."""
    interval: MeanInterval | None
    """Method for the intervals of means; pairs have their own, see `method=` of `compare`. t: variance pooled over all
    systems; own: t with each system's own variance; percentile, studentized: bootstrap. Default: t; with `cluster=`
    own.
    """
    assessors: Assessors | None
    """Treat the assessors as fixed (results hold for these people) or as a random sample (results hold for other
    assessors, too). Default: random if a question has at least 3 assessors and the design allows it.
    """
    cluster: str | None
    """Topics with the same value of this field belong together, such as parent, an attribute, a column of the table, or
    document (topics that share one): whole clusters are the unit of comparisons and of resampled correlations.
    """
    confidence: float
    """Confidence level, in percent."""
    resamples: int
    """Number of bootstrap samples."""


class AverageKeywords(TypedDict, total=False):
    """How scores are averaged over topics."""

    average: Literal["macro", "micro", "counts"]
    """How to average over topics. macro: mean of the topics' scores; micro: score of the summed counts; counts: the
    summed counts themselves.
    """
    bootstrap: Literal["percentile", "rouge155"] | None
    """Add a confidence interval: bootstrap over topics, or as ROUGE-1.5.5 does it (with jackknife=yes over the scores
    with one reference left out).
    """
    confidence: float
    """Confidence level, in percent."""
    resamples: int
    """Number of bootstrap samples."""


class ShardKeywords(TypedDict, total=False):
    """How a run in shards goes, whose output is a folder."""

    engine: str
    """With -o FOLDER: where to score; local (processes on this computer), dask (a Dask cluster on this computer) or
    dask://HOST:PORT.
    """
    partition: int
    """With -o FOLDER: maximum number of rows per shard."""
    workers: int | None
    """With -o FOLDER: number of processes on this computer. Default: one per processor."""
    on_error: Literal["fail", "skip"]
    """With -o FOLDER: stop at rows with errors, or skip them and list them in skipped.jsonl."""


class SimulationKeywords(TypedDict, total=False):
    """What all simulated data has in common."""

    topics: int
    """Number of topics."""
    summarizers: int
    """Number of systems."""
    seed: int
    """The same seed gives the same data, byte for byte."""
    judgments: bool
    """Add answers from 1 to 5 by simulated assessors."""
    assessor_count: int
    """Number of assessors."""
    severity_sd: float
    """Standard deviation of the assessors' severity, in points."""
    judgment_noise_sd: float
    """Standard deviation of the noise of one answer, in points."""


class ChoicesKeywords(TypedDict, total=False):
    """Which settings of ROUGE are tried, and for which pair the estimates are shown."""

    vary: Sequence[str]
    """Vary only these of statistic, stem, stop, references, tokens and limit; what is left out stays as the measure has
    it. With values: references=first/best. Default: all of them.
    """
    limits: Sequence[int] | int
    """Also cut texts to this many words; repeatable. Default: the campaign's word limit, if it has one."""
    pair: Sequence[tuple[str, str]] | tuple[str, str]
    """Show the difference between these two systems under each setting; repeatable, the figure draws the first.
    Default: the pair that reverses most often.
    """
    confidence: float
    """Confidence level, in percent."""


class HeterogeneityKeywords(TypedDict, total=False):
    """How diverse measures are, and what they are worth together."""

    with_: str | NamedMeasure | None
    """The human score that measures quality, such as question.overall."""
    pairs: Scope
    """Estimate heterogeneity on pairs of summaries of the same topic, or on all pairs."""
    sample: int | None
    """Estimate heterogeneity from this many random pairs. Default: all pairs."""
    worst: float
    """Compute robustness on the worst topics of each measure: this percentage of them."""
    bins: int
    """Number of bins for pairs sorted by heterogeneity."""


class ModelFreeKeywords(TypedDict, total=False):
    """How model-free measures are studied."""

    with_: str | NamedMeasure | Sequence[str | NamedMeasure]
    """The human score to correlate with; repeatable. Default: pyramid.modified and every question."""
    stem: Literal["both", "yes", "no"]
    """Compare stems (yes), words as they are (no), or both."""
    background: str
    """Word frequencies for cosines and topic words: wordfreq, or a TSV file."""
    coefficient: Coefficient
    """Correlation coefficient."""
    by: str | None
    """Study groups of topics separately: those with the same value of this field, such as part."""
    confidence: float
    """Confidence level, in percent."""


class OrdersKeywords(TypedDict, total=False):
    """How pyramid scores are followed as pyramids grow."""

    score: PyramidScoreName
    """The pyramid score to study."""
    divergent: float
    """Two scores that differ by more than this are divergent."""
    same: float
    """Two scores that differ by less than this are the same."""
    confidence: float
    """Confidence level of the one-sided test of rankings, in percent."""
    order: int
    """Average over the sub-pyramids of this many references, unless `subset=` is given."""
    count: int | None
    """Number of summaries to rank. Default: 5, but at most half of the summaries."""
    ranked: Sequence[str]
    """Summarizers to rank: A,B,C, or TOPIC=A,B,C; repeatable. Default: a random sample."""
    subset: Sequence[str]
    """Also score with the pyramid of these references: A,B,C,D, or TOPIC=A,B,C,D; repeatable."""
    annotator: str | None
    """Whose pyramids to use if a topic has several. Default: the first."""
    include_self: bool
    """Score a reference with the pyramid that contains it."""
    limit: int
    """Enumerate up to this many subsets per order; otherwise sample this many."""


class SampleSizeKeywords(TypedDict, total=False):
    """How correlations are followed as references or topics are added."""

    with_: str | NamedMeasure | Sequence[str | NamedMeasure]
    """The human score to correlate with, such as question.overall; `itself`: the measure's own scores with all
    references or topics.
    """
    coefficient: Coefficient
    """Correlation coefficient."""
    resamples: int
    """Number of random samples for each k."""
    tolerance: float
    """Tolerance: k is enough if its correlation is within this of the correlation with all references or topics."""
    beyond: Sequence[float] | float | None
    """Extrapolate to this many (inf: without limit); repeatable. Default: twice as many as there are, and inf."""
    by: str | None
    """Study groups of topics separately and compare them: those with the same value of this field, such as part."""
    confidence: float
    """Confidence level, in percent."""


class TableKeywords(TypedDict, total=False):
    """How a table for a paper looks."""

    fields: Sequence[str]
    """Show these fields of the records as columns."""
    digits: int | None
    """Decimals of numbers in tables."""
    bold: Literal["best", "lowest", "significant", "none"]
    """With `fields=`: print the highest or lowest value of each column, or significant values, in bold."""
    caption: str
    """Caption of the table in LaTeX and Markdown."""
    label: str
    """Label of the table in LaTeX."""


class TrustKeywords(TypedDict, total=False):
    """How a judge or a measure is put on trial against people."""

    with_: str | NamedMeasure | None
    """The human score that it should follow, such as question.NAME."""
    anchor: str | Path | None
    """Other data with earlier scores of the same judge about the same summaries; the card says how far it drifted."""
    require: Sequence[Use] | Use
    """End with exit code 3 unless it may be used for this; repeatable."""
    panel: Panel
    """Who the people are, which sets ε of the alternative annotator test: 0.2, 0.15 or 0.1."""
    epsilon: float | None
    """The value of ε: how much better people may be than a judge that replaces them."""
    family: Sequence[str]
    """Systems of the judge's own family. Default: those whose organisation is the judge's family in campaign.toml."""
    confidence: float
    """Confidence level, in percent."""
    resamples: int
    """Number of bootstrap samples."""


class AssessorKeywords(TypedDict, total=False):
    """How assessors are described."""

    question: Sequence[str]
    """Only this question; repeatable. Default: all that were answered."""
    confidence: float
    """Confidence level, in percent."""


class FrequencyKeywords(TypedDict, total=False):
    """Which answers are counted."""

    question: Sequence[str]
    """Only this question; repeatable. Default: all that were answered."""


class JudgmentAgreementKeywords(TypedDict, total=False):
    """How the agreement of assessors is measured."""

    question: Sequence[str]
    """Only this question; repeatable. Default: all that were answered."""
    metric: Sequence[AlphaMetric] | AlphaMetric
    """Metric of Krippendorff's α; repeatable. Default: all three."""
    confusion: tuple[str, str] | None
    """Also a confusion matrix of these two assessors."""
    confusions: bool
    """Also confusion matrices of all pairs of assessors."""
    over: Literal["summaries", "topics"]
    """What the interval of α generalizes to: other topics (jackknife), or other summaries of these topics (bootstrap).
    """
    confidence: float
    """Confidence level, in percent."""
    resamples: int
    """Number of bootstrap samples."""


class PyramidAgreementKeywords(PyramidKeywords, total=False):
    """How the agreement of annotators is measured."""

    distance: Sequence[SetDistance] | SetDistance
    """Distance between sets of words; repeatable. Default: all four."""
    normalise: bool
    """Ignore function words and punctuation at the edges of contributors."""
    across: bool
    """Also compare the scores under each annotation, with an analysis of variance."""
    include_self: bool
    """With `across=True`: score a reference with the pyramid that contains it."""
    confidence: float
    """Confidence level, in percent."""
    resamples: int
    """Number of bootstrap samples; 0 for no intervals."""


class SubPyramidKeywords(PyramidKeywords, total=False):
    """Whose pyramids are looked at, or which sub-pyramids of theirs."""

    annotator: str | None
    """Only this annotator."""
    order: int | None
    """Use all sub-pyramids of this many references."""
    jackknife: bool
    """Use all sub-pyramids that leave out one reference."""
    model: Sequence[str]
    """Use the sub-pyramid of these references; repeatable."""


class SimulatedCampaignKeywords(SimulationKeywords, total=False):
    """What simulated summaries are made of."""

    parts: int
    """Number of parts per topic: each has its own summaries, and the documents of earlier parts as background (folder
    only).
    """
    models: int
    """Number of reference summaries per topic."""
    humans: int | None
    """Number of people who write references, each for some of the topics. Default: as many as `models=`."""
    pyramids: bool
    """Add pyramids and annotations, exact by construction (folder only)."""
    questions: SimulatedQuestions
    """Which questions the assessors answer."""
    assessors_per_summary: int | None
    """Number of assessors per summary; the same people judge all summaries of a topic. Default: all assessors."""
    system_assessor_sd: float
    """Standard deviation of the interaction of system and assessor, in points."""
    language_sd: float
    """Standard deviation of the systems' language, in points (questions other than responsiveness)."""
    judge_models: bool
    """Also add judgments of the references (folder only)."""
    unjudged: int
    """Leave this many systems, the last ones, without judgments and annotations."""
    documents: int
    """Number of documents per topic."""
    document_words: int
    """Number of words per document."""
    words: int
    """Word limit of summaries; a sentence has eight words."""
    units: int
    """Number of content units per topic; there are as many distractors."""
    zipf: float
    """The k-th unit has importance 1/k^zipf."""
    synonyms: float
    """Share of words that are replaced by a synonym."""
    quality: float
    """Share of content in a typical system's text."""
    system_sd: float
    """Standard deviation of the systems' quality, in log-odds."""
    topic_sd: float
    """Standard deviation of the topics' difficulty, in log-odds."""
    interaction_sd: float
    """Standard deviation of the interaction of system and topic, in log-odds."""
    selection_noise: float
    """How far writers deviate from the order of importance; 0: not at all."""


class SimulatedScoresKeywords(SimulationKeywords, total=False):
    """What a simulated score is made of."""

    mean: float
    """Grand mean."""
    system_sd: float
    """Standard deviation of the systems' quality."""
    topic_sd: float
    """Standard deviation of the topics' difficulty."""
    interaction_sd: float
    """Standard deviation of the interaction of system and topic."""
    noise_sd: float
    """Standard deviation of a measure's noise."""


class TopicsKeywords(SampleSizeKeywords, total=False):
    """How correlations are followed as topics are added."""

    sizes: Sequence[int] | int
    """Numbers of topics to sample; those above the number of topics are dropped."""


class PyramidScoreKeywords(SubPyramidKeywords, total=False):
    """How peers are scored with pyramids; scores with several sub-pyramids are averaged."""

    weights: WeightRule | None
    """Weight of an SCU: the number of its contributors (as in DUCView and at NIST) or of the references with it.
    Default: contributors for pyramids imported from DUCView or NIST, otherwise models.
    """
    rounding: Rounding
    """Rounding of the mean number of SCUs per reference: half-up as at DUC 2006, floor as in DUCView, ceil as in
    sacrerouge, or none (interpolate) as in PyrEval.
    """
    include_self: bool
    """Score a reference with the pyramid that contains it."""
    using: Sequence[str]
    """Where people answered a sample: predict the other answers by these, and give the modified score and the recall of
    each system, as `compare` does; such as auto-pyramid.
    """
    plan: str | None
    """With `using=`: the file of the sample. Default: sample.jsonl of the campaign."""


class PyramidShowKeywords(SubPyramidKeywords, total=False):
    """What is shown of pyramids."""

    summarizer: str | None
    """Show which SCUs this summarizer expresses and misses."""
    optimal: int | None
    """Count and list the optimal summaries with this many SCUs."""
    limit: int
    """How many optimal summaries to list."""


class EvaluationKeywords(ChoiceKeywords, total=False):
    """Which part of the data is evaluated, and what is called as work goes on."""

    progress: Progress | None
    """Called as long work goes on."""


class ShardVerbKeywords(ShardKeywords, EvaluationKeywords, total=False):
    """How a run in shards goes, whose output is a folder; and which data."""


class CompareVerbKeywords(CompareKeywords, EvaluationKeywords, total=False):
    """How summarizers are compared; and which data."""


class CorrelateVerbKeywords(CorrelateKeywords, EvaluationKeywords, total=False):
    """How measures are correlated; and which data."""


class PowerVerbKeywords(PowerKeywords, EvaluationKeywords, total=False):
    """What a power analysis solves for; and which data."""


class DesignVerbKeywords(DesignKeywords, EvaluationKeywords, total=False):
    """What a design must detect, and what it costs; and which data."""


class GateVerbKeywords(GateKeywords, EvaluationKeywords, total=False):
    """How a candidate is held against a baseline; and which data."""


class TrustVerbKeywords(TrustKeywords, EvaluationKeywords, total=False):
    """How a judge or a measure is put on trial against people; and which data."""


class LeadVerbKeywords(LeadKeywords, EvaluationKeywords, total=False):
    """How the lead baseline is made; and which data."""


class PlanVerbKeywords(PlanKeywords, EvaluationKeywords, total=False):
    """What is drawn for people to answer; and which data."""


class ReportVerbKeywords(ReportKeywords, EvaluationKeywords, total=False):
    """What a report is about, and how its numbers are computed; and which data."""


class SampleSizeVerbKeywords(SampleSizeKeywords, EvaluationKeywords, total=False):
    """How correlations are followed as references or topics are added; and which data."""


class TopicsVerbKeywords(TopicsKeywords, EvaluationKeywords, total=False):
    """How correlations are followed as topics are added; and which data."""


class HeterogeneityVerbKeywords(HeterogeneityKeywords, EvaluationKeywords, total=False):
    """How diverse measures are, and what they are worth together; and which data."""


class ChoicesVerbKeywords(ChoicesKeywords, EvaluationKeywords, total=False):
    """Which settings of ROUGE are tried, and for which pair the estimates are shown; and which data."""


class ModelFreeVerbKeywords(ModelFreeKeywords, EvaluationKeywords, total=False):
    """How model-free measures are studied; and which data."""


class OrdersVerbKeywords(OrdersKeywords, EvaluationKeywords, total=False):
    """How pyramid scores are followed as pyramids grow; and which data."""


class LabelsVerbKeywords(LabelsKeywords, EvaluationKeywords, total=False):
    """How the worth of a predictor is found out on data in which everything is labelled; and which data."""


class DescribeVerbKeywords(DescribeKeywords, EvaluationKeywords, total=False):
    """What is told of a campaign; and which data."""


class FrequencyVerbKeywords(FrequencyKeywords, EvaluationKeywords, total=False):
    """Which answers are counted; and which data."""


class JudgmentRegressionVerbKeywords(JudgmentRegressionKeywords, EvaluationKeywords, total=False):
    """Which question is explained by which; and which data."""


class JudgmentAgreementVerbKeywords(JudgmentAgreementKeywords, EvaluationKeywords, total=False):
    """How the agreement of assessors is measured; and which data."""


class PreferenceVerbKeywords(PreferenceKeywords, EvaluationKeywords, total=False):
    """How preferences are summed up; and which data."""


class AssessorVerbKeywords(AssessorKeywords, EvaluationKeywords, total=False):
    """How assessors are described; and which data."""


class PyramidScoreVerbKeywords(PyramidScoreKeywords, EvaluationKeywords, total=False):
    """How peers are scored with pyramids; scores with several sub-pyramids are averaged; and which data."""


class PyramidShowVerbKeywords(PyramidShowKeywords, EvaluationKeywords, total=False):
    """What is shown of pyramids; and which data."""


class PyramidAgreementVerbKeywords(PyramidAgreementKeywords, EvaluationKeywords, total=False):
    """How the agreement of annotators is measured; and which data."""


class JudgePlanVerbKeywords(JudgePlanKeywords, EvaluationKeywords, total=False):
    """What a judge is asked, and by which prompt; and which data."""
