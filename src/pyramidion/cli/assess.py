"""`pyramidion assess`: the web pages for people."""

from __future__ import annotations

import importlib.util
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pyramidion.cli import options as o
from pyramidion.cli.output import note, safe, writing
from pyramidion.errors import MissingExtraError, UsageError
from pyramidion.files.targets import check_output
from pyramidion.show.wording import counted

if TYPE_CHECKING:
    from pyramidion.assess.web.mail import Passes

PATH = click.Path(path_type=Path)
NEEDED = {"assess": ("alembic", "argon2", "fastapi", "jinja2", "multipart", "sqlalchemy", "tomlkit", "uvicorn")}
"""What the pages need besides pyramidion."""


@o.command()
@o.argument("campaign", about="A campaign folder; `demo` makes a copy of the demo campaign in ./demo-assessment.")
@click.option("--host", default="127.0.0.1", help="The address to listen on; 0.0.0.0: all of them.")
@click.option("--port", default=8700, type=click.IntRange(0, 65_535), help="The port to listen on; 0: any free one.")
@click.option(
    "--database",
    metavar="URL",
    help="A PostgreSQL database, postgresql://…, for teams. Default: a SQLite file inside the campaign folder.",
)
@click.option(
    "--behind-proxy",
    metavar="URL",
    help="The public address, such as https://assess.example.org, if the server is behind a TLS proxy.",
)
@click.option(
    "--trusted-proxy", metavar="IP", default="127.0.0.1", help="The proxy whose X-Forwarded headers are trusted."
)
@click.option(
    "--tls-cert",
    type=PATH,
    metavar="FILE.pem",
    help="A certificate, to serve the pages by TLS (https) without a proxy; goes with --tls-key.",
)
@click.option("--tls-key", type=PATH, metavar="FILE.pem", help="The private key of --tls-cert, without a password.")
@click.option(
    "--export",
    type=PATH,
    metavar="FILE.html",
    help="Write the work of --assessor as one page for offline use, and exit.",
)
@o.replace_without_data
@click.option("--assessor", metavar="NAME", help="Whose work to --export.")
@click.option(
    "--passes",
    type=click.Choice(["open", "all"]),
    help="Whether --export leaves out passes that open later (open, the default) or includes them (all).",
)
@click.option(
    "--merge",
    type=PATH,
    multiple=True,
    metavar="FILE",
    help="Store the answers from such a page, and exit; repeatable.",
)
@click.option(
    "--link",
    is_flag=True,
    help="Print a new one-time link for an organiser without a password, and exit; the pages keep running.",
)
@click.option("--log", type=PATH, help="Write one JSON line per request to this file; - for stderr.")
def assess(
    campaign: str,
    host: str,
    port: int,
    database: str | None,
    behind_proxy: str | None,
    trusted_proxy: str,
    tls_cert: Path | None,
    tls_key: Path | None,
    export: Path | None,
    replace: bool,
    assessor: str | None,
    passes: Passes | None,
    merge: Sequence[Path],
    link: bool,
    log: Path | None,
) -> None:
    """Start the web pages on which people write, annotate and judge.

    The link that it prints signs the organiser in. Assessors join by an invitation link. Or send them their work as a
    page that works offline (--export), and store the file of answers that they send back (--merge). An organiser who
    signed out without a password gets a new link from another terminal (--link).

    Example: pyramidion assess demo
    """
    _check_extra(database)
    from pyramidion.assess.web.server import demo_folder, serve

    folder = demo_folder() if campaign == "demo" else Path(campaign)
    if link and (export is not None or merge):
        raise UsageError("--link goes with neither --export nor --merge: give one of them at a time")
    if (export is None) != (assessor is None):
        raise UsageError("--export FILE.html and --assessor NAME go together")
    if passes is not None and export is None:
        raise UsageError("--passes goes with --export")
    if export is not None and assessor is not None:
        check_output(export, folder, replace=replace)
        _export(folder, database, export, assessor, passes or "open")
        return
    if merge:
        _merge(folder, database, merge)
        return

    if link:
        _print_link(folder, database)
        return

    def announce(address: str) -> None:
        print(f"Assessment of {folder}. Open this link to sign in as the organiser (it works once):")
        print(f"  {address}", flush=True)
        elsewhere = " --database …" if database else ""
        print("For a new link, for instance after you signed out, run this in another terminal:")
        print(f"  pyramidion assess {safe(shlex.quote(str(folder)))}{elsewhere} --link")
        print("Stop with Ctrl-C: nothing is lost.", flush=True)

    serve(
        folder,
        host=host,
        port=port,
        database=database,
        behind_proxy=behind_proxy,
        trusted_proxy=trusted_proxy,
        tls_cert=tls_cert,
        tls_key=tls_key,
        log=log,
        announce=announce,
        notify=note,
    )
    note("stopped; all work is stored")


def _export(folder: Path, database: str | None, target: Path, assessor: str, passes: Passes) -> None:
    from pyramidion.assess import export_work

    with writing(target):
        work = export_work(folder, target, assessor, database=database, passes=passes)
    note(f"{target}: {counted(work.task_count, 'task')} of {assessor}. The answers come back as a file; see --merge.")
    if not work.locked:
        return
    headings = ", ".join(f"{heading} ({count})" for heading, count in work.locked.items())
    if passes == "open":
        left_out = f"{work.locked_count} of {counted(work.task_count + work.locked_count, 'task')}"
        reason = f"which open when earlier passes are handed in: {headings}"
        note(f"left out: {left_out}, {reason}; --passes all includes them")
    else:
        tasks = counted(work.locked_count, "task")
        note(f"the page asks to do {tasks} later ({headings}); nothing keeps {assessor} from seeing earlier answers")


def _print_link(folder: Path, database: str | None) -> None:
    from pyramidion.assess import organiser_link

    print(organiser_link(folder, database=database))


def _merge(folder: Path, database: str | None, files: Sequence[Path]) -> None:
    from pyramidion.assess import merge_answers

    merged = merge_answers(folder, files, database=database)
    print("\n".join(map(safe, merged.sentences())))
    if merged.problems:
        sys.exit(1)


def _check_extra(database: str | None) -> None:
    """Say which optional part is missing before anything starts."""
    if any(map(_absent, NEEDED["assess"])):
        raise MissingExtraError("The assessment pages", "assess")
    if database is not None and database.startswith("postgres") and _absent("psycopg"):
        raise MissingExtraError("PostgreSQL", "postgres")


def _absent(module: str) -> bool:
    return importlib.util.find_spec(module) is None
