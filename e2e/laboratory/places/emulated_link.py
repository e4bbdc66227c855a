"""A link in real time, as emulated runs need it: opened before its server, with a log at its end."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

from cc.links.traces.formats.mahimahi import format_trace
from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.matrix.trace_window import cut_window_ms
from e2e.laboratory.plan import RunPlan

LEAD_S = 4.0
"""The link's time before the run's begins: enough for the server and the first receivers to start."""
TAIL_S = 5.0
"""The link goes on so long after the run."""


class EmulatedLink(ABC):
    """One that is open."""

    started_at_s: float
    """When its time began, since the Unix epoch."""
    listen_host: str
    """Where the media server listens."""
    host: str
    """Where receivers reach it."""

    def inside(self, command: Sequence[str]) -> list[str]:
        """The command that runs where the receivers are."""
        return list(command)

    @abstractmethod
    async def connect(self, server_port: int) -> int:
        """The port at which receivers reach this server."""

    @abstractmethod
    async def close(self) -> str:
        """Ends it; the downlink's log in mahimahi's format."""


class OpenLink(Protocol):
    """Opens a link for a run, with traces from this folder."""

    def __call__(self, plan: RunPlan, folder: Path) -> AbstractAsyncContextManager[EmulatedLink]:
        """The folder has what `write_traces` wrote."""


def write_traces(plan: RunPlan, link: LoadedLink, folder: Path) -> None:
    """The run's own stretch, behind a lead in which all is set up."""
    from_ms = plan.link.start_ms - round(1000 * LEAD_S)
    length_ms = math.ceil(1000 * plan.duration_s) + round(1000 * (LEAD_S + TAIL_S))
    write_windows(folder, link.downlink_ms, link.uplink_ms, from_ms=from_ms, length_ms=length_ms)


def write_windows(
    folder: Path, downlink_ms: Sequence[int], uplink_ms: Sequence[int], *, from_ms: int, length_ms: int
) -> None:
    """link.down and link.up: a stretch of both traces."""
    for name, opportunities_ms in (("link.down", downlink_ms), ("link.up", uplink_ms)):
        window_ms = cut_window_ms(opportunities_ms, from_ms=from_ms, length_ms=length_ms)
        (folder / name).write_text(format_trace(window_ms), encoding="ascii")
