"""Addresses to come from: on Linux all of 127.0.0.0/8 is this machine, so a crowd can be as wide as a spoofed one."""

from __future__ import annotations

import random
import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

ONE_ADDRESS = "127.200.0.1"


def many_addresses(count: int, rng: random.Random) -> Sequence[str]:
    """Each in a /24 of its own, and none that honest clients come from."""
    prefixes = rng.sample(range(1 << 8, 200 << 8), count)
    return [f"127.{prefix >> 8}.{prefix & 255}.{rng.randrange(1, 255)}" for prefix in prefixes]


@contextmanager
def sockets_at(hosts: Sequence[str]) -> Iterator[list[socket.socket]]:
    """A UDP socket at each, which nobody waits for; closed with the block."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) for _ in hosts]
        for each, host in zip(sockets, hosts, strict=True):
            each.setblocking(False)
            each.bind((host, 0))
        yield sockets
