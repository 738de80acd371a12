"""The gate for other programs: Markdown for pull requests, annotations for GitHub, JUnit's XML for CI servers.

What comes from the data (names, topics, texts) is escaped in each of them.
"""

from __future__ import annotations

import html
from dataclasses import replace
from xml.etree import ElementTree

from pyramidion.options.flags import spell_flags
from pyramidion.present.gate import gate_sentences, gate_tables, measure_numbers
from pyramidion.show.table_formats import markdown, markdown_sentence
from pyramidion.show.tables import Table
from pyramidion.show.wording import number, printable
from pyramidion.studies.gate import Gate, GateMeasure, GateRegression, Verdict

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
    for measure in failing_guards:
        lines += [_annotation("error", f"pyramidion gate: {measure.label}", measure_numbers(measure))]
    return lines


def _annotation(level: str, title: str, message: str) -> str:
    """A workflow command; what would end it or start another is encoded as GitHub prescribes."""
    encoded = _encode(message)
    encoded_title = _encode(title).replace(":", "%3A").replace(",", "%2C")
    return f"::{level} title={encoded_title}::{encoded}"


def _encode(text: str) -> str:
    return _visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def gate_junit(gate: Gate) -> str:
    """JUnit's XML: a test case for each measure and slice; undecided is a failure unless it counts as a pass."""
    decision = gate.decision
    suite = ElementTree.Element("testsuite", {"name": "pyramidion gate"})
    counts = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for measure in gate.measures:
        counts["tests"] += 1
        name = _visible(measure.label)
        case = ElementTree.SubElement(
            suite,
            "testcase",
            {"classname": _visible(f"{decision.candidate} against {decision.baseline}"), "name": name, "time": "0"},
        )
        kind = _junit_kind(gate, measure)
        if kind:
            counts["failures" if kind == "failure" else "skipped"] += 1
            message = _visible(measure_numbers(measure) if measure.n > 1 else measure.reason)
            child = ElementTree.SubElement(case, kind, {"message": message})
            if kind == "failure":
                child.set("type", measure.verdict)
                child.text = _visible("\n".join(map(spell_flags, gate_sentences(gate))))
    suite.attrib |= {key: str(count) for key, count in counts.items()}
    root = ElementTree.Element("testsuites", {**suite.attrib, "name": "pyramidion"})
    root.append(suite)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _junit_kind(gate: Gate, measure: GateMeasure) -> str:
    """The element inside a test case: none for a pass."""
    if measure.verdict == "pass":
        return ""
    if measure.verdict == "undecided" and gate.options.undecided == "pass":
        return "skipped"
    return "failure"
