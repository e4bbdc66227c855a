"""Any order of sending, acknowledging, losing, waiting and moving leaves every scheme within its bounds."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from cc.core.base import MINIMUM_WINDOW_PACKETS, AckEvent, LossEvent, Phase, SenderScheme
from cc.core.scheme import Scheme
from cc.core.window import WindowScheme
from cc.registry import SCHEMES
from cc.tests.flow import MSS, Flow

SETTINGS = settings(
    max_examples=60,
    stateful_step_count=60,
    deadline=None,
    print_blob=True,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


class ContractMachine(RuleBasedStateMachine):
    """Keeps a book of its own beside the ledger."""

    entry: Scheme

    @initialize()
    def begin(self) -> None:
        self.flow = Flow(self._make_scheme())
        self.in_flight: dict[int, int] = {}
        self.path_began_at = 0  # the number of the path's first packet
        self.log_names = list(self.flow.scheme.log_fields())
        self.initial_bytes = self.flow.scheme.cwnd_bytes
        self.reduced_before = 0  # packets below this number were sent before the last cut or path change

    # What a kind of scheme adds

    def check_ack(self, event: AckEvent, before_bytes: int) -> None:
        """After an ACK that found the window at `before_bytes`."""

    def check_loss(self, event: LossEvent, before_bytes: int) -> None:
        """After a loss that found the window at `before_bytes`."""

    def check_lost_flight(self, before_bytes: int) -> None:
        """After the loss of two packets sent after all others, of which nothing is known otherwise."""

    def check_new_path(self) -> None:
        """After a change of path."""
        assert self.flow.scheme.cwnd_bytes == self.initial_bytes

    @rule(packets=st.integers(1, 40), size_bytes=st.integers(1, MSS))
    def send(self, packets: int, size_bytes: int) -> None:
        for number in self.flow.send(packets, size_bytes=size_bytes):
            self.in_flight[number] = size_bytes

    @rule()
    def fill_window(self) -> None:
        for number in self.flow.fill_window():
            self.in_flight[number] = MSS

    @precondition(lambda self: self.in_flight)
    @rule(data=st.data(), rtt_s=st.floats(0.001, 3), has_rtt_sample=st.booleans())
    def ack(self, data: st.DataObject, rtt_s: float, has_rtt_sample: bool) -> None:
        numbers = self._draw_numbers(data)
        before = self.flow.scheme.cwnd_bytes
        event = self.flow.ack(numbers, rtt_s=rtt_s, has_rtt_sample=has_rtt_sample)
        acked = [number for number in numbers if number in self.in_flight and number >= self.path_began_at]
        acked_bytes = self._take(numbers)
        if event is None:
            assert acked_bytes == 0
            assert self.flow.scheme.cwnd_bytes == before
            return
        assert event.acked_bytes == acked_bytes
        assert [packet.packet_number for packet in event.acked] == sorted(acked)
        if event.delivery_rate is not None:
            assert 0 < event.delivery_rate.bytes_per_s < math.inf
        self.check_ack(event, before)

    @precondition(lambda self: self.in_flight)
    @rule(data=st.data(), is_persistent_congestion=st.integers(0, 7).map(lambda number: number == 0))
    def lose(self, data: st.DataObject, is_persistent_congestion: bool) -> None:
        numbers = self._draw_numbers(data)
        before = self.flow.scheme.cwnd_bytes
        event = self.flow.lose(numbers, is_persistent_congestion=is_persistent_congestion)
        lost_bytes = self._take(numbers)
        assert lost_bytes == (0 if event is None else event.lost_bytes)
        if event is not None:
            self.check_loss(event, before)

    @rule()
    def lose_a_flight(self) -> None:
        self.wait(0.01)
        numbers = self.flow.send(2)
        self.wait(0.01)
        before = self.flow.scheme.cwnd_bytes
        self.flow.lose(numbers)
        self.check_lost_flight(before)

    @precondition(lambda self: self.in_flight)
    @rule(data=st.data())
    def discard(self, data: st.DataObject) -> None:
        numbers = self._draw_numbers(data)
        before = (self.flow.scheme.cwnd_bytes, self.flow.scheme.phase)
        self.flow.ledger.on_packets_discarded(numbers)
        for number in numbers:
            self.in_flight.pop(number, None)
        assert (self.flow.scheme.cwnd_bytes, self.flow.scheme.phase) == before

    @rule(number=st.integers(10**6, 10**9))
    def ack_unknown(self, number: int) -> None:
        assert self.flow.ack([number]) is None

    @rule(seconds=st.one_of(st.floats(1e-6, 0.5), st.floats(0.5, 3600)))
    def wait(self, seconds: float) -> None:
        self.flow.wait(seconds)

    @rule()
    def run_dry(self) -> None:
        self.flow.ledger.mark_app_limited()

    @rule()
    def change_path(self) -> None:
        self.path_began_at = self.flow.next_number
        self.flow.change_path(self._make_scheme())
        self.check_new_path()

    @invariant()
    def window_is_sound(self) -> None:
        scheme = self.flow.scheme
        assert type(scheme.cwnd_bytes) is int
        assert scheme.cwnd_bytes >= MINIMUM_WINDOW_PACKETS * MSS
        assert scheme.phase in Phase
        assert scheme.window_resets >= 0
        rate = scheme.pacing_rate_bytes_per_s
        assert rate is None or (math.isfinite(rate) and rate > 0)

    @invariant()
    def ledger_agrees(self) -> None:
        assert self.flow.ledger.bytes_in_flight == sum(self.in_flight.values())
        assert self.flow.ledger.packets_in_flight == len(self.in_flight)

    @invariant()
    def log_is_sound(self) -> None:
        fields = self.flow.scheme.log_fields()
        assert list(fields) == self.log_names
        assert all(value is None or math.isfinite(value) for value in fields.values())

    def _make_scheme(self) -> SenderScheme:
        return self.entry.make_sender(max_datagram_bytes=MSS, rng=random.Random(1))

    def _take(self, numbers: list[int]) -> int:
        """Out of flight; how many bytes that is on the present path."""
        sizes_bytes = {number: self.in_flight.pop(number) for number in numbers if number in self.in_flight}
        return sum(size_bytes for number, size_bytes in sizes_bytes.items() if number >= self.path_began_at)

    def _draw_numbers(self, data: st.DataObject) -> list[int]:
        """Some packets in flight, sometimes with one that is not."""
        known = sorted(self.in_flight)
        numbers: list[int] = data.draw(st.lists(st.sampled_from(known), min_size=1, max_size=30, unique=True))
        if data.draw(st.booleans()):
            numbers.append(10**6)
        return numbers


class WindowContractMachine(ContractMachine):
    """What `cc.core.window` promises besides."""

    def check_ack(self, event: AckEvent, before_bytes: int) -> None:
        if event.is_app_limited:
            assert self.flow.scheme.cwnd_bytes <= before_bytes
        assert self.flow.scheme.cwnd_bytes <= before_bytes + event.acked_bytes + 1, "grew by more than was acknowledged"

    def check_loss(self, event: LossEvent, before_bytes: int) -> None:
        assert self.flow.scheme.cwnd_bytes <= before_bytes
        if not event.is_persistent_congestion and event.lost[-1].packet_number < self.reduced_before:
            assert self.flow.scheme.cwnd_bytes == before_bytes, "a packet in flight at a cut caused another"
        if self.flow.scheme.cwnd_bytes < before_bytes:
            self.reduced_before = self.flow.next_number

    def check_lost_flight(self, before_bytes: int) -> None:
        assert self.flow.scheme.cwnd_bytes < before_bytes or before_bytes == MINIMUM_WINDOW_PACKETS * MSS
        self.reduced_before = self.flow.next_number

    def check_new_path(self) -> None:
        super().check_new_path()
        self.reduced_before = self.flow.next_number


@pytest.mark.parametrize("entry", SCHEMES, ids=lambda entry: entry.name)
def test_contract_holds_in_any_order_of_events(entry: Scheme) -> None:
    is_window = isinstance(entry.make_sender(max_datagram_bytes=MSS, rng=random.Random(1)), WindowScheme)
    kind = WindowContractMachine if is_window else ContractMachine
    machine = type("Machine", (kind,), {"entry": entry})
    run_state_machine_as_test(machine, settings=SETTINGS)
