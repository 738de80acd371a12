"""The documentation is true: its commands run, its Python runs, and nothing public is left out."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import pyramidion
from pyramidion.cli import app
from pyramidion.formats import all_formats
from pyramidion.measures import families

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(?P<language>\w+)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<body>.*?)^```", re.M | re.S)
PROGRAM = [sys.executable, "-c", "from pyramidion.cli import main; main()"]


def runnable(page: Path) -> bool:
    text = page.read_text(encoding="utf-8")
    return "```console" in text or "```python" in text


@pytest.mark.parametrize("page", [page for page in PAGES if runnable(page)], ids=lambda page: page.stem)
def test_what_a_page_shows_runs_in_the_order_of_the_page(page: Path, tmp_path: Path) -> None:
    for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
        if block["title"]:
            target = tmp_path / block["title"]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block["body"], encoding="utf-8")
        elif block["language"] == "console":
            for line in block["body"].splitlines():
                if line.startswith("$ pyramidion "):
                    arguments = shlex.split(line.removeprefix("$ pyramidion "))
                    done = subprocess.run(
                        [*PROGRAM, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
                    )
                    assert done.returncode == 0, f"{line}\n{done.stderr}"
        elif block["language"] == "python":
            done = subprocess.run(
                [sys.executable, "-c", block["body"]], cwd=tmp_path, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{block['body']}\n{done.stderr}"


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


def test_every_measure_and_every_option_is_documented() -> None:
    text = page("measures.md")
    for family in families():
        assert [name for name in family.examples() if f"`{name}`" not in text and not name[-1].isdigit()] in (
            [],
            ["question"],
            ["imported"],
        )
        assert [field.name for field in family.option_fields() if f"| `{field.name}` |" not in text] == []


def test_every_format_is_documented() -> None:
    text = page("formats.md")
    assert [format.name for format in all_formats() if format.name not in text] == []


def test_every_public_verb_is_documented() -> None:
    text = page("python.md")
    assert [name for name in pyramidion.__all__ if f"pyramidion.{name}" not in text] == []
    assert [
        name for name in pyramidion.__all__ if not name.startswith("_") and not getattr(pyramidion, name).__doc__
    ] == []


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
