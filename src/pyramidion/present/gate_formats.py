"""The gate for other programs: Markdown for pull requests, annotations for GitHub, JUnit's XML for CI servers.

What comes from the data (names, topics, texts) is escaped in each of them.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal
from xml.etree import ElementTree

from pyramidion.options.flags import spell_flags
from pyramidion.present.gate import gate_sentences, gate_tables, measure_numbers
from pyramidion.show.table_formats import markdown, markdown_sentence
from pyramidion.show.tables import Table
from pyramidion.show.wording import number, printable
from pyramidion.studies.gate import Gate, GateRegression, Verdict

ICONS: dict[Verdict, str] = {"pass": "✅", "fail": "❌", "undecided": "❔"}
LEVELS: dict[Verdict, str] = {"pass": "notice", "fail": "error", "undecided": "warning"}
"""Of GitHub's annotations."""


def gate_markdown(gate: Gate) -> str:
    """The verdict, the table, the topics with the largest losses with their texts folded, and the command."""
    sentences = [markdown_sentence(spell_flags(sentence)) for sentence in gate_sentences(gate)]
    heading = f"## {ICONS[gate.verdict]} pyramidion gate: {gate.verdict}"
    if gate.self_test is not None:
        heading = "## pyramidion gate: self-test"
    paragraphs = [_in_one_line(sentence) for sentence in sentences]
    table = next(table for table in gate_tables(gate) if table.record in ("gate-measure", "gate-self-test"))
    parts = [heading, *paragraphs, _bare_markdown(table)]
    if gate.regressions and gate.self_test is None:
        parts.append(f"### Largest losses on {markdown_sentence(_in_one_line(gate.decision.measure))}")
        parts += [_folded(gate, regression) for regression in gate.regressions]
    if gate.command:
        parts.append(_preformatted(gate.command))
    return "\n\n".join(parts) + "\n"


def _bare_markdown(table: Table) -> str:
    """The table without a title and sentences, which stand above it."""
    bare = replace(table.without_empty_columns(), title="", sentences=())
    return markdown(bare).rstrip("\n")


def _folded(gate: Gate, regression: GateRegression) -> str:
    """One topic: the loss in the line that is always seen, both texts below it."""
    difference = number(regression.difference, 4)
    scores = f"{number(regression.baseline, 4)} → {number(regression.candidate, 4)}"
    summary = f"{html.escape(_in_one_line(_visible(regression.topic)))}: {difference} ({scores})"
    texts = [
        (gate.decision.baseline, regression.baseline_text),
        (gate.decision.candidate, regression.candidate_text),
    ]
    blocks = [
        f"<b>{html.escape(_in_one_line(_visible(system)))}</b>\n{_preformatted(text or '(no text)')}"
        for system, text in texts
    ]
    return "\n".join([f"<details><summary>{summary}</summary>", *blocks, "</details>"])


def _preformatted(text: str) -> str:
    """A text as it is, in one line: an empty line would end the HTML, and what follows it would be Markdown."""
    return f"<pre>{html.escape(_visible(text))}</pre>".replace("\n", "&#10;")


def _visible(text: str) -> str:
    """A text without what terminals and XML obey; line breaks stay."""
    return "\n".join(map(printable, text.splitlines()))


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def gate_annotations(gate: Gate) -> list[str]:
    """Commands for GitHub's log: an error, warning or notice for the verdict, and one for each guard that fails."""
    first, *_ = gate_sentences(gate)
    first = spell_flags(first)
    if gate.self_test is not None:
        level = "notice" if gate.self_test.is_kept else "error"
        return [_annotation(level, "pyramidion gate: self-test", first)]
    level = LEVELS[gate.verdict]
    if gate.verdict == "undecided" and gate.options.undecided is not None:
        level = LEVELS[gate.options.undecided]
    lines = [_annotation(level, f"pyramidion gate: {gate.verdict}", first)]
    failing_guards = [measure for measure in gate.measures[1:] if measure.verdict == "fail"]
    # A ledger may let pass what a single test would fail.
    level_of_guards = "error" if gate.verdict == "fail" else "notice"
    for measure in failing_guards:
        lines += [_annotation(level_of_guards, f"pyramidion gate: {measure.label}", measure_numbers(measure))]
    return lines


def _annotation(level: str, title: str, message: str) -> str:
    """A workflow command; what would end it or start another is encoded as GitHub prescribes."""
    encoded = _encode(message)
    encoded_title = _encode(title).replace(":", "%3A").replace(",", "%2C")
    return f"::{level} title={encoded_title}::{encoded}"


def _encode(text: str) -> str:
    return _visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


@dataclass(frozen=True, kw_only=True)
class _Case:
    """A test case of JUnit."""

    name: str
    kind: Literal["", "failure", "skipped"] = ""
    """What stands inside: nothing for a pass."""
    verdict: str = ""
    message: str = ""


def gate_junit(gate: Gate) -> str:
    """JUnit's XML: a test case for each measure and slice; undecided is a failure unless it counts as a pass.

    There is a failure exactly if the command does not end with 0: with a ledger, and in a self-test, a case of their
    own decides.
    """
    decision = gate.decision
    suite = ElementTree.Element("testsuite", {"name": "pyramidion gate"})
    counts = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    class_name = _visible(f"{decision.candidate} against {decision.baseline}")
    for case in _junit_cases(gate):
        counts["tests"] += 1
        attributes = {"classname": class_name, "name": _visible(case.name), "time": "0"}
        element = ElementTree.SubElement(suite, "testcase", attributes)
        if case.kind:
            counts["failures" if case.kind == "failure" else "skipped"] += 1
            child = ElementTree.SubElement(element, case.kind, {"message": _visible(case.message)})
            if case.kind == "failure":
                child.set("type", case.verdict)
                child.text = _visible("\n".join(map(spell_flags, gate_sentences(gate))))
    suite.attrib |= {key: str(count) for key, count in counts.items()}
    root = ElementTree.Element("testsuites", {**suite.attrib, "name": "pyramidion"})
    root.append(suite)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _junit_cases(gate: Gate) -> Iterator[_Case]:
    """What was decided, case by case."""
    if gate.self_test is not None:
        yield _case_of_all(gate, "self-test", "pass" if gate.self_test.is_kept else "fail")
        return
    if gate.ledger is not None:
        yield _case_of_all(gate, f"decision {gate.ledger.decision} of the ledger", gate.verdict)
    for measure in gate.measures:
        message = measure_numbers(measure) if measure.n > 1 else measure.reason
        kind = _junit_kind(gate, measure.verdict)
        if kind == "failure" and gate.ledger is not None:
            # What single tests say is shown, and does not count.
            kind, message = "skipped", f"{measure.verdict} as a single test: {message}"
        yield _Case(name=measure.label, kind=kind, verdict=measure.verdict, message=message)


def _case_of_all(gate: Gate, name: str, verdict: Verdict) -> _Case:
    """The case that decides for all measures together."""
    first, *_ = gate_sentences(gate)
    return _Case(name=name, kind=_junit_kind(gate, verdict), verdict=verdict, message=spell_flags(first))


def _junit_kind(gate: Gate, verdict: Verdict) -> Literal["", "failure", "skipped"]:
    """The element inside a test case: none for a pass."""
    if verdict == "pass":
        return ""
    if verdict == "undecided" and gate.options.undecided == "pass":
        return "skipped"
    return "failure"
