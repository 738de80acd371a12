"""The documentation is true: its commands run, its Python runs, and nothing public is left out."""

import doctest
import importlib
import json
import pkgutil
import re
import shlex
import shutil
import tomllib
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import pyramidion
from pyramidion.campaign import write_folder
from pyramidion.cli import program
from pyramidion.formats import all_formats
from pyramidion.measures.base import write_option
from pyramidion.measures.registry import families
from studies.trust.trials import judged_campaign, with_another_prompt
from tools import reference_pages

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES_WITH_OUTPUT = ("README.md", "is-b-better-than-a.md")
"""Pages whose blocks without a language are what the commands above them print."""
BLOCK = re.compile(r"^```(?P<language>\w*)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<body>.*?)^```", re.M | re.S)


def runnable(page: Path) -> bool:
    text = page.read_text(encoding="utf-8")
    return "```console" in text or "```python" in text


@pytest.mark.parametrize("page", [page for page in PAGES if runnable(page)], ids=lambda page: page.stem)
def test_what_a_page_shows_runs_in_the_order_of_the_page(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    dialogue: list[str] = []
    printed = ""
    for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
        if block["title"]:
            target = tmp_path / block["title"]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block["body"], encoding="utf-8")
        elif block["language"] == "console":
            printed = ""
            for line in block["body"].splitlines():
                if line.startswith("$ cd "):
                    monkeypatch.chdir(line.removeprefix("$ cd "))
                if line.startswith("$ pyramidion "):
                    arguments = shlex.split(line.removeprefix("$ pyramidion "))
                    done = CliRunner().invoke(program, arguments, catch_exceptions=False)
                    assert done.exit_code == 0, line
                    printed += done.stdout
        elif not block["language"] and page.name in PAGES_WITH_OUTPUT:
            for shown in block["body"].split("…\n") if printed else ():
                assert squeeze(shown) in squeeze(printed)
        elif block["language"] == "python" and block["body"].startswith(">>>"):
            dialogue.append(block["body"])
        elif block["language"] == "python":
            run_program(block["body"], page)
    test = doctest.DocTestParser().get_doctest("\n".join(dialogue), {}, page.name, str(page), 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def squeeze(text: str) -> str:
    """Words with single spaces: lines are folded at other places on a page than in a terminal."""
    return " ".join(text.split())


def run_program(text: str, page: Path) -> None:
    """Run a program of a page as a script, in this process: a new one would import everything again."""
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.simplefilter("ignore", ResourceWarning)  # as for any script
        exec(compile(text, page.name, "exec"), {"__name__": "__main__"})


def on_demo(command: str) -> str:
    """A command of the papers for the demo, which has no tasks, no granularity and no question of DUC 2005."""
    command = re.sub(r"\b(duc2005|duc2006|duc2007|tac2008|CAMPAIGN)\b", "demo", command)
    command = command.replace(" --where task=main", "").replace("granularity", "part")
    return command.replace("question.responsiveness", "question.content-responsiveness")


PAPER_COMMANDS = sorted(
    {
        on_demo(command)
        for name in ("papers.md", "how-to/tables-for-papers.md")
        for command in re.findall(r"`pyramidion ([^`…]*)`", (ROOT / "docs" / name).read_text(encoding="utf-8"))
        if "FILE" not in command and ".pyr" not in command
    }
)


PAPERS = {
    "Dang 2006": (range(1, 17), range(1, 3)),
    "Owczarzak and Dang 2009": (range(1, 12), range(1, 8)),
    "Nenkova and Passonneau 2004": (range(1, 6), range(1, 4)),
    "Louis and Nenkova 2009": (range(1, 5), range(0)),
    "Amigó, Gonzalo and Verdejo 2012": (range(1, 2), range(1, 5)),
}
"""Numbers of the tables and of the figures of each paper."""


@pytest.mark.parametrize("paper", PAPERS)
def test_each_table_and_figure_of_the_papers_has_its_row(paper: str) -> None:
    text = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    section = text.split(f"## {paper}", 1)[1].split("\n## ", 1)[0]
    for kind, numbers in zip(("Table", "Figure"), PAPERS[paper], strict=True):
        named: set[int] = set()
        for list_ in re.findall(rf"^\| {kind}s? (\d+(?:(?:, |–)\d+)*)", section, re.M):
            for part in list_.split(", "):
                first, _, last = part.partition("–")
                named.update(range(int(first), int(last or first) + 1))
        assert named == set(numbers)


@pytest.mark.slow
@pytest.mark.parametrize("command", PAPER_COMMANDS)
def test_the_commands_for_the_papers_run_on_the_demo(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(program, shlex.split(command), catch_exceptions=False)
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("word", ["pandas", "bleu", "predictions.txt", "significance", "lm-eval"])
def test_the_search_of_the_site_finds_what_newcomers_type(word: str) -> None:
    site = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))
    separator = site["project"]["plugins"]["search"]["separator"]
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md")]
    found = {part for text in texts for part in re.split(separator, text.lower())}
    assert all(part in found for part in re.split(separator, word))


def page(name: str) -> str:
    return (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")


def test_every_command_is_documented() -> None:
    text = page("commands.md")
    assert len(program.commands) >= 10
    assert [name for name in program.commands if not re.search(rf"^## .*\b{name}\b", text, re.M)] == []
    inner = [
        f"{name} {command}"
        for name, group in program.commands.items()
        if isinstance(group, click.Group)
        for command in group.commands
    ]
    assert len(inner) >= 10
    assert [name for name in inner if f"`{name}" not in text] == []


@pytest.mark.parametrize("name", reference_pages.PAGES)
def test_generated_pages_follow_the_code(name: str) -> None:
    assert page(name) == reference_pages.PAGES[name](), "run `python tools/reference_pages.py`"


def test_options_that_the_page_of_commands_names_exist() -> None:
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", page("commands.md")))
    had = {
        option for command in commands_of(program) for parameter in command.params for option in option_names(parameter)
    }
    assert len(named) >= 30
    assert named - had == {"--help"}


def commands_of(command: click.Command) -> Iterator[click.Command]:
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            yield from commands_of(inner)
    else:
        yield command


def option_names(parameter: click.Parameter) -> list[str]:
    return [*parameter.opts, *parameter.secondary_opts]


def timed_judgments(folder: Path) -> Path:
    """A campaign with preferences, whose answers have times; the demo campaign has neither."""
    keys = [{"topic": str(topic), "summarizer": str(who)} for topic in range(4) for who in range(4)]
    write_rows(folder / "summaries.jsonl", [{**key, "kind": "peer", "text": "x"} for key in keys])
    answers = [
        {
            **key,
            "assessor": who,
            "question": "q",
            "value": (place + (who == "B")) % 3,
            "time": f"2026-05-04T09:{place}:00",
        }
        for who in "AB"
        for place, key in enumerate(keys, start=10)
    ]
    for place, answer in enumerate(answers):
        answer["seconds"] = 4000 if place == 5 else 10 + place
    write_rows(folder / "judgments.jsonl", answers)
    choices = [("0", "1", "a"), ("1", "2", "a"), ("2", "3", "a"), ("3", "0", "a"), ("0", "2", "tie")]
    preferences = [
        {"topic": str(topic), "a": a, "b": b, "assessor": "A", "choice": choice}
        for topic, (a, b, choice) in zip(range(4), choices, strict=False)
    ]
    write_rows(folder / "preferences.jsonl", preferences)
    return folder


def write_rows(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.mark.slow
def test_commands_print_the_records_that_are_documented(tmp_path: Path) -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| .*? \| (.*?) \|$", page("records.md"), re.M)
    documented = {record: set(fields.split(", ")) for record, fields in rows}
    seen = set()
    own = timed_judgments(tmp_path)
    flat = tmp_path / "flat.jsonl"
    write_rows(
        flat, [{"topic": "1", "summarizer": "s", "summary": "a", "references": ["a"]}, {"topic": 2, "summary": 3}]
    )
    judged = tmp_path / "judged.csv"
    judged.write_text("topic,summarizer,judge\n1,a,2\n1,b,1\n2,a,2\n2,b,2\n", encoding="utf-8")
    ledger = f"gate {judged} --against b --scale 1,5 --ledger {tmp_path}/gate.jsonl"
    shards = f"score {flat} -o {tmp_path}/run -m rouge-1 --on-error skip"
    tried = tmp_path / "tried"
    write_folder(with_another_prompt(judged_campaign(runs=2)), tried)
    trial = f"trust {tried} --with question.coherence --anchor {tried} --resamples 20"
    choices = tmp_path / "choices.csv"
    choices.write_text("id,model_a,model_b,winner\n1,x,y,x\n1,y,x,x\n2,x,y,y\n", encoding="utf-8")
    preferences = (f"judgments preferences {own}", f"compare {choices}")
    plan = f"plan demo --share 40 --by scu --plan {tmp_path}/plan.jsonl"
    predicted = (
        plan,
        f"compare demo -m pyramid.recall --using auto-pyramid --plan {tmp_path}/plan.jsonl",
        "study labels demo -m pyramid.recall --using auto-pyramid --shares 50 --resamples 20",
    )
    judge = f"judge plan demo --questions focus --llm my-judge -o {tmp_path}/requests.jsonl"
    for arguments in (*RECORDS, *predicted, f"judgments describe {own}", *preferences, shards, ledger, trial, judge):
        done = CliRunner().invoke(program, [*shlex.split(arguments), "--format", "json"], catch_exceptions=False)
        assert done.exit_code == 0, (arguments, done.stderr)
        for row in map(json.loads, done.stdout.splitlines()):
            seen.add(row["record"])
            fields = set(row) - {"record", "note", "reason"}
            assert fields <= documented[row["record"]], (arguments, row["record"])
    only_in_reports = {"nist-found", "pyramid-missed-scu", "pyramid-share", "pyramid-top-scu"}
    # tests/judging has the server that these need.
    with_a_server = {"judge-failure", "judge-reading", "judge-sending", "judge-unread"}
    with_people_and_a_judge = {"judge-offset"}  # tests/judging has such a campaign
    assert set(documented) - seen == only_in_reports | with_a_server | with_people_and_a_judge


FERRY = Path(__file__).parent / "golden" / "pyramid"
"""Where two annotators were at work; the demo has one."""
GROWTH = Path(__file__).parent / "golden" / "growth"
"""A campaign, and answers of which one contradicts it."""
RECORDS = [
    "doctor",
    f"import judgments {GROWTH}/answers.csv --into {GROWTH}/campaign --dry-run --replace",
    "score demo -m rouge-2.recall -m question.focus",
    "score demo -m rouge-2.recall -m question.focus --by summarizer --bootstrap rouge155",
    "score demo -m rouge-2 --by summarizer --average counts",
    "compare demo -m rouge-2.recall -m question.focus",
    "compare demo -m rouge-2.recall --pair 16 17 --fragility",
    "compare demo -m rouge-2.recall --pair 16 17 --sequential --where part=A",
    "gate demo --against 2 --candidate 16 -m rouge-2.recall --self-test",
    "power demo -m rouge-2.recall --difference 0.02",
    "design demo --measure question.focus --difference 0.8 --most-assessors 6 --most-topics 90",
    "correlate demo -m js -m rouge-2.recall --with question.focus --test williams --micro --accuracy",
    "correlate demo -m js -m rouge-2.recall --with question.focus --with question.coherence --test williams",
    "look demo --topic D02 --summarizer 16",
    "describe demo",
    "describe demo --roster",
    "check demo",
    "list measures",
    "list options",
    "list formats",
    "list schemas",
    "correlate demo -m js -m rouge-2.recall --with question.focus --accuracy --test permutation --resamples 20",
    "design demo --measure question.focus --using rouge-2.recall --half-width 0.3",
    "judgments frequencies demo --question focus",
    "judgments regression demo",
    "judgments agreement demo --question focus",
    "judgments agreement demo --question focus --confusion simulated-1 simulated-2",
    "pyramid score demo --topic D02",
    "pyramid show demo",
    "pyramid show demo --topic D02",
    "pyramid show demo --topic D02 --summarizer 16",
    "pyramid show demo --topic D02 --optimal 3",
    "pyramid check demo",
    f"pyramid agreement {FERRY}/ferry.pyr {FERRY}/ferry.annotator2.pyr",
    f"pyramid agreement --across {FERRY}/ferry.peer1.annotator1.pan {FERRY}/ferry.peer1.annotator2.pan "
    f"{FERRY}/ferry.peer2.annotator1.pan {FERRY}/ferry.peer2.annotator2.pan",
    "study orders demo --subset A,B,C --ranked A,B,C",
    f"study orders {FERRY} --show annotation-score --show annotation-anova",
    "study models demo -m rouge-2.recall --with question.focus --resamples 20",
    "study topics demo -m rouge-2.recall --with question.focus --sizes 1,2 --resamples 20",
    "study heterogeneity demo -m rouge-1 --with question.focus --bins 5",
    "study choices demo -m rouge-1 --vary statistic,stem",
    "study model-free demo --with question.focus --where part=A --stem yes",
]
"""Runs that print every kind of record."""


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
    *("assess", "campaign", "compat.rouge_score", "formats", "measures", "pyramids"),
    *(
        "pyramid",
        "present",
        "scores",
        "simulate",
        "statistics",
        "studies",
        "study",
        "text",
        "text.basic_elements",
    ),
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
    navigation = (ROOT / "zensical.toml").read_text(encoding="utf-8")
    pages = [str(one.relative_to(ROOT / "docs")) for one in (ROOT / "docs").rglob("*.md")]
    assert [one for one in pages if one not in navigation] == []


def test_files_that_contributing_names_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:src|native|tools|docs|cli|formats)/[\w/.-]+)`", text)
    places = (ROOT, ROOT / "src" / "pyramidion")
    made_up = ["src/pyramidion/formats/harnesses/my_harness.py", "src/pyramidion/cli/my_command.py"]
    assert len(named) >= 20
    assert [name for name in named if not any((place / name).exists() for place in places)] == made_up
