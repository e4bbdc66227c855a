"""When the next packet may leave: a token bucket over bytes (RFC 9002 section 7.7), with time passed in.

The bucket's depth is the largest burst. Each bound has its reason:

- two packets, or a slow link would wait for a timer between every two packets;
- the bytes of 4 ms at the rate, so that a burst after a pause adds at most about 4 ms of queue on a link as
  fast as the rate, be it slow or fast (RFC 9002's ten packets would be 120 ms at 1 Mbit/s);
- the bytes of 1.2 ms plus ten packets: event loops wake about every 1.1 ms, and a bucket shallower than what
  drains between two wakings would cap the rate (16 packets of 1200 bytes in 1.1 ms are 140 Mbit/s). Ten
  packets are the burst that RFC 9002 section 7.7 allows, and cover wakings that come late.

A sender that waits for the pacer and wakes later than it meant to has a late host, which is no reason to send slower:
the bucket goes on filling for as long as it is late, up to `MOST_LATE_S`. Otherwise a slow session, whose bucket holds
two packets, would send no more than two packets a waking, and a scheme that paces by what was delivered ever fewer. The
same holds for one that waits for its window, and reads late the ACK that opens it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from cc.core.base import INITIAL_WINDOW_PACKETS, Phase, RttState

BURST_PACKETS_MIN = 2
BURST_TIME_S = 0.004
IDLE_LATENESS_S = 0.0012
"""An idle event loop wakes late by no more than this."""
MOST_LATE_S = 0.1  # what leaves at once then is a queue of that length at the bottleneck, or a whole window
TOLERANCE_BYTES = 1  # rounding must not ask for a wait too short to move a clock

SLOW_START_GAIN = 2.0  # a window that doubles each RTT needs 2 ln 2 = 1.39 windows per RTT, and some slack
AVOIDANCE_GAIN = 1.25  # RFC 9002 section 7.7: small variations in RTT must not leave the window unused


def window_rate_bytes_per_s(*, cwnd_bytes: int, rtt: RttState, phase: Phase) -> float:
    """The rate that spreads a window over a round trip (RFC 9002 section 7.7).

    The round trip is the shorter of the smoothed and the latest one: after an outage the smoothed RTT takes many ACKs
    to come down, and pacing by it would leave an empty link idle. It is taken as at least 1 us.
    """
    gain = SLOW_START_GAIN if phase is Phase.SLOW_START else AVOIDANCE_GAIN
    return gain * cwnd_bytes / max(min(rtt.smoothed_s, rtt.latest_s), 1e-6)


@dataclass(slots=True)
class Timer:
    """How the timer goes off that wakes a sender."""

    quantum_s: float
    """Step of the timer, s: it ends whole steps after it was set; 0 is an ideal timer."""
    last_sent_s: float = 0.0
    patience_s: float = math.inf
    """How long after `last_sent_s` the sender does something else than wait for the pacer."""


class Pacer:
    """Spreads packets over time; until a rate is set everything may leave at once."""

    __slots__ = ("_capacity_bytes", "_due_s", "_max_datagram_bytes", "_rate_bytes_per_s", "_tokens_bytes", "_updated_s")

    def __init__(self, max_datagram_bytes: int) -> None:
        self._max_datagram_bytes = max_datagram_bytes
        self._rate_bytes_per_s: float | None = None
        self._capacity_bytes = 0.0
        self._tokens_bytes = 0.0
        self._updated_s = 0.0
        self._due_s = math.inf

    @property
    def rate_bytes_per_s(self) -> float | None:
        """The rate last set; None before the first."""
        return self._rate_bytes_per_s

    @property
    def burst_bytes(self) -> float:
        """The most that may leave at once; 0 before the first rate."""
        return self._capacity_bytes

    def set_rate(self, bytes_per_s: float, now_s: float, *, turn_bytes: float = 0.0) -> None:
        """Pace at `bytes_per_s` from now on; the first call starts with a full bucket.

        `turn_bytes`: what the sender likes to send at a time, since each waking costs it. The bucket holds as much, and
        what comes while a timer is late. Raises ValueError for a rate that is not a positive finite number.
        """
        if not (math.isfinite(bytes_per_s) and bytes_per_s > 0):
            raise ValueError(f"pacing rate {bytes_per_s} bytes/s must be positive and finite")
        is_first = self._rate_bytes_per_s is None
        if not is_first:
            self._fill(now_s)
        packet = self._max_datagram_bytes
        self._rate_bytes_per_s = bytes_per_s
        self._capacity_bytes = max(
            BURST_PACKETS_MIN * packet,
            min(bytes_per_s * BURST_TIME_S, bytes_per_s * IDLE_LATENESS_S + INITIAL_WINDOW_PACKETS * packet),
            0.0 if turn_bytes == 0 else turn_bytes + bytes_per_s * IDLE_LATENESS_S,
        )
        if is_first:
            self._tokens_bytes = self._capacity_bytes
            self._updated_s = now_s
        else:
            self._tokens_bytes = min(self._tokens_bytes, self._most_tokens_bytes(now_s))

    def next_send_time_s(self, now_s: float, *, size_bytes: float = 0.0) -> float | None:
        """When a full packet, or so many bytes, may leave; None if they may leave now."""
        rate = self._rate_bytes_per_s
        if rate is None:
            return None
        self._fill(now_s)
        missing_bytes = max(self._max_datagram_bytes, size_bytes) - self._tokens_bytes
        if missing_bytes <= TOLERANCE_BYTES:
            return None
        return now_s + missing_bytes / rate

    def expect_sender(self, due_s: float | None) -> None:
        """The sender waits for nothing but the pacer and comes back at this time; None: it does not wait for it."""
        self._due_s = math.inf if due_s is None else due_s

    def expect_sender_since(self, awaited_s: float) -> None:
        """What a sender waited for instead of the pacer came at this time; a host that is late learns of it later."""
        if self._due_s == math.inf:
            self._due_s = awaited_s

    def packets_now(self, now_s: float, *, most: int) -> int:
        """How many full packets may leave now, of so many."""
        if self._rate_bytes_per_s is None:
            return most
        self._fill(now_s)
        enough = self._max_datagram_bytes - TOLERANCE_BYTES
        tokens = self._tokens_bytes
        packets = 0
        while packets < most and tokens >= enough:
            tokens -= self._max_datagram_bytes
            packets += 1
        return packets

    def schedule(self, packets: int, *, now_s: float, until_s: float, timer: Timer) -> tuple[list[float], float]:
        """When so many full packets leave, as far as they leave now or before `until_s`; the bucket pays for them.

        And when the sender must wake for the next of them; infinite if none is left.
        """
        rate = self._rate_bytes_per_s
        if rate is None:
            return [now_s] * packets, math.inf
        size = self._max_datagram_bytes
        quantum_s = timer.quantum_s
        last_sent_s = timer.last_sent_s
        enough = size - TOLERANCE_BYTES
        self._fill(now_s)
        tokens = self._tokens_bytes
        times_s: list[float] = []
        while True:
            while tokens >= enough and packets > 0:
                times_s.append(now_s)
                tokens -= size
                packets -= 1
                last_sent_s = now_s
            if packets <= 0:
                wake_s = math.inf
                break
            wait_s = (size - tokens) / rate
            wake_s = now_s + (wait_s if quantum_s == 0 else (math.ceil(wait_s / quantum_s) or 1) * quantum_s)
            if wake_s >= until_s or wake_s - last_sent_s >= timer.patience_s:
                break
            tokens = min(tokens + (wake_s - now_s) * rate, self._capacity_bytes)
            now_s = wake_s
        self._tokens_bytes = tokens
        self._updated_s = now_s
        return times_s, wake_s

    def on_sent(self, size_bytes: int, now_s: float) -> None:
        """A packet left. One that did not wait (a probe) leaves a debt, of at most one burst."""
        if self._rate_bytes_per_s is None:
            return
        self._fill(now_s)
        self._tokens_bytes = max(self._tokens_bytes - size_bytes, -self._capacity_bytes)

    def on_packets_sent(self, packets: int, now_s: float) -> None:
        """Book so many full packets that left and might: the same as each by itself, to the last bit."""
        if self._rate_bytes_per_s is None:
            return
        self._fill(now_s)
        for _ in range(packets):
            self._tokens_bytes -= self._max_datagram_bytes

    def _fill(self, now_s: float) -> None:
        rate = self._rate_bytes_per_s
        if rate is not None and now_s > self._updated_s:
            tokens = self._tokens_bytes + (now_s - self._updated_s) * rate
            self._tokens_bytes = min(tokens, self._most_tokens_bytes(now_s))
            self._updated_s = now_s

    def _most_tokens_bytes(self, now_s: float) -> float:
        late_s = now_s - self._due_s - IDLE_LATENESS_S
        if late_s <= 0:
            return self._capacity_bytes
        return self._capacity_bytes + (self._rate_bytes_per_s or 0.0) * min(late_s, MOST_LATE_S)
