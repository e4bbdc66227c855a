"""What a link carries over time, whatever format told it: rates that hold for a while, or single opportunities.

Both kinds (`rate_trace.py`, `opportunity_trace.py`) answer the same questions and take the same operations;
`conversion.py` makes one of the other.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Protocol, Self

LONGEST_S = 7 * 86_400.0
LEAST_SHARE_SHOWN = 0.5  # of a bin: one packet in what is left over would be many times the link's rate
LARGEST = 20_000_000  # opportunities or rates held in memory; half an hour at 130 Mbit/s


class TraceOperationError(ValueError):
    """What was asked for leaves no trace, or one too large; the message is one sentence."""


class Trace(Protocol):
    """A link over time, from 0 on; it begins anew after `duration_s`. Operations raise TraceOperationError."""

    @property
    def duration_s(self) -> float:
        """Time after which it repeats."""

    @property
    def resolution_s(self) -> float:
        """How long the stretches are of which it says something, in the mean."""

    def bits_before(self, time_s: float) -> float:
        """Carried from time 0 to `time_s`, at most its end."""

    def silences(self, *, at_least_s: float) -> list[tuple[float, float]]:
        """Beginning and end in seconds of each time in which nothing at all is delivered, where that lasts so long."""

    def cut(self, from_s: float, to_s: float) -> Self:
        """A part alone, from time 0 on."""

    def scaled(self, factor: float) -> Self:
        """Everything times `factor`; the times stay."""

    def capped(self, bits_per_s: float) -> Self:
        """What lies above is taken away."""

    def repeated(self, duration_s: float) -> Self:
        """The trace over and over until `duration_s`; cut there if it is longer."""


def mean_bits_per_s(trace: Trace) -> float:
    """Mean rate over the whole trace."""
    return trace.bits_before(trace.duration_s) / trace.duration_s


def bin_edges_s(duration_s: float, bin_s: float, *, least_share: float = 0.001) -> list[float]:
    """Edges of bins from 0 to the duration. What is left over is the last bin; less than `least_share` lengthens it.

    Raises TraceOperationError for more bins than memory is meant to hold.
    """
    if duration_s / bin_s > LARGEST:
        bins = f"bins of {bin_s:g} s are {duration_s / bin_s:.3g} in a trace of {duration_s:g} s"
        raise TraceOperationError(f"{bins}, at most {LARGEST:g}: take longer ones")
    whole = max(1, int(duration_s / bin_s + 0.001))
    edges_s = [index * bin_s for index in range(whole)]
    if duration_s - whole * bin_s > bin_s * least_share:
        edges_s.append(whole * bin_s)
    return [*edges_s, duration_s]


def binned_bits_per_s(trace: Trace, edges_s: list[float]) -> list[float]:
    """The mean between each two edges."""
    carried = [trace.bits_before(edge_s) for edge_s in edges_s]
    return [
        (after - before) / (to_s - from_s)
        for (before, after), (from_s, to_s) in zip(pairwise(carried), pairwise(edges_s), strict=True)
    ]


def check_cut(trace: Trace, from_s: float, to_s: float) -> None:
    """Refuses a part that the trace does not have."""
    if not 0 <= from_s < to_s <= trace.duration_s * (1 + 1e-9):
        raise TraceOperationError(f"{from_s:g} to {to_s:g} s is no part of a trace of {trace.duration_s:g} s")


def check_factor(factor: float) -> None:
    """Refuses a factor by which nothing can be scaled."""
    if not 0 < factor < float("inf"):
        raise TraceOperationError(f"a trace cannot be scaled by {factor:g}; take a number above 0")


def check_cap(bits_per_s: float) -> None:
    """Refuses a rate to which nothing can be capped."""
    if not 0 < bits_per_s < float("inf"):
        raise TraceOperationError(f"a trace cannot be capped to {bits_per_s:g} bit/s; take a rate above 0")


def check_duration(duration_s: float) -> None:
    """Refuses a duration that no trace may have."""
    if not 0 < duration_s <= LONGEST_S:
        raise TraceOperationError(f"a trace cannot last {duration_s:g} s; at most {LONGEST_S:g}, a week")


def check_size(count: float, what: str) -> None:
    """Refuses more than memory is meant to hold."""
    if count > LARGEST:
        raise TraceOperationError(
            f"the trace would have {count / 1e6:.0f} million {what}, at most {LARGEST / 1e6:.0f}: cut or scale it"
        )
