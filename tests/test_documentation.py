"""The documentation is true: its commands run, its Python runs, and nothing public is left out."""

import doctest
import importlib
import json
import pkgutil
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from typer.main import get_command
from typer.testing import CliRunner

import pyramidion
from pyramidion.cli import app
from pyramidion.formats import all_formats
from pyramidion.measures.base import write_option
from pyramidion.measures.registry import families

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(?P<language>\w+)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<body>.*?)^```", re.M | re.S)


def runnable(page: Path) -> bool:
    text = page.read_text(encoding="utf-8")
    return "```console" in text or "```python" in text


@pytest.mark.parametrize("page", [page for page in PAGES if runnable(page)], ids=lambda page: page.stem)
def test_what_a_page_shows_runs_in_the_order_of_the_page(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    dialogue: list[str] = []
    for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
        if block["title"]:
            target = tmp_path / block["title"]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block["body"], encoding="utf-8")
        elif block["language"] == "console":
            for line in block["body"].splitlines():
                if line.startswith("$ pyramidion "):
                    arguments = shlex.split(line.removeprefix("$ pyramidion "))
                    assert CliRunner().invoke(app, arguments, catch_exceptions=False).exit_code == 0, line
        elif block["language"] == "python" and block["body"].startswith(">>>"):
            dialogue.append(block["body"])
        elif block["language"] == "python":
            done = subprocess.run(
                [sys.executable, "-c", block["body"]], cwd=tmp_path, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{block['body']}\n{done.stderr}"
    test = doctest.DocTestParser().get_doctest("\n".join(dialogue), {}, page.name, str(page), 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def page(name: str) -> str:
    return (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")


def test_every_command_is_documented() -> None:
    text = page("commands.md")
    names = [
        command.name or (command.callback.__name__ if command.callback else "") for command in app.registered_commands
    ]
    names += [str(group.name) for group in app.registered_groups]
    assert len(names) >= 10
    assert [name for name in names if not re.search(rf"^## .*\b{name}\b", text, re.M)] == []
    assert [name for name in commands_of_groups() if f"`{name}" not in text] == []


def commands_of_groups() -> list[str]:
    """Such as `judgments frequencies`."""
    program = get_command(app)
    assert isinstance(program, click.Group)
    return [
        f"{name} {inner}"
        for name, group in program.commands.items()
        if isinstance(group, click.Group)
        for inner in group.commands
    ]


def test_shared_options_are_had_by_the_commands_that_the_page_names() -> None:
    rows = re.findall(r"^\| (`--.*?) \|(?:[^|]*\|){2} (.*?) \|$", page("commands.md"), re.M)
    documented = {name: set(re.findall(r"\b[a-z]+\b(?=[ ,]|$)", re.sub(r"\(.*?\)", "", commands)))
                  for names, commands in rows for name in re.findall(r"--[a-z]+", names)}  # fmt: skip
    had: dict[str, set[str]] = {name: set() for name in documented}
    program = get_command(app)
    assert isinstance(program, click.Group)
    for name, command in program.commands.items():
        for option in {option for parameter in command.params for option in parameter.opts} & set(had):
            had[option].add(name)
    assert len(documented) >= 12
    assert documented == had


@pytest.mark.slow
def test_every_field_of_every_record_is_documented() -> None:
    rows = re.findall(r"^\| ([a-z, -]+) \| `(\w+)` \| (.*?) \|$", page("commands.md"), re.M)
    documented = {(command, record): set(fields.split(", ")) for command, record, fields in rows}
    seen = set()
    for command, arguments in RECORDS.items():
        done = CliRunner().invoke(app, [*shlex.split(arguments), "--format", "json"], catch_exceptions=False)
        for row in map(json.loads, done.stdout.splitlines()):
            key = (command, row["record"])
            if key not in documented:  # an option adds records to those of the command
                key = (command.partition(" --")[0], row["record"])
            if command == "list measures" and row["record"] == "option":
                continue
            seen.add(key)
            assert documented[key] == set(row) - {"record", "note", "reason"}, key
    assert set(documented) - seen <= {("check", "check"), ("list measures, list options", "option")}


FERRY = Path(__file__).parent / "golden" / "pyramid"
"""Where two annotators were at work; the demo has one."""
RECORDS = {
    "score": "score demo -m rouge-2.recall -m question.focus",
    "score --by": "score demo -m rouge-2.recall -m question.focus --by summarizer --bootstrap rouge155",
    "score --by --average counts": "score demo -m rouge-2 --by summarizer --average counts",
    "compare": "compare demo -m rouge-2.recall -m question.focus",
    "compare --pair": "compare demo -m rouge-2.recall --pair 16 17",
    "power": "power demo -m rouge-2.recall --difference 0.02",
    "correlate": "correlate demo -m js -m rouge-2.recall --with question.focus --test williams --micro --accuracy",
    "look": "look demo --topic D02 --summarizer 16",
    "describe": "describe demo",
    "list measures": "list measures",
    "list measures, list options": "list options",
    "list formats": "list formats",
    "list engines": "list engines",
    "judgments frequencies": "judgments frequencies demo --question focus",
    "judgments regression": "judgments regression demo",
    "judgments agreement": "judgments agreement demo --question focus",
    "judgments agreement --confusion": "judgments agreement demo --question focus --confusion simulated-1 simulated-2",
    "pyramid score": "pyramid score demo --topic D02",
    "pyramid show": "pyramid show demo",
    "pyramid show --topic": "pyramid show demo --topic D02",
    "pyramid show --peer": "pyramid show demo --topic D02 --peer 16",
    "pyramid show --optimal": "pyramid show demo --topic D02 --optimal 3",
    "pyramid check": "pyramid check demo",
    "pyramid agreement": f"pyramid agreement {FERRY}/ferry.pyr {FERRY}/ferry.annotator2.pyr",
    "pyramid agreement --across": f"pyramid agreement --across {FERRY}/ferry.peer1.annotator1.pan "
    f"{FERRY}/ferry.peer1.annotator2.pan {FERRY}/ferry.peer2.annotator1.pan {FERRY}/ferry.peer2.annotator2.pan",
    "study orders": "study orders demo --subset A,B,C --ranked A,B,C",
    "study orders --only": f"study orders {FERRY} --only annotation --only anova",
    "study models": "study models demo -m rouge-2.recall --with question.focus --repetitions 20",
    "study topics": "study topics demo -m rouge-2.recall --with question.focus --sizes 1,2 --repetitions 20",
    "study heterogeneity": "study heterogeneity demo -m rouge-1 --with question.focus --bins 5",
    "study model-free": "study model-free demo --with question.focus --where part=A --stem yes",
}
"""Of each command that the page has records of, a run that gives them."""


def test_every_measure_is_documented() -> None:
    text = page("measures.md")
    names = [name for family in families() for name in family.examples()]
    numbered = re.search(r"`rouge-1` … `rouge-9`", text)
    missing = [name for name in names if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w*-])", text)]
    assert len(names) > 10
    assert [name for name in missing if not (numbered and re.fullmatch("rouge-[2-8]", name))] == []


def test_every_option_is_documented_under_its_measure_with_its_default() -> None:
    text = page("measures.md")
    for family in families():
        name = family.examples()[0].partition("-")[0]
        title = f"(?:{name}|{re.sub('(?<=[a-z])(?=[A-Z])', '-', family.__name__)})"  # of a name, or of all: model-free
        (section,) = re.findall(rf"^## {title}$(.*?)(?=^## |\Z)", text, re.M | re.S | re.I)
        documented = dict(re.findall(r"^\| `(\w+)` \| *(.*?) *\|", section, re.M))
        assert documented == {field.name: write_option(field.default) for field in family.option_fields()}


def test_every_format_is_documented() -> None:
    text = page("formats.md")
    assert [format.name for format in all_formats() if format.name not in text] == []


ROOMS = (
    *("campaign", "compat.rouge_score", "engines", "formats", "measures", "pyramids", "reports"),
    *("scores", "simulate", "statistics", "studies", "text"),
)


def test_every_public_verb_is_documented() -> None:
    text = page("python.md")
    assert [name for name in pyramidion.__all__ if f"pyramidion.{name}" not in text] == []
    assert [
        name for name in pyramidion.__all__ if not name.startswith("_") and not getattr(pyramidion, name).__doc__
    ] == []


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_name_of_a_room_is_documented(room: str) -> None:
    documented = set(re.findall(r"^::: (\S+)$", page("python.md"), re.M))
    names = importlib.import_module(f"pyramidion.{room}").__all__
    assert [name for name in names if f"pyramidion.{room}.{name}" not in documented] == []


def test_the_python_page_names_nothing_that_is_not_there() -> None:
    for name in re.findall(r"^::: (\S+)$", page("python.md"), re.M):
        pkgutil.resolve_name(name)


def test_links_between_pages_lead_somewhere() -> None:
    links = [
        (source, target)
        for source in PAGES
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", source.read_text(encoding="utf-8"))
    ]
    assert [f"{source.name}: {target}" for source, target in links if not (source.parent / target).exists()] == []


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [str(one.relative_to(ROOT / "docs")) for one in (ROOT / "docs").rglob("*.md")]
    assert [one for one in pages if one not in navigation] == []
