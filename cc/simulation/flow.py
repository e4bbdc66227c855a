"""One flow: a sender, the way there behind the bottleneck, a receiver that acknowledges, and the way back."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Sequence

from cc.core.ack_policy import Ack, AckPolicy
from cc.core.base import EcnCounts
from cc.core.decision import DecisionRequest, Learned
from cc.core.receiver_base import Need, ReceiverState
from cc.links.clock import LinkClock
from cc.links.queueing.discipline import Mark
from cc.simulation.flight import Flight
from cc.simulation.flow_log import FlowLog
from cc.simulation.flow_plan import FlowPlan
from cc.simulation.flow_receiver import FlowReceiver
from cc.simulation.omniscient import OmniscientSender
from cc.simulation.options import SimulationOptions
from cc.simulation.receiver_rtt import ReceiverRtt
from cc.simulation.record import FlowRecord
from cc.simulation.sender import NEVER_S, SimulatedSender
from cc.simulation.way_back import WayBack


class Flow:
    """What happens to one flow, in the order in which it happens; the network says when."""

    def __init__(
        self,
        plan: FlowPlan,
        *,
        delay_s: float,
        way_back: WayBack,
        options: SimulationOptions,
        clock: LinkClock | None = None,
        has_others: bool = True,
    ) -> None:
        """`delay_s`: of the link, the same for all flows. Raises SchemeError, as all that follows does."""
        self.plan = plan
        self.record = FlowRecord()
        self.delay_s = delay_s + plan.extra_delay_s
        self._has_left = False
        self.sender = _make_sender(plan, options)
        self.due_s = self.sender.wake_s = plan.start_s
        """When something happens to it next."""
        self._window_s = array("d")
        self._window_bytes = array("q")
        round_trip_s = self.delay_s + way_back.delay_s
        self.lookahead_s = round_trip_s if plan.receiver is None else self.delay_s
        """What leaves the bottleneck makes no difference to the flow sooner."""
        self._way_back = way_back
        self._clock = clock
        self.learned = plan.learned
        """What asks a policy; None where nothing does."""
        self.asks_others = self.learned is not None and plan.decide is None
        """Whether somebody outside the network may answer."""
        self._has_others = has_others
        self.flight = self._next_flight()
        """What it has sent that has yet to enter the bottleneck."""
        self._policy = AckPolicy(min_rtt_s=round_trip_s, rule=options.ack)
        self._receiver_rtt = ReceiverRtt(way_back)
        self._acks: deque[tuple[float, Ack]] = deque()
        self._timed_ack_due_s = NEVER_S
        """When the ACK that the receiver sends by itself would arrive."""
        self._marks: dict[int, Mark] = {}
        self._last_request: int | None = None
        self.log: FlowLog | None = None
        """Told what happens; to be set before anything does."""
        self._receiver: FlowReceiver | None = None
        if plan.receiver is not None:
            self._receiver = FlowReceiver(
                plan.receiver,
                name=plan.name,
                start_s=plan.start_s,
                way_back=way_back,
                interval_s=options.feedback_interval_s,
            )

    @property
    def window(self) -> list[tuple[float, int]]:
        """(time, congestion window in bytes) after each ACK and feedback."""
        return list(zip(self._window_s, self._window_bytes, strict=True))

    def advance(self, until_s: float) -> None:
        """Let happen what happens before `until_s`; nothing that happens elsewhere may concern it until then."""
        while self.due_s < until_s:
            self.step(until_s)

    def step(self, until_s: float) -> bool:
        """`due_s` has come: whether it asks what somebody outside the network may answer.

        What it sends now, and before `until_s` or before more happens to it, is in `flight`.
        """
        now_s = self.due_s
        self._on_time(now_s, until_s)
        self.set_due()
        return self.learned is not None and self._decide(now_s)

    def take_flight(self) -> Flight:
        """What has yet to enter the bottleneck, and is about to."""
        flight = self.flight
        flight.drop_marks()
        if flight.stamps and self._receiver is not None:
            self._receiver.on_stamps_sent(flight.stamps)
        self.flight = self._next_flight()
        return flight

    def _next_flight(self) -> Flight:
        return Flight(self.sender.next_number, marks_steps=self._has_others)

    def _on_time(self, now_s: float, until_s: float) -> None:
        flight = self.flight
        if now_s >= self.plan.stop_s:
            self._has_left = True
        else:
            if self._receiver is not None and self._receiver.due_s <= now_s:
                self._receiver.ask(self.log, now_s=now_s)
            if self._take_arrivals(now_s) or self.sender.wake_s <= now_s:
                if self.learned is not None and self._new_request(self.learned) is not None:
                    until_s = now_s  # what leaves later waits for the answer
                until_s = min(until_s, self._arrival_due_s(), self.plan.stop_s)
                self.sender.on_wake(flight, now_s=now_s, until_s=until_s)
                return
        if flight.marks_steps:  # what the receiver does by itself wakes no sender
            flight.end_step(len(flight.sent_s), now_s)

    def on_departures(
        self,
        first_number: int,
        sizes_bytes: list[int],
        entered_s: list[float],
        departures_s: list[float | None],
        survivors_s: list[float | None],
    ) -> None:
        """Packets with consecutive numbers entered the bottleneck and leave it at these times; None: dropped.

        `survivors_s`: the same without those that are lost by chance behind the queue.
        """
        self.record.add(departures_s, sizes_bytes, entered_s)
        if survivors_s is not departures_s:
            self._note_chance_losses(sizes_bytes, departures_s, survivors_s)
        delay_s = self.delay_s
        if self._clock is None:
            arrivals_s = [None if left_s is None else left_s + delay_s for left_s in survivors_s]
        else:
            late_s = self._clock.late_s
            arrivals_s = [None if left_s is None else left_s + delay_s + late_s(left_s) for left_s in survivors_s]
        if self._receiver is not None:
            self._receiver.on_arrivals(first_number, arrivals_s)
        arrival_s = self._way_back.arrival_s
        self._acks += [(arrival_s(ack.sent_s), ack) for ack in self._acknowledge(first_number, entered_s, arrivals_s)]
        self._set_timed_ack_due()
        self.set_due()

    def set_due(self) -> None:
        """Work `due_s` out anew; to be called after all that changes it."""
        self.due_s = NEVER_S if self._has_left else min(self.sender.wake_s, self._arrival_due_s())

    def _decide(self, now_s: float) -> bool:
        """Have the plan's policy answer a request; whether one is left open that somebody else may answer."""
        request = None if self.learned is None else self._new_request(self.learned)
        if request is None:
            return False
        self._last_request = request.sequence
        if self.plan.decide is None:
            return True
        self.answer(request.sequence, self.plan.decide(request), now_s=now_s)
        return False

    def answer(self, sequence: int, action: float | None, *, now_s: float) -> None:
        """The answer to a request, before time goes on. Raises SchemeError."""
        assert self.learned is not None
        self.sender.on_decision(self.learned, sequence, action, now_s=now_s)
        self.set_due()

    def on_source(self, *, now_s: float) -> None:
        """The source has more, or has it earlier, than it said; before time goes on."""
        self.sender.on_source(now_s=now_s)
        self.set_due()

    def expect_data(self, is_expecting: bool) -> None:
        """Whether the receiver has requests open. Raises SchemeError."""
        if self._receiver is not None:
            self._receiver.expect_data(is_expecting)

    def on_need(self, need: Need, *, now_s: float) -> None:
        """What the receiver's player needs. Raises SchemeError."""
        if self._receiver is not None:
            self._receiver.on_need(need, now_s=now_s)

    def receiver_state(self, *, now_s: float) -> ReceiverState | None:
        """What the receiver knows; None without one. Raises SchemeError."""
        return None if self._receiver is None else self._receiver.state(now_s=now_s)

    def on_mark(self, packet_number: int, mark: Mark) -> None:
        """The router marked a packet that leaves."""
        self._marks[packet_number] = mark

    def goodput_bytes(self, until_s: float) -> int:
        """UDP payload that had arrived by `until_s`, without what was sent more than once."""
        sender = self.sender
        twice_bytes = sender.spurious_losses * self.plan.scheme.max_datagram_bytes + sender.copied_bytes
        return max(0, self.record.arrived_bytes(until_s, delay_s=self.delay_s) - twice_bytes)

    def _acknowledge(self, first_number: int, entered_s: list[float], arrivals_s: list[float | None]) -> list[Ack]:
        """The same ACKs for packets told of together or one by one."""
        policy, rtt = self._policy, self._receiver_rtt
        last_s = arrivals_s[-1]
        if last_s is not None and last_s < rtt.sample_due_s:
            return policy.on_arrivals(first_number, arrivals_s)
        acks: list[Ack] = []
        told = 0
        for index, arrival_s in enumerate(arrivals_s):
            min_rtt_s = None if arrival_s is None else rtt.fallen_to_s(entered_s=entered_s[index], arrival_s=arrival_s)
            if min_rtt_s is not None:
                acks += policy.on_arrivals(first_number + told, arrivals_s[told : index + 1])
                policy.on_min_rtt(min_rtt_s)
                told = index + 1
        return acks + policy.on_arrivals(first_number + told, arrivals_s[told:])

    def _new_request(self, learned: Learned) -> DecisionRequest | None:
        request = learned.request
        return None if request is None or request.sequence == self._last_request else request

    def _note_chance_losses(
        self, sizes_bytes: list[int], departures_s: list[float | None], survivors_s: list[float | None]
    ) -> None:
        for size_bytes, departure_s, survivor_s in zip(sizes_bytes, departures_s, survivors_s, strict=True):
            if survivor_s is None and departure_s is not None:
                self.record.add_chance_loss(departure_s, size_bytes)

    def _take_arrivals(self, now_s: float) -> bool:
        """Tell the sender what has come back; whether anything has."""
        has_come = False
        acks = self._acks
        while acks and acks[0][0] <= now_s:
            self._take_ack(acks.popleft()[1], now_s)
            has_come = True
        if not acks and self._timed_ack_due_s <= now_s:
            self._take_ack(self._policy.take_timed(), now_s)
            self._set_timed_ack_due()
            has_come = True
        if self._receiver is not None and self._take_feedback(self._receiver, now_s):
            has_come = True
        return has_come

    def _take_feedback(self, receiver: FlowReceiver, now_s: float) -> bool:
        """Tell the sender which windows were asked for; whether any was."""
        has_come = False
        feedback = receiver.feedback
        while feedback and feedback[0][0] <= now_s:
            request = feedback.popleft()[1]
            self.sender.on_feedback(request, now_s=now_s)
            if self.log is not None:
                self.log.on_feedback(request, self.sender, time_s=now_s)
            self._note_window(now_s)
            has_come = True
        return has_come

    def _take_ack(self, ack: Ack, now_s: float) -> None:
        ecn = self._ecn_counts(ack.packet_numbers) if self._marks else None
        self.sender.on_ack(ack.packet_numbers, ack_delay_s=ack.ack_delay_s, now_s=now_s, ecn=ecn)
        if self.log is not None:
            self.log.on_ack(self.sender, time_s=now_s)
        self._note_window(now_s)

    def _note_window(self, now_s: float) -> None:
        self._window_s.append(now_s)
        self._window_bytes.append(self.sender.scheme.cwnd_bytes)

    def _ecn_counts(self, packet_numbers: Sequence[int]) -> EcnCounts:
        """Accelerate is ECT(1) and brake ECT(0), as in ABC (`cc.links.queueing.accel_brake`)."""
        marks = [self._marks.pop(number, None) for number in packet_numbers]
        return EcnCounts(
            ect0=marks.count(Mark.BRAKE), ect1=marks.count(Mark.ACCELERATE), ce=marks.count(Mark.CONGESTION)
        )

    def _set_timed_ack_due(self) -> None:
        sent_s = self._policy.due_s
        self._timed_ack_due_s = NEVER_S if sent_s == NEVER_S else self._way_back.arrival_s(sent_s)

    def _arrival_due_s(self) -> float:
        """When the next ACK or feedback arrives, or feedback is asked for."""
        acks = self._acks
        due_s = acks[0][0] if acks else self._timed_ack_due_s
        receiver = self._receiver
        if receiver is None:
            return due_s
        due_s = min(due_s, receiver.due_s)
        return min(due_s, receiver.feedback[0][0]) if receiver.feedback else due_s


def _make_sender(plan: FlowPlan, options: SimulationOptions) -> SimulatedSender:
    trace = plan.known_opportunities_ms
    if trace is not None:
        return OmniscientSender(plan.scheme, name=plan.name, source=plan.source, opportunities_ms=trace)
    return SimulatedSender(
        plan.scheme,
        name=plan.name,
        source=plan.source,
        timer_quantum_s=options.timer_quantum_s,
        recovery=options.recovery,
        has_stamps=plan.receiver is not None,
    )
