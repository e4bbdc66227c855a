"""When datagrams arrived, on the clock of a reader who is late."""

from __future__ import annotations

import math
import socket
import time
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transport.udp.ancillary import CAN_TELL, Ancillary, receive
from transport.udp.arrival import SO_TIMESTAMPNS, TIMESPEC, ArrivalTimes, ask_for_arrivals

TIME_OF_DAY_NS = 1_790_000_000_000_000_000


@dataclass
class Clocks:
    """A monotonic clock, and a time of day that may step."""

    now_s: float = 1000.0
    step_ns: int = 0

    def monotonic_s(self) -> float:
        return self.now_s

    def time_of_day_ns(self) -> int:
        return TIME_OF_DAY_NS + self.step_ns + round(self.now_s * 1e9)

    def noted_now(self) -> Ancillary:
        """What the system writes beside a datagram that arrives."""
        seconds, nanoseconds = divmod(self.time_of_day_ns(), 1_000_000_000)
        return [(socket.SOL_SOCKET, SO_TIMESTAMPNS, TIMESPEC.pack(seconds, nanoseconds))]

    def arrivals(self, most_wait_s: float = math.inf) -> ArrivalTimes:
        return ArrivalTimes(self.monotonic_s, most_wait_s=most_wait_s, time_of_day_ns=self.time_of_day_ns)


def test_a_datagram_that_waited_arrived_before_it_was_read() -> None:
    clocks = Clocks()
    arrivals = clocks.arrivals()
    clocks.now_s = 1000.010
    noted = clocks.noted_now()
    clocks.now_s = 1000.250
    assert arrivals.of(noted) == pytest.approx(1000.010, abs=1e-6)


def test_what_waited_longer_than_a_host_is_forgiven_arrived_so_long_ago() -> None:
    clocks = Clocks()
    arrivals = clocks.arrivals(most_wait_s=0.1)
    clocks.now_s = 1000.010
    noted = clocks.noted_now()
    clocks.now_s = 1000.250
    assert arrivals.of(noted) == pytest.approx(1000.150)


def test_where_nobody_notes_it_arrives_when_it_is_read() -> None:
    clocks = Clocks()
    arrivals = clocks.arrivals()
    clocks.now_s = 1000.250
    assert arrivals.of([]) == 1000.250


@pytest.mark.parametrize("step_s", [3600.0, 0.002, -0.002, -3600.0])
def test_what_was_noted_before_a_step_of_the_time_of_day_has_arrived_when_it_is_read(step_s: float) -> None:
    clocks = Clocks()
    arrivals = clocks.arrivals()
    clocks.now_s = 1000.010
    before = clocks.noted_now()
    clocks.step_ns = round(step_s * 1e9)
    clocks.now_s = 1000.020
    assert arrivals.of(before) == 1000.020
    clocks.now_s = 1000.030
    after = clocks.noted_now()
    clocks.now_s = 1000.050
    assert arrivals.of(after) == pytest.approx(1000.030, abs=1e-6)


@given(
    st.lists(
        st.tuples(
            st.floats(min_value=0.0, max_value=0.2),
            st.floats(min_value=0.0, max_value=0.2),
            st.sampled_from([0, 0, 0, 1_000, 50_000, -80_000, 5_000_000, -5_000_000, 10**12, -(10**12)]),
        ),
        max_size=30,
    )
)
def test_no_step_makes_an_arrival_go_back_or_lie_ahead(turns: list[tuple[float, float, int]]) -> None:
    clocks = Clocks()
    arrivals = clocks.arrivals()
    last_s = clocks.now_s
    for before_s, wait_s, step_ns in turns:
        clocks.now_s += before_s
        noted = clocks.noted_now()
        clocks.step_ns += step_ns
        clocks.now_s += wait_s
        arrived_s = arrivals.of(noted)
        assert last_s <= arrived_s <= clocks.now_s
        last_s = arrived_s


@pytest.mark.skipif(not CAN_TELL, reason="only Linux notes when datagrams arrive")
def test_the_system_notes_when_a_datagram_arrives() -> None:
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sink,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s,
    ):
        sink.settimeout(5.0)
        sink.bind(("127.0.0.1", 0))
        arrivals = ArrivalTimes(time.monotonic)
        ask_for_arrivals(sink)
        sent_s = time.monotonic()
        s.sendto(b"first", sink.getsockname())
        delivered_s = time.monotonic()  # loopback hands over at once
        while time.monotonic() < delivered_s + 0.02:
            pass
        data, _, ancillary = receive(sink, 100)
        assert data == b"first"
        assert sent_s - 1e-4 <= arrivals.of(ancillary) <= delivered_s + 0.01
