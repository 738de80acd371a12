"""What deserves a look in pyramids and peer annotations: words in several SCUs or in none, doubled contributors.

The paper wants every word in exactly one contributor; real pyramids break this, so it is a warning. What keeps a file
from being read at all is found by whoever reads it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from pyramidion.arrays import Bools
from pyramidion.campaign import Campaign, PeerAnnotation, Problems, Pyramid, plain
from pyramidion.campaign.nouns import Parts, Scu, pyramid_of
from pyramidion.files.problems import Severity, shorten
from pyramidion.pyramids.reliability.words import Words, cover
from pyramidion.tables import grouped

_EXAMPLES = 3

Place = tuple[Path | str, int | None]
"""File and line."""
Note = Callable[[Severity, str, str, str, str], None]
"""(severity, field, found, expected, remedy)"""


def check_pyramids(
    campaign: Campaign,
    problems: Problems,
    *,
    pyramids: Sequence[Pyramid] | None = None,
    pyramid_places: Sequence[Place] | None = None,
    annotation_places: Sequence[Place] | None = None,
) -> None:
    """Note every problem of the campaign's pyramids and annotations.

    Args:
        campaign: as it was read.
        problems: where they are noted.
        pyramids: those to look at; by default all.
        pyramid_places: file and line of each of these; by default pyramids.jsonl.
        annotation_places: file and line of each annotation; by default annotations.jsonl.
    """
    texts = {(summary.topic, summary.summarizer): plain(summary.text) for summary in campaign.summaries}

    def noting(place: Place) -> Note:
        def note(severity: Severity, field: str, found: str, expected: str, remedy: str) -> None:
            problems.at(*place, field).note(severity, found, expected, remedy)

        return note

    chosen = campaign.pyramids if pyramids is None else pyramids
    places = pyramid_places or [("pyramids.jsonl", None)] * len(chosen)
    for pyramid, place in zip(chosen, places, strict=True):
        _check_pyramid(pyramid, texts, noting(place))
    places = annotation_places or [("annotations.jsonl", None)] * len(campaign.annotations)
    by_topic = grouped(campaign.pyramids, lambda pyramid: pyramid.topic)
    for annotation, place in zip(campaign.annotations, places, strict=True):
        found = pyramid_of(annotation, by_topic.get(annotation.topic, ()))
        _check_annotation(annotation, found, texts, noting(place))
    _check_peers(campaign, noting((places[0][0] if places else "annotations.jsonl", None)))


def check_each(sources: Sequence[tuple[Path | None, Campaign]], problems: Problems) -> None:
    """Note what deserves a look in each of several files or folders; a pyramid that several contain is looked at once.

    Args:
        sources: paths (None for data that was never in a file) and what was read there without errors.
        problems: where they are noted.
    """
    seen: dict[str, list[tuple[Scu, ...]]] = {}
    # A .pan contains a copy of its pyramid: the .pyr itself comes first.
    for path, campaign in sorted(sources, key=lambda source: bool(source[1].annotations)):
        places = _places(path, "pyramids.jsonl", campaign.pyramids)
        new = [
            (pyramid, place)
            for pyramid, place in zip(campaign.pyramids, places, strict=True)
            if pyramid.scus not in seen.get(pyramid.topic, ())
        ]
        for pyramid, _ in new:
            seen.setdefault(pyramid.topic, []).append(pyramid.scus)
        check_pyramids(
            campaign,
            problems,
            pyramids=[pyramid for pyramid, _ in new],
            pyramid_places=[place for _, place in new],
            annotation_places=_places(path, "annotations.jsonl", campaign.annotations),
        )


def _places(path: Path | None, file: str, nouns: Sequence[object]) -> list[Place]:
    """File and line of each noun: one line of JSON each in a campaign folder, elsewhere the file as a whole."""
    table = path / file if path else None
    if table is None or not table.is_file():
        return [(path or file, None)] * len(nouns)
    with table.open("rb") as lines:
        numbers = [number for number, line in enumerate(lines, start=1) if line.strip()]
    return [(table, number) for number in numbers] if len(numbers) == len(nouns) else [(table, None)] * len(nouns)


def _contributors(pyramid: Pyramid, texts: Mapping[str, str]) -> list[tuple[int, str, Parts]]:
    return [
        (index, contributor.model, contributor.parts)
        for index, scu in enumerate(pyramid.scus)
        for contributor in scu.contributors
        if contributor.model in texts
    ]


def _check_pyramid(pyramid: Pyramid, texts: Mapping[tuple[str, str], str], note: Note) -> None:
    at = _named(pyramid.topic, pyramid.annotator)
    uids = Counter(scu.uid for scu in pyramid.scus)
    labels = Counter(" ".join(scu.label.split()).casefold() for scu in pyramid.scus)
    seen: set[str] = set()
    for scu in pyramid.scus:
        field = f"{at}, SCU {scu.uid}"
        if scu.uid == 0:
            note("warning", field, "the uid 0", "a uid other than 0", "Renumber it: DUCView keeps 0 for the rest.")
        if not scu.label.strip():
            note("warning", field, "no label", "a sentence that says the SCU's meaning", "Write a label.")
        elif labels[label := " ".join(scu.label.split()).casefold()] > 1 and label not in seen:
            seen.add(label)
            same = [other.uid for other in pyramid.scus if " ".join(other.label.split()).casefold() == label]
            found = f"the label {shorten(scu.label)} on SCUs {_listed(same)}"
            note(
                "warning",
                field,
                found,
                "a label of its own for each SCU",
                "Join the SCUs, or give them different labels.",
            )
        if not scu.contributors:
            note("warning", field, "no contributor", "at least one", "It has weight 0 and is left out of all scores.")
        for model, times in Counter(contributor.model for contributor in scu.contributors).items():
            if times > 1:
                found = f"{times} contributors of model {model!r}"
                note("warning", field, found, "at most one of each model", "Its weight counts the model once.")
            if model not in pyramid.models:
                expected = f"one of the pyramid's models: {', '.join(pyramid.models)}"
                note("error", field, f"a contributor of {model!r}", expected, "Correct the model, or add it.")
        for contributor in scu.contributors:
            text = texts.get((pyramid.topic, contributor.model))
            _check_parts(contributor.parts, text, f"{field}, model {contributor.model}", note)
    for uid, times in uids.items():
        if times > 1:
            note("error", at, f"the uid {uid} {times} times", "each uid once", "Renumber one of the SCUs.")
    contributing = {contributor.model for scu in pyramid.scus for contributor in scu.contributors}
    for model in pyramid.models:
        if model not in contributing:
            found = f"model {model!r} without a contributor"
            note("warning", at, found, "a contributor of each model", "X′ counts the model with 0 SCUs.")
    own = {model: texts[pyramid.topic, model] for model in pyramid.models if (pyramid.topic, model) in texts}
    _check_words(own, _contributors(pyramid, own), [scu.uid for scu in pyramid.scus], at, note)


def _check_annotation(
    annotation: PeerAnnotation, pyramid: Pyramid | None, texts: Mapping[tuple[str, str], str], note: Note
) -> None:
    at = f"{_named(annotation.topic, annotation.annotator)}, peer {annotation.summarizer}"
    if pyramid is None:
        note(
            "error", at, "an annotation without a pyramid", "a pyramid of the topic", "Name its annotator in `pyramid`."
        )
        return
    text = texts.get((annotation.topic, annotation.summarizer))
    known = {scu.uid for scu in pyramid.scus}
    for match in annotation.scus:
        field = f"{at}, SCU {match.uid}"
        if match.uid not in known:
            expected = f"an SCU of the pyramid by {pyramid.annotator!r}"
            note("error", field, f"the uid {match.uid}", expected, "Correct the uid, or mark the words as unmatched.")
        if not match.present and match.contributors:
            note(
                "warning",
                field,
                f"{len(match.contributors)} contributors of an SCU that is not present",
                "present: true, or no contributors",
                "It is treated as not expressed.",
            )
        for parts in match.contributors:
            _check_parts(parts, text, field, note)
    for parts in annotation.unmatched or ():
        _check_parts(parts, text, f"{at}, unmatched", note)
    if annotation.unmatched is None:
        note(
            "warning",
            at,
            "non-matching content that was not marked",
            "the peer's other units under `unmatched` (uid 0 of DUCView)",
            "X, the original and the comprehensive score can't be computed; the modified one can.",
        )
    elif text is not None:
        present = [match for match in annotation.scus if match.present]
        contributors = [
            (index, annotation.summarizer, parts)
            for index, unit in enumerate([*(match.contributors for match in present), annotation.unmatched])
            for parts in unit
        ]
        uids = [*(match.uid for match in present), 0]
        _check_words({annotation.summarizer: text}, contributors, uids, at, note)


def _check_peers(campaign: Campaign, note: Note) -> None:
    """Peers that nobody matched with a topic's pyramid, although others were."""
    annotated = {(one.topic, one.summarizer) for one in campaign.annotations}
    with_annotations = {topic for topic, _ in annotated}
    lacking: dict[str, list[str]] = {}
    for summary in campaign.summaries:
        key = summary.topic, summary.summarizer
        if summary.kind == "peer" and summary.topic in with_annotations and key not in annotated:
            lacking.setdefault(summary.topic, []).append(summary.summarizer)
    for topic, peers in lacking.items():
        found = f"{len(peers)} peers without an annotation: {_listed(peers)}"
        note("warning", f"topic {topic}", found, "an annotation of each peer", "They get no pyramid score.")


def _check_parts(parts: Parts, text: str | None, field: str, note: Note) -> None:
    for start, end in parts:
        if text is not None and not 0 <= start < end <= len(text):
            expected = f"0 ≤ start < end ≤ {len(text)}, the length of the summary"
            remedy = "Offsets count code points of the one summary, end excluded."
            note("error", field, f"the part [{start}, {end}]", expected, remedy)
        elif text is not None and not text[start:end].strip():
            note("warning", field, f"the part [{start}, {end}] without a word", "some words", "Remove the part.")
    ordered = sorted(parts)
    for (start, end), (after, last) in pairwise(ordered):
        if after < end:
            found = f"the parts [{start}, {end}] and [{after}, {last}], which overlap"
            note("warning", field, found, "parts apart from each other", "Join them.")


def _check_words(
    texts: Mapping[str, str],
    contributors: Sequence[tuple[int, str, Parts]],
    uids: Sequence[int],
    at: str,
    note: Note,
) -> None:
    """Words in several SCUs and words in none, text by text; light annotations, which mark no words, say nothing."""
    if not any(parts for _, _, parts in contributors):
        return
    words = Words.of(texts)
    members = cover(words, contributors, len(uids)).members
    times = members.sum(axis=1)
    for who, (start, end) in words.first.items():
        for wrong, what, remedy in (
            (times > 1, "in several SCUs", "It is allowed; see whether the SCUs are one, or a part is too long."),
            (times == 0, "in no SCU", "It is allowed; see whether an SCU was overlooked."),
        ):
            found = start + np.nonzero(wrong[start:end])[0]
            if len(found):
                said = f"{len(found)} of {end - start} words {what}: {_examples(words, members, found.tolist(), uids)}"
                note("warning", f"{at}, text of {who}", said, "each word in one contributor", remedy)


def _examples(words: Words, members: Bools, found: Sequence[int], uids: Sequence[int]) -> str:
    """The first few runs of neighbouring words that are in the same SCUs."""
    runs: list[list[int]] = []
    for index in found:
        if runs and index == runs[-1][-1] + 1 and (members[index] == members[index - 1]).all():
            runs[-1].append(index)
        else:
            runs.append([index])
    shown = []
    for run in runs[:_EXAMPLES]:
        owners = ", ".join(str(uids[owner]) for owner in np.nonzero(members[run[0]])[0].tolist())
        text = shorten(" ".join(words.words[index] for index in run))
        shown.append(f"{text} at {words.starts[run[0]]}" + (f" (SCUs {owners})" if owners else ""))
    return ", ".join(shown) + (", …" if len(runs) > _EXAMPLES else "")


def _named(topic: str, annotator: str) -> str:
    return f"topic {topic}" + (f", annotator {annotator}" if annotator else "")


def _listed(names: Sequence[object]) -> str:
    shown = ", ".join(str(name) for name in names[:10])
    return shown if len(names) <= 10 else f"{shown}, … ({len(names)} in all)"
