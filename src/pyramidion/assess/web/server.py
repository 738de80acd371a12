"""Starting the server: the database in the campaign's folder or elsewhere, a one-time link for the organiser."""

from __future__ import annotations

import contextlib
import errno
import signal
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import uvicorn
from sqlalchemy.exc import DBAPIError

from pyramidion.assess.assessment import DATABASE, Assessment
from pyramidion.assess.file_writer import lock_of, write_files
from pyramidion.assess.kinds.write.task_type import is_system
from pyramidion.assess.log import start_log
from pyramidion.assess.person_names import name_problems
from pyramidion.assess.store.database import CHECK
from pyramidion.assess.web.addresses import LOCAL, PLAIN_HTTP, check_certificate, check_public, find_addresses
from pyramidion.assess.web.app import create_app
from pyramidion.assess.web.mail import ExportedWork, Merged, Passes, export_task_page, merge_event_files
from pyramidion.campaign import Problems, QuestionSet
from pyramidion.campaign.settings import FILE as SETTINGS_FILE
from pyramidion.campaign.settings import read_settings, write_settings
from pyramidion.demo import CAMPAIGN_FOLDER
from pyramidion.errors import InputError, UsageError, mention
from pyramidion.files.writing import copy_folder, written_together

ORGANISER = "organiser"
PORT = 8700
GRACE = 10
"""Seconds that requests under way may still take when the server stops."""
ADDRESS = "address"
"""The setting that holds where people open the pages."""
DEMO_FOLDER = Path("demo-assessment")


def start_link(assessment: Assessment, address: str) -> str:
    """A link that signs the organiser in, once."""
    name = f"{ORGANISER}-person" if is_system(assessment.campaign, ORGANISER) else ORGANISER
    person = assessment.people.find(name=name) or assessment.people.add(name, "organiser")
    return f"{address}/start/{assessment.people.invite(person.id)}"


def organiser_link(folder: str | Path, *, database: str | None = None) -> str:
    """A new link that signs the organiser in, once, to pages that were started before; older links end.

    Args:
        folder: the campaign's folder.
        database: where the pages store their work, if not in the folder.

    Raises:
        UsageError: if the pages were never started, so that nobody knows their address.
    """
    with opened(folder, database) as assessment:
        address = assessment.settings.get(ADDRESS)
        if not address:
            raise UsageError(f"the pages of {folder} have not been started yet: start them with `pyramidion assess`")
        assessment.people.record("link for the organiser", "by the command line")
        return start_link(assessment, address)


def serve(
    folder: str | Path,
    *,
    host: str = "127.0.0.1",
    port: int = PORT,
    database: str | None = None,
    behind_proxy: str | None = None,
    trusted_proxy: str = "127.0.0.1",
    tls_cert: Path | None = None,
    tls_key: Path | None = None,
    log: Path | None = None,
    announce: Callable[[str], None] | None = None,
    notify: Callable[[str], None] | None = None,
) -> None:
    """Serve the assessment pages of a campaign until SIGINT or SIGTERM; everything acknowledged is stored.

    Args:
        folder: the campaign's folder.
        host: the address to listen on.
        port: the port to listen on; 0 takes any that is free.
        database: `postgresql://…` for teams; by default a SQLite file inside the folder.
        behind_proxy: the public address, such as https://assess.example.org, if a proxy stands in front.
        trusted_proxy: the proxy's address: whose X-Forwarded headers count.
        tls_cert: a certificate (PEM), to serve the pages by TLS without a proxy.
        tls_key: its private key (PEM, without a password).
        log: where to write one JSON line for each request; `-` is stderr.
        announce: called with the organiser's one-time link when the server listens.
        notify: called with each thing that the organiser should see to, such as people called like a system.

    Raises:
        InputError: if the folder is no campaign, the address can't be listened on, or the certificate can't be used.
    """
    has_tls = check_certificate(tls_cert, tls_key)
    if has_tls and behind_proxy is not None:
        raise UsageError("`behind_proxy=` means that the proxy speaks TLS: leave out `tls_cert=` and `tls_key=`")
    if behind_proxy is not None:
        check_public(behind_proxy)  # before anything is opened
    with opened(folder, database) as assessment, contextlib.closing(_listen(host, port)) as listening:
        port = listening.getsockname()[1]
        addresses = find_addresses(host, port, behind_proxy=behind_proxy, has_tls=has_tls)
        app = create_app(assessment, hosts=addresses.names, address=addresses.public)
        start_log(log)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=behind_proxy is not None,
            forwarded_allow_ips=trusted_proxy,
            timeout_graceful_shutdown=GRACE,
            ssl_certfile=tls_cert,
            ssl_keyfile=tls_key,
        )
        # For links that are made later on the command line, while the server runs.
        assessment.settings.set(ADDRESS, addresses.own)
        if notify is not None:
            if host not in LOCAL and behind_proxy is None and not has_tls:
                notify(PLAIN_HTTP.format(host=host or "all addresses", port=port))
            for reason in name_problems(assessment).values():
                notify(f"{reason} See the page People.")
        if announce is not None:
            announce(start_link(assessment, addresses.own))
        with _stopped_by_signals():
            uvicorn.Server(config).run(sockets=[listening])


def export_work(
    folder: str | Path, target: Path, assessor: str, *, database: str | None = None, passes: Passes = "open"
) -> ExportedWork:
    """Write the work of an assessor as one page that works from a file, offline.

    Args:
        folder: the campaign's folder.
        target: the file to write.
        assessor: the name of the person.
        database: where the pages store their work, if not in the folder.
        passes: `open` leaves out work that opens later, because earlier passes are not handed in; `all` includes it.

    Returns:
        How many pieces of work the page holds, and what it leaves out.

    Raises:
        UsageError: if there is no such person, or nothing for them to do.
    """
    with opened(folder, database) as assessment:
        return export_task_page(assessment, assessor, target, passes=passes)


def merge_answers(folder: str | Path, files: Iterable[Path], *, database: str | None = None) -> Merged:
    """Store the answers of pages by mail, in any order and any number of times; the campaign's files follow.

    Raises:
        InputError: if a file is none that such a page made; then nothing was stored.
    """
    with opened(folder, database) as assessment:
        merged = merge_event_files(assessment, files)
        lock = lock_of(assessment.engine, assessment.folder)
        # Two writers of the campaign's files would undo each other's work.
        if lock.hold():  # else a server is at work, and writes them
            write_files(assessment)
            lock.release()
        return merged


@contextlib.contextmanager
def opened(folder: str | Path, database: str | None) -> Iterator[Assessment]:
    """The assessment of a campaign; what its database refuses is an error in plain words.

    Raises:
        InputError: if the folder is no campaign, or the database can't be used.
    """
    try:
        with contextlib.closing(Assessment(Path(folder), database=database)) as assessment:
            yield assessment
    except DBAPIError as error:
        where = Path(folder) / DATABASE if database is None else "`database=`"
        remedy = CHECK if database is None else "check the address, and whether the server runs"
        raise InputError(f"{where}: can't be used ({str(error.orig).partition(chr(10))[0]}); {remedy}") from None


def demo_folder(folder: Path = DEMO_FOLDER) -> Path:
    """A copy of the demo campaign to try things on, with DUC 2006's questions as people are asked them.

    A copy that is there already goes on.
    """
    if not folder.exists():
        settings = read_settings(CAMPAIGN_FOLDER / SETTINGS_FILE, Problems())
        with written_together(folder):
            copy_folder(CAMPAIGN_FOLDER, folder)
            write_settings(folder / SETTINGS_FILE, replace(settings, questions=QuestionSet.named("duc2006")))
    return folder


_REFUSED = {
    errno.EADDRINUSE: ("another program uses this port", "choose another with `port=` (0: any that is free)"),
    errno.EACCES: ("you have no permission to use this port", "choose one above 1023 with `port=`"),
    errno.EADDRNOTAVAIL: ("this computer has no such address", "see `host=`"),
}


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Said to be TCP, or asyncio would let small answers wait 40 ms for an acknowledgement (Nagle).
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(2048)
    except (TypeError, UnicodeError):
        listening.close()
        raise UsageError(f"{mention('host', host)}: expected an address, such as 127.0.0.1, or a name") from None
    except OSError as error:
        listening.close()
        why, remedy = _REFUSED.get(error.errno or 0, (error.strerror or str(error), "see `host=` and `port=`"))
        raise InputError(f"{host}:{port}: can't listen there ({why}); {remedy}") from None
    return listening


@contextlib.contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """Uvicorn stops on SIGINT and SIGTERM and then raises them again: by then there is nothing left to do."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
