"""A trace in figures: how much it carries, how much that varies, when it carries nothing."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum

from cc.core.quantile import quantile
from cc.links.traces.opportunity_trace import OPPORTUNITY_BITS
from cc.links.traces.trace import LEAST_SHARE_SHOWN, Trace, bin_edges_s, binned_bits_per_s, mean_bits_per_s

SHORTEST_OUTAGE_S = 0.1
PACKETS_MISSED = 10  # on a slow link a pause is an outage only if so many packets would have passed at its mean rate
CERTAIN_OUTAGE_S = 1.0  # so long a pause is one however slow the link is ...
USUAL_PACKETS_MISSED = 2  # ... unless its packets usually come about so far apart


@dataclass(frozen=True, slots=True)
class TraceSummary:
    """Percentiles and extremes are of the means of bins."""

    duration_s: float
    bin_s: float
    mean_bits_per_s: float
    lowest_bits_per_s: float
    p5_bits_per_s: float
    median_bits_per_s: float
    p95_bits_per_s: float
    highest_bits_per_s: float
    outages_s: tuple[tuple[float, float], ...]
    """Beginning and end of each."""
    shortest_outage_s: float
    """What is shorter is no outage of this link."""

    @property
    def outage_share(self) -> float:
        """Share of the time in outages."""
        return fsum(end_s - start_s for start_s, end_s in self.outages_s) / self.duration_s


def summary_of(trace: Trace, *, bin_s: float) -> TraceSummary:
    """The trace's figures, its rates in bins of `bin_s`."""
    rates = binned_bits_per_s(trace, bin_edges_s(trace.duration_s, bin_s, least_share=LEAST_SHARE_SHOWN))
    ordered = sorted(rates)
    shortest_s = shortest_outage_s(trace)
    return TraceSummary(
        duration_s=trace.duration_s,
        bin_s=bin_s,
        mean_bits_per_s=mean_bits_per_s(trace),
        lowest_bits_per_s=ordered[0],
        p5_bits_per_s=quantile(ordered, 0.05),
        median_bits_per_s=quantile(ordered, 0.50),
        p95_bits_per_s=quantile(ordered, 0.95),
        highest_bits_per_s=ordered[-1],
        outages_s=tuple(trace.silences(at_least_s=shortest_s)),
        shortest_outage_s=shortest_s,
    )


def shortest_outage_s(trace: Trace) -> float:
    """For how long nothing at all is delivered where that is an outage: 100 ms, on slow links longer."""
    usual_step_s = OPPORTUNITY_BITS / mean_bits_per_s(trace)
    certain_s = max(CERTAIN_OUTAGE_S, USUAL_PACKETS_MISSED * usual_step_s)
    return max(SHORTEST_OUTAGE_S, min(certain_s, PACKETS_MISSED * usual_step_s))
