"""bundle.json: how the rows beside it were made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from e2e.laboratory.request import MatrixRequest

BUSY_SERVER_SHARE = 0.7
"""A server that needs more of a core than this may be what the run measures."""
LATE_HOST_MS = 20.0
"""A host that wakes later than this sends in bursts, and adds to the delay of its emulated link."""


@dataclass(frozen=True, slots=True)
class Versions:
    """Of what made the runs."""

    commit: str
    has_local_changes: bool
    python: str
    packages: dict[str, str]
    """aioquic, onnxruntime and numpy, by name; those that are installed. And what compiled cc, if anything did."""
    mahimahi: str | None
    system: str


@dataclass(frozen=True, slots=True)
class UsedTrace:
    """A link's traces, as mahimahi would get them."""

    name: str
    downlink_sha256: str
    uplink_sha256: str
    period_ms: int


@dataclass(frozen=True, slots=True)
class Machine:
    """Where the runs were made."""

    cpu: str
    cores: int
    memory_bytes: int | None
    """None where the system does not tell (Windows)."""


@dataclass(frozen=True, slots=True)
class FailedRun:
    """A failed run, by the name of its file."""

    run: str
    scheme: str | None
    message: str
    state: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ServerLoad:
    """CPU seconds of the media server a second, over the emulated runs."""

    median_share: float
    largest_share: float
    busy_runs: tuple[str, ...]
    """Those above BUSY_SERVER_SHARE."""


@dataclass(frozen=True, slots=True)
class HostLateness:
    """By how much servers and receivers woke late, the 99th percentile of each emulated run."""

    largest_ms: float
    late_runs: tuple[str, ...]
    """Those above LATE_HOST_MS."""


@dataclass(frozen=True, slots=True)
class Made:
    """What is said of all that was made, whatever it is."""

    command: str
    written_at: str
    """ISO 8601, UTC."""
    versions: Versions
    policies: Mapping[str, str]
    """SHA-256 of the policies of the learned schemes that ran, by policy."""
    links: tuple[UsedTrace, ...]
    """As they were run."""
    machine: Machine
    finished: int
    tables: Mapping[str, Mapping[str, str]]
    """The files with rows: their columns, and each column's type."""

    @property
    def about(self) -> dict[str, str]:
        """How rows were made, for each file with some."""
        changed = "true" if self.versions.has_local_changes else "false"
        return {
            "command": self.command,
            "commit": self.versions.commit,
            "has_local_changes": changed,
            "written_at": self.written_at,
        }


@dataclass(frozen=True, slots=True)
class Bundle(Made):
    """Of a matrix of runs."""

    sources: Mapping[str, str]
    """Hash of the programs that made the runs, by place."""
    request: MatrixRequest
    seeds: tuple[int, ...]
    made_by: str
    """What carried the last runs out: processes of the machine, or a cluster."""
    failed: int
    failures: tuple[FailedRun, ...]
    server_load: ServerLoad | None
    host_lateness: HostLateness | None
