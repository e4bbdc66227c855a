"""What a receiver saw, in consecutive stretches of time."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import fmean

from cc.core.quantile import quantile


@dataclass(slots=True)
class _Interval:
    received_bytes: int = 0
    payload_bytes: int = 0
    datagrams: int = 0
    cwnd_bytes: int | None = None
    queueing_delays_s: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class IntervalRecord:
    """One list entry for each stretch; None where nothing was seen."""

    interval_s: float
    received_bytes: list[int]
    """Of responses: what was useful."""
    payload_bytes: list[int]
    """Of UDP payload, whatever it carried."""
    datagrams: list[int]
    queueing_delay_mean_s: list[float | None]
    queueing_delay_p95_s: list[float | None]
    cwnd_bytes: list[int | None]
    """As the last stamp said."""


class IntervalRecorder:
    """Counts from `began_s` on; what came earlier is left out."""

    def __init__(self, *, interval_s: float, began_s: float) -> None:
        self._interval_s = interval_s
        self._began_s = began_s
        self._intervals: list[_Interval] = []

    def on_received(self, size_bytes: int, *, now_s: float) -> None:
        """Bytes of a response arrived."""
        if (interval := self._at(now_s)) is not None:
            interval.received_bytes += size_bytes

    def on_payload(self, size_bytes: int, *, now_s: float) -> None:
        """A UDP datagram arrived."""
        if (interval := self._at(now_s)) is not None:
            interval.payload_bytes += size_bytes
            interval.datagrams += 1

    def on_stamp(self, *, queueing_delay_s: float, cwnd_bytes: int, now_s: float) -> None:
        """A stamp arrived, and this is what it showed."""
        if (interval := self._at(now_s)) is not None:
            interval.queueing_delays_s.append(queueing_delay_s)
            interval.cwnd_bytes = cwnd_bytes

    def record(self, *, seconds: float) -> IntervalRecord:
        """The whole stretches of the first `seconds`."""
        count = int(seconds / self._interval_s + 1e-6)
        missing = [_Interval() for _ in range(count - len(self._intervals))]
        intervals = [*self._intervals[:count], *missing]
        ordered = [sorted(interval.queueing_delays_s) for interval in intervals]
        return IntervalRecord(
            interval_s=self._interval_s,
            received_bytes=[interval.received_bytes for interval in intervals],
            payload_bytes=[interval.payload_bytes for interval in intervals],
            datagrams=[interval.datagrams for interval in intervals],
            queueing_delay_mean_s=[fmean(delays) if delays else None for delays in ordered],
            queueing_delay_p95_s=[quantile(delays, 0.95) if delays else None for delays in ordered],
            cwnd_bytes=[interval.cwnd_bytes for interval in intervals],
        )

    def _at(self, now_s: float) -> _Interval | None:
        if now_s < self._began_s:
            return None
        index = int((now_s - self._began_s) / self._interval_s)
        while len(self._intervals) <= index:
            self._intervals.append(_Interval())
        return self._intervals[index]
