"""Sprout: keeps in flight what the link delivers within 100 ms with a probability of 95 %, by a model of its rate.

Source: Winstein, Sivaraman, Balakrishnan: Stochastic Forecasts Achieve High Throughput and Low Delay over Cellular
Networks, NSDI 2013, section 3. `cc.sender.sprout.belief` is the model; packets are full ones.

The model ends at 1000 packets/s, of which the forecast is some 80 packets: no more is ever in flight, as with the
authors' code.

Deviations: those of `cc.sender.sprout.base`, and

- ACKs come in lumps, packets at the receiver do not: what an ACK reports is taken to have arrived evenly since the
  ACK before.
- A tick in which packets found no queue (10 ms), or the application was the limit, says that the link can carry as
  much at least. The authors' sender announces when it will send next, and the receiver leaves out the ticks until
  then.
- Of a silence 25 ticks count, and so they do of a pause: by then the belief says all that it can.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cc.core.base import AckEvent, SentPacket
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.sender.sprout.base import TARGET_DELAY_TICKS, TICK_S, ForecastWindow

if TYPE_CHECKING:
    from cc.sender.sprout.belief import Belief

MOST_TICKS = 25
EMPTY_QUEUE_S = 0.010


class Sprout(ForecastWindow):
    """The forecast is a cautious one: the 5th percentile."""

    may_change_on_send = True

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._belief = _make_belief()
        self._packets_this_tick = 0.0
        self._is_limited_tick = False
        self._counted_s: float | None = None
        """Time until which what arrived is counted."""
        self._forecast_packets = self._belief.forecast_packets(TARGET_DELAY_TICKS)

    def forecast_bytes(self, ticks: int) -> float:
        """Forecast in proportion to that for 100 ms."""
        return self._forecast_packets * self.max_datagram_bytes * ticks / TARGET_DELAY_TICKS

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        if bytes_in_flight != packet.size_bytes or self._min_rtt_s is None:
            return
        resumes_s = now_s + self._min_rtt_s  # nothing was under way: silence until its ACK says nothing
        if self._tick_began_s is not None:
            ticks = min(int((resumes_s - self._tick_began_s) / TICK_S), MOST_TICKS)
            if ticks > 0:
                self._belief.evolve(ticks)
                self._forecast_packets = self._belief.forecast_packets(TARGET_DELAY_TICKS)
        self._begin_tick(resumes_s)

    def end_ticks(self, event: AckEvent) -> int:
        now_s = event.now_s
        packets = event.acked_bytes / self.max_datagram_bytes
        if self._tick_began_s is None or self._counted_s is None or now_s <= self._counted_s:
            if self._tick_began_s is None:
                self._begin_tick(now_s)
            self._packets_this_tick += packets
            return 0
        packets_per_s = packets / (now_s - self._counted_s)
        is_limited = _is_limited(event)
        ticks = 0
        while now_s - self._tick_began_s >= TICK_S:
            end_s = self._tick_began_s + TICK_S
            if end_s > self._counted_s:
                self._packets_this_tick += packets_per_s * (end_s - self._counted_s)
                self._counted_s = end_s
            self._is_limited_tick |= is_limited
            if ticks < MOST_TICKS:
                self._end_tick()
            self._packets_this_tick = 0.0
            self._is_limited_tick = False
            self._tick_began_s = end_s
            ticks += 1
        self._packets_this_tick += packets_per_s * (now_s - self._counted_s)
        self._counted_s = now_s
        self._is_limited_tick |= is_limited
        if ticks > 0:
            self._forecast_packets = self._belief.forecast_packets(TARGET_DELAY_TICKS)
        return ticks

    def pass_outage(self, ticks: int, *, now_s: float) -> None:
        for _ in range(min(ticks, MOST_TICKS)):
            self._belief.evolve()
            self._belief.observe(0.0)
        self._forecast_packets = self._belief.forecast_packets(TARGET_DELAY_TICKS)
        self._begin_tick(now_s)

    def log_fields(self) -> Mapping[str, float | None]:
        return {
            "believed_bytes_per_s": self._belief.mean_rate * self.max_datagram_bytes,
            "forecast_bytes_per_s": self.forecast_bytes(1) / TICK_S,
        }

    def _begin_tick(self, now_s: float) -> None:
        self._tick_began_s = self._counted_s = now_s
        self._packets_this_tick = 0.0
        self._is_limited_tick = False

    def _end_tick(self) -> None:
        self._belief.evolve()
        if self._is_limited_tick:
            self._belief.observe_at_least(int(self._packets_this_tick))
        else:
            self._belief.observe(self._packets_this_tick)


def _make_belief() -> Belief:
    """Loads numpy, a tenth of a second and 12 MB, where nobody has yet: the entry's `slow_module`."""
    from cc.sender.sprout.belief import Belief  # noqa: PLC0415

    return Belief(TICK_S)


def _is_limited(event: AckEvent) -> bool:
    """Whether the sender, and not the link, set the pace of what arrived."""
    if event.is_app_limited or event.acked[-1].is_app_limited:
        return True
    return event.rtt is not None and event.rtt.latest_s - event.rtt.min_s < EMPTY_QUEUE_S


SCHEME = Scheme(
    name="sprout",
    title="Sprout",
    control="sender",
    family="Model-based",
    summary="Keeps in flight what the link carries within 100 ms with a probability of 95 %, by a model of it.",
    source="Winstein, Sivaraman, Balakrishnan: Sprout, NSDI 2013",
    make_sender=Sprout,
    slow_module="cc.sender.sprout.belief",
)
