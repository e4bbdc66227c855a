"""One flow over one link in virtual time, with a Chromium-like receiver; no clock, no event heap.

Everything that is under way is in one of three queues, each first in, first out, so the next event is the earliest of a
handful of times. The return path only delays.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from cc.ack_policy import AckPolicy
from cc.base import SenderScheme
from cc.link import Link
from cc.receiver_base import Feedback, ReceiverScheme
from cc.simulated_sender import OutgoingPacket, SimulatedSender

FEEDBACK_INTERVAL_S = 0.004


@dataclass(frozen=True, slots=True)
class DelaySummary:
    """Queueing delays of the packets that a link carried."""

    mean_s: float
    p50_s: float
    p95_s: float
    max_s: float


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """What a flow achieved."""

    duration_s: float
    goodput_bits_per_s: float
    """UDP payload that arrived and was not sent a second time."""
    queueing_delay: DelaySummary | None
    """None if nothing arrived."""
    packets_sent: int
    packets_lost: int
    """Declared lost by the sender."""
    spurious_losses: int
    """Declared lost, but acknowledged later."""
    persistent_congestions: int
    probes_sent: int
    window: tuple[tuple[float, int], ...]
    """(time, congestion window in bytes) after each ACK and feedback."""


@dataclass(frozen=True, slots=True)
class _Ack:
    arrival_s: float
    packet_numbers: tuple[int, ...]
    ack_delay_s: float


class Simulation:
    """Runs a flow as far as asked, so that an environment can step through it."""

    def __init__(
        self,
        scheme: SenderScheme,
        link: Link,
        *,
        return_delay_s: float,
        receiver: ReceiverScheme | None = None,
        backlog: Iterable[tuple[float, int]] | None = None,
    ) -> None:
        """`backlog`: when the application hands over how many bytes, in order of time; None sends without end."""
        self.now_s = 0.0
        self.sender = SimulatedSender(scheme, backlog_bytes=None if backlog is None else 0)
        self._scheme = scheme
        self._link = link
        self._return_delay_s = return_delay_s
        self._receiver = receiver
        self._backlog = deque(backlog or ())
        self._acks_due = AckPolicy(min_rtt_s=link.delay_s + return_delay_s)
        self._unacknowledged: list[int] = []
        self._largest_arrival_s = 0.0
        self._feedback_due_s: float | None = None
        self._data: deque[tuple[float, OutgoingPacket]] = deque()
        self._acks: deque[_Ack] = deque()
        self._feedback: deque[tuple[float, Feedback]] = deque()
        self._arrived_bytes = 0
        self._queueing_delays_s: list[float] = []
        self._window: list[tuple[float, int]] = []
        if receiver is not None:
            receiver.expect_data(True)
            self._feedback_due_s = FEEDBACK_INTERVAL_S
        if backlog is None:
            self._wake_sender()

    def run_until(self, end_s: float) -> None:
        """Let time pass until `end_s`."""
        while True:
            next_s = self._next_event_s()
            if next_s is None or next_s > end_s:
                self.now_s = end_s
                return
            self.now_s = max(self.now_s, next_s)
            self._handle_events()

    def result(self) -> SimulationResult:
        """What was achieved so far."""
        sender = self.sender
        spurious_bytes = sender.spurious_losses * self._scheme.max_datagram_bytes
        goodput_bytes = max(0, self._arrived_bytes - spurious_bytes)
        return SimulationResult(
            duration_s=self.now_s,
            goodput_bits_per_s=8 * goodput_bytes / self.now_s if self.now_s > 0 else 0.0,
            queueing_delay=_summarise(self._queueing_delays_s),
            packets_sent=sender.ledger.packets_sent_total,
            packets_lost=sender.packets_lost,
            spurious_losses=sender.spurious_losses,
            persistent_congestions=sender.persistent_congestions,
            probes_sent=sender.probes_sent,
            window=tuple(self._window),
        )

    def _next_event_s(self) -> float | None:
        times = [self.sender.wake_s(), self._acks_due.due_s, self._feedback_due_s]
        if self._data:
            times.append(self._data[0][0])
        if self._acks:
            times.append(self._acks[0].arrival_s)
        if self._feedback:
            times.append(self._feedback[0][0])
        if self._backlog:
            times.append(self._backlog[0][0])
        return min((time for time in times if time is not None), default=None)

    def _handle_events(self) -> None:
        """Everything that is due now: at the receiver, then at the sender."""
        now_s = self.now_s
        while self._data and self._data[0][0] <= now_s:
            self._receive(self._data.popleft()[1])
        if self._acks_due.due_s is not None and self._acks_due.due_s <= now_s:
            self._send_ack()
        if self._feedback_due_s is not None and self._feedback_due_s <= now_s:
            self._send_feedback()
        while self._backlog and self._backlog[0][0] <= now_s:
            self.sender.add_backlog(self._backlog.popleft()[1])
        self._deliver_to_sender()
        self._wake_sender()

    def _deliver_to_sender(self) -> None:
        now_s = self.now_s
        while self._acks and self._acks[0].arrival_s <= now_s:
            ack = self._acks.popleft()
            self.sender.on_ack(ack.packet_numbers, ack_delay_s=ack.ack_delay_s, now_s=now_s)
            self._window.append((now_s, self._scheme.cwnd_bytes))
        while self._feedback and self._feedback[0][0] <= now_s:
            self.sender.on_feedback(self._feedback.popleft()[1], now_s=now_s)
            self._window.append((now_s, self._scheme.cwnd_bytes))

    def _wake_sender(self) -> None:
        for packet in self.sender.on_wake(now_s=self.now_s):
            passage = self._link.send(packet.size_bytes, now_s=self.now_s)
            if passage is not None:
                self._queueing_delays_s.append(passage.queueing_delay_s)
                self._data.append((passage.arrival_s, packet))

    def _receive(self, packet: OutgoingPacket) -> None:
        self._arrived_bytes += packet.size_bytes
        if self._receiver is not None and packet.stamp is not None:
            self._receiver.on_stamp(packet.stamp, received_time_s=self.now_s)
        self._unacknowledged.append(packet.packet_number)
        self._largest_arrival_s = self.now_s
        self._acks_due.on_packet(packet.packet_number, now_s=self.now_s)

    def _send_ack(self) -> None:
        ack_delay_s = self.now_s - self._largest_arrival_s
        self._acks.append(_Ack(self.now_s + self._return_delay_s, tuple(self._unacknowledged), ack_delay_s))
        self._unacknowledged.clear()
        self._acks_due.on_ack_sent()

    def _send_feedback(self) -> None:
        if self._receiver is None:
            return
        feedback = self._receiver.feedback(now_s=self.now_s)
        if feedback is not None:
            self._feedback.append((self.now_s + self._return_delay_s, feedback))
        self._feedback_due_s = self.now_s + FEEDBACK_INTERVAL_S


def _summarise(delays_s: list[float]) -> DelaySummary | None:
    if not delays_s:
        return None
    ordered = sorted(delays_s)
    last = len(ordered) - 1
    return DelaySummary(
        mean_s=sum(ordered) / len(ordered),
        p50_s=ordered[round(0.50 * last)],
        p95_s=ordered[round(0.95 * last)],
        max_s=ordered[last],
    )
