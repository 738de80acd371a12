"""The command that starts the server: its link, its log, its end."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn
from fastapi.testclient import TestClient

from assess.serving import PATIENCE_SECONDS
from pyramidion.assess.assessment import Assessment
from pyramidion.assess.web.addresses import find_addresses
from pyramidion.assess.web.app import create_app
from pyramidion.errors import InputError, UsageError
from pyramidion.options.flags import spell_flags

MAIN = [sys.executable, "-c", "from pyramidion.cli import main; main()", "assess"]


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str, Path]]:
    """`assess demo` in an empty folder: the process, the organiser's link, and where it runs."""
    command = [*MAIN, "demo", "--port", "0", "--log", "log.jsonl"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = process.stdout.readline() + process.stdout.readline()
        (link,) = re.findall(r"http://127\.0\.0\.1:\d+/start/\S+", said)
        yield process, link, tmp_path
        process.kill()


@pytest.mark.slow
def test_assess_demo_prints_a_link_that_works_once_and_stops_gracefully(
    demo: tuple[subprocess.Popen[str], str, Path],
) -> None:
    process, link, folder = demo
    with httpx.Client(timeout=PATIENCE_SECONDS) as browser:
        assert browser.get(link).headers["location"] == "/"
        home = browser.get(link.partition("/start")[0] + "/")
        assert home.status_code == 200
        assert "script-src 'self'" in home.headers["content-security-policy"]
    with httpx.Client(timeout=PATIENCE_SECONDS) as stranger:
        assert stranger.get(link).status_code == 404
        health = link.partition("/start")[0] + "/health"
        assert stranger.get(health).json() == {"status": "ok"}
        assert stranger.get(health, headers={"host": "evil.example"}).status_code == 421
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE_SECONDS) == 0
    assert process.stderr is not None
    assert process.stderr.read() == "stopped; all work is stored\n"
    entries = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    assert [entry["route"] for entry in entries[:2]] == ["/start/{token}", "/"]
    text = (folder / "log.jsonl").read_text()
    assert "organiser" not in text
    assert link.rpartition("/")[2] not in text
    assert (folder / "demo-assessment" / "assessment.sqlite").stat().st_mode & 0o077 == 0


@pytest.mark.slow
def test_a_port_that_is_taken_is_a_clear_error(tmp_path: Path) -> None:
    from pyramidion.assess.web.server import demo_folder, serve

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(InputError, match="choose another with `port=`"):
            serve(demo_folder(tmp_path / "demo"), port=taken.getsockname()[1])


def test_wrong_addresses_are_usage_errors(folder: Path) -> None:
    from pyramidion.assess.web.server import serve

    with pytest.raises(UsageError, match="`behind_proxy="):
        serve(folder, behind_proxy="assess.example.org")
    with pytest.raises(UsageError, match='`database="mysql'):
        serve(folder, database="mysql://u:secret@h/d")


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 and its key, made by OpenSSL."""
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    names = ["-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*make, *names, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key


@pytest.mark.slow
def test_pages_by_tls_and_their_links_and_cookies(folder: Path, certificate: tuple[Path, Path]) -> None:
    options = ["--port", "0", "--tls-cert", str(certificate[0]), "--tls-key", str(certificate[1])]
    command = [*MAIN, str(folder), "--host", "0.0.0.0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = process.stdout.readline() + process.stdout.readline()
        (link,) = re.findall(r"https://127\.0\.0\.1:\d+/start/\S+", said)
        trusted = ssl.create_default_context(cafile=str(certificate[0]))
        with httpx.Client(timeout=PATIENCE_SECONDS, verify=trusted) as browser:
            entered = browser.get(link)
            assert "Secure" in entered.headers["set-cookie"]
            address = link.partition("/start")[0]
            page = browser.get(f"{address}/people").text
            (token,) = re.findall('name="csrf" content="([^"]+)"', page)
            invited = browser.post(f"{address}/people", data={"name": "Ann", "role": "assessor", "csrf": token}).text
            assert f'value="https://{socket.gethostname().lower()}:' in invited
            evil = browser.get(f"{address}/health", headers={"host": "evil.example"})
            assert evil.status_code == 421
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_SECONDS) == 0


@pytest.mark.parametrize(
    ("host", "own", "public"),
    [
        ("127.0.0.1", "http://127.0.0.1:8700", "http://127.0.0.1:8700"),
        ("0.0.0.0", "http://127.0.0.1:8700", f"http://{socket.gethostname().lower()}:8700"),
        ("::", "http://127.0.0.1:8700", f"http://{socket.gethostname().lower()}:8700"),
        ("192.0.2.7", "http://192.0.2.7:8700", "http://192.0.2.7:8700"),
        ("::1", "http://[::1]:8700", "http://[::1]:8700"),
    ],
)
def test_links_have_an_address_that_their_readers_can_open(host: str, own: str, public: str) -> None:
    addresses = find_addresses(host, 8700)
    assert (addresses.own, addresses.public) == (own, public)
    assert "evil.example" not in addresses.names


def test_a_server_on_all_addresses_refuses_names_that_are_not_its_own(assessment: Assessment) -> None:
    browser = TestClient(create_app(assessment, hosts=find_addresses("0.0.0.0", 8700).names))
    statuses = {}
    for host in ("evil.example", "192.0.2.7:8700", "[2001:db8::1]:8700", socket.gethostname(), "localhost", ""):
        statuses[host] = browser.get("/health", headers={"host": host}).status_code
    assert {host for host, status in statuses.items() if status == 421} == {"evil.example", ""}


def test_plain_http_on_a_network_is_said_to_show_passwords(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pyramidion.assess.web import server

    monkeypatch.setattr(uvicorn.Server, "run", lambda *_, **__: None)
    notes: list[str] = []
    for host in ("127.0.0.1", "0.0.0.0"):
        server.serve(folder, host=host, port=0, notify=notes.append)
    (note,) = notes
    assert "whoever shares the network can read passwords" in note
    assert "--tls-cert and --tls-key" in spell_flags(note)


def test_certificates_that_can_not_be_used_are_explained(folder: Path, tmp_path: Path) -> None:
    from pyramidion.assess.web.server import serve

    broken = tmp_path / "broken.pem"
    broken.write_text("no certificate")
    with pytest.raises(UsageError, match="go together"):
        serve(folder, tls_cert=broken)
    with pytest.raises(InputError, match="found no file"):
        serve(folder, tls_cert=broken, tls_key=tmp_path / "none.pem")
    with pytest.raises(InputError, match="can't be used for TLS"):
        serve(folder, tls_cert=broken, tls_key=broken)


@pytest.mark.slow
def test_the_extra_that_is_missing_is_named(tmp_path: Path) -> None:
    hidden = tmp_path / "hide.py"
    hidden.write_text(
        "import importlib.util as u\nfind = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'fastapi' else find(name, *a)\n"
        "from pyramidion.cli import main\nimport sys\nsys.argv = ['pyramidion', 'assess', 'demo']\nmain()\n"
    )
    done = subprocess.run([sys.executable, hidden], capture_output=True, text=True, cwd=tmp_path, env=os.environ)
    assert done.returncode == 2
    assert "pip install 'pyramidion-eval[assess]'" in done.stderr
    assert list(tmp_path.iterdir()) == [hidden]


@pytest.mark.parametrize("name", ["May?", "100%25", "#1", os.fsdecode(b"caf\xe9")])
def test_the_database_is_in_the_folder_whatever_the_folder_is_called(folder: Path, name: str) -> None:
    from pyramidion.assess import export_work

    place = folder.rename(folder.with_name(name))
    before = set(place.parent.iterdir())
    with pytest.raises(UsageError, match="there is no such person"):
        export_work(place, place.parent / "page.html", "Anna")
    assert (place / "assessment.sqlite").is_file()
    assert set(place.parent.iterdir()) == before


@pytest.mark.parametrize(
    ("address", "error", "said"),
    [
        ("postgresql://127.0.0.1:1/none", InputError, "check the address, and whether the server runs"),
        ("postgresql://host:port/name", UsageError, "expected postgresql://user:password@host/name"),
        ("postgresql://caf\udce9/name", UsageError, "expected postgresql://user:password@host/name"),
        ("sqlite://", UsageError, "names no file"),
        ("sqlite:////nowhere/a.sqlite", InputError, "/nowhere/a.sqlite: can't be written"),
    ],
)
def test_a_database_that_can_not_be_used_is_an_error_in_words(
    folder: Path, address: str, error: type[Exception], said: str
) -> None:
    from pyramidion.assess import export_work

    with pytest.raises(error, match=re.escape(said)):
        export_work(folder, folder.parent / "page.html", "Anna", database=address)


def test_a_file_in_place_of_the_database_is_an_error_in_words(folder: Path) -> None:
    from pyramidion.assess import export_work

    (folder / "assessment.sqlite").write_text("not a database, but long enough to be read as one" * 100)
    with pytest.raises(InputError, match=r"assessment\.sqlite: can't be used \(file is not a database\)"):
        export_work(folder, folder.parent / "page.html", "Anna")


def test_words_of_the_command_line_that_are_not_utf_8_are_usage_errors(folder: Path) -> None:
    from pyramidion.assess import export_work
    from pyramidion.assess.web.server import serve

    with pytest.raises(UsageError, match="`host="):
        serve(folder, host="caf\udce9", port=0)
    with pytest.raises(UsageError, match="`behind_proxy="):
        serve(folder, behind_proxy="http://caf\udce9", port=0)
    with pytest.raises(UsageError, match='`assessor="café"`: there is no such person'):
        export_work(folder, folder.parent / "page.html", "caf\udce9")


def test_what_the_name_of_the_lock_leads_to_stays(folder: Path) -> None:
    from pyramidion.assess.file_writer import LOCK_FILE, FileLock

    guide = folder / "guide.txt"
    guide.write_text("how to judge")
    (folder / LOCK_FILE).symlink_to(guide)
    lock = FileLock(folder / LOCK_FILE)
    assert lock.hold()
    lock.release()
    assert guide.read_text() == "how to judge"
