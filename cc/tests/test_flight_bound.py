"""What no scheme may have in flight."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cc.core.base import AckEvent
from cc.core.flight_bound import DELIVERED_FACTOR, FlightBound
from cc.core.guard import PROOF_LIFETIME_S
from cc.core.scheme import Scheme
from cc.registry import SCHEMES
from cc.sender.newreno import NewReno
from cc.simulation import Simulation
from cc.tests.flow import MSS, RTT_S, Flow
from cc.tests.sim_flows import clean_link

INITIAL_BYTES = 10 * MSS


class Bounded(Flow):
    """Fills a window that it is given, and tells the bound of ACKs."""

    def __init__(self) -> None:
        super().__init__(NewReno(max_datagram_bytes=MSS, rng=random.Random(1)))
        self.bound = FlightBound(INITIAL_BYTES)

    def round_trip(self, packets: int) -> None:
        """So many packets, acknowledged together."""
        numbers = self.send(packets)
        self.now_s += RTT_S
        event = self.ack(numbers)
        assert event is not None
        self.bound.on_ack(event)


def test_nothing_delivered_leaves_the_initial_window() -> None:
    assert FlightBound(INITIAL_BYTES).bytes == INITIAL_BYTES


@settings(max_examples=20)
@given(st.lists(st.integers(1, 100), min_size=1, max_size=20))
def test_it_follows_the_most_of_late(packets: list[int]) -> None:
    flow = Bounded()
    for count in packets:
        flow.round_trip(count)
    assert flow.bound.bytes == INITIAL_BYTES + DELIVERED_FACTOR * MSS * max(packets)


def test_what_is_older_is_forgotten_once_something_newer_comes() -> None:
    flow = Bounded()
    flow.round_trip(100)
    flow.now_s += 3 * PROOF_LIFETIME_S
    assert flow.bound.bytes == INITIAL_BYTES + DELIVERED_FACTOR * MSS * 100
    flow.round_trip(3)
    assert flow.bound.bytes == INITIAL_BYTES + DELIVERED_FACTOR * MSS * 3


@pytest.mark.parametrize("entry", SCHEMES, ids=lambda entry: entry.name)
def test_no_scheme_meets_it_on_an_honest_path(entry: Scheme, monkeypatch: pytest.MonkeyPatch) -> None:
    scheme = entry.make_sender(max_datagram_bytes=1200, rng=random.Random(1))
    bound, closest = FlightBound(scheme.cwnd_bytes), 0.0
    on_ack = scheme.on_ack

    def watched(event: AckEvent) -> None:
        nonlocal closest
        closest = max(closest, event.prior_bytes_in_flight / bound.bytes)
        bound.on_ack(event)
        on_ack(event)

    monkeypatch.setattr(scheme, "on_ack", watched)
    Simulation(scheme, clean_link(), return_delay_s=0.020).run_until(1.0)
    assert 0.1 < closest <= 1.0
