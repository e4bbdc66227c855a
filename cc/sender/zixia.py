"""ZiXia: a window that a learned policy multiplies every 10 ms, by what the last five states say.

Source: ZiXia, congestion control by deep reinforcement learning with an adjusted ranking reward (its sections, tables
and equations are cited below). ZiXia_delay is the same scheme with a policy that was rewarded by eq. 6.

Choices where the paper is silent:

- The seven actions: changes by 2, 10 and 25 % and none. Each fall undoes a rise, so that a policy that knows nothing
  yet leaves the window where it is on average. The paper says only that they lie between -1 and 1.
- Rates and moving averages are those of Indigo (Yan et al.: Pantheon, USENIX ATC 2018, and its code), whose state
  table I extends by the duration: what was delivered, or sent, between a packet's sending and its ACK, over that time;
  a new value counts for an eighth.
- Decisions lie on a grid of 10 ms as far as ACKs allow: the first ACK after each point asks, and one that is a
  whole interval late begins the grid anew.
- Without a policy's answer the window is CUBIC's (RFC 9438), from where the policy left it. The paper's agent extends
  no other scheme; CUBIC is what most senders run, and a window's, too.

Safety that the paper does not have:

- No action lifts the window above three times what the last round trip delivered (or the initial window), nor while the
  application leaves it unused (`delivered_ceiling.py`).
- Persistent congestion ends at two packets (RFC 9002 section 7.6.2). Other losses are the policy's business, which sees
  them as a rate of delivery below that of sending.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from cc.core.base import AckEvent, LossEvent, SentPacket
from cc.core.decision import Choices, DecisionRequest, Decisions, Feature, PolicySpace
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.sender.cubic import Cubic
from cc.sender.delivered_ceiling import DeliveredCeiling

INTERVAL_S = 0.010  # section III.B
HISTORY = 5  # section III.B
RISES = (0.02, 0.1, 0.25)
ACTIONS = (*(1 / (1 + rise) - 1 for rise in reversed(RISES)), 0.0, *RISES)  # a_t of eq. 3
EWMA_SHARE = 1 / 8

FEATURES = (  # table I
    Feature("delay_ewma", "s", 0.0005, 2.0, "round-trip time above the smallest, EWMA", is_logarithmic=True),
    Feature("delivery_rate_ewma", "bytes/s", 1e4, 2.5e7, "rate of delivery, EWMA", is_logarithmic=True),
    Feature("send_rate_ewma", "bytes/s", 1e4, 2.5e7, "rate of sending, EWMA", is_logarithmic=True),
    Feature("cwnd", "bytes", 2e3, 4e6, "congestion window", is_logarithmic=True),
    Feature("duration", "s", 0.0, 30.0, "time since the path was first used"),
)


class Zixia(Cubic):
    """A learned window; CUBIC's while nobody decides."""

    policy_space: ClassVar[PolicySpace] = PolicySpace(
        features=FEATURES,
        history=HISTORY,
        actions=Choices(ACTIONS, "change of the window as a share of it, eq. 3"),
        interval="10 ms, or longer where no ACK comes",
    )

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        self.decisions = Decisions(self.policy_space)
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._start_s: float | None = None
        self._decision_due_s = 0.0
        self._delay_ewma_s: float | None = None
        self._delivery_ewma_bytes_per_s: float | None = None
        self._send_ewma_bytes_per_s: float | None = None
        self._ceiling = DeliveredCeiling(self.max_datagram_bytes)

    @property
    def request(self) -> DecisionRequest | None:
        """What waits for the policy."""
        return self.decisions.request

    def on_decision(self, sequence: int, action: float | None) -> None:
        """Eq. 3, below the ceiling; the fallback would go on from there."""
        accepted = self.decisions.accept(sequence, action)
        if accepted is None:
            return
        window_bytes = self._window_bytes
        wanted_bytes = window_bytes * (1 + ACTIONS[int(accepted)])
        self._set_window(self._ceiling.bounded(wanted_bytes, window_bytes=window_bytes))
        self._ssthresh_bytes = self._window_bytes
        self.forget_curve()

    def on_ack(self, event: AckEvent) -> None:
        self.decisions.on_event(event.now_s)
        self._measure(event)
        if self.decisions.uses_heuristic:
            super().on_ack(event)
        else:
            self._is_in_recovery = False
        if event.now_s >= self._decision_due_s and self._delay_ewma_s is not None:
            next_due_s = self._decision_due_s + INTERVAL_S
            self._decision_due_s = next_due_s if next_due_s > event.now_s else event.now_s + INTERVAL_S
            self.decisions.end_interval(self._features(event.now_s), now_s=event.now_s)

    def on_loss(self, event: LossEvent) -> None:
        self.decisions.on_event(event.now_s)
        if self.decisions.uses_heuristic or event.is_persistent_congestion:
            super().on_loss(event)

    def log_fields(self) -> Mapping[str, float | None]:
        return {**super().log_fields(), **self.decisions.log_fields(), "delay_ewma_s": self._delay_ewma_s}

    def _measure(self, event: AckEvent) -> None:
        newest = event.acked[-1]
        if self._start_s is None:
            self._start_s = event.acked[0].sent_time_s
        self._ceiling.on_ack(event)
        elapsed_s = event.now_s - newest.sent_time_s
        if elapsed_s <= 0:
            return
        round_trip_bytes = event.delivered_bytes - newest.delivered_bytes
        sent_bytes = event.delivered_bytes + event.total_lost_bytes + event.bytes_in_flight - _sent_bytes_until(newest)
        self._delivery_ewma_bytes_per_s = _ewma(self._delivery_ewma_bytes_per_s, round_trip_bytes / elapsed_s)
        self._send_ewma_bytes_per_s = _ewma(self._send_ewma_bytes_per_s, max(0, sent_bytes) / elapsed_s)
        if event.rtt is not None and event.has_rtt_sample:
            self._delay_ewma_s = _ewma(self._delay_ewma_s, event.rtt.latest_s - event.rtt.min_s)

    def _features(self, now_s: float) -> tuple[float, ...]:
        return (
            self._delay_ewma_s or 0.0,
            self._delivery_ewma_bytes_per_s or 0.0,
            self._send_ewma_bytes_per_s or 0.0,
            self._window_bytes,
            0.0 if self._start_s is None else now_s - self._start_s,
        )


def _sent_bytes_until(packet: SentPacket) -> int:
    """What had been sent on the connection when it was, itself included."""
    return packet.delivered_bytes + packet.lost_bytes + packet.bytes_in_flight


def _ewma(old: float | None, new: float) -> float:
    return new if old is None else old + EWMA_SHARE * (new - old)


SCHEME = Scheme(
    name="zixia",
    title="ZiXia",
    control="sender",
    family="Learned",
    summary="A learned policy multiplies the window every 10 ms; rewarded for its rank among other schemes.",
    source="ZiXia: an adjusted ranking reward, Dual-PPO",
    make_sender=Zixia,
    policy="zixia",
)

DELAY = Scheme(
    name="zixia-delay",
    title="ZiXia_delay",
    control="sender",
    family="Learned",
    summary="ZiXia with a policy that is content to beat half of the others in throughput, and seeks low delay.",
    source="ZiXia: an adjusted ranking reward, Dual-PPO, eq. 6",
    make_sender=Zixia,
    policy="zixia-delay",
)

LEAN = Scheme(
    name="zixia-lean",
    title="ZiXia, lean",
    control="sender",
    family="Learned",
    summary="ZiXia with a policy that was rewarded for use, short queues and few losses; not the paper's.",
    source="ZiXia: an adjusted ranking reward; trained otherwise",
    make_sender=Zixia,
    policy="zixia-lean",
)
