"""Any order of sending, acknowledging, losing, waiting and moving leaves every scheme within its bounds."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest
from hypothesis import currently_in_test_context, given, note, settings

from cc.core.base import MINIMUM_WINDOW_PACKETS, AckEvent, LossEvent, Phase, SenderScheme
from cc.core.scheme import Scheme
from cc.core.window import WindowScheme
from cc.registry import SCHEMES
from cc.tests.flow import MSS, Flow
from cc.tests.script import Script, scripts

MACHINES = 100  # by scripts that are made at once: to draw one by Hypothesis takes longer than its run
EVENTS = 60
SCRIPT_BYTES = 5 * EVENTS  # nine runs in ten read no further, and the others go on with plain events


class ContractMachine:
    """Keeps a book of its own beside the ledger."""

    def __init__(self, entry: Scheme, script: Script) -> None:
        self.entry = entry
        self.script = script
        self.flow = Flow(self._make_scheme())
        self.in_flight: dict[int, int] = {}
        self.path_began_at = 0  # the number of the path's first packet
        self.log_names = list(self.flow.scheme.log_fields())
        self.initial_bytes = self.flow.scheme.cwnd_bytes
        self.reduced_before = 0  # packets below this number were sent before the last cut or path change

    def run(self) -> None:
        """Let happen what the script says; some kinds of events do not happen at all."""
        events = self.script.part_of(self.events())
        happened: list[tuple[str, float, int]] = []
        try:
            for _ in range(EVENTS):
                event = self.script.one_of(events)
                happened.append((event.__name__, self.flow.now_s, self.flow.scheme.cwnd_bytes))
                event()
                self.check()
        finally:
            if currently_in_test_context():
                note(happened)  # event, time and window before it; only a failure writes it out

    def events(self) -> list[Callable[[], None]]:
        """Whatever may happen, in any order."""
        return [
            self.wait,
            self.send,
            self.ack,
            self.lose,
            self.fill_window,
            self.lose_a_flight,
            self.discard,
            self.ack_unknown,
            self.run_dry,
            self.change_path,
        ]

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

    def send(self) -> None:
        size_bytes = 1 + self.script.up_to(MSS - 1)
        for number in self.flow.send(1 + self.script.up_to(39), size_bytes=size_bytes):
            self.in_flight[number] = size_bytes

    def fill_window(self) -> None:
        for number in self.flow.fill_window():
            self.in_flight[number] = MSS

    def ack(self) -> None:
        if not self.in_flight:
            return
        numbers = self._some_in_flight()
        before = self.window_bytes()
        rtt_s, has_rtt_sample = self.script.of_magnitude(0.001, 3), not self.script.is_true()
        event = self.flow.ack(numbers, rtt_s=rtt_s, has_rtt_sample=has_rtt_sample)
        acked = [number for number in numbers if number in self.in_flight and number >= self.path_began_at]
        acked_bytes = self._take(numbers)
        if event is None:
            assert acked_bytes == 0
            assert self.window_bytes() == before
            return
        assert event.acked_bytes == acked_bytes
        assert [packet.packet_number for packet in event.acked] == sorted(acked)
        if event.delivery_rate is not None:
            assert 0 < event.delivery_rate.bytes_per_s < math.inf
        self.check_ack(event, before)

    def lose(self) -> None:
        if not self.in_flight:
            return
        numbers = self._some_in_flight()
        before = self.flow.scheme.cwnd_bytes
        event = self.flow.lose(numbers, is_persistent_congestion=self.script.is_true(one_in=8))
        lost_bytes = self._take(numbers)
        assert lost_bytes == (0 if event is None else event.lost_bytes)
        if event is not None:
            self.check_loss(event, before)

    def lose_a_flight(self) -> None:
        self.flow.wait(0.01)
        numbers = self.flow.send(2)
        self.flow.wait(0.01)
        before = self.flow.scheme.cwnd_bytes
        self.flow.lose(numbers)
        self.check_lost_flight(before)

    def discard(self) -> None:
        if not self.in_flight:
            return
        numbers = self._some_in_flight()
        before = (self.flow.scheme.cwnd_bytes, self.flow.scheme.phase)
        self.flow.ledger.on_packets_discarded(numbers)
        for number in numbers:
            self.in_flight.pop(number, None)
        assert (self.flow.scheme.cwnd_bytes, self.flow.scheme.phase) == before

    def ack_unknown(self) -> None:
        assert self.flow.ack([10**6 + self.script.up_to(10**9)]) is None

    def wait(self) -> None:
        self.flow.wait(self.script.of_magnitude(1e-6, 3600) if self.script.is_true() else self.script.between(0.01, 1))

    def run_dry(self) -> None:
        self.flow.ledger.mark_app_limited()

    def change_path(self) -> None:
        self.path_began_at = self.flow.next_number
        self.flow.change_path(self._make_scheme())
        self.check_new_path()

    def check(self) -> None:
        """What holds after each event."""
        scheme, ledger = self.flow.scheme, self.flow.ledger
        cwnd_bytes = scheme.cwnd_bytes
        assert type(cwnd_bytes) is int
        assert cwnd_bytes >= MINIMUM_WINDOW_PACKETS * MSS
        assert isinstance(scheme.phase, Phase)
        assert scheme.window_resets >= 0
        rate = scheme.pacing_rate_bytes_per_s
        assert rate is None or 0 < rate < math.inf
        assert ledger.bytes_in_flight == sum(self.in_flight.values())
        assert ledger.packets_in_flight == len(self.in_flight)
        fields = scheme.log_fields()
        assert list(fields) == self.log_names
        assert all(map(math.isfinite, filter(None, fields.values()))), fields  # 0 is finite, None says nothing

    def window_bytes(self) -> int:
        """What ACKs are judged by."""
        return self.flow.scheme.cwnd_bytes

    def _make_scheme(self) -> SenderScheme:
        return self.entry.make_sender(max_datagram_bytes=MSS, rng=random.Random(1))

    def _take(self, numbers: list[int]) -> int:
        """Out of flight; how many bytes that is on the present path."""
        sizes_bytes = {number: self.in_flight.pop(number) for number in numbers if number in self.in_flight}
        return sum(size_bytes for number, size_bytes in sizes_bytes.items() if number >= self.path_began_at)

    def _some_in_flight(self) -> list[int]:
        """Some packets in flight, sometimes with one that is not."""
        numbers = self.script.some_of(list(self.in_flight), 30)
        return [*numbers, 10**6] if self.script.is_true() else numbers


class WindowContractMachine(ContractMachine):
    """What `cc.core.window` promises besides."""

    def window_bytes(self) -> int:
        """What may be in flight, without the room that a scheme declares for packets that wait for their ACK."""
        assert isinstance(self.flow.scheme, WindowScheme)
        return self.flow.scheme.cwnd_bytes - self.flow.scheme.room_bytes

    def check_ack(self, event: AckEvent, before_bytes: int) -> None:
        if event.is_app_limited:
            assert self.window_bytes() <= before_bytes
        if self.entry.name != "hybla":  # long round trips let it grow faster: so it is meant
            acked_bytes = event.acked_bytes
            assert self.window_bytes() <= before_bytes + acked_bytes + 1, "grew by more than was acknowledged"

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


def run_in_any_order(kind: type[ContractMachine], entry: Scheme) -> None:
    """Many machines, each by a script of its own; where one fails, Hypothesis looks for a plainer one."""

    def run(script: bytes) -> None:
        kind(entry, Script(script)).run()

    for seed in range(MACHINES):
        try:
            run(random.Random(f"{entry.name} {seed}").randbytes(SCRIPT_BYTES))
        except Exception:
            settings(max_examples=10 * MACHINES, derandomize=True)(given(script=scripts(SCRIPT_BYTES))(run))()
            raise  # it has met none


@pytest.mark.parametrize("entry", SCHEMES, ids=lambda entry: entry.name)
def test_contract_holds_in_any_order_of_events(entry: Scheme) -> None:
    is_window = isinstance(entry.make_sender(max_datagram_bytes=MSS, rng=random.Random(1)), WindowScheme)
    run_in_any_order(WindowContractMachine if is_window else ContractMachine, entry)
