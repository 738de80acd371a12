"""A small client for any server that is compatible with OpenAI's: sends requests, and keeps each answer at once.

An answer is appended to the file, and is on the disk, before its request counts as done. A run that was stopped or
killed goes on with what has no answer yet; a line that a kill has cut off is removed, and its request sent again.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import math
import os
import queue
import random
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import Message
from pathlib import Path
from typing import Any

from pyramidion.errors import InputError, UsageError, mention
from pyramidion.files.locks import lock_file
from pyramidion.files.opening import check_file, read_lines
from pyramidion.files.problems import Problems, shorten
from pyramidion.files.targets import require_no_campaign_file
from pyramidion.options import JudgeSendOptions, Progress
from pyramidion.show.tables import Finding, Row
from pyramidion.version import VERSION

FIRST_DELAY_SECONDS = 0.5
"""Before a request is repeated for the first time; twice as long each further time."""
LONGEST_DELAY_SECONDS = 60.0
POLL_SECONDS = 0.05
LONGEST_ASKED_DELAY_SECONDS = 300.0
"""As long as a server may ask us to wait."""
LARGEST_ANSWER_BYTES = 32 * 2**20
FOR_NOW = frozenset({408, 409, 425, 429})
"""What a server says that may take the request later; and all of 500 and above."""
NEVER = frozenset({401, 403, 404, 405})
"""What a server says that will take no request at all."""
_KEY_MARK = "[key]"
ANSWER_BEGINNING = b'{"custom_id": "'
"""How each line of answers begins that we write."""


class JudgeSent(Row, record="judge-sending"):
    """How far requests have come."""

    requests: int
    answered: int
    """With an answer in the file."""
    before: int
    """Of these, answered by an earlier run."""
    refused: int
    """Of these, those that the server refused for good, such as with the status 400."""
    unanswered: int
    repeats: int
    """How often a request was repeated."""
    seconds: float
    stopped: bool
    """Whether Ctrl-C ended the run."""
    answers: str


class SendFailure(Row, record="judge-failure"):
    """Why requests have no answer."""

    why: str
    count: int


class JudgeSending(Finding):
    """What became of requests that were sent."""

    sent: JudgeSent
    failures: tuple[SendFailure, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _Request:
    """A request as a file of batch requests has it."""

    id: str
    path: str
    body: bytes


def send_requests(
    requests: Path,
    answers: Path,
    options: JudgeSendOptions,
    *,
    progress: Progress | None = None,
    first_delay_seconds: float = FIRST_DELAY_SECONDS,
) -> JudgeSending:
    """Send requests to a server that is compatible with OpenAI's, and append each answer to a file.

    Args:
        requests: the file of batch requests that `judge plan` wrote.
        answers: the file to which answers are appended; those that it has are not asked for again.
        options: where to send them, how many at once.
        progress: called as answers arrive.
        first_delay_seconds: before a request is repeated for the first time.

    Raises:
        UsageError: if the address is none, or the server takes no requests of ours.
        InputError: if a file is not what it should be.
    """
    server = _Server.of(options)
    planned = _read_requests(requests)
    if answers.exists() and answers.samefile(requests):
        raise UsageError(f"{answers} has the requests; give another file for the answers")
    require_no_campaign_file(answers)
    if answers.exists():
        check_file(answers)
    with lock_file(answers, "another `judge send` is writing the answers"):
        done = _finished_ids(answers)
        waiting = [request for request in planned if request.id not in done]
        sending = _Sending(server, options, answers, len(waiting), progress, first_delay_seconds)
        started = time.monotonic()
        sending.run(waiting)
    if sending.fatal:
        raise UsageError(sending.fatal)
    before = len(planned) - len(waiting)
    sent = JudgeSent(
        requests=len(planned),
        answered=before + sending.answered,
        before=before,
        refused=sending.refused,
        unanswered=len(waiting) - sending.answered,
        repeats=sending.repeats,
        seconds=round(time.monotonic() - started, 3),
        stopped=sending.was_stopped,
        answers=str(answers),
    )
    failures = [SendFailure(why=why, count=count) for why, count in sending.failures.most_common()]
    return JudgeSending(sent=sent, failures=tuple(failures))


def _read_requests(path: Path) -> list[_Request]:
    """The requests of a file.

    Raises:
        InputError: if a line is none, or an id is there twice.
    """
    problems = Problems()
    requests: dict[str, _Request] = {}
    for number, line in read_lines(path, problems):
        row = _object_of(line)
        if row is not None and "params" in row:
            raise UsageError(
                f"{path} has requests in Anthropic's form, which its batch service takes; `judge plan` writes "
                f"OpenAI's form with {mention('provider', 'openai')}"
            )
        if row is None or not isinstance(row.get("custom_id"), str) or not isinstance(row.get("body"), dict):
            raise InputError(
                f"{path}:{number}: expected a request with custom_id, url and body, as `judge plan` writes it"
            )
        id = row["custom_id"]
        if id in requests:
            raise InputError(f"{path}:{number}: found the id {id!r} twice; expected each once")
        url = str(row.get("url") or "/v1/chat/completions")
        body = json.dumps(row["body"]).encode()
        requests[id] = _Request(id=id, path=url.removeprefix("/v1").lstrip("/"), body=body)
    problems.refuse()
    if not requests:
        raise InputError(f"{path}: found no request; expected those that `judge plan` writes")
    return list(requests.values())


def _object_of(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _finished_ids(path: Path) -> set[str]:
    """The ids of requests that have an answer; a last line that was cut off is removed from the file.

    Raises:
        InputError: if another line is no answer.
    """
    ids: set[str] = set()
    end = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            is_cut = not line.endswith(b"\n")
            row = None if is_cut else _object_of(line)
            if is_cut:
                if not _may_begin_an_answer(line):
                    raise InputError(f"{path}:{number}: expected an answer with a custom_id; is it the right file?")
                break
            end += len(line)
            if not line.strip():
                continue
            if row is None or not isinstance(row.get("custom_id"), str):
                raise InputError(f"{path}:{number}: expected an answer with a custom_id; correct or remove the line")
            ids.add(row["custom_id"])
    if end < path.stat().st_size:
        os.truncate(path, end)
    return ids


def _may_begin_an_answer(line: bytes) -> bool:
    """Whether a line without an end can be what a kill has left of an answer, and not somebody's file."""
    return line.startswith(ANSWER_BEGINNING) or ANSWER_BEGINNING.startswith(line)


@dataclass(frozen=True, kw_only=True)
class _Server:
    """Where requests go."""

    endpoint: str
    key: str
    opener: urllib.request.OpenerDirector

    @classmethod
    def of(cls, options: JudgeSendOptions) -> _Server:
        """The server that the options name.

        Raises:
            UsageError: if there is no address.
        """
        if options.endpoint is None:
            raise UsageError(
                "`endpoint=` is missing: the address of a server, such as "
                f"{mention('endpoint', 'http://127.0.0.1:8000/v1')}"
            )
        host = _host_of(options.endpoint)
        if not host:
            raise UsageError(
                f"{mention('endpoint', options.endpoint)}: expected an address such as http://127.0.0.1:8000/v1"
            )
        handlers: list[urllib.request.BaseHandler] = [_NoRedirects()]
        if _is_this_computer(host):
            handlers.append(urllib.request.ProxyHandler({}))
        key = os.environ.get(options.key_variable, "").strip()
        if not (key.isascii() and key.isprintable()):
            raise UsageError(
                f"the environment variable {options.key_variable} has characters that no key has; expected letters, "
                "digits and signs of ASCII on one line"
            )
        return cls(endpoint=options.endpoint.rstrip("/"), key=key, opener=urllib.request.build_opener(*handlers))

    def post(self, request: _Request, timeout_seconds: float) -> _HttpReply:
        """Send one request.

        Raises:
            OSError, http.client.HTTPException: if no whole reply came.
        """
        headers = {"Content-Type": "application/json", "User-Agent": f"pyramidion/{VERSION}"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        message = urllib.request.Request(
            f"{self.endpoint}/{request.path}", data=request.body, headers=headers, method="POST"
        )
        try:
            with self.opener.open(message, timeout=timeout_seconds) as response:
                return _HttpReply(response.status, response.headers, self._read(response))
        except urllib.error.HTTPError as error:
            with error:
                return _HttpReply(error.code, error.headers, self._read(error))

    def _read(self, response: Any) -> bytes:
        """The content of a reply; what servers repeat of the key is taken out."""
        content: bytes = response.read(LARGEST_ANSWER_BYTES + 1)
        if len(content) > LARGEST_ANSWER_BYTES:
            raise http.client.HTTPException("an answer of more than 32 MB")
        if self.key:
            content = content.replace(self.key.encode(), _KEY_MARK.encode())
        return content


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, which would take the key to another server."""

    def redirect_request(self, *_: object, **__: object) -> None:
        """Nothing: the redirect is the reply."""
        return


def _host_of(endpoint: str) -> str:
    """The host that an address names; empty if it is no address of a server.

    >>> _host_of("http://127.0.0.1:8000/v1"), _host_of("http://127.0.0.1:80000/v1"), _host_of("ftp://example.org")
    ('127.0.0.1', '', '')
    """
    if not (endpoint.isascii() and endpoint.isprintable()) or " " in endpoint:
        return ""
    try:
        address = urllib.parse.urlsplit(endpoint)
        has_port = address.port is None or address.port > 0
    except ValueError:  # half an IPv6 address, or a port that is none
        return ""
    is_web = address.scheme in ("http", "https")
    return address.hostname or "" if is_web and has_port else ""


def _is_this_computer(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class _HttpReply:
    """What a server said."""

    status: int
    headers: Message
    content: bytes

    @property
    def is_for_now(self) -> bool:
        """Whether the same request may be answered later."""
        return self.status in FOR_NOW or self.status >= 500

    @property
    def asked_delay_seconds(self) -> float:
        """How long the server asks us to wait; 0 if it does not say."""
        try:
            seconds = float(self.headers.get("Retry-After", "0"))
        except ValueError:  # a date; our own delays will do
            return 0.0
        if not math.isfinite(seconds) or seconds < 0:
            return 0.0
        return min(seconds, LONGEST_ASKED_DELAY_SECONDS)


@dataclass
class _Sending:
    """One run: threads take requests, wait for replies, and append them to the file."""

    server: _Server
    options: JudgeSendOptions
    answers: Path
    total: int
    progress: Progress | None
    first_delay_seconds: float
    answered: int = 0
    refused: int = 0
    repeats: int = 0
    was_stopped: bool = False
    fatal: str = ""
    """Why no request will be answered."""
    error: BaseException | None = None
    """What a thread met that ends the run, such as a disk that is full."""
    failures: Counter[str] = field(default_factory=Counter)
    _stop: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _has_contact: bool = False
    _is_closed: bool = False
    _working: int = 0
    """Threads that have not come to their end."""

    def run(self, requests: Sequence[_Request]) -> None:
        """Send all requests; Ctrl-C lets those that were sent come to their end, a second one does not."""
        waiting: queue.SimpleQueue[_Request] = queue.SimpleQueue()
        for request in requests:
            waiting.put(request)
        # Appended in one call each, so that a kill can cut off the last line only.
        file = os.open(self.answers, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        threads = [
            threading.Thread(target=self._work, args=(waiting, file), daemon=True)
            for _ in range(min(self.options.parallel, len(requests)))
        ]
        self._working = len(threads)
        try:
            for thread in threads:
                thread.start()
            try:
                self._wait_for_threads()
            except KeyboardInterrupt:
                self.was_stopped = True
                self._stop.set()
                self._wait_for_threads()
        finally:
            self._stop.set()
            with self._lock:
                os.close(file)
                self._is_closed = True
        if self.error is not None:
            raise self.error

    def _wait_for_threads(self) -> None:
        # Not `join`: a thread whose join was interrupted counts as ended although it works (Python 3.11 and 3.12).
        while self._working:
            time.sleep(POLL_SECONDS)

    def _work(self, waiting: queue.SimpleQueue[_Request], file: int) -> None:
        try:
            self._answer_all(waiting, file)
        except BaseException as error:  # raised again where the run was started: in a thread, nobody would see it
            self.error = self.error or error
            self._stop.set()
        finally:
            with self._lock:
                self._working -= 1

    def _answer_all(self, waiting: queue.SimpleQueue[_Request], file: int) -> None:
        while not self._stop.is_set():
            try:
                request = waiting.get_nowait()
            except queue.Empty:
                return
            line = self._ask(request)
            if line is None:
                continue
            with self._lock:
                if self._is_closed:
                    return
                # On the disk before it counts: whoever reads the file after a crash finds every answer that counted.
                _write_all(file, line)
                os.fsync(file)
                self.answered += 1
                if self.progress is not None:
                    self.progress("requests answered", 1, self.total)

    def _ask(self, request: _Request) -> bytes | None:
        """The line of the answer to a request; None if there is none."""
        why = ""
        for attempt in range(self.options.retries + 1):
            delay = 0.0
            started = time.monotonic()
            try:
                reply = self.server.post(request, self.options.timeout)
            except (OSError, http.client.HTTPException) as error:
                why = _describe_error(error)
                if attempt >= 1 and self._is_nobody_there(error):
                    return None
            else:
                self._has_contact = True
                seconds = time.monotonic() - started
                line, why = self._judge_reply(request, reply, seconds)
                if line is not None or not why:
                    return line
                delay = reply.asked_delay_seconds
            if attempt < self.options.retries and self._waits_in_vain(attempt, delay):
                return None
        with self._lock:
            self.failures[why] += 1
        return None

    def _judge_reply(self, request: _Request, reply: _HttpReply, seconds: float) -> tuple[bytes | None, str]:
        """The line of an answer, or why the request has to be repeated; neither if no request will be answered."""
        body = _object_of(reply.content)
        if reply.status == 200 and body is None:
            return None, "a broken answer"
        if reply.is_for_now:
            return None, f"status {reply.status}"
        if reply.status in NEVER or 300 <= reply.status < 400:
            message = shorten(reply.content.decode(errors="replace"), 200)
            place = f" to {reply.headers['Location']}" if "Location" in reply.headers else ""
            with self._lock:
                self.fatal = self.fatal or (
                    f"{self.server.endpoint} answers with the status {reply.status}{place}: {message}; check "
                    f"`endpoint=`, the model, and the key in the environment variable {self.options.key_variable}"
                )
            self._stop.set()
            return None, ""
        if reply.status != 200:
            with self._lock:
                self.refused += 1
        content: Any = body if body is not None else reply.content.decode(errors="replace")
        answer = {
            "custom_id": request.id,
            "response": {"status_code": reply.status, "body": content},
            "error": None,
            "seconds": round(seconds, 3),
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        return json.dumps(answer).encode() + b"\n", ""

    def _is_nobody_there(self, error: Exception) -> bool:
        """Whether no server has ever replied and none is there: then no request will be answered."""
        reason = getattr(error, "reason", error)
        if self._has_contact or not isinstance(reason, ConnectionRefusedError):
            return False
        with self._lock:
            self.fatal = (
                f"nothing answers at {self.server.endpoint}: the connection was refused; is the server running?"
            )
        self._stop.set()
        return True

    def _waits_in_vain(self, attempt: int, asked_seconds: float) -> bool:
        """Wait before a request is repeated, longer each time; whether the run was stopped meanwhile."""
        with self._lock:
            self.repeats += 1
        longest = min(self.first_delay_seconds * 2**attempt, LONGEST_DELAY_SECONDS)
        # Random, so that requests that were refused together do not come back together.
        delay = longest * random.uniform(0.5, 1.0)
        return self._stop.wait(max(delay, asked_seconds))


def _write_all(file: int, content: bytes) -> None:
    """Write all bytes, however few the system takes at a time."""
    while content:
        content = content[os.write(file, content) :]


def _describe_error(error: Exception) -> str:
    """Why no reply came, without what differs between requests."""
    reason = getattr(error, "reason", error)
    if isinstance(reason, TimeoutError):
        return "no answer in time"
    if isinstance(reason, ConnectionRefusedError):
        return "the connection was refused"
    if isinstance(reason, ConnectionError | http.client.HTTPException):
        return "the connection broke off"
    return shorten(str(reason), 80)
