"""The lines that `nuwa simulate -` writes: what a run achieved, in bits per second and milliseconds."""

from __future__ import annotations

import math
from statistics import fmean

from cc.core.decision import Decisions
from cc.core.quantile import quantile
from cc.links.traces.capacity import offered_bytes
from cc.simulation.checked_scheme import SchemeError
from cc.simulation.flow import Flow
from cc.simulation.network import Network
from cc.simulation.record import DelaySummary, summarise
from cc.simulation.request import Run
from cc.simulation.sources import OnOff, Source


def run_and_answer(run: Run) -> dict[str, object]:
    """Let the run happen; its result. Raises SchemeError."""
    network = run.network
    samples = [_Samples() for _ in network.flows]
    ends_s = _interval_ends_s(run)
    for end_s in ends_s:
        network.run_until(end_s)
        for sample, flow in zip(samples, network.flows, strict=True):
            sample.take(flow)
    return {
        "flows": [_flow_json(flow, run.duration_s) for flow in network.flows],
        "link": _link_json(network, run.duration_s),
        "intervals": _intervals_json(network, ends_s, samples),
    }


def error_json(error: SchemeError) -> dict[str, object]:
    """Which scheme failed, how, and where it stood."""
    state = {name: _plain(value) for name, value in error.state.items()}
    return {"scheme": error.scheme_name, "message": error.problem, "state": state}


class _Samples:
    """A flow's sender at the end of each interval."""

    def __init__(self) -> None:
        self.cwnd_bytes: list[int] = []
        self.bytes_in_flight: list[int] = []
        self.pacing_bits_per_s: list[float | None] = []

    def take(self, flow: Flow) -> None:
        """Note where it stands."""
        rate = flow.sender.rate_bytes_per_s
        self.cwnd_bytes.append(flow.sender.cwnd_bytes)
        self.bytes_in_flight.append(flow.sender.ledger.bytes_in_flight)
        self.pacing_bits_per_s.append(None if rate is None else 8 * rate)


def _interval_ends_s(run: Run) -> list[float]:
    """Whole intervals; the last may be shorter."""
    count = math.ceil(run.duration_s / run.interval_s - 1e-9)
    return [*((index + 1) * run.interval_s for index in range(count - 1)), run.duration_s]


def _flow_json(flow: Flow, duration_s: float) -> dict[str, object]:
    sender = flow.sender
    end_s = min(flow.plan.stop_s, duration_s)
    active_s = end_s - flow.plan.start_s
    record = flow.record
    return {
        "scheme": flow.plan.name,
        "goodput_bits_per_s": 8 * flow.goodput_bytes(end_s) / active_s if active_s > 0 else 0.0,
        "throughput_bits_per_s": 8 * record.arrived_wire_bytes(0.0, end_s) / active_s if active_s > 0 else 0.0,
        "queueing_delay": _delay_json(record.delays(0.0, duration_s)),
        "packets_sent": sender.ledger.packets_sent_total,
        "packets_lost": sender.packets_lost,
        "spurious_losses": sender.spurious_losses,
        "rtt_mean_ms": 1000 * sender.rtt_sum_s / sender.rtt_samples if sender.rtt_samples else None,
        "segments": _segments_json(flow.plan.source),
        "decisions": None if flow.learned is None else _decisions_json(flow.learned.decisions),
    }


def _segments_json(source: Source) -> dict[str, float] | None:
    if not isinstance(source, OnOff) or not source.segment_times_s:
        return None
    times_ms = sorted(1000 * time_s for time_s in source.segment_times_s)
    return {"delivered": len(times_ms), "mean_ms": fmean(times_ms), "p95_ms": quantile(times_ms, 0.95)}


def _decisions_json(decisions: Decisions) -> dict[str, int]:
    return {
        "asked": decisions.asked,
        "answered": decisions.decided,
        "late": decisions.late,
        "failed": decisions.failed,
    }


def _delay_json(delay: DelaySummary | None) -> dict[str, float] | None:
    if delay is None:
        return None
    return {
        "mean_ms": 1000 * delay.mean_s,
        "p50_ms": 1000 * delay.p50_s,
        "p95_ms": 1000 * delay.p95_s,
        "max_ms": 1000 * delay.max_s,
    }


def _link_json(network: Network, duration_s: float) -> dict[str, object]:
    link = network.bottleneck
    delays_s = [delay_s for flow in network.flows for delay_s in flow.record.delays_s(0.0, duration_s)]
    return {
        "capacity_bits_per_s": 8 * offered_bytes(link.opportunities_ms, duration_s) / duration_s,
        "throughput_bits_per_s": 8 * sum(f.record.wire_bytes(0.0, duration_s) for f in network.flows) / duration_s,
        "queueing_delay": _delay_json(summarise(delays_s)),
        "dropped": link.packets_dropped,
        "lost": link.packets_lost,
    }


def _intervals_json(network: Network, ends_s: list[float], samples: list[_Samples]) -> dict[str, object]:
    starts_s = [0.0, *ends_s[:-1]]
    spans = list(zip(starts_s, ends_s, strict=True))
    offered = [offered_bytes(network.bottleneck.opportunities_ms, end_s) for end_s in [0.0, *ends_s]]
    return {
        "end_s": ends_s,
        "flows": [
            {**_flow_intervals_json(flow, spans), **_samples_json(sample)}
            for flow, sample in zip(network.flows, samples, strict=True)
        ],
        "capacity_bits_per_s": [
            8 * (offered[index + 1] - offered[index]) / (end_s - start_s)
            for index, (start_s, end_s) in enumerate(spans)
        ],
    }


def _flow_intervals_json(flow: Flow, spans: list[tuple[float, float]]) -> dict[str, object]:
    delays = [flow.record.delays(start_s, end_s) for start_s, end_s in spans]
    return {
        "delivered_bits_per_s": [
            8 * flow.record.arrived_wire_bytes(start_s, end_s) / (end_s - start_s) for start_s, end_s in spans
        ],
        "queueing_delay_mean_ms": [None if delay is None else 1000 * delay.mean_s for delay in delays],
        "queueing_delay_p95_ms": [None if delay is None else 1000 * delay.p95_s for delay in delays],
    }


def _samples_json(samples: _Samples) -> dict[str, object]:
    return {
        "cwnd_bytes": samples.cwnd_bytes,
        "bytes_in_flight": samples.bytes_in_flight,
        "pacing_bits_per_s": samples.pacing_bits_per_s,
    }


def _plain(value: float | str | None) -> float | str | None:
    """JSON knows no NaN: such numbers are written out."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
