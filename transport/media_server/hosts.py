"""Which names and addresses lead to this machine alone, and which a request may call a server by."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit


def is_own_host(host: str, *, listening_on: str) -> bool:
    """Whether the field Host names this server, and not a page whose name was made to lead here.

    Beyond loopback it has names that it does not know.
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    return name in ("localhost", listening_on) or _is_address(name) or not is_loopback(listening_on)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a server that listens there."""
    return host == "localhost" or (_is_address(host) and ipaddress.ip_address(host).is_loopback)
