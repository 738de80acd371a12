"""Messages speak Python to callers of Python, and flags to users of the command line: one text, two spellings."""

from __future__ import annotations

import ast
import functools
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyramidion
from cli.running import Run, write
from pyramidion import options as o
from pyramidion.cli import program
from pyramidion.errors import PyramidionError, UsageError, mention, mention_call
from pyramidion.options.flags import PARAMETERS, option_kinds, options_by_name, spell_flags, spell_record

pytest_plugins = ["cli.conftest"]
SOURCE = Path(pyramidion.__file__).parent
FLAG = re.compile(r"(?<![\w-])--[a-z]")
MENTIONED = re.compile(r"`([a-z_]+)=")
WITH_FLAGS = {
    "options/flags.py": "spells options as flags",
    "formats/plain/line_files.py": "makes the words of a command line",
    "reports/sections.py": "makes the words of a command line",
    "present/comparison/sections.py": "makes the words of a command line",
    "present/side_by_side.py": "makes the words of a command line",
    "present/pyramids.py": "a report names commands",
    "assess/web/addresses.py": "names a command of another program",
    "assess/web/signin.py": "a page that names the command of whoever runs it",
}
"""Files below the command line that contain flags, and why."""


def all_options() -> Iterator[tuple[type[o.Options], o.Option]]:
    for kind in option_kinds():
        for option in kind.each():
            yield kind, option


def commands(group: click.Group) -> Iterator[click.Command]:
    for command in group.commands.values():
        if isinstance(command, click.Group):
            yield from commands(command)
        else:
            yield command


@functools.cache
def flags_of_the_program() -> set[str]:
    return {flag for command in commands(program) for parameter in command.params for flag in parameter.opts}


def literals(tree: ast.Module) -> Iterator[ast.Constant]:
    """Strings of a module that are no docstrings."""
    documentation = {
        id(statement.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        for statement in node.body
        if isinstance(statement, ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node


@functools.cache
def modules_below_the_command_line() -> dict[str, ast.Module]:
    """By path, the modules that may contain flags or mention options."""
    modules = {}
    for path in SOURCE.rglob("*.py"):
        name, text = path.relative_to(SOURCE).as_posix(), path.read_text(encoding="utf-8")
        if not name.startswith("cli/") and (FLAG.search(text) or MENTIONED.search(text) or "mention" in text):
            modules[name] = ast.parse(text)
    return modules


def example_of(option: o.Option) -> Any:
    """A value that the option can have, and that is not its default."""
    kind = str(option.type)
    if option.choices:
        return option.choices[-1]
    if kind == "<class 'bool'>":
        return True
    if "Mapping" in kind:
        return {"key": "a value"}
    if "tuple" in kind:
        return ("A", "B b")
    return 7 if "int" in kind or "float" in kind else "it's `one` ✓"


@pytest.mark.parametrize(
    "option", [pytest.param(option, id=f"{kind.__name__}.{option.name}") for kind, option in all_options()]
)
def test_each_option_has_a_keyword_and_a_flag(option: o.Option) -> None:
    assert option.flag in flags_of_the_program()
    value = example_of(option)
    text = mention(option.name, value)
    assert eval(f"dict({text.strip('`')})") == {option.name: value}  # it works as a keyword in Python
    assert shlex.split(spell_flags(f"Use {text}.")[4:-1]) == option.arguments(option.wrap_single(value))


@pytest.mark.parametrize(
    ("kind", "option"),
    [
        pytest.param(kind, option, id=f"{kind.__name__}.{option.name}")
        for kind, option in all_options()
        if option.choices or {"minimum", "above", "maximum", "below"} & option.metadata.keys()
    ],
)
def test_a_wrong_value_is_reported_by_keyword_and_by_flag(kind: type[o.Options], option: o.Option) -> None:
    value = "nonsense" if option.choices else -(10**12)
    if not option.choices and not {"minimum", "above"} & option.metadata.keys():
        value = 10**30
    with pytest.raises(UsageError) as caught:
        kind.of({option.name: value})
    message = str(caught.value)
    assert message.startswith(f"`{option.name}=")
    assert not FLAG.search(message)
    assert spell_flags(message).startswith(f"{option.flag} ")


def test_the_parameters_that_are_no_options_have_flags() -> None:
    assert set(PARAMETERS.values()) <= flags_of_the_program()
    assert not PARAMETERS.keys() & options_by_name().keys()


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("`with_=` is missing", "--with is missing"),
        ("use `matrix=True`", "use --matrix"),
        ('`columns={"summary": "my text", "topic": "id"}`', "--columns 'summary=my text,topic=id'"),
        ('`option={"epoch": "1"}`', "--option epoch=1"),
        ('`option={"regex": "…"}`', "--option regex=…"),
        ('`pair=("A", "B b")`', "--pair A 'B b'"),
        ("`difference=0.05`", "--difference 0.05"),
        ("`confidence=inf`", "--confidence inf"),
        ('`into="a folder"`', "--into 'a folder'"),
        ('`LineFiles(predictions="a.txt", references="FILE")`', "--predictions a.txt --references FILE"),
        ('`records("difference")`', "--show difference"),
        ("`records()`", "--format json"),
        ("`pyramidion describe`", "`pyramidion describe`"),
        ("`tokens=unicode`", "`tokens=unicode`"),
        ("a column `run`", "a column `run`"),
        ("`seed=((`, `records(]`, `columns={[]: 1}`", "`seed=((`, `records(]`, `columns={[]: 1}`"),
    ],
)
def test_a_text_is_spelled_for_the_command_line(text: str, spelled: str) -> None:
    assert spell_flags(text) == spelled


@given(st.text())
def test_any_value_is_one_word_of_a_command_line(value: str) -> None:
    assert shlex.split(spell_flags(mention("decide", value))) == ["--decide", value]


def test_calls_are_mentioned_as_they_are_written() -> None:
    text = mention_call("LineFiles", predictions="a.txt")
    assert (text, spell_flags(text)) == ('`LineFiles(predictions="a.txt")`', "--predictions a.txt")


def test_only_explanations_of_a_record_are_spelled() -> None:
    record = {"record": "x", "text": "`seed=3`", "reason": "no interval (`bootstrap=`)", "value": None}
    assert spell_record(record) == {**record, "reason": "no interval (--bootstrap)"}


def test_no_module_below_the_command_line_speaks_of_flags() -> None:
    """Whole commands between backticks work everywhere."""
    places = {}
    for name, module in modules_below_the_command_line().items():
        for literal in literals(module):
            if FLAG.search(re.sub(r"`pyramidion [^`]*`", "", str(literal.value))):
                places[name] = literal.value
    assert places.keys() == WITH_FLAGS.keys(), places


def test_each_mention_in_the_source_is_an_option() -> None:
    # `format` is the first argument of `pyramidion import`; only Python can give one that is no text.
    known = {*options_by_name(), *PARAMETERS, "format"}
    unknown = {}
    for path, module in modules_below_the_command_line().items():
        for literal in literals(module):
            for name in set(MENTIONED.findall(str(literal.value))) - known:
                unknown[path, literal.lineno] = name
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "mention":
                argument = node.args[0]
                if isinstance(argument, ast.Constant) and argument.value not in known:
                    unknown[path, node.lineno] = argument.value
    assert unknown == {}


CALLS: list[tuple[Any, list[str], str, str]] = [
    (
        lambda: pyramidion.correlate("demo", "rouge-1.recall"),
        ["correlate", "demo", "-m", "rouge-1.recall"],
        "`with_=` is missing: name the measure to correlate with, such as question.overall-responsiveness "
        "(`pyramidion describe` lists the questions), or use `matrix=True`",
        "--with is missing: name the measure to correlate with, such as question.overall-responsiveness "
        "(`pyramidion describe` lists the questions), or use --matrix",
    ),
    (
        lambda: pyramidion.compare("demo", "rouge-1.recall", exclude="nobody"),
        ["compare", "demo", "-m", "rouge-1.recall", "--exclude", "nobody"],
        '`exclude="nobody"`',
        "--exclude nobody",
    ),
    (
        lambda: pyramidion.design("demo", measure="rouge-1.recall"),
        ["design", "demo", "-m", "rouge-1.recall"],
        "`difference=` is missing",
        "--difference is missing",
    ),
    (
        lambda: pyramidion.compare("demo", "rouge-1.recall", sequential=True),
        ["compare", "demo", "-m", "rouge-1.recall", "--sequential"],
        "`sequential=True` takes topics as independent",
        "--sequential takes topics as independent",
    ),
    (
        lambda: pyramidion.pyramid.show("demo", topic="D99"),
        ["pyramid", "show", "demo", "--topic", "D99"],
        '`topic="D99"`: does not exist',
        "--topic D99: does not exist",
    ),
    (
        lambda: pyramidion.load("demo", columns={"sumary": "x"}),
        ["check", "demo", "--columns", "sumary=x"],
        '`columns={"sumary": "x"}`: there is no role',
        "--columns sumary=x: there is no role",
    ),
]


@pytest.mark.parametrize(("call", "words", "in_python", "in_flags"), CALLS, ids=[" ".join(case[1]) for case in CALLS])
def test_the_same_mistake_is_told_in_the_words_of_each_world(
    call: Any, words: list[str], in_python: str, in_flags: str, run: Run
) -> None:
    with pytest.raises(PyramidionError) as caught:
        call()
    assert in_python in str(caught.value)
    code, _, err = run(*words)
    assert code == caught.value.exit_code
    assert in_flags in err
    assert "`columns=" not in err


def test_a_question_about_columns_can_be_answered_as_it_says_in_each_world(tmp_path: Path, run: Run) -> None:
    rows = [{"id": str(number), "zz": f"a ferry burned at {number}", "aa": "the ferry burned"} for number in range(4)]
    path = write(tmp_path, "mine.jsonl", *rows)
    for data in (path, rows):
        with pytest.raises(PyramidionError) as caught:
            pyramidion.load(data)
        keyword = re.search(r"`columns=(\{.*?\})`", str(caught.value))
        assert keyword is not None
        assert pyramidion.load(data, columns=ast.literal_eval(keyword[1])).summaries
    code, out, err = run("check", str(path))
    flag = re.search(r"--columns \S+[^\s.,]", out)
    assert code == 1, err
    assert flag is not None, out
    assert run("check", str(path), *shlex.split(flag[0]))[0] == 0
    code, out, _ = run("check", str(path), "--format", "json")
    assert "--columns" in out
    assert "`columns=" not in out
