"""One situation to be in, and distributions of them."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from cc.links.link import OPPORTUNITY_BYTES
from cc.links.traces.capacity import mean_bits_per_s
from models.scenarios.splits import Split, split_traces
from models.scenarios.traces import opportunities_ms


@dataclass(frozen=True, slots=True)
class Scenario:
    """A link, who shares it, and what is sent; everything that an episode is made of."""

    trace: str
    """As `models.scenarios.traces` knows it."""
    base_rtt_s: float
    queue_packets: int
    duration_s: float
    seed: int = 1
    loss_ratio: float = 0.0
    trace_offset_s: float = 0.0
    rivals: tuple[str, ...] = ()
    """Schemes of cc.registry in the same network, one flow each."""
    rival_start_s: float = 0.0
    on_off: tuple[int, float] | None = None
    """The learner sends segments of so many bytes with so many seconds between them; None: without end."""
    known_ratio: float = 0.0
    """Of the path's switches, for schemes that listen to the network (`cc.core.network_report`)."""


@dataclass(frozen=True, slots=True)
class ScenarioDistribution:
    """Where episodes come from; all draws are independent of each other."""

    base_rtt_s: tuple[float, float] = (0.010, 0.120)
    """From one to the other, evenly by the logarithm; so are the next two."""
    queue_bdp: tuple[float, float] = (0.5, 4.0)
    """The queue, in products of mean rate and base round trip; at least `MIN_QUEUE_PACKETS`."""
    queue_packets: tuple[float, float] | None = None
    """The queue in packets, drawn likewise, instead of `queue_bdp`."""
    loss_ratio: tuple[float, float] = (1e-4, 1e-2)
    loss_share: float = 0.2
    """Of the episodes that have loss by chance at all."""
    rival_sets: tuple[tuple[str, ...], ...] = ((),)
    """One of these is drawn."""
    on_off_share: float = 0.0
    """Of the episodes whose learner sends segments of `SEGMENT_S` of the mean rate."""
    known_ratios: tuple[float, ...] = (0.0,)
    """One of these is drawn."""
    duration_s: float = 20.0
    traces: tuple[str, ...] | None = None
    """Instead of those of the split, in training and in evaluations."""
    practised_traces: tuple[str, ...] | None = None
    """Instead of those of the split, in training alone."""
    added_traces: tuple[str, ...] = ()
    """Besides those of the split, in training alone."""
    pool: int | None = None
    """Draw from so many episodes again and again, so that others' results in them can be remembered; None: new ones."""

    def draw(self, split: Split, rng: random.Random) -> Scenario:
        """One episode."""
        if self.pool is not None:
            rng = random.Random(f"{split} {rng.randrange(self.pool)}")
        return self.at(rng.choice(self.practised(split)), rng)

    def practised(self, split: Split) -> Sequence[str]:
        """The traces that training draws from: `traces`, else `practised_traces`, else the split's and those added."""
        return self.traces or self.practised_traces or (*split_traces(split), *self.added_traces)

    def at(self, trace: str, rng: random.Random) -> Scenario:
        """One episode over this trace."""
        times_ms = opportunities_ms(trace)
        rate_bytes_per_s = mean_bits_per_s(times_ms) / 8
        base_rtt_s = _log_uniform(self.base_rtt_s, rng)
        if self.queue_packets is None:
            queue_packets = _log_uniform(self.queue_bdp, rng) * rate_bytes_per_s * base_rtt_s / OPPORTUNITY_BYTES
        else:
            queue_packets = _log_uniform(self.queue_packets, rng)
        has_loss = rng.random() < self.loss_share
        loss_ratio = _log_uniform(self.loss_ratio, rng)
        rivals = rng.choice(self.rival_sets)
        is_on_off = rng.random() < self.on_off_share
        segment = (max(20_000, round(SEGMENT_S * rate_bytes_per_s)), rng.uniform(0.2, 2.0))
        seed = rng.randrange(2**31)
        return Scenario(
            trace=trace,
            base_rtt_s=base_rtt_s,
            queue_packets=max(MIN_QUEUE_PACKETS, round(queue_packets)),
            duration_s=self.duration_s,
            seed=seed,
            loss_ratio=loss_ratio if has_loss else 0.0,
            trace_offset_s=rng.uniform(0.0, times_ms[-1] / 1000),
            rivals=rivals,
            rival_start_s=rng.uniform(0.0, 2.0) if rivals else 0.0,
            on_off=segment if is_on_off else None,
            known_ratio=random.Random(f"{seed} known").choice(self.known_ratios),
        )

    def fixed(self, split: Split, *, seed: int, episodes_per_trace: int = 1) -> Sequence[Scenario]:
        """The same episodes each time, some for each trace, for evaluations."""
        rng = random.Random(seed)
        traces = self.traces or split_traces(split)
        return [self.at(trace, rng) for trace in traces for _ in range(episodes_per_trace)]


MIN_QUEUE_PACKETS = 10
SEGMENT_S = 1.5


def _log_uniform(ends: tuple[float, float], rng: random.Random) -> float:
    low, high = ends
    return low * math.exp(rng.random() * math.log(high / low))
