"""Where sessions can be opened, as pages and whoever started the parent are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from transport.media_server.workers.worker import Worker


@dataclass(frozen=True, slots=True)
class OpenPort:
    """One port, and who is there."""

    port: int
    certificate_sha256: tuple[str, ...]
    """Base64 of each in force."""
    certificate_not_after: str
    sessions: int
    lateness_s: float

    @classmethod
    def of(cls, worker: Worker) -> Self:
        """A worker's own."""
        load = worker.load
        return cls(worker.port, worker.certificate_sha256, worker.certificate_not_after, load.sessions, load.lateness_s)


def as_one(ports: Sequence[OpenPort]) -> list[OpenPort]:
    """Of workers behind one port: a client comes to any of them, so it has to know all certificates."""
    if not ports:
        return []
    return [
        OpenPort(
            port=ports[0].port,
            certificate_sha256=tuple(dict.fromkeys(each for port in ports for each in port.certificate_sha256)),
            certificate_not_after=min(port.certificate_not_after for port in ports),
            sessions=sum(port.sessions for port in ports),
            lateness_s=max(port.lateness_s for port in ports),
        )
    ]
