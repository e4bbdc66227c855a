"""Monitor intervals: what a PCC sender learns of a rate by sending at it for about a round trip.

An interval takes the packets sent one after another at one rate, is over when they spread far enough and enough of
them have told a round-trip time, and is measured when each of them is acknowledged or lost. PCC Allegro (NSDI 2015,
section 2.2), Vivace (NSDI 2018, section 4.3) and Proteus (SIGCOMM 2020, section 5) judge rates by such measurements;
the numbers here are those of the authors' code (github.com/PCCproject/PCC-Uspace, commit 30c2cfe).

Deviations:

- One RTT sample for each ACK, of its newest packet and at that packet's sending time. The authors give every packet
  of an ACK the same RTT, which makes stairs of a slope where, as here, one ACK stands for ten packets.
- Packets sent while the application was the limit belong to no interval, and end the one they fall into.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cc.core.base import AckEvent, LossEvent, RttState, SentPacket
from cc.core.loss_detection import TIME_THRESHOLD
from cc.core.rtt_tolerance import AckBurstFilter
from cc.core.rtt_trend import RttTrend, rtt_trend

MIN_RTT_SAMPLES = 4  # kMinReliableRtt
FLOOD_LOSS_RATIO = 0.5  # an interval that lost more is an emergency (branch NSDI-2018, commit 98ac946, pcc.h)


@dataclass(slots=True)
class MonitorInterval:
    """Packets sent one after another at one rate, and what became of them."""

    rate_bytes_per_s: float
    """The rate that was asked for."""
    minimum_duration_s: float
    timeout_s: float
    """How long after a packet was sent its fate should be known."""
    is_trial: bool
    """False for an interval that only bridges the time until the trials are measured."""
    first_number: int | None = None
    last_number: int | None = None
    first_sent_s: float = 0.0
    last_sent_s: float = 0.0
    last_size_bytes: int = 0
    sent_bytes: int = 0
    acked_bytes: int = 0
    lost_bytes: int = 0
    rtt_samples: list[tuple[float, float]] = field(default_factory=list)
    """(sending time, RTT) of the reliable ones."""

    @property
    def is_measured(self) -> bool:
        """Whether every packet is accounted for."""
        return 0 < self.sent_bytes <= self.acked_bytes + self.lost_bytes

    @property
    def duration_s(self) -> float:
        """Time from the first packet to the end of the last one at the interval's rate."""
        return self.last_sent_s - self.first_sent_s + self.last_size_bytes / self.rate_bytes_per_s

    @property
    def sending_rate_bytes_per_s(self) -> float:
        """The rate that was kept."""
        return self.sent_bytes / self.duration_s

    @property
    def throughput_bytes_per_s(self) -> float:
        """What arrived, over the time in which it was sent."""
        return self.acked_bytes / self.duration_s

    @property
    def loss_ratio(self) -> float:
        """Lost bytes of those whose fate is known."""
        return self.lost_bytes / (self.acked_bytes + self.lost_bytes)

    def rtt_trend(self) -> RttTrend | None:
        """The line through its RTTs; None if there is none."""
        return rtt_trend(self.rtt_samples)

    def contains(self, packet: SentPacket) -> bool:
        """Whether it was sent in this interval."""
        if self.first_number is None or self.last_number is None:
            return False
        return self.first_number <= packet.packet_number <= self.last_number

    def is_over(self, now_s: float) -> bool:
        """Whether it has lasted long enough, with enough RTTs of its own."""
        if self.first_number is None or now_s - self.first_sent_s < self.minimum_duration_s:
            return False
        return len(self.rtt_samples) >= MIN_RTT_SAMPLES

    def is_overdue(self, now_s: float, *, is_sent: bool) -> bool:
        """Whether its packets' fate should have been known by now; `is_sent`: all of them have left."""
        if self.first_number is None or self.is_measured:
            return False
        if self.acked_bytes + self.lost_bytes == 0:
            return now_s > self.first_sent_s + self.timeout_s
        return is_sent and now_s > self.last_sent_s + self.timeout_s


class MonitorIntervals:
    """The intervals under way, oldest first; packets are sent in the last one while it is open."""

    def __init__(self) -> None:
        self._intervals: list[MonitorInterval] = []
        self._is_open = False
        self._filter = AckBurstFilter()
        self._settled_until_s: float | None = None
        """What was sent before is acknowledged, lost or discarded."""

    @property
    def current(self) -> MonitorInterval | None:
        """The interval that the next packet belongs to; None between intervals."""
        return self._intervals[-1] if self._is_open else None

    def begin(self, rate_bytes_per_s: float, *, minimum_duration_s: float, timeout_s: float, is_trial: bool) -> None:
        """Let an interval begin with the next packet."""
        if self._is_open and self._intervals[-1].first_number is None:
            self._intervals.pop()
        self._intervals.append(MonitorInterval(rate_bytes_per_s, minimum_duration_s, timeout_s, is_trial))
        self._is_open = True

    def abandon_current(self) -> None:
        """Forget the interval that packets are sent in."""
        if self._is_open:
            self._intervals.pop()
            self._is_open = False

    def clear(self) -> None:
        """Forget every interval."""
        self._intervals.clear()
        self._is_open = False

    def on_packet_sent(self, packet: SentPacket) -> None:
        """Book a packet in the current interval."""
        interval = self.current
        if interval is None:
            return
        if interval.first_number is None:
            interval.first_number = packet.packet_number
            interval.first_sent_s = packet.sent_time_s
        interval.last_number = packet.packet_number
        interval.last_sent_s = packet.sent_time_s
        interval.last_size_bytes = packet.size_bytes
        interval.sent_bytes += packet.size_bytes

    def on_ack(self, event: AckEvent) -> None:
        """Book acknowledged packets and the ACK's RTT."""
        self._close_settled()
        for packet in event.acked:
            interval = self._find(packet)
            if interval is not None:
                interval.acked_bytes += packet.size_bytes
        if event.rtt is not None:
            overdue_s = TIME_THRESHOLD * max(event.rtt.smoothed_s, event.rtt.latest_s)
            self._settled_until_s = event.acked[-1].sent_time_s - overdue_s
            self._sample_rtt(event, event.rtt)

    def on_loss(self, event: LossEvent) -> None:
        """Book lost packets."""
        for packet in event.lost:
            interval = self._find(packet)
            if interval is not None:
                interval.lost_bytes += packet.size_bytes

    def take_trials(self, count: int) -> list[MonitorInterval] | None:
        """The oldest `count` trials, once all of them are sent and measured; then all older intervals are forgotten."""
        sent = self._intervals[:-1] if self._is_open else self._intervals
        trials = [interval for interval in sent if interval.is_trial][:count]
        if len(trials) < count or not all(trial.is_measured for trial in trials):
            return None
        newest = trials[-1]
        while self._intervals.pop(0) is not newest:
            pass
        return trials

    def is_overdue(self, now_s: float) -> bool:
        """Whether an interval's measurement has timed out."""
        return any(
            interval.is_overdue(now_s, is_sent=interval is not self.current)
            for interval in self._intervals
            if interval.is_trial
        )

    def is_flooded(self) -> bool:
        """Whether an interval lost more than it delivered."""
        return any(interval.is_measured and interval.loss_ratio > FLOOD_LOSS_RATIO for interval in self._intervals)

    def _find(self, packet: SentPacket) -> MonitorInterval | None:
        for interval in self._intervals:
            if interval.contains(packet):
                return interval
        return None

    def _sample_rtt(self, event: AckEvent, rtt: RttState) -> None:
        if not event.has_rtt_sample:
            return
        is_reliable = self._filter.is_reliable(
            now_s=event.now_s, latest_rtt_s=rtt.latest_s, smoothed_rtt_s=rtt.smoothed_s
        )
        newest = event.acked[-1]
        interval = self._find(newest)
        if interval is not None and is_reliable:
            interval.rtt_samples.append((newest.sent_time_s, rtt.latest_s))

    def _close_settled(self) -> None:
        """Do without packets that were discarded: nothing tells of them, but the last ACK would have shown a loss."""
        settled_until_s = self._settled_until_s
        if settled_until_s is None:
            return
        for interval in self._intervals:
            if interval.last_sent_s >= settled_until_s:
                return
            interval.sent_bytes = interval.acked_bytes + interval.lost_bytes
