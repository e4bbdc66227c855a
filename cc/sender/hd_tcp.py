"""Hd-TCP: a learned window for passengers of fast trains, whose link stops again and again for a handover.

Source: Cui, Yuan, Ming et al.: Improving the Congestion Control Performance for Mobile Networks in High-Speed Railway
via Deep Reinforcement Learning, IEEE Transactions on Vehicular Technology 69(6), 2020. Used are its abstract, and what
Jiang, Gong and Jin report of its results in their paper on Nuwa: it judges the state of the link, moves the window
finely by deep reinforcement learning, and is to use the time between two handovers whole; it is close to CUBIC on
stable paths and has less delay on 4G and 5G.

Not used, for the text is not public: its state, actions, reward, network, intervals and place of training. They are
this project's:

- State. A handover shows as a gap: no ACK for longer than one and a half smoothed round trips (the first ACK after a
  pause takes one). The policy is shown the longest gap of the interval, how long ago the last handover ended, rates and
  round trips over their best, losses, and the window over the product of both bests. The best rate is that of the last
  ten seconds, so that another cell's is forgotten.
- Actions multiply the window, or leave it; 20 ms lie between two of them, as in Orca.
- Without a policy's answer the window is CUBIC's, and some actions are bounded (`decided_window.py`).
"""

from __future__ import annotations

from typing import ClassVar

from cc.core.base import AckEvent, SentPacket
from cc.core.decision import Choices, Feature, PolicySpace
from cc.core.interval import IntervalMeasurement
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.core.windowed_filter import WindowedMaximum
from cc.sender.metered_window import MeteredWindow

INTERVAL_S = 0.020
HISTORY = 5
ACTIONS = (0.5, 0.9, 1.0, 1.1, 1.5)
BEST_RATE_S = 10.0
HANDOVER_RTTS = 1.5
LONGEST_PAUSE_S = 10.0

FEATURES = (
    Feature("throughput", "ratio", 0.0, 1.0, "rate of delivery over the largest of the last ten seconds"),
    Feature("delay", "ratio", 0.0, 1.0, "smallest RTT over the smoothed one"),
    Feature("window", "ratio", 0.05, 10.0, "window over best rate times smallest RTT", is_logarithmic=True),
    Feature("loss", "ratio", 0.0, 1.0, "lost of what became known in the interval"),
    Feature("gap", "ratio", 0.0, 5.0, "longest time without an ACK over the smoothed RTT"),
    Feature("since_handover", "s", 0.02, LONGEST_PAUSE_S, "since the last such time ended", is_logarithmic=True),
)


class HdTcp(MeteredWindow):
    """A learned window; CUBIC's while nobody decides."""

    policy_space: ClassVar[PolicySpace] = PolicySpace(
        features=FEATURES,
        history=HISTORY,
        actions=Choices(ACTIONS, "the window times this"),
        interval="20 ms, or longer where no ACK comes",
    )
    interval_s: ClassVar[float] = INTERVAL_S

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._best_bytes_per_s = WindowedMaximum(BEST_RATE_S)
        self._last_ack_s: float | None = None
        self._longest_gap_s = 0.0
        self._handover_end_s: float | None = None

    def wanted_window_bytes(self, action: float) -> float:
        return self._window_bytes * ACTIONS[int(action)]

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        if bytes_in_flight == packet.size_bytes:  # nothing was under way: silence before it is no gap
            self._last_ack_s = now_s
        super().on_packet_sent(now_s=now_s, packet=packet, bytes_in_flight=bytes_in_flight)

    def on_ack(self, event: AckEvent) -> None:
        self._hear(event)
        super().on_ack(event)

    def features_of(self, measured: IntervalMeasurement, event: AckEvent) -> tuple[float, ...]:
        gap_s, self._longest_gap_s = self._longest_gap_s, 0.0
        rate = measured.acked_bytes_per_s
        self._best_bytes_per_s.update(rate, at=event.now_s)
        best = self._best_bytes_per_s.best or 0.0
        rtt = event.rtt
        if best <= 0 or rtt is None or rtt.smoothed_s <= 0 or rtt.min_s <= 0:
            return (0.0,) * len(FEATURES)
        since_s = LONGEST_PAUSE_S if self._handover_end_s is None else event.now_s - self._handover_end_s
        return (
            rate / best,
            rtt.min_s / rtt.smoothed_s,
            self._window_bytes / (best * rtt.min_s),
            measured.loss_ratio,
            gap_s / rtt.smoothed_s,
            since_s,
        )

    def _hear(self, event: AckEvent) -> None:
        """A gap ends with this ACK, or none does."""
        gap_s = 0.0 if self._last_ack_s is None else event.now_s - self._last_ack_s
        self._last_ack_s = event.now_s
        self._longest_gap_s = max(self._longest_gap_s, gap_s)
        if event.rtt is not None and is_handover(gap_s, event.rtt.smoothed_s):
            self._handover_end_s = event.now_s


def is_handover(gap_s: float, smoothed_rtt_s: float) -> bool:
    """Whether so long a time without an ACK, while packets were under way, is one."""
    return gap_s > HANDOVER_RTTS * smoothed_rtt_s > 0


SCHEME = Scheme(
    name="hd-tcp",
    title="Hd-TCP",
    control="sender",
    family="Learned",
    summary="A learned window that is shown the gaps that handovers make; built from what is public of it.",
    source="Cui, Yuan, Ming et al.: Hd-TCP, IEEE TVT 69(6), 2020; its abstract",
    make_sender=HdTcp,
    policy="hd-tcp",
)
