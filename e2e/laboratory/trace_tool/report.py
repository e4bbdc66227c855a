"""Traces in words and figures."""

from __future__ import annotations

from cc.links.traces.opportunity_trace import OPPORTUNITY_BITS
from cc.links.traces.summary import TraceSummary
from cc.links.traces.trace import LARGEST, Trace, mean_bits_per_s
from e2e.laboratory.trace_tool.source import Source


def report(source: Source, summary: TraceSummary) -> str:
    """Some lines for a terminal."""
    rates = (
        f"mean {mbit(summary.mean_bits_per_s)}, p5 {mbit(summary.p5_bits_per_s)}, "
        f"median {mbit(summary.median_bits_per_s)}, p95 {mbit(summary.p95_bits_per_s)}, "
        f"from {mbit(summary.lowest_bits_per_s)} to {mbit(summary.highest_bits_per_s)} Mbit/s "
        f"(in bins of {summary.bin_s:g} s)"
    )
    lines = [
        f"{source.name}: {source.kind}",
        f"  duration  {summary.duration_s:g} s",
        f"  rate      {rates}",
        f"  outages   {outages(summary)}",
        *(f"  note      {note}" for note in (*source.notes, fitness(source.trace)) if note),
    ]
    return "".join(f"{line}\n" for line in lines)


def one_line(trace: Trace) -> str:
    """Duration and mean."""
    return f"{trace.duration_s:g} s, mean {mbit(mean_bits_per_s(trace))} Mbit/s"


def fitness(trace: Trace) -> str:
    """What is in the way of emulating it as a link; empty if nothing is."""
    opportunities = trace.bits_before(trace.duration_s) / OPPORTUNITY_BITS
    if opportunities <= LARGEST:
        return ""
    packets = f"{opportunities / 1e6:.0f} million packets (at most {LARGEST / 1e6:.0f})"
    return f"too large for a link, with {packets}: cut or scale it"


def outages(summary: TraceSummary) -> str:
    """How many and how long."""
    if not summary.outages_s:
        return f"none of {summary.shortest_outage_s:.2g} s or more"
    longest_s = max(end_s - start_s for start_s, end_s in summary.outages_s)
    return f"{len(summary.outages_s)}, the longest of {longest_s:.2g} s, {summary.outage_share * 100:.2g} % of the time"


def mbit(bits_per_s: float) -> str:
    """Three digits."""
    return f"{bits_per_s / 1e6:.3g}" if bits_per_s < 1e9 else f"{bits_per_s / 1e6:.0f}"
