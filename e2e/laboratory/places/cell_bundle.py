"""What a cell of e2e/browser leaves in its folder, as far as the laboratory reads it (e2e/browser/cell/bundle.ts)."""

from __future__ import annotations

import gzip
from pathlib import Path

import msgspec

from e2e.laboratory.places.link_log import LinkLog, parse_link_log


class _Camel(msgspec.Struct, frozen=True, rename="camel"):
    """As TypeScript names fields."""


class Window(_Camel, frozen=True):
    """Of the film, from the page's opening."""

    from_ms: float
    to_ms: float

    @property
    def length_s(self) -> float:
        """Of the whole."""
        return (self.to_ms - self.from_ms) / 1000


class Stall(_Camel, frozen=True):
    """A stretch without a picture."""

    started_at_ms: float
    seconds: float
    least_buffer_seconds: float


class Playback(_Camel, frozen=True):
    """By samples of the video element."""

    startup_seconds: float | None
    stalls: list[Stall]
    rebuffer_seconds: float
    played_seconds: float


class Qoe(_Camel, frozen=True):
    """QoE_lin and its terms (player/src/qoe/linear-qoe.ts)."""

    per_segment: float
    bitrate_sum: float
    rebuffer_penalty: float
    """Of all stalls."""
    smoothness_penalty: float


class Estimate(_Camel, frozen=True):
    """Medians of |estimate / capacity - 1|."""

    of_payload_capacity: float | None


class Lateness(_Camel, frozen=True):
    """How late the page's receiver woke."""

    median_ms: float


class Metrics(_Camel, frozen=True):
    """Of the film."""

    window: Window
    server_cpu_seconds: float | None
    receiver_estimate: Estimate | None
    dashjs_estimate: Estimate | None
    playback: Playback
    segment_megabits_per_second: list[float]
    switches: int
    qoe: Qoe | None
    host_lateness: Lateness | None


class Decisions(_Camel, frozen=True):
    """Of a learned scheme."""

    scheme: str
    is_loaded: bool
    decisions: int
    answered: int
    late: int
    failed: int


class CellBundle(_Camel, frozen=True):
    """bundle.json."""

    metrics: Metrics
    decisions: list[Decisions]


def read_cell_bundle(folder: Path) -> CellBundle:
    """Raises FileNotFoundError, and msgspec.DecodeError for what is no bundle."""
    return msgspec.json.decode((folder / "bundle.json").read_bytes(), type=CellBundle)


def read_cell_log(folder: Path) -> LinkLog:
    """What the link did. Raises FileNotFoundError, EOFError and LinkLogError."""
    return parse_link_log(gzip.decompress((folder / "link.log.gz").read_bytes()).decode("ascii"))
