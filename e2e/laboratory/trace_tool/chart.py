"""What a trace's picture shows, worked out without a package; picture.py draws it."""

from __future__ import annotations

from dataclasses import dataclass

from cc.links.traces.summary import summary_of
from cc.links.traces.trace import LEAST_SHARE_SHOWN, Trace, bin_edges_s, binned_bits_per_s
from e2e.laboratory.trace_tool.report import mbit, outages
from e2e.laboratory.trace_tool.source import Source

MOST_BINS = 3000  # more cannot be told apart
COARSE_BINS = 10
Points = list[tuple[float, float]]
"""A bin's start in s and its mean in Mbit/s; the last one ends the last bin."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Rates in Mbit/s."""

    title: str
    subtitle: str
    fine_bin_s: float
    fine: Points
    coarse_bin_s: float
    coarse: Points
    mean: float
    p5: float
    p95: float
    outages_s: list[tuple[float, float]]

    @property
    def end_s(self) -> float:
        """Where the trace ends."""
        return self.fine[-1][0]


def chart_of(source: Source, *, bin_s: float | None) -> Chart:
    """The percentiles are of the fine bins."""
    trace = source.trace
    fine_bin_s = min(trace.duration_s, bin_s or _fitting_bin_s(trace))
    summary = summary_of(trace, bin_s=fine_bin_s)
    return Chart(
        title=source.stem if "/" in source.name else source.name,
        subtitle=(
            f"{source.kind} · {summary.duration_s:g} s, mean {mbit(summary.mean_bits_per_s)} Mbit/s · "
            f"outages: {outages(summary)}"
        ),
        fine_bin_s=fine_bin_s,
        fine=_points(trace, fine_bin_s),
        coarse_bin_s=fine_bin_s * COARSE_BINS,
        coarse=_points(trace, min(trace.duration_s, fine_bin_s * COARSE_BINS)),
        mean=summary.mean_bits_per_s / 1e6,
        p5=summary.p5_bits_per_s / 1e6,
        p95=summary.p95_bits_per_s / 1e6,
        outages_s=list(summary.outages_s),
    )


def _fitting_bin_s(trace: Trace) -> float:
    """A tenth of a second or one; ten, a hundred where the trace is so long or so coarse."""
    bin_s = 0.1
    while bin_s < trace.resolution_s * 0.5 or trace.duration_s / bin_s > MOST_BINS:
        bin_s *= 10
    return bin_s


def _points(trace: Trace, bin_s: float) -> Points:
    edges_s = bin_edges_s(trace.duration_s, bin_s, least_share=LEAST_SHARE_SHOWN)
    rates = [round(rate / 1e6, 4) for rate in binned_bits_per_s(trace, edges_s)]
    return [(round(edge_s, 3), rate) for edge_s, rate in zip(edges_s, [*rates, rates[-1]], strict=True)]
