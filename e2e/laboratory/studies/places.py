"""The same flow in several places: what each measured there, and how far apart they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.result import FlowResult
from e2e.laboratory.studies.samples import Samples, differences, mean_of_all, ratios

REFERENCE: Final = "mahimahi"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One value of each repeat; None where a run failed."""

    throughputs_mbps: Samples
    delays_ms: Samples

    @classmethod
    def of(cls, flows: Sequence[FlowResult | None]) -> Outcome:
        """Of one flow's repeats."""
        return cls(
            [None if flow is None else flow.throughput_bits_per_s / 1e6 for flow in flows],
            [None if flow is None or flow.queueing_delay is None else flow.queueing_delay.mean_ms for flow in flows],
        )

    @property
    def cells(self) -> tuple[str, str]:
        """Both means, for a table."""
        throughput_mbps, delay_ms = mean_of_all(self.throughputs_mbps), mean_of_all(self.delays_ms)
        if throughput_mbps is None or delay_ms is None:
            return "failed", "failed"
        return f"{throughput_mbps:.2f}", f"{delay_ms:.1f} ms"


def throughput_apart(what: str, outcome: Outcome, reference: Outcome, reach: Reach) -> Figure:
    """Of the means over the repeats, in per cent; the samples beside it are the repeats' own, with their sign."""
    return _apart_percent(f"{what}: throughput", outcome.throughputs_mbps, reference.throughputs_mbps, reach)


def delay_apart_percent(what: str, outcome: Outcome, reference: Outcome, reach: Reach) -> Figure:
    """The same of the mean queueing delay."""
    return _apart_percent(f"{what}: mean queueing delay", outcome.delays_ms, reference.delays_ms, reach)


def delay_apart(what: str, outcome: Outcome, reference: Outcome, *, least_ms: float, least_share: float) -> Figure:
    """The same in ms, of which as many are allowed as the reference's share of it, and no fewer than `least_ms`."""
    delay_ms, wanted_ms = mean_of_all(outcome.delays_ms), mean_of_all(reference.delays_ms)
    return Figure(
        f"{what}: mean queueing delay, how far apart",
        None if delay_ms is None or wanted_ms is None else abs(delay_ms - wanted_ms),
        "ms",
        differences(outcome.delays_ms, reference.delays_ms),
        reach=Reach("at most", max(least_ms, least_share * (wanted_ms or 0.0))),
    )


def _apart_percent(what: str, samples: Samples, references: Samples, reach: Reach) -> Figure:
    mean, wanted = mean_of_all(samples), mean_of_all(references)
    apart = [None if ratio is None else (ratio - 1) * 100 for ratio in ratios(samples, references)]
    value = None if mean is None or wanted is None else abs(mean / wanted - 1) * 100
    return Figure(f"{what}, how far apart", value, "%", tuple(apart), reach=reach)
