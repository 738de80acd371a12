"""Which outputs, models, documents, answers and annotations are missing, as declared or as all others suggest.

A system that has more than half of the topics is expected to have all of them; a question that more than half of the
summaries of a topic answer is expected everywhere in it. So a design that leaves things out on purpose is no problem.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.inspection.places import Key, Places, some
from pyramidion.show.tables import Column, Row, Table, grouped, table_of
from pyramidion.show.wording import counted

USUAL = 0.8
"""If this share of summaries has so many assessors, the others lack some."""


class Completeness(Row, record="completeness"):
    """How much of one kind is there."""

    what: str
    expected: int
    present: int
    missing: int
    where: str = ""
    """What is missing, folded by summarizer or topic."""


def complete_table(rows: Sequence[Completeness]) -> Table:
    """A line for each kind; questions that are equally complete share one."""
    columns = (
        Column("what", ""),
        Column("expected"),
        Column("present"),
        Column("missing"),
        Column("where", "missing are", of=lambda row: row.where or None),
    )
    alike = grouped(rows, lambda row: (row.what.partition(" to ")[0], row.expected, row.missing, row.where))
    folded: list[Completeness] = []
    for same in alike.values():
        names = [row.what for row in same]
        folded.append(replace(same[0], what=_together(names)))
    return table_of(folded, columns, title="Completeness")


def _together(names: Sequence[str]) -> str:
    """`answers to focus and coherence`."""
    head, to, _ = names[0].partition(" to ")
    questions = [name.partition(" to ")[2] for name in names]
    return f"{head}{to}{some(questions)}"


def inspect_completeness(campaign: Campaign, places: Places) -> tuple[Completeness, ...]:
    """Note what is missing; how complete each kind is."""
    peers = _keys(campaign, "peer")
    _warn_about_declared_without_output(campaign, places)
    rows = [_outputs(campaign, {*peers}, places), _models(campaign, places), _documents(campaign, places)]
    rows += _answers(campaign, places)
    rows.append(_annotations(campaign, peers, places))
    return tuple(row for row in rows if row is not None)


def _warn_about_declared_without_output(campaign: Campaign, places: Places) -> None:
    # A campaign of scores alone has no summaries of anybody.
    writers = {summary.summarizer for summary in campaign.summaries} | set(campaign.imported.summarizers)
    absent = [id for id in campaign.summarizers if id not in writers]
    if absent and campaign.summaries:
        places.of_file("campaign").warning(
            f"{counted(len(absent), 'summarizer')} without any summary: {some(absent)}",
            "a summary by each summarizer that is declared",
            "Import the summaries, or remove the summarizer.",
            field="summarizers",
            count=len(absent),
        )


def _outputs(campaign: Campaign, peers: Collection[Key], places: Places) -> Completeness | None:
    """How many summaries of systems are there, of those that are expected; missing ones are noted."""
    expected = _expected_outputs(campaign, peers)
    if not expected:
        return None
    missing = [key for key in expected if key not in peers]
    if missing:
        systems = {system for _, system in expected}
        places.of_file("summaries").warning(
            f"{counted(len(missing), 'missing output')}: {_folded(missing)}",
            f"a summary by each of {counted(len(systems), 'system')} for every topic",
            "Import the summaries; if a system gave no output, scores count the topics without it.",
            field="topic, summarizer",
            count=len(missing),
        )
    return _row("outputs of systems", len(expected), len(missing), _folded(missing))


def _expected_outputs(campaign: Campaign, peers: Collection[Key]) -> list[Key]:
    """The summaries that systems should have written.

    A system that has more than half of the topics is expected to have all of them; one that campaign.toml declares, if
    it has any. The parts of an update task are counted by themselves: a system may have taken part in one of them only.
    """
    with_peers = {topic for topic, _ in peers}
    topics_by_part = _topics_by_part(campaign, with_peers)
    part_of_topic: dict[str, str] = {}
    for part, topics in topics_by_part.items():
        part_of_topic |= dict.fromkeys(topics, part)
    output_counts = Counter((system, part_of_topic[topic]) for topic, system in peers)
    has_one_part = len(topics_by_part) == 1
    systems = dict.fromkeys(system for _, system in _keys(campaign, "peer"))
    expected: list[Key] = []
    for system in systems:
        is_declared = system in campaign.summarizers and has_one_part
        for part, topics in topics_by_part.items():
            # An undeclared name with a few summaries is rather a baseline of some topics, or a slip, than a system with
            # gaps.
            fewest = 1 if is_declared else len(topics) // 2 + 1
            if output_counts[system, part] >= fewest:
                expected += [(topic, system) for topic in topics]
    return expected


def _topics_by_part(campaign: Campaign, with_peers: Collection[str]) -> Mapping[str, list[str]]:
    """By part of an update task, the topics that are declared or have peers; those without a part under ""."""
    parts = {topic.topic: topic.part for topic in campaign.topics}
    topics: dict[str, list[str]] = defaultdict(list)
    for id in campaign.topic_ids:
        if id in with_peers or id in parts:
            part = parts.get(id, "")
            topics[part].append(id)
    return topics


def _models(campaign: Campaign, places: Places) -> Completeness | None:
    """Topics with fewer models than is usual; topics without any are noted by their reader."""
    counts = Counter(topic for topic, _ in _keys(campaign, "model"))
    if not counts:
        return None
    usual, topics = Counter(counts.values()).most_common(1)[0]
    # Where each topic has another number of models, none of them lacks any.
    if topics < USUAL * len(counts):
        return None
    few = [topic for topic, count in counts.items() if count < usual]
    missing = sum(usual - counts[topic] for topic in few)
    if few:
        places.of_file("summaries").warning(
            f"fewer model summaries for {counted(len(few), 'topic')}: {some(few)}",
            f"{usual} for each topic, as for {topics} of them",
            "Add the missing models; jackknifing needs the same number everywhere.",
            field="kind",
            count=missing,
        )
    return _row("model summaries", usual * len(counts), missing, _some_or_none(few))


def _documents(campaign: Campaign, places: Places) -> Completeness | None:
    """How many topics have documents, if most of them do; the others are noted."""
    lacking = [topic.topic for topic in campaign.topics if not topic.documents]
    total = len(campaign.topics)
    # Many campaigns have no documents at all, or those of a few topics as examples.
    if len(lacking) > total / 2 or not total:
        return None
    if lacking:
        places.of_file("topics").warning(
            f"no documents for {counted(len(lacking), 'topic')}: {some(lacking)}",
            f"documents, as for the other {total - len(lacking)} topics",
            "Add them: `pyramidion import documents FOLDER --into CAMPAIGN`.",
            field="documents",
            count=len(lacking),
        )
    return _row("topics with documents", total, len(lacking), _some_or_none(lacking))


def _some_or_none(names: Sequence[str]) -> str:
    return some(names) if names else ""


def _answers(campaign: Campaign, places: Places) -> list[Completeness | None]:
    """Of each question: summaries that lack an answer, or an assessor."""
    by_question: dict[str, dict[Key, set[str]]] = defaultdict(lambda: defaultdict(set))
    for judgment in campaign.judgments:
        by_question[judgment.question][judgment.topic, judgment.summarizer].add(judgment.assessor)
    # Before anyone has judged, every question lacks its answers, and nobody needs to be told.
    if not by_question:
        return []
    silent = [question.name for question in campaign.questions if question.name not in by_question]
    if silent:
        places.of_file("judgments").warning(
            f"no answer to {counted(len(silent), 'question')}: {some(silent)}",
            "answers to every question of campaign.toml",
            "Import the answers, or remove the question.",
            field="question",
            count=len(silent),
        )
    summaries = {kind: _keys(campaign, kind) for kind in ("peer", "model")}
    return [_of_question(name, answered, summaries, places) for name, answered in by_question.items()]


def _keys(campaign: Campaign, kind: str) -> list[Key]:
    keys = ((summary.topic, summary.summarizer) for summary in campaign.summaries if summary.kind == kind)
    return list(dict.fromkeys(keys))


def _of_question(
    name: str, answered: Mapping[Key, Collection[str]], summaries: Mapping[str, Sequence[Key]], places: Places
) -> Completeness | None:
    """How complete the answers to a question are; missing answers and assessors are noted.

    Args:
        name: the question.
        answered: by summary, the assessors who answered it.
        summaries: by kind, the topic and summarizer of each summary.
        places: where problems are noted.
    """
    expected: list[Key] = []
    # Kinds apart: models are often judged on some questions only.
    for keys in summaries.values():
        expected += _expected(keys, answered)
    if not expected:
        return None
    missing = [key for key in expected if key not in answered]
    assessor_counts = {key: len(answered[key]) for key in expected if key in answered}
    usual = _usual_count(assessor_counts.values())
    few = [key for key, count in assessor_counts.items() if count < usual]
    if missing:
        places.of_file("judgments").warning(
            f"no answer to {name!r} for {counted(len(missing), 'summary', 'summaries')}: {_folded(missing)}",
            "an answer for each summary, as for the others",
            "Have them judged, or import the answers.",
            field="question",
            count=len(missing),
        )
    if few:
        places.of_file("judgments").warning(
            f"fewer assessors than usual for {name!r} on {counted(len(few), 'summary', 'summaries')}: {_folded(few)}",
            f"{usual} assessors for each summary",
            "Have them judged, or import the answers.",
            field="assessor",
            count=len(few),
        )
    # In answers, not in summaries: a summary that one of three assessors judged lacks two.
    lacking = usual * len(missing) + sum(usual - assessor_counts[key] for key in few)
    return _row(f"answers to {name}", usual * len(expected), lacking, _folded([*missing, *few]))


def _usual_count(assessor_counts: Collection[int]) -> int:
    """How many assessors a summary usually has; 1 if that is different everywhere, so that nothing lacks."""
    if not assessor_counts:
        return 1
    usual = Counter(assessor_counts).most_common(1)[0][0]
    regular = sum(count >= usual for count in assessor_counts)
    if regular >= USUAL * len(assessor_counts):
        return usual
    return 1


def _expected(keys: Sequence[Key], answered: Collection[Key]) -> list[Key]:
    """The summaries that should have something: those of topics and of summarizers of which most have it."""
    # Topics first: a campaign that judged a part of its topics on purpose would otherwise lack whole systems.
    within_topics = _of_mostly_present(keys, answered, by=0)
    return _of_mostly_present(within_topics, answered, by=1)


def _of_mostly_present(keys: Sequence[Key], present: Collection[Key], *, by: Literal[0, 1]) -> list[Key]:
    """The keys of topics (of summarizers) of which more than half of the keys are present.

    Args:
        keys: the topic and summarizer of each summary.
        present: keys that have what is looked for.
        by: which part of a key is counted: 0 its topic, 1 its summarizer.
    """
    total = Counter(key[by] for key in keys)
    present_count = Counter(key[by] for key in keys if key in present)
    names = {name for name, count in total.items() if present_count[name] > count / 2}
    return [key for key in keys if key[by] in names]


def _annotations(campaign: Campaign, peers: Sequence[Key], places: Places) -> Completeness | None:
    """Peers that nobody matched against the pyramid of their topic."""
    if not campaign.annotations:
        return None
    with_pyramid = {pyramid.topic for pyramid in campaign.pyramids}
    annotated = {(annotation.topic, annotation.summarizer) for annotation in campaign.annotations}
    keys = [key for key in peers if key[0] in with_pyramid]
    expected = _of_mostly_present(keys, annotated, by=1)
    if not expected:
        return None
    missing = [key for key in expected if key not in annotated]
    if missing:
        places.of_file("annotations").warning(
            f"no annotation of {counted(len(missing), 'peer')}: {_folded(missing)}",
            "an annotation of each peer of a topic with a pyramid, as for the others",
            "Have them annotated, or import the annotations.",
            field="topic, summarizer",
            count=len(missing),
        )
    return _row("annotations of peers", len(expected), len(missing), _folded(missing))


def _row(what: str, expected: int, missing: int, where: str) -> Completeness:
    return Completeness(what=what, expected=expected, present=expected - missing, missing=missing, where=where)


def _folded(keys: Sequence[Key]) -> str:
    """Keys by whichever of topics and summarizers there are fewer: `27 (D1 and D2); 5 (all of 50 topics)`."""
    by_topic: dict[str, list[str]] = defaultdict(list)
    by_system: dict[str, list[str]] = defaultdict(list)
    for topic, system in keys:
        by_topic[topic].append(system)
        by_system[system].append(topic)
    if len(by_system) <= len(by_topic):
        groups, noun = by_system, "system"
    else:
        groups, noun = by_topic, "topic"
    # The largest gaps first: a system that is missing altogether matters more than single holes.
    largest = sorted(groups.items(), key=lambda group: -len(group[1]))
    shown = [f"{name} ({some(members)})" for name, members in largest[:3]]
    more = len(largest) - len(shown)
    if more == 1:
        shown.append(f"and 1 more {noun}")
    elif more:
        shown.append(f"and {more} more {noun}s")
    return "; ".join(shown)
