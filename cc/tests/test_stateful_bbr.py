"""Stateful-BBR's start; all else is BBR v1's."""

from __future__ import annotations

import random

import pytest

from cc.core.path_record import PathRecord
from cc.sender.bbr.bbr import State
from cc.sender.bbr.stateful_bbr import StatefulBbr
from cc.simulation import Simulation
from cc.tests.even_link import (
    EVEN_BDP_BYTES,
    EVEN_MSS,
    EVEN_RATE_BYTES_PER_S,
    FULL_QUEUE_S,
    RTT_S,
    at_24_megabits,
    even_link,
)
from cc.tests.flow import MSS, Flow
from cc.tests.sim_flows import DELAY_S

RECORD = PathRecord(bandwidth_bytes_per_s=396_000, bdp_bytes=40_000)  # 40 packets in 0.1 s, less 1 %


def make(record: PathRecord | None) -> StatefulBbr:
    return StatefulBbr(max_datagram_bytes=MSS, rng=random.Random(1), record=record)


def test_starts_with_the_bdp_at_the_bandwidth_of_the_record() -> None:
    scheme = make(RECORD)
    assert (scheme.cwnd_bytes, scheme.pacing_rate_bytes_per_s) == (40_000, 396_000)
    assert scheme.state is State.STARTUP


def test_the_first_samples_lower_neither_window_nor_rate() -> None:
    scheme = make(RECORD)
    flow = Flow(scheme)
    numbers = flow.send(40)
    flow.wait(0.1)
    flow.ack(numbers[:2])  # 20,000 bytes/s by this sample
    assert scheme.cwnd_bytes >= 40_000
    assert scheme.pacing_rate_bytes_per_s == 396_000
    flow.ack(numbers[2:])  # 400,000 bytes/s: Startup goes on from here
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(2.885 * 396_000, rel=1e-3)


@pytest.mark.parametrize("record", [None, PathRecord(bandwidth_bytes_per_s=90_000, bdp_bytes=9_900)])
def test_without_a_record_worth_using_it_starts_as_bbr(record: PathRecord | None) -> None:
    assert make(record).cwnd_bytes == 10 * MSS


def test_what_it_learned_is_the_bdp_and_the_bandwidth_without_the_margin() -> None:
    scheme = make(None)
    assert scheme.path_record() is None
    flow = Flow(scheme)
    for _ in range(5):
        numbers = flow.send(20)
        flow.wait(0.1)
        flow.ack(numbers)
    learned = scheme.path_record()
    assert learned is not None
    assert learned.bandwidth_bytes_per_s == pytest.approx(0.99 * 200_000)
    assert learned.bdp_bytes == pytest.approx(20_000)


def test_a_short_connection_does_not_change_the_record() -> None:
    scheme = make(RECORD)
    flow = Flow(scheme)
    numbers = flow.send(20)
    flow.wait(0.1)
    flow.ack(numbers)
    assert scheme.path_record() is RECORD  # 20,000 bytes are less than 40 packets of 1500
    numbers = flow.send(40)
    flow.wait(0.1)
    flow.ack(numbers)
    assert scheme.path_record() != RECORD


def test_the_second_connection_fills_the_link_from_the_first_round_trip_on() -> None:
    arrived = {}
    for record in (None, PathRecord(0.99 * EVEN_RATE_BYTES_PER_S, EVEN_BDP_BYTES)):
        link = even_link()
        scheme = StatefulBbr(max_datagram_bytes=EVEN_MSS, rng=random.Random(1), record=record)
        simulation = Simulation(scheme, link, return_delay_s=DELAY_S)
        simulation.run_until(4 * RTT_S)
        arrived[record is None] = simulation.result().goodput_bits_per_s / 8 * simulation.now_s
        assert simulation.result().packets_lost == 0
    # In 140 ms at the far end less the 20 ms there; without a record 10 + 20 + 40 + 80 packets have left.
    assert arrived[False] > 0.85 * EVEN_RATE_BYTES_PER_S * (4 * RTT_S - DELAY_S)
    assert arrived[True] < 0.7 * arrived[False]


def test_fills_a_clean_link() -> None:
    result = at_24_megabits(StatefulBbr)
    assert result.utilisation > 0.94
    assert result.queueing_delay.mean_s < RTT_S < FULL_QUEUE_S / 3
