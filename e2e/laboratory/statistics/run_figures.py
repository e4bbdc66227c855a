"""A run in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from e2e.laboratory.record import FinishedRun, RunFailure
from e2e.laboratory.result import FlowResult, PlayerResult
from e2e.laboratory.statistics.fairness import run_fairness


@dataclass(frozen=True, slots=True)
class RunFigures:
    """One run in numbers; None where it failed or has none."""

    seed: int
    key: str
    failure: RunFailure | None
    throughput_bits_per_s: float | None = None
    capacity_bits_per_s: float | None = None
    """Of the link, in the time of the run."""
    utilisation: float | None = None
    """Of that capacity."""
    delay_mean_ms: float | None = None
    """Delays are of all flows' packets together."""
    delay_p95_ms: float | None = None
    loss_ratio: float | None = None
    """Of the packets sent, those that were lost: see the column `packets_lost`."""
    jain: float | None = None
    qoe_per_segment: float | None = None
    """Of the film that a browser played, as the two that follow."""
    bitrate_bits_per_s: float | None = None
    stalled_s: float | None = None


def run_figures(run: FinishedRun) -> RunFigures:
    """A run in numbers."""
    plan, result = run.record.plan, run.record.result
    if result is None:
        return RunFigures(plan.seed, run.key, run.record.failure)
    link, delay, player = result.link, result.link.queueing_delay, result.player
    return RunFigures(
        seed=plan.seed,
        key=run.key,
        failure=None,
        throughput_bits_per_s=link.throughput_bits_per_s,
        capacity_bits_per_s=link.capacity_bits_per_s,
        utilisation=link.throughput_bits_per_s / link.capacity_bits_per_s if link.capacity_bits_per_s > 0 else None,
        delay_mean_ms=None if delay is None else delay.mean_ms,
        delay_p95_ms=None if delay is None else delay.p95_ms,
        loss_ratio=loss_ratio(result.flows),
        jain=run_fairness(plan, result.intervals).jain,
        **_player_figures(player),
    )


def _player_figures(player: PlayerResult | None) -> dict[str, float | None]:
    if player is None:
        return {}
    return {
        "qoe_per_segment": player.qoe_per_segment,
        "bitrate_bits_per_s": player.bitrate_mean_bits_per_s,
        "stalled_s": player.stalled_s,
    }


def loss_ratio(flows: Sequence[FlowResult]) -> float | None:
    """Packets declared lost, of those sent by these flows; None where that is not known of all of them."""
    counts = [(flow.packets_sent, flow.packets_lost) for flow in flows]
    known = [(sent, lost) for sent, lost in counts if sent is not None and lost is not None]
    sent = sum(sent for sent, _ in known)
    return sum(lost for _, lost in known) / sent if len(known) == len(flows) and sent > 0 else None
