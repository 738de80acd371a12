"""Which outputs, models, documents, answers and annotations are missing, as declared or as all others suggest.

A system that has more than half of the topics is expected to have all of them; a question that more than half of the
summaries of a topic answer is expected everywhere in it. So a design that leaves things out on purpose is no problem.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

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
    folded = [replace(same[0], what=_together([row.what for row in same])) for same in alike.values()]
    return table_of(folded, columns, title="Completeness")


def _together(names: Sequence[str]) -> str:
    """`answers to focus and coherence`."""
    head, to, first = names[0].partition(" to ")
    return f"{head}{to}{some([first, *(name.partition(' to ')[2] for name in names[1:])])}"


def inspect_completeness(campaign: Campaign, places: Places) -> tuple[Completeness, ...]:
    """Note what is missing; how complete each kind is."""
    there = {(one.topic, one.summarizer) for one in campaign.summaries if one.kind == "peer"}
    _declared_without_output(campaign, places)
    rows = [_outputs(campaign, there, places), _models(campaign, places), _documents(campaign, places)]
    rows += _answers(campaign, places)
    rows.append(_annotations(campaign, there, places))
    return tuple(row for row in rows if row is not None)


def _declared_without_output(campaign: Campaign, places: Places) -> None:
    writers = {one.summarizer for one in campaign.summaries} | set(campaign.imported.summarizers)
    absent = [id for id in campaign.summarizers if id not in writers]
    if absent and campaign.summaries:
        places.of_file("campaign").warning(
            f"{counted(len(absent), 'summarizer')} without any summary: {some(absent)}",
            "a summary by each summarizer that is declared",
            "Import the summaries, or remove the summarizer.",
            field="summarizers",
            count=len(absent),
        )


def _outputs(campaign: Campaign, there: set[Key], places: Places) -> Completeness | None:
    parts: dict[str, list[str]] = defaultdict(list)
    with_peers = {topic for topic, _ in there}
    declared = {topic.topic: topic for topic in campaign.topics}
    for id in campaign.topic_ids:
        if id in with_peers or id in declared:
            parts[declared[id].part if id in declared else ""].append(id)
    systems = list(dict.fromkeys(one.summarizer for one in campaign.summaries if one.kind == "peer"))
    part_of = {id: part for part, topics in parts.items() for id in topics}
    outputs = Counter((who, part_of[topic]) for topic, who in there if topic in part_of)
    expected: list[Key] = []
    for who in systems:
        for part, topics in parts.items():
            sure = who in campaign.summarizers and len(parts) == 1
            if outputs[who, part] > len(topics) / 2 or (sure and outputs[who, part]):
                expected += [(topic, who) for topic in topics]
    missing = [key for key in expected if key not in there]
    if not expected:
        return None
    if missing:
        places.of_file("summaries").warning(
            f"{counted(len(missing), 'missing output')}: {_folded(missing)}",
            f"a summary by each of {counted(len({who for _, who in expected}), 'system')} for every topic",
            "Import the summaries; if a system gave no output, scores count the topics without it.",
            field="topic, summarizer",
            count=len(missing),
        )
    return _row("outputs of systems", len(expected), len(missing), _folded(missing))


def _models(campaign: Campaign, places: Places) -> Completeness | None:
    """Topics with fewer models than is usual; topics without any are noted by their reader."""
    counts = Counter(one.topic for one in campaign.summaries if one.kind == "model")
    if not counts:
        return None
    usual, topics = Counter(counts.values()).most_common(1)[0]
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
    return _row("model summaries", usual * len(counts), missing, some(few) if few else "")


def _documents(campaign: Campaign, places: Places) -> Completeness | None:
    lacking = [topic.topic for topic in campaign.topics if not topic.documents]
    total = len(campaign.topics)
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
    return _row("topics with documents", total, len(lacking), some(lacking) if lacking else "")


def _answers(campaign: Campaign, places: Places) -> list[Completeness | None]:
    """Of each question: summaries that lack an answer, or an assessor."""
    by_question: dict[str, dict[Key, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in campaign.judgments:
        by_question[one.question][one.topic, one.summarizer].add(one.assessor)
    silent = [one.name for one in campaign.questions if one.name not in by_question]
    if silent and by_question:
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
    return [(one.topic, one.summarizer) for one in campaign.summaries if one.kind == kind]


def _of_question(
    name: str, answered: Mapping[Key, Collection[str]], summaries: Mapping[str, Sequence[Key]], places: Places
) -> Completeness | None:
    expected = [key for keys in summaries.values() for key in _expected(keys, answered)]
    if not expected:
        return None
    missing = [key for key in expected if key not in answered]
    counts = Counter(len(answered[key]) for key in expected if key in answered)
    usual = counts.most_common(1)[0][0] if counts else 1
    regular = sum(count for assessors, count in counts.items() if assessors >= usual) >= USUAL * sum(counts.values())
    few = [key for key in expected if 0 < len(answered.get(key, ())) < usual] if regular else []
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
    every = usual if regular else 1
    lacking = every * len(missing) + sum(every - len(answered[key]) for key in few)
    return _row(f"answers to {name}", every * len(expected), lacking, _folded([*missing, *few]))


def _expected(keys: Sequence[Key], answered: Collection[Key]) -> list[Key]:
    """The summaries that should have something: those of topics and of summarizers of which most have it."""
    topics = _mostly((topic, (topic, who) in answered) for topic, who in keys)
    within = [key for key in keys if key[0] in topics]
    systems = _mostly((who, (topic, who) in answered) for topic, who in within)
    return [key for key in within if key[1] in systems]


def _mostly(found: Iterable[tuple[str, bool]]) -> set[str]:
    has: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for name, there in found:
        total[name] += 1
        has[name] += there
    return {name for name, count in total.items() if has[name] > count / 2}


def _annotations(campaign: Campaign, there: set[Key], places: Places) -> Completeness | None:
    """Peers that nobody matched against the pyramid of their topic."""
    if not campaign.annotations:
        return None
    with_pyramid = {one.topic for one in campaign.pyramids}
    annotated = {(one.topic, one.summarizer) for one in campaign.annotations}
    keys = [key for key in _keys(campaign, "peer") if key[0] in with_pyramid and key in there]
    systems = _mostly((who, (topic, who) in annotated) for topic, who in keys)
    expected = [key for key in keys if key[1] in systems]
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
    for topic, who in keys:
        by_topic[topic].append(who)
        by_system[who].append(topic)
    groups = by_system if len(by_system) <= len(by_topic) else by_topic
    largest = sorted(groups.items(), key=lambda group: -len(group[1]))
    shown = [f"{name} ({some(others)})" for name, others in largest[:3]]
    more = len(largest) - len(shown)
    what = "systems" if groups is by_system else "topics"
    return "; ".join(shown) + (f"; and {more} more {what if more > 1 else what.removesuffix('s')}" if more else "")
