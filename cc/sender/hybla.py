"""TCP Hybla: a long round trip costs no throughput; the window grows as that of a flow with 25 ms would, in its time.

Source: C. Caini, R. Firrincieli: TCP Hybla: a TCP enhancement for heterogeneous networks, International Journal of
Satellite Communications and Networking 22(5), 2004, section 3: with rho = RTT / 25 ms, at least 1, an ACK adds 2^rho
- 1 packets in slow start and rho^2 / cwnd in congestion avoidance, so that the window is rho times the reference
flow's, and the rate the same.

Deviations:

- rho is the smallest RTT's, as in Linux: the queue must not speed it up.
- The first slow start ends at rho times 64 KiB, the paper's first ssthresh scaled as the paper has it. QUIC knows
  none (RFC 9002), and with 600 ms one ACK would ask for 2^24 packets.
- A server bounds what is in flight (`cc.core.flight_bound`): beyond 58 ms its slow start is no faster than that allows.
- The estimate of the bandwidth from packet pairs is left out; pacing and SACK are QUIC's own
  (`cc.sender.additive_increase`).
"""

from __future__ import annotations

from collections.abc import Mapping

from cc.core.base import AckEvent, LossEvent
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.core.slow_start import SlowStart
from cc.core.window import initial_window_bytes
from cc.sender.additive_increase import AdditiveIncrease

REFERENCE_RTT_S = 0.025  # RTT0
REFERENCE_SSTHRESH_BYTES = 65_536
LARGEST_EXPONENT = 24.0  # of a satellite's 600 ms
LOSS_REDUCTION_FACTOR = 0.5


def rho_of(rtt_s: float) -> float:
    """The round trip in those of the reference; at least 1."""
    return max(1.0, rtt_s / REFERENCE_RTT_S)


class HyblaSlowStart(SlowStart):
    """Doubles in each 25 ms, not in each round trip."""

    def __init__(self, initial_bytes: int) -> None:
        self._is_over = False
        self._reached_bytes = float(initial_bytes)

    @property
    def is_over(self) -> bool:
        return self._is_over

    def growth_bytes(self, event: AckEvent, *, acked_bytes: int, is_initial: bool) -> float:
        rho = 1.0 if event.rtt is None else rho_of(event.rtt.min_s)
        growth = acked_bytes * (2 ** min(rho, LARGEST_EXPONENT) - 1)
        if not is_initial:
            return growth
        room_bytes = rho * REFERENCE_SSTHRESH_BYTES - self._reached_bytes
        self._is_over = growth >= room_bytes
        growth = max(0.0, min(growth, room_bytes))
        self._reached_bytes += growth
        return growth


class Hybla(AdditiveIncrease):
    """Reno in the reference flow's time."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        slow_start = HyblaSlowStart(initial_window_bytes(max_datagram_bytes))
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng, slow_start=slow_start)
        self._rho = 1.0

    def on_ack(self, event: AckEvent) -> None:
        if event.rtt is not None:
            self._rho = rho_of(event.rtt.min_s)
        super().on_ack(event)

    def increase_packets(self, event: AckEvent) -> float:
        return self._rho**2

    def kept_share(self, event: LossEvent) -> float:
        return LOSS_REDUCTION_FACTOR

    def log_fields(self) -> Mapping[str, float | None]:
        return {**super().log_fields(), "rho": self._rho}


SCHEME = Scheme(
    name="hybla",
    title="Hybla",
    control="sender",
    family="Loss-based",
    summary="NewReno for long round trips: grows by the clock, as a flow with a round trip of 25 ms would.",
    source="Caini, Firrincieli: TCP Hybla, IJSCN 22(5), 2004",
    make_sender=Hybla,
)
