"""`pyramidion doctor`: whether the installation is complete, and what to do if not; `completion`: for the shell."""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
import time
from collections.abc import Iterator
from importlib import metadata

import click

from pyramidion.cli import options as o
from pyramidion.cli.output import print_finding
from pyramidion.errors import DISTRIBUTION, PyramidionError
from pyramidion.show.tables import Finding, Row, Table, table_of
from pyramidion.version import VERSION

EXTRAS: dict[str, tuple[str, ...]] = {
    "report": ("jinja2", "vl_convert"),
    "be": ("spacy",),
    "background": ("wordfreq",),
    "assess": ("fastapi", "uvicorn", "sqlalchemy", "alembic", "argon2"),
    "postgres": ("psycopg",),
    "languages": ("icu4py", "Stemmer"),
    "cluster": ("distributed",),
    "s3": ("obstore",),
    "sheets": ("python_calamine",),
}
"""The modules that each extra brings."""
SHELLS = ("bash", "zsh", "fish")


class HealthCheck(Row, record="diagnosis"):
    """One thing that was looked at."""

    what: str
    state: str
    """ok, missing (an optional part) or wrong."""
    found: str
    remedy: str


class Health(Finding, repr=True, eq=True):
    """How the installation is."""

    diagnoses: tuple[HealthCheck, ...]

    def tables(self) -> list[Table]:
        """All of it in one table."""
        wrong = [check.what for check in self.diagnoses if check.state == "wrong"]
        conclusion = f"Something is wrong: {', '.join(wrong)}." if wrong else "Everything that is needed works."
        columns = ("what", "state", "found", "remedy")
        return [table_of(self.diagnoses, columns, title="pyramidion on this computer", sentences=(conclusion,))]


@o.command()
@o.format
def doctor(format: str) -> None:
    """Check the installation: versions, the native kernels, optional parts, and a first score.

    The exit code is 1 if something is wrong; optional parts may be missing.

    Example: pyramidion doctor
    """
    health = Health(diagnoses=tuple(_diagnoses()))
    print_finding(health, format)
    if any(check.state == "wrong" for check in health.diagnoses):
        sys.exit(1)


def _diagnoses() -> Iterator[HealthCheck]:
    from pyramidion.formats.registry import broken_plug_ins as broken_formats
    from pyramidion.measures.registry import broken_plug_ins as broken_measures

    yield HealthCheck(what="version", state="ok", found=f"{VERSION}, {DISTRIBUTION} {_installed()}", remedy="")
    python = f"{platform.python_implementation()} {platform.python_version()} on {platform.platform(terse=True)}"
    yield HealthCheck(what="Python", state="ok", found=python, remedy="")
    yield HealthCheck(what="processors", state="ok", found=str(os.cpu_count() or 1), remedy="")
    yield _first_score()
    for room, failures in (("measures", broken_measures()), ("formats", broken_formats())):
        for failure in failures:
            remedy = "Fix or uninstall the package that provides it."
            yield HealthCheck(what=f"{room} of other packages", state="wrong", found=failure, remedy=remedy)
    for extra, modules in EXTRAS.items():
        lacking = [name for name in modules if not _is_there(name)]
        yield HealthCheck(
            what=f"extra {extra}",
            state="missing" if lacking else "ok",
            found=f"without {', '.join(lacking)}" if lacking else ", ".join(modules),
            remedy=f"pip install '{DISTRIBUTION}[{extra}]'" if lacking else "",
        )


def _first_score() -> HealthCheck:
    """Whether the native kernels score the demo campaign as they should."""
    import pyramidion

    start = time.perf_counter()
    try:
        table = pyramidion.score("demo", "rouge-2.recall")
    except (PyramidionError, ImportError, OSError) as error:
        return HealthCheck(what="scoring", state="wrong", found=str(error), remedy=f"Install {DISTRIBUTION} again.")
    found = f"{len(table)} summaries of the demo campaign in {time.perf_counter() - start:.2f} s"
    return HealthCheck(what="scoring", state="ok", found=found, remedy="")


def _installed() -> str:
    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return "not installed as a package"


def _is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


@o.command()
@o.argument("shell", type=o.OneOf(list(SHELLS)), about="Your shell.")
def completion(shell: str) -> None:
    """Print the script that completes commands and options in your shell.

    Example: pyramidion completion bash > ~/.local/share/bash-completion/completions/pyramidion
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    if made is None:
        raise click.UsageError(f"no completion for {shell}")
    program = click.get_current_context().find_root().command
    print(made(program, {}, "pyramidion", "_PYRAMIDION_COMPLETE").source())
