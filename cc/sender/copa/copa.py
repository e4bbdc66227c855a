"""Copa: steer towards the rate 1/(delta * queueing delay), so that the queue empties every few round trips.

V. Arun, H. Balakrishnan: Copa: Practical Delay-Based Congestion Control for the Internet, NSDI 2018, sections 2.1 and
2.2. Where the paper is silent, the authors' venkatarun95/genericCC (commit 18299d6) decides, then Facebook's mvfst
(Copa.cpp, commit 979f26a).

Deviations, the first and the fourth because a receiver that acknowledges every tenth packet reports the RTT of a
burst's last packet, which waited behind the burst; the second, the third and the bound of the velocity are our own and
in none of the sources:

- After slow start packets leave at lambda = cwnd/RTTstanding itself, not at twice that, and what waits at the receiver
  for its ACK (the largest ACK of late, at most a window) comes on top of the window. With an ACK for every tenth packet
  the paper's pacing takes the burst for a queue.
- The queueing delay is RTTstanding - RTTmin less 1 ms. Emulated links and event loops count whole milliseconds, so that
  one stands where no packet waits; taken for a queue it bounds the rate to 1/(0.5 * 1 ms), two packets a millisecond or
  21.6 Mbit/s. The price is a millisecond of queue.
- What is left of it is "nearly empty" up to 2.5 packets at the largest delivery rate of late, whatever RTTmax is: Copa
  itself rests at 1/delta = 2. Else it took itself for a competitor, and filled the queue of slow links.
- When the window must turn, a velocity above 1 is halved at once and is 1 after the round trip. The paper waits for the
  end of the window, which may come out larger in spite of the turn, and would then double the velocity. mvfst goes to 1
  at once, and then takes four round trips to drain what the velocity had put into the queue.
- An ACK moves the window once, by what the paper gives for all of its packets.
- "Only after the direction has remained the same for three RTTs" is read as mvfst reads it: the fourth window in one
  direction is the first to double the velocity.
- The velocity never lets the window grow by more than a quarter in a round trip. In genericCC (`update_amt`) it may
  double; then on long paths it fills the queue and leaves the link idle in turns.
- Loss of more than 30 % in two round trips cuts the window to 0.7 (genericCC, `ReduceOnLoss`; the paper does not answer
  losses in its default mode). Persistent congestion starts again with two packets, as the authors' timeout does.
- The window does not grow while the application leaves it unused (RFC 9002 section 7.8).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from cc.core.ack_size import AckSize
from cc.core.base import (
    MINIMUM_WINDOW_PACKETS,
    AckEvent,
    LossEvent,
    Phase,
    RttState,
    SenderScheme,
)
from cc.core.random_source import RandomSource
from cc.core.rounds import RoundCounter
from cc.core.scheme import Scheme
from cc.core.window import initial_window_bytes
from cc.sender.copa.delay import QueueDelay

DEFAULT_DELTA = 0.5  # per packet; section 2.2
SLOW_START_PACING_GAIN = 2.0  # section 2.1
SAME_DIRECTION_ROUNDS = 3  # section 2.1
GROWTH_MAX = 0.25  # of the window, in a round trip
SHORTEST_RTT_S = 1e-6

# genericCC, estimators.cc
HEAVY_LOSS_RATIO = 0.3
HEAVY_LOSS_ROUNDS = 2
HEAVY_LOSS_PACKETS_MIN = 20
HEAVY_LOSS_FACTOR = 0.7


class Direction(IntEnum):
    """Direction in which the window goes."""

    DOWN = -1
    NONE = 0
    UP = 1


class Velocity:
    """Doubles while the window keeps its direction (section 2.1, step 4)."""

    __slots__ = ("_has_turned", "_round_window_bytes", "_same_direction_rounds", "direction", "value")

    def __init__(self, window_bytes: float) -> None:
        self._has_turned = False
        self._round_window_bytes = window_bytes
        self._same_direction_rounds = 0
        self.direction = Direction.NONE
        self.value = 1.0

    def on_round(self, window_bytes: float, *, largest: float) -> None:
        """A round trip is over, and the window has become `window_bytes`; `largest` bounds the velocity."""
        change_bytes = window_bytes - self._round_window_bytes
        direction = Direction((change_bytes > 0) - (change_bytes < 0))
        if direction is Direction.NONE or direction is not self.direction or self._has_turned:
            self._same_direction_rounds = 0
            self.value = 1.0
        else:
            self._same_direction_rounds += 1
            if self._same_direction_rounds >= SAME_DIRECTION_ROUNDS:
                self.value = max(1.0, min(2 * self.value, largest))
        self._has_turned = False
        self._round_window_bytes = window_bytes
        self.direction = direction

    def on_move(self, direction: Direction, window_bytes: float) -> None:
        """The window, now `window_bytes`, is about to go this way."""
        if self.value > 1 and direction is not self.direction:
            self._has_turned = True
            self._round_window_bytes = window_bytes
            self.direction = direction
            self.value = max(1.0, self.value / 2)


class Copa(SenderScheme):
    """Window towards 1/(delta d_q); delta is fixed or, against flows that fill the queue, goes by AIMD."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._window_bytes = float(initial_window_bytes(self.max_datagram_bytes))
        self._is_in_slow_start = True
        self._is_competitive = False
        self._delta = DEFAULT_DELTA
        self._delta_doubled_s: float | None = None
        self._queue = QueueDelay(self.max_datagram_bytes)
        self._rounds = RoundCounter()
        self._velocity = Velocity(self._window_bytes)
        self._ack_size = AckSize()
        self._loss_check_round = 0
        self._loss_check_delivered_bytes = 0
        self._loss_check_lost_bytes = 0

    @property
    def cwnd_bytes(self) -> int:
        if self._is_in_slow_start:
            return int(self._window_bytes)
        return int(self._window_bytes + min(self._ack_size.bytes, self._window_bytes))

    @property
    def pacing_rate_bytes_per_s(self) -> float | None:
        standing_rtt_s = self._queue.standing_rtt_s
        if standing_rtt_s is None:
            return None
        gain = SLOW_START_PACING_GAIN if self._is_in_slow_start else 1.0
        return gain * self._window_bytes / max(standing_rtt_s, SHORTEST_RTT_S)

    @property
    def phase(self) -> Phase:
        return Phase.SLOW_START if self._is_in_slow_start else Phase.AVOIDANCE

    @property
    def is_competitive(self) -> bool:
        """Whether somebody else fills the queue."""
        return self._is_competitive

    @property
    def delta(self) -> float:
        """The weight of delay, per packet."""
        return self._delta

    @property
    def velocity(self) -> float:
        """The velocity parameter v."""
        return self._velocity.value

    def on_ack(self, event: AckEvent) -> None:
        is_round = self._rounds.on_ack(event)
        if event.rtt is None:
            return
        self._ack_size.on_ack(event, rounds=self._rounds.count)
        if event.has_rtt_sample:
            self._queue.on_sample(event.rtt, event.delivery_rate, now_s=event.now_s)
        if is_round:
            self._begin_round(event, event.rtt)
        direction = self._wanted_direction()
        if event.is_app_limited and direction is Direction.UP:
            return
        if self._is_in_slow_start and direction is Direction.UP:
            self._window_bytes += event.acked_bytes
        elif direction is not Direction.NONE:
            self._move(direction, event.acked_bytes)

    def on_loss(self, event: LossEvent) -> None:
        newest_sent_s = event.lost[-1].sent_time_s
        is_new = self._delta_doubled_s is None or newest_sent_s > self._delta_doubled_s
        if self._is_competitive and is_new:  # 1/delta by AIMD (section 2.2)
            self._delta = min(2 * self._delta, DEFAULT_DELTA)
            self._delta_doubled_s = event.now_s
        if event.is_persistent_congestion:
            self._set_window(0)
            self._is_in_slow_start = True
            self.window_resets += 1

    def log_fields(self) -> Mapping[str, float | None]:
        return {
            "window_bytes": self._window_bytes,
            "delta": self._delta,
            "velocity": self._velocity.value,
            "queueing_delay_s": self._queue.queueing_delay_s,
            "is_competitive": float(self._is_competitive),
        }

    def _wanted_direction(self) -> Direction:
        """Section 2.1, step 3: up while cwnd / RTTstanding <= 1 / (delta d_q)."""
        standing_rtt_s, delay_s = self._queue.standing_rtt_s, self._queue.queueing_delay_s
        if standing_rtt_s is None or delay_s is None:
            return Direction.NONE
        window_packets = self._window_bytes / self.max_datagram_bytes
        return Direction.UP if window_packets * self._delta * delay_s <= standing_rtt_s else Direction.DOWN

    def _move(self, direction: Direction, acked_bytes: int) -> None:
        """v/(delta cwnd) packets for each packet acknowledged."""
        if self._is_in_slow_start:
            self._is_in_slow_start = False
            self._velocity = Velocity(self._window_bytes)
        self._velocity.on_move(direction, self._window_bytes)
        share = acked_bytes / self._window_bytes
        self._set_window(
            self._window_bytes + direction * self._velocity.value / self._delta * share * self.max_datagram_bytes
        )

    def _begin_round(self, event: AckEvent, rtt: RttState) -> None:
        self._choose_mode(rtt, now_s=event.now_s)
        if self._rounds.count - self._loss_check_round >= HEAVY_LOSS_ROUNDS:
            self._answer_heavy_loss(event)
        if not self._is_in_slow_start:
            largest = GROWTH_MAX * self._delta * self._window_bytes / self.max_datagram_bytes
            self._velocity.on_round(self._window_bytes, largest=largest)

    def _choose_mode(self, rtt: RttState, *, now_s: float) -> None:
        if self._is_in_slow_start or self._queue.has_emptied(rtt, now_s=now_s):
            self._is_competitive = False
            self._delta = DEFAULT_DELTA
        elif self._is_competitive:
            self._delta = 1 / (1 / self._delta + 1)
        else:
            self._is_competitive = True

    def _answer_heavy_loss(self, event: AckEvent) -> None:
        lost_bytes = event.total_lost_bytes - self._loss_check_lost_bytes
        sent_bytes = lost_bytes + event.delivered_bytes - self._loss_check_delivered_bytes
        if sent_bytes <= HEAVY_LOSS_PACKETS_MIN * self.max_datagram_bytes:
            return
        if lost_bytes > HEAVY_LOSS_RATIO * sent_bytes:
            self._set_window(self._window_bytes * HEAVY_LOSS_FACTOR)
            self.window_resets += 1
        self._loss_check_round = self._rounds.count
        self._loss_check_delivered_bytes = event.delivered_bytes
        self._loss_check_lost_bytes = event.total_lost_bytes

    def _set_window(self, window_bytes: float) -> None:
        self._window_bytes = max(window_bytes, MINIMUM_WINDOW_PACKETS * self.max_datagram_bytes)


SCHEME = Scheme(
    name="copa",
    title="Copa",
    control="sender",
    family="Delay-based",
    summary="Window towards the rate 1/(0.5 queueing delay); fills the queue only against flows that do.",
    source="Arun, Balakrishnan: Copa, NSDI 2018",
    make_sender=Copa,
)
