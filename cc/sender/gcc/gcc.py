"""GCC, Google congestion control: the rate follows delays that grow, and losses of more than a tenth.

Source: draft-ietf-rmcat-gcc-02, sections 5 (by delay) and 6 (by loss). The filter and the detector are in
`cc.sender.gcc.delay`, the rates in `cc.sender.gcc.rate`, with deviations of their own. Besides:

- Times of arrival are inferred from ACKs: the newest packet of each arrived one RTT after it was sent, the ACK's own
  delay taken off; of the others nothing is known. So the groups of packets are those of one ACK, up to ten. Spreading
  the others evenly over the time between two ACKs was tried: less noise, and three times the queue.
- It starts with ten packets for each of the first RTT. Two packets an RTT are the least rate, of the estimates as of
  the pacing, as WebRTC keeps its estimate at the configured minimum or above.
- Rates are updated every 100 ms; over-use is answered at once.
- A window of twice the rate times the RTT stops a sender that hears nothing. Persistent congestion counts as a report
  that everything was lost.
"""

from __future__ import annotations

from collections.abc import Mapping

from cc.core.base import (
    INITIAL_WINDOW_PACKETS,
    MINIMUM_WINDOW_PACKETS,
    AckEvent,
    LossEvent,
    Phase,
    RttState,
    SenderScheme,
    SentPacket,
)
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.core.window import initial_window_bytes
from cc.sender.gcc.delay import DelayObserver
from cc.sender.gcc.rate import LOSS_HIGH, LOSS_LOW, AimdRate, IncomingRate, loss_based_rate

RESPONSE_EXTRA_S = 0.1  # section 5.5: what filter and detector take, besides the RTT
UPDATE_INTERVAL_S = 0.1
WINDOW_GAIN = 2.0


class Gcc(SenderScheme):
    """Paces at the smaller of the estimates by delay and by loss."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._minimum_window_bytes = MINIMUM_WINDOW_PACKETS * max_datagram_bytes
        self._observer = DelayObserver()
        self._incoming = IncomingRate()
        self._aimd: AimdRate | None = None
        self._loss_based_rate = 0.0
        self._rtt: RttState | None = None
        self._updated_s = 0.0
        self._acked_bytes = 0
        self._lost_bytes = 0

    @property
    def cwnd_bytes(self) -> int:
        rate = self.pacing_rate_bytes_per_s
        if self._rtt is None or rate is None:
            return initial_window_bytes(self.max_datagram_bytes)
        return int(max(WINDOW_GAIN * rate * self._rtt.smoothed_s, self._minimum_window_bytes))

    @property
    def pacing_rate_bytes_per_s(self) -> float | None:
        if self._aimd is None or self._rtt is None:
            return None
        return max(min(self._aimd.rate, self._loss_based_rate), self._least_rate(self._rtt))

    @property
    def phase(self) -> Phase:
        return Phase.SLOW_START if self._aimd is None or self._aimd.is_starting else Phase.AVOIDANCE

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        if bytes_in_flight == packet.size_bytes:  # a pause is over: it must not count as a low rate
            self._incoming = IncomingRate()

    def on_ack(self, event: AckEvent) -> None:
        newest = event.acked[-1]
        if event.rtt is None:
            return
        now_s = event.now_s
        self._rtt = event.rtt
        if self._aimd is None:
            rate = INITIAL_WINDOW_PACKETS * self.max_datagram_bytes / max(event.rtt.latest_s, 1e-6)
            self._aimd = AimdRate(rate)
            self._loss_based_rate = rate
            self._updated_s = now_s
        self._incoming.add(event.acked_bytes, now_s)
        self._acked_bytes += event.acked_bytes
        if event.has_rtt_sample:
            self._observe(newest, event.rtt, self._aimd, now_s)
        if now_s - self._updated_s >= UPDATE_INTERVAL_S:
            self._update(self._aimd, event)
        self._keep_least(self._aimd, event.rtt)

    def on_loss(self, event: LossEvent) -> None:
        self._lost_bytes += event.lost_bytes
        if event.is_persistent_congestion and self._aimd is not None and self._rtt is not None:
            self._loss_based_rate = loss_based_rate(min(self._aimd.rate, self._loss_based_rate), 1.0)
            self._keep_least(self._aimd, self._rtt)
            self._aimd.is_starting = False
            self.window_resets += 1

    def log_fields(self) -> Mapping[str, float | None]:
        return {
            "a_hat_bytes_per_s": None if self._aimd is None else self._aimd.rate,
            "as_hat_bytes_per_s": None if self._aimd is None else self._loss_based_rate,
            "estimate_ms": self._observer.estimate_ms,
            "threshold_ms": self._observer.detector.threshold_ms,
        }

    def _observe(self, newest: SentPacket, rtt: RttState, aimd: AimdRate, now_s: float) -> None:
        usage = self._observer.on_arrival(
            sent_ms=1000 * newest.sent_time_s, arrived_ms=1000 * (newest.sent_time_s + rtt.latest_s)
        )
        if usage is not None:
            aimd.on_signal(
                usage,
                incoming=self._incoming.bytes_per_s(now_s),
                response_s=rtt.smoothed_s + RESPONSE_EXTRA_S,
                now_s=now_s,
            )

    def _update(self, aimd: AimdRate, event: AckEvent) -> None:
        assert event.rtt is not None
        loss_ratio = self._lost_bytes / (self._lost_bytes + self._acked_bytes)
        if loss_ratio > LOSS_HIGH:
            aimd.is_starting = False
        if not event.is_app_limited:
            aimd.increase(
                incoming=self._incoming.bytes_per_s(event.now_s),
                response_s=event.rtt.smoothed_s + RESPONSE_EXTRA_S,
                elapsed_s=event.now_s - self._updated_s,
            )
        if not event.is_app_limited or loss_ratio > LOSS_HIGH:
            follows_delay = aimd.is_starting and loss_ratio < LOSS_LOW
            as_hat = aimd.rate if follows_delay else loss_based_rate(self._loss_based_rate, loss_ratio)
            self._loss_based_rate = min(as_hat, aimd.rate)
        self._updated_s = event.now_s
        self._acked_bytes = self._lost_bytes = 0

    def _least_rate(self, rtt: RttState) -> float:
        return self._minimum_window_bytes / max(rtt.smoothed_s, 1e-6)

    def _keep_least(self, aimd: AimdRate, rtt: RttState) -> None:
        """An estimate below what is sent would have to grow for long before that shows."""
        least = self._least_rate(rtt)
        aimd.rate = max(aimd.rate, least)
        self._loss_based_rate = max(self._loss_based_rate, least)


SCHEME = Scheme(
    name="gcc",
    title="GCC",
    control="sender",
    family="Delay-based",
    summary="Rate for real-time video: up until delays grow, then 85 % of what arrives.",
    source="draft-ietf-rmcat-gcc-02",
    make_sender=Gcc,
)
