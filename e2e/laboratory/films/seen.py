"""What became of a film: what its viewer met, and what the link saw of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from cc.links.link import OVERHEAD_BYTES
from cc.links.traces.capacity import offered_bytes
from cc.simulation.downloads import Downloads
from cc.simulation.network import Network
from cc.simulation.sources import OnOff
from e2e.laboratory.films.messages import PlayedFilm
from e2e.laboratory.films.play import Viewer

IN_USE_SHARE = 0.5
"""A link is in use where it carried at least this share of what it could: as in cells (e2e/browser/cell/metrics.ts)."""


@dataclass(frozen=True, slots=True)
class Second:
    """A second of a film, and how the film stood at its end."""

    at_s: float
    position_s: float
    buffer_s: float
    capacity_bits_per_s: float
    """Of the link, with all headers."""
    carried_bits_per_s: float
    """Of all packets that left the link."""
    receiver_bits_per_s: float | None
    """What the session told last: with the estimator `truth`, the truth."""
    dashjs_bits_per_s: float | None
    """What dash.js makes of its downloads."""
    receiver_mean_bits_per_s: float | None = None
    """Mean of what the session told in this second; the last, where it told nothing."""


@dataclass(frozen=True, slots=True)
class FilmResult:
    """What a viewer met, and what the link saw of it from the film's beginning to its end."""

    played: PlayedFilm
    p95_queueing_delay_s: float | None
    """Of the player's packets; None if none left the queue."""
    beside_bits_per_s: tuple[float, ...] = ()
    """What arrived of each flow beside the players, until the film's end."""
    beside_segment_s: tuple[float | None, ...] = ()
    """How long a segment took of each of them, mean; None where it fetches none, or none arrived."""
    p50_queueing_delay_s: float | None = None
    capacity_bits_per_s: float = 0.0
    """Of the link, with all headers, as the rates below."""
    carried_bits_per_s: float = 0.0
    """Of this player's packets."""
    lost_ratio: float | None = 0.0
    """Of this player's packets; None where it is not known."""
    seconds: tuple[Second, ...] = ()
    """Of the film, one behind the other."""
    receiver_error_ratio: float | None = None
    """Of the newest estimates: see `estimate_error`."""
    receiver_mean_error_ratio: float | None = None
    """Of their means over a second."""
    dashjs_error_ratio: float | None = None
    stood_s: float = 0.0
    """Without a picture, with data ahead: a browser's decoder had no processor, of which virtual time has enough."""
    host_late_ms: float | None = None
    """How late the page's receiver woke at most in a second, median; None in virtual time."""


def film_result(network: Network, viewer: Viewer, played: PlayedFilm) -> FilmResult:
    """Of a film that is over."""
    end_s = max(viewer.over_s, 1e-3)
    record = viewer.flow.record
    delays = record.delays(0.0, end_s)
    seconds = tuple(_seconds(network, played, viewer.told_bits_per_s))
    datagram_bytes = viewer.flow.plan.scheme.max_datagram_bytes
    payload = datagram_bytes / (datagram_bytes + OVERHEAD_BYTES)
    beside = [flow for flow in network.flows if not isinstance(flow.plan.source, Downloads)]
    return FilmResult(
        played,
        p95_queueing_delay_s=None if delays is None else delays.p95_s,
        p50_queueing_delay_s=None if delays is None else delays.p50_s,
        capacity_bits_per_s=8 * offered_bytes(network.bottleneck.opportunities_ms, end_s) / end_s,
        carried_bits_per_s=8 * record.wire_bytes(0.0, end_s) / end_s,
        lost_ratio=record.packets_lost / max(1, record.packets_sent),
        beside_bits_per_s=tuple(8 * flow.goodput_bytes(end_s) / end_s for flow in beside),
        beside_segment_s=tuple(
            flow.plan.source.mean_segment_s if isinstance(flow.plan.source, OnOff) else None for flow in beside
        ),
        seconds=seconds,
        receiver_error_ratio=estimate_error([(second.receiver_bits_per_s, second) for second in seconds], payload),
        receiver_mean_error_ratio=estimate_error(
            [(second.receiver_mean_bits_per_s, second) for second in seconds], payload
        ),
        dashjs_error_ratio=estimate_error([(second.dashjs_bits_per_s, second) for second in seconds], payload),
    )


def estimate_error(estimates: Sequence[tuple[float | None, Second]], payload: float) -> float | None:
    """Median of `estimate_errors`; None without any."""
    errors = estimate_errors(estimates, payload)
    return median(errors) if errors else None


def estimate_errors(estimates: Sequence[tuple[float | None, Second]], payload: float) -> list[float]:
    """|estimate / capacity - 1| in each second in which the link was in use.

    Capacity is that share of it which is UDP payload, as estimates count.
    """
    return [
        abs(estimate / (payload * second.capacity_bits_per_s) - 1)
        for estimate, second in estimates
        if estimate is not None
        and second.capacity_bits_per_s > 0
        and second.carried_bits_per_s >= IN_USE_SHARE * second.capacity_bits_per_s
    ]


def mean_told(told: Sequence[tuple[float, float]], *, after_s: float, until_s: float) -> float | None:
    """Of (time, value) in the order of their times, those of a span; None without any."""
    values = [value for at_s, value in told if after_s < at_s <= until_s]
    return fmean(values) if values else None


def _seconds(network: Network, played: PlayedFilm, told: Sequence[tuple[float, float]]) -> Iterator[Second]:
    before_s = 0.0
    for sample in played.samples:
        at_s = sample.at_ms / 1000
        if at_s <= before_s:
            continue
        passed_s = at_s - before_s
        mean_bits_per_s = mean_told(told, after_s=before_s, until_s=at_s)
        last_bits_per_s = sample.bandwidth_bits_per_second
        yield Second(
            at_s=at_s,
            position_s=sample.position_seconds,
            buffer_s=sample.buffer_seconds,
            capacity_bits_per_s=8 * _offered(network.bottleneck.opportunities_ms, before_s, at_s) / passed_s,
            carried_bits_per_s=8 * sum(flow.record.wire_bytes(before_s, at_s) for flow in network.flows) / passed_s,
            receiver_bits_per_s=last_bits_per_s,
            dashjs_bits_per_s=sample.dashjs_bits_per_second,
            receiver_mean_bits_per_s=last_bits_per_s if mean_bits_per_s is None else mean_bits_per_s,
        )
        before_s = at_s


def _offered(opportunities_ms: Sequence[int], since_s: float, until_s: float) -> int:
    return offered_bytes(opportunities_ms, until_s) - offered_bytes(opportunities_ms, since_s)
