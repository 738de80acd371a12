"""What a topic of the demo campaign must look like, and the command that checks source files.

Errors break a rule that the campaign relies on; notes say that a topic misses an aim. Standard library only.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from tools.demo_campaign.tagged import Parsed, Problem, Sentence, SourceTopic, parse_file

WORD_LIMIT = 100
DOCUMENTS = (6, 8)
DOCUMENT_WORDS = (120, 250)
MODELS = ("A", "B", "C", "D")
MODEL_WORDS = (88, WORD_LIMIT)
NARRATIVE_WORDS = (20, 45)
UNITS = (24, 36)
UPDATE_UNITS = (14, 24)
TAGGED_SHARE = 0.90
UNTAGGED_SENTENCES = (0.15, 0.30)
COPIED_RUN = 10
PROFILE = {4: (3, 6), 3: (4, 7), 2: (5, 8), 1: (6, 12)}

_SENTENCE_END = re.compile(r"[.!?…][\"'”’)]*$")
_INNER_END = re.compile(r"(\S*[.!?][\"'”’)]*)\s+(?=[\"'“‘(]?[A-Z])")
_TITLES = "Mr|Mrs|Ms|Dr|Prof|St|Mt|No|Gen|Col|Capt|Lt|Sgt|Rev|Sen|Gov|Jr|Sr"
_ABBREVIATION = re.compile(rf"(?:[A-Z]|{_TITLES})\.")


def words(text: str) -> list[str]:
    """White-space separated words: how DUC counts a summary's length."""
    return text.split()


def word_spans(text: str) -> list[tuple[int, int]]:
    """The offsets of the white-space separated words."""
    return [match.span() for match in re.finditer(r"\S+", text)]


def tagged_share(sentences: Iterable[Sentence]) -> float:
    """Share of words of which some character lies in a tag."""
    total = inside = 0
    for sentence in sentences:
        for start, end in word_spans(sentence.text):
            total += 1
            inside += any(span.start < end and start < span.end for span in sentence.spans)
    return inside / total if total else 0.0


def check(topic: SourceTopic, *, others: Sequence[SourceTopic] = ()) -> tuple[Problem, ...]:
    """All problems of a topic; ``others`` are the topics that it may not copy from and its background."""
    rules: tuple[Callable[[SourceTopic], Iterator[Problem]], ...] = (
        _check_header,
        _check_units,
        _check_documents,
        _check_models,
        _check_sentences,
        _check_profile,
    )
    found = [problem for rule in rules for problem in rule(topic)]
    found += _check_copies(topic, others)
    found += _check_background(topic, others)
    return tuple(sorted(found))


def _error(topic: SourceTopic, line: int, found: str, remedy: str) -> Problem:
    return Problem(topic.file, line, found, remedy)


def _note(topic: SourceTopic, line: int, found: str, remedy: str) -> Problem:
    return Problem(topic.file, line, found, remedy, "note")


def _outside(value: float, limits: tuple[float, float]) -> bool:
    return not limits[0] <= value <= limits[1]


def _check_header(topic: SourceTopic) -> Iterator[Problem]:
    if topic.file and topic.file != f"{topic.id}.txt":
        yield _error(topic, 1, f"topic {topic.id} in file {topic.file}", f"name the file {topic.id}.txt")
    if (topic.parent is None) != (topic.part is None):
        yield _error(topic, 1, "only one of parent and part is given", "give both, or none")
    elif topic.part is not None and topic.id != f"{topic.parent}-{topic.part}":
        yield _error(topic, 1, f"topic {topic.id} of parent {topic.parent}, part {topic.part}", "write PARENT-PART")
    if (topic.background is not None) != (topic.part == "B"):
        yield _error(topic, 1, "background and part B go together", "give 'background: D03-A' in part B only")
    count = len(words(topic.narrative))
    if _outside(count, NARRATIVE_WORDS):
        yield _error(topic, 1, f"the narrative has {count} words", "write 20 to 45 words")


def _check_units(topic: SourceTopic) -> Iterator[Problem]:
    limits = UPDATE_UNITS if topic.part == "B" else UNITS
    if _outside(len(topic.units), limits):
        yield _error(topic, 1, f"{len(topic.units)} units", f"have {limits[0]} to {limits[1]}")
    known = {unit.id for unit in topic.units}
    in_documents = Counter(
        name
        for document in topic.documents
        for name in {name for sentence in document.sentences for name in sentence.units}
    )
    for text in topic.texts:
        for sentence in text.sentences:
            for name in sentence.units:
                if name not in known:
                    yield _error(topic, sentence.line, f"unit {name} is not listed", "add it under == units")
    weights = topic.weights()
    for unit in topic.units:
        if not in_documents[unit.id]:
            yield _error(topic, unit.line, f"no document expresses {unit.id}", "tag it in a document, or drop it")
        if not _SENTENCE_END.search(unit.label):
            yield _error(topic, unit.line, f"label of {unit.id} is not a full sentence", "end it with a full stop")
        if weights[unit.id] == len(topic.models) and in_documents[unit.id] < 4:
            found = f"{unit.id} is in all models, but in {in_documents[unit.id]} documents"
            yield _note(topic, unit.line, found, "important units belong in 4 or more documents")


def _check_documents(topic: SourceTopic) -> Iterator[Problem]:
    if _outside(len(topic.documents), DOCUMENTS):
        yield _error(topic, 1, f"{len(topic.documents)} documents", "have 6 to 8")
    for document in topic.documents:
        count = sum(len(words(sentence.text)) for sentence in document.sentences)
        if _outside(count, DOCUMENT_WORDS):
            yield _error(topic, document.line, f"document {document.id} has {count} words", "write 120 to 250")
    for one, two in zip(topic.documents, topic.documents[1:], strict=False):
        if two.date < one.date:
            yield _error(topic, two.line, f"document {two.id} is older than the one before it", "order by date")
    if len(topic.documents) > 1 and topic.documents[-1].date == topic.documents[-2].date:
        line = topic.documents[-1].line
        yield _error(topic, line, "two documents share the last date", "let one document be the most recent")
    sentences = [sentence for document in topic.documents for sentence in document.sentences]
    share = sum(not sentence.spans for sentence in sentences) / max(1, len(sentences))
    if _outside(share, UNTAGGED_SENTENCES):
        yield _error(topic, 1, f"{share:.0%} of the document sentences have no tag", "have 15 to 30 %")


def _check_models(topic: SourceTopic) -> Iterator[Problem]:
    names = tuple(model.id for model in topic.models)
    if names != MODELS:
        yield _error(topic, 1, f"models {', '.join(names) or '(none)'}", "write models A, B, C, D in this order")
    for model in topic.models:
        count = sum(len(words(sentence.text)) for sentence in model.sentences)
        if _outside(count, MODEL_WORDS):
            yield _error(topic, model.line, f"model {model.id} has {count} words", "write 88 to 100")
        share = tagged_share(model.sentences)
        if share < TAGGED_SHARE:
            found = f"{share:.0%} of the words of model {model.id} lie in tags"
            yield _error(topic, model.line, found, "tag at least 90 %")


def _check_sentences(topic: SourceTopic) -> Iterator[Problem]:
    for text in topic.texts:
        for sentence in text.sentences:
            if not _SENTENCE_END.search(sentence.text):
                found = f"line ends with {sentence.text[-12:]!r}"
                yield _error(topic, sentence.line, found, "end a sentence with . ? or ! (and a closing quote)")
            for break_ in _inner_ends(sentence.text):
                found = f"more than one sentence on the line, at {break_!r}"
                yield _error(topic, sentence.line, found, "write one sentence per line")


def _inner_ends(text: str) -> Iterator[str]:
    """Where a sentence ends within a line; quotations of several sentences stay on one line."""
    for match in _INNER_END.finditer(text):
        before = text[: match.end(1)]
        quoted = before.count('"') % 2 == 1 or before.count("“") > before.count("”")
        if not quoted and not _ABBREVIATION.fullmatch(match[1].lstrip("\"'“‘(")):
            yield text[max(0, match.end(1) - 12) : match.end() + 8]


def _check_profile(topic: SourceTopic) -> Iterator[Problem]:
    counts = Counter(topic.weights().values())
    for weight, limits in PROFILE.items():
        low, high = (limits[0] // 2, limits[1]) if topic.part == "B" else limits
        if _outside(counts[weight], (low, high)):
            yield _note(topic, 1, f"{counts[weight]} units of weight {weight}", f"aim for {low} to {high}")


def _check_copies(topic: SourceTopic, others: Sequence[SourceTopic]) -> Iterator[Problem]:
    """Sentences that occur twice (errors) and long runs of words that do (notes)."""
    seen: dict[tuple[str, ...], str] = {}
    runs: dict[tuple[str, ...], str] = {}
    for source in (*(other for other in others if other.id != topic.id), topic):
        for text in source.texts:
            where = f"{source.id} {text.id}"
            for sentence in text.sentences:
                key = tuple(re.findall(r"\w+", sentence.text.casefold()))
                if source is topic and key in seen:
                    yield _error(topic, sentence.line, f"the sentence is also in {seen[key]}", "reword it")
                elif source is topic:
                    copied = [run for run in _runs(key) if runs.get(run, where) != where]
                    if copied:
                        found = f"{' '.join(copied[0])!r} is also in {runs[copied[0]]}"
                        yield _note(topic, sentence.line, found, "use other words in every text")
                seen.setdefault(key, where)
                for run in _runs(key):
                    runs.setdefault(run, where)


def _runs(key: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [key[at : at + COPIED_RUN] for at in range(len(key) - COPIED_RUN + 1)]


def _check_background(topic: SourceTopic, others: Sequence[SourceTopic]) -> Iterator[Problem]:
    if topic.background is None:
        return
    earlier = next((other for other in others if other.id == topic.background), None)
    if earlier is None:
        yield _error(topic, 1, f"background {topic.background} is not there", f"write {topic.background}.txt")
    elif topic.documents and earlier.documents:
        if topic.documents[0].date < earlier.documents[-1].date:
            line = topic.documents[0].line
            yield _error(topic, line, f"begins before {earlier.id} ends", "date an update after its background")
        shared = {document.id for document in topic.documents} & {document.id for document in earlier.documents}
        for name in sorted(shared):
            yield _error(topic, 1, f"document {name} is also in {earlier.id}", "give it another id")


def profile(topic: SourceTopic) -> str:
    """A few lines about a topic: units by weight, words of documents and models, shares of tags."""
    counts = Counter(topic.weights().values())
    sentences = [sentence for document in topic.documents for sentence in document.sentences]
    untagged = sum(not sentence.spans for sentence in sentences)
    lines = [
        f"{topic.id}: {topic.title}",
        f"  units      {len(topic.units)}; by weight "
        + ", ".join(f"{weight}: {counts[weight]}" for weight in range(len(topic.models), -1, -1)),
        f"  documents  {len(topic.documents)}; words "
        + " ".join(str(sum(len(words(one.text)) for one in document.sentences)) for document in topic.documents),
        f"  sentences  {len(sentences)}; untagged {untagged} ({untagged / max(1, len(sentences)):.0%})",
    ]
    for model in topic.models:
        count = sum(len(words(sentence.text)) for sentence in model.sentences)
        units = {unit for sentence in model.sentences for unit in sentence.units}
        share = tagged_share(model.sentences)
        lines.append(f"  model {model.id}    {count} words, {len(units)} units, {share:.0%} tagged")
    return "\n".join(lines)


def parse_with_neighbours(path: Path) -> tuple[Parsed, list[SourceTopic]]:
    """A file, and the other topics of its folder that can be parsed."""
    others = [parse_file(other).topic for other in sorted(path.parent.glob("*.txt")) if other.name != path.name]
    return parse_file(path), [topic for topic in others if topic is not None]


def main(arguments: Sequence[str]) -> int:
    """Check the files: problems and a small profile of each; 1 when a file has an error, 2 on wrong use."""
    if not arguments:
        sys.stderr.write("usage: python -m tools.demo_campaign.rules FILE…\n")
        return 2
    failed = False
    for argument in arguments:
        parsed, others = parse_with_neighbours(Path(argument))
        problems = parsed.problems
        if parsed.topic is not None:
            problems += check(parsed.topic, others=others)
            sys.stdout.write(profile(parsed.topic) + "\n")
        sys.stdout.writelines(f"{problem}\n" for problem in problems)
        errors = sum(problem.severity == "error" for problem in problems)
        sys.stdout.write(f"{argument}: {errors} errors, {len(problems) - errors} notes\n")
        failed = failed or errors > 0
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
