"""What the PCC senders have in common: rates tried in monitor intervals, and a pacing rate instead of a window.

A subclass says which rates to try next (`trial_rates`) and what to make of the measurements (`on_trials`). Rates that
were tried wait for their packets' fate in intervals that nobody looks at, as in the authors' code
(github.com/PCCproject/PCC-Uspace, commit 30c2cfe, src/pcc/pcc_sender.cpp).

Deviations:

- A window of twice the rate times the smoothed RTT stops a sender that hears nothing (the authors' kernel module has
  the same; pcc_sender.cpp sends on).
- A trial that is not measured in time halves the rate (Vivace, section 4.3; pcc_sender.cpp has no such timeout). There
  are no timers here: the time is looked at when packets leave or arrive. Persistent congestion does the same, and so
  does an interval of which more was lost than delivered (pcc.h of the branch NSDI-2018, commit 98ac946).
- The least rate is two packets for each RTT (the kernel module), not 500 kbit/s, which some links do not carry.
- The first rate is ten packets for each of the first RTT. Until that is known, ten packets leave unpaced.
- A trial into which the application's silence fell is tried again.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Mapping, Sequence
from enum import Enum, auto

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
from cc.core.monitor_interval import MonitorInterval, MonitorIntervals
from cc.core.random_source import RandomSource
from cc.core.window import initial_window_bytes

MIN_PACKETS_PER_RTT = 2
WINDOW_GAIN = 2.0  # of rate times RTT
TIMEOUT_RTTS = 4.0  # the paper on Vivace gives no number (section 4.3); chosen on links whose capacity collapses
BYTES_PER_MEGABIT = 1e6 / 8


class PccState(Enum):
    """Stage of a PCC sender."""

    STARTING = auto()
    """Doubles its rate while that pays."""
    PROBING = auto()
    """Tries rates above and below its own."""
    MOVING = auto()
    """Goes on in the direction that paid."""


class PccScheme(SenderScheme):
    """A sender that tries rates, and keeps what its utility function likes."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._minimum_window_bytes = MINIMUM_WINDOW_PACKETS * max_datagram_bytes
        self._intervals = MonitorIntervals()
        self._state = PccState.STARTING
        self._rtt: RttState | None = None
        self._rate: float | None = None
        self._to_try: deque[float] = deque()
        self._trial_count = 0

    # What a scheme supplies

    @abstractmethod
    def trial_rates(self) -> Sequence[float]:
        """The rates to try next, one or more, in bytes per second."""

    @abstractmethod
    def on_trials(self, trials: Sequence[MonitorInterval]) -> None:
        """The trials are measured: set the rate and the state."""

    def interval_duration_s(self, rtt: RttState) -> float:
        """How long an interval lasts at least (pcc_sender.cpp, OnPacketSent)."""
        return rtt.min_s

    # What the transport sees

    @property
    def cwnd_bytes(self) -> int:
        if self._rtt is None or self._rate is None:
            return initial_window_bytes(self.max_datagram_bytes)
        return int(max(WINDOW_GAIN * self._rate * self._rtt.smoothed_s, self._minimum_window_bytes))

    @property
    def pacing_rate_bytes_per_s(self) -> float | None:
        current = self._intervals.current
        return self._rate if current is None else current.rate_bytes_per_s

    @property
    def phase(self) -> Phase:
        return Phase.SLOW_START if self._state is PccState.STARTING else Phase.AVOIDANCE

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        if self._rate is None:
            return
        if self._intervals.is_overdue(now_s):
            self._halve()
        if packet.is_app_limited:
            self._interrupt()
            return
        current = self._intervals.current
        if current is None or current.is_over(now_s):
            self._begin_next_interval()
        self._intervals.on_packet_sent(packet)

    def on_ack(self, event: AckEvent) -> None:
        if event.rtt is not None:
            self._rtt = event.rtt
            if self._rate is None:
                self._start(event.rtt)
        self._intervals.on_ack(event)
        self._review(event.now_s)

    def on_loss(self, event: LossEvent) -> None:
        if event.is_persistent_congestion:
            self._halve()
            return
        self._intervals.on_loss(event)
        self._review(event.now_s)

    def log_fields(self) -> Mapping[str, float | None]:
        return {"rate_bytes_per_s": self._rate, "pcc_state": float(self._state.value)}

    # What subclasses use

    @property
    def rate_bytes_per_s(self) -> float:
        """The rate that trials are made around; nothing is tried before it is known."""
        assert self._rate is not None
        return self._rate

    def set_rate(self, rate_bytes_per_s: float) -> bool:
        """Make this the rate, but no less than the least; whether it was less."""
        assert self._rtt is not None
        least = MIN_PACKETS_PER_RTT * self.max_datagram_bytes / max(self._rtt.smoothed_s, 1e-6)
        self._rate = max(rate_bytes_per_s, least)
        return rate_bytes_per_s < least

    @property
    def is_at_least_rate(self) -> bool:
        """Whether it can hardly be lower: by the smallest RTT, since after an outage the smoothed one is still long."""
        assert self._rtt is not None
        least = MIN_PACKETS_PER_RTT * self.max_datagram_bytes / max(self._rtt.min_s, 1e-6)
        return self.rate_bytes_per_s <= least

    def pair_of_rates(self, step: float) -> tuple[float, float]:
        """A rate above and one below by this share, in an order that is drawn at random."""
        higher = self.rate_bytes_per_s * (1 + step)
        lower = self.rate_bytes_per_s * (1 - step)
        return (higher, lower) if self.rng.random() < 0.5 else (lower, higher)

    # How trials go

    def _start(self, rtt: RttState) -> None:
        self.set_rate(INITIAL_WINDOW_PACKETS * self.max_datagram_bytes / max(rtt.latest_s, 1e-6))
        self._plan_trials()

    def _plan_trials(self) -> None:
        """Whatever is under way is of no more use."""
        self._intervals.clear()
        self._to_try = deque(self.trial_rates())
        self._trial_count = len(self._to_try)
        self._begin_next_interval()

    def _begin_next_interval(self) -> None:
        assert self._rtt is not None
        is_trial = bool(self._to_try)
        self._intervals.begin(
            self._to_try.popleft() if is_trial else self.rate_bytes_per_s,
            minimum_duration_s=self.interval_duration_s(self._rtt),
            timeout_s=TIMEOUT_RTTS * self._rtt.smoothed_s,
            is_trial=is_trial,
        )

    def _interrupt(self) -> None:
        """The application is the limit: the trial under way measures nothing, and is for another time."""
        current = self._intervals.current
        if current is None:
            return
        if current.is_trial:
            self._to_try.appendleft(current.rate_bytes_per_s)
        self._intervals.abandon_current()

    def _review(self, now_s: float) -> None:
        if self._rate is None:
            return
        if self._intervals.is_overdue(now_s) or self._intervals.is_flooded():
            self._halve()
            return
        current = self._intervals.current
        if current is not None and current.is_over(now_s):
            self._begin_next_interval()
        trials = self._intervals.take_trials(self._trial_count)
        if trials is not None:
            self.on_trials(trials)
            self._plan_trials()

    def _halve(self) -> None:
        """The path carries far less than what is sent: start again from half the rate."""
        if self._rate is not None:
            self.set_rate(self._rate / 2)
            self._state = PccState.PROBING
            self.window_resets += 1
            self._plan_trials()
