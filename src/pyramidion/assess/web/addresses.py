"""Addresses: where people open the pages, by which names the server may be addressed, and the certificate of TLS."""

from __future__ import annotations

import ipaddress
import socket
import ssl
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from pyramidion.errors import InputError, UsageError, mention
from pyramidion.files.opening import is_encodable

LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})
EVERYWHERE = ("", "0.0.0.0", "::")
"""Hosts that stand for all addresses of this computer."""
PLAIN_HTTP = (
    "the pages are served by plain HTTP on {host}: whoever shares the network can read passwords and answers. Use "
    "`tls_cert=` and `tls_key=`; or listen on 127.0.0.1 behind a proxy with TLS (`behind_proxy=`), for instance: caddy "
    "reverse-proxy --from assess.example.org --to 127.0.0.1:{port}"
)


@dataclass(frozen=True, kw_only=True)
class Addresses:
    """Where a server can be reached."""

    own: str
    """The address that works on this computer: that of the organiser's link."""
    public: str
    """The address for other people: that of invitations."""
    names: frozenset[str]
    """Host names by which requests may address the server; others are refused, because of DNS rebinding."""

    @property
    def is_secure(self) -> bool:
        """Whether people reach it by TLS."""
        return self.public.startswith("https:")


def find_addresses(host: str, port: int, *, behind_proxy: str | None = None, has_tls: bool = False) -> Addresses:
    """Where a server that listens on a host and port can be reached.

    Raises:
        UsageError: if the public address is none.
    """
    if behind_proxy is not None:
        public = check_public(behind_proxy)
        return Addresses(own=public, public=public, names=LOCAL | {_host_of(public)})
    scheme = "https" if has_tls else "http"
    computer = socket.gethostname().lower()
    if host in EVERYWHERE:
        own, public = f"{scheme}://127.0.0.1:{port}", f"{scheme}://{computer}:{port}"
    else:
        shown = f"[{host}]" if ":" in host else host
        own = public = f"{scheme}://{shown}:{port}"
    names = LOCAL | {_host_of(public)}
    if host not in LOCAL:
        names |= {computer, f"{computer}.local", socket.getfqdn().lower()}
    return Addresses(own=own, public=public, names=names)


def check_public(address: str) -> str:
    """A public address without a slash at its end.

    Raises:
        UsageError: if it is none.
    """
    parts = urlsplit(address)
    if (
        not is_encodable(address)
        or parts.scheme not in ("http", "https")
        or not parts.hostname
        or parts.path.strip("/")
        or parts.query
    ):
        raise UsageError(
            f"{mention('behind_proxy', address)}: expected the address that people open, such as https://assess.example.org"
        )
    return address.rstrip("/")


def check_certificate(certificate: Path | None, key: Path | None) -> bool:
    """Whether TLS is asked for, with a certificate and a key that go together.

    Raises:
        UsageError: if one of both is missing.
        InputError: if they can't be read or do not go together.
    """
    if certificate is None and key is None:
        return False
    if certificate is None or key is None:
        raise UsageError("`tls_cert=` and `tls_key=` go together: give a certificate and its private key, as PEM files")
    for path in (certificate, key):
        if not path.is_file():
            raise InputError(f"{path}: found no file; expected a PEM file")
    try:
        # Without the password, OpenSSL would ask for one in the terminal.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=lambda: "")
    except (ssl.SSLError, OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or str(error) or "unknown"
        raise InputError(
            f"{certificate}, {key}: can't be used for TLS ({reason}); expected a certificate and its private key, as "
            "PEM files, the key without a password"
        ) from None
    return True


def is_ip_address(name: str) -> bool:
    """Whether a host name is an address in numbers: no page elsewhere can make such a name lead here."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _host_of(address: str) -> str:
    return (urlsplit(address).hostname or "").lower()
