"""What holds for every answer, whatever its route: headers that keep pages safe, limits of size, a line in the log."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable

from fastapi import HTTPException
from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pyramidion.assess.log import log
from pyramidion.assess.web.addresses import is_ip_address
from pyramidion.errors import PicklableError

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
PUBLIC = ("static", "kinds")
"""Folders whose scripts and styles everybody may have."""
LARGEST_BODY = 4_000_000
"""Bytes of a request: many events at once."""
LARGEST_UPLOAD = 64_000_000
"""Bytes of a form with files."""


class Guard:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, *, hosts: Iterable[str] = (), secure: bool = False) -> None:
        self.app = app
        self.hosts: frozenset[str] = frozenset(hosts)
        """The names by which the server may be addressed, besides addresses in numbers; none given: any."""
        self.headers: dict[str, str] = HEADERS | ({"Strict-Transport-Security": "max-age=31536000"} if secure else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, status = time.perf_counter(), 500
        folder = scope["path"].removeprefix("/").partition("/")[0]
        static = folder in PUBLIC

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers.update(self.headers)
                if "cache-control" not in headers:
                    headers["Cache-Control"] = "no-cache" if static else "no-store"
            await send(message)

        try:
            refusal = self._refusal(scope)
            if refusal is not None:
                await refusal(scope, receive, answer)
            else:
                await self.app(scope, _limited(receive, _largest(scope)), answer)
        finally:
            route = getattr(scope.get("route"), "path", f"/{folder}" if static else "")
            took = round((time.perf_counter() - started) * 1000, 1)
            log.log(
                logging.ERROR if status >= 500 else logging.INFO,
                "request",
                extra={"facts": {"method": scope["method"], "route": route, "status": status, "milliseconds": took}},
            )

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        """The answer to a request that is addressed to another server or too large; None if it may go on."""
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        # A page elsewhere could make its own name lead to this computer (DNS rebinding), but not change this header.
        name = _host_name(headers.get(b"host", ""))
        if self.hosts and name not in self.hosts and not is_ip_address(name):
            return JSONResponse({"detail": "this server has another name: use the link that it printed"}, 421)
        length = headers.get(b"content-length", "0")
        if not length.isdigit():
            return JSONResponse({"detail": "Content-Length is no number"}, 400)
        if int(length) > _largest(scope):
            return JSONResponse({"detail": _size(_largest(scope))}, 413, {"Connection": "close"})
        return None


class BodyTooLargeError(PicklableError, HTTPException):
    """More bytes came than are taken."""

    def __init__(self, largest: int) -> None:
        super().__init__(413, _size(largest))


def _largest(scope: Scope) -> int:
    kind = next((value for name, value in scope["headers"] if name == b"content-type"), b"")
    return LARGEST_UPLOAD if kind.startswith(b"multipart/form-data") else LARGEST_BODY


def _host_name(host: str) -> str:
    """A host without its port: `localhost:8700` is localhost, `[::1]:8700` is ::1."""
    name, _, port = host.rpartition(":")
    if not port.isdigit() or not name:
        name = host
    return name.strip("[]").lower()


def _size(largest: int) -> str:
    return f"the request is larger than {largest // 1_000_000} MB: send it in parts"


def _limited(receive: Receive, largest: int) -> Receive:
    """Bodies that do not tell their length are counted as they come."""
    came = 0

    async def counted() -> Message:
        nonlocal came
        message = await receive()
        came += len(message.get("body", b""))
        if came > largest:
            raise BodyTooLargeError(largest)
        return message

    return counted
