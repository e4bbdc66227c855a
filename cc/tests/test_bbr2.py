"""What BBR v2 does otherwise than v3."""

from __future__ import annotations

import math
import random
from itertools import groupby

import pytest

from cc.sender.bbr.bbr2 import Bbr2
from cc.sender.bbr.bbr3_states import State
from cc.tests.even_link import (
    EVEN_BDP_BYTES,
    FULL_QUEUE_S,
    RTT_S,
    at_24_megabits,
    on_even_link,
    watch,
)
from cc.tests.flow import MSS, Flow
from cc.tests.limited_stream import limited_stream


def test_gains() -> None:
    high = 2 / math.log(2)
    assert Bbr2.pacing_gains[State.STARTUP] == pytest.approx(high)
    assert Bbr2.cwnd_gains[State.STARTUP] == pytest.approx(high)
    assert Bbr2.pacing_gains[State.DRAIN] == pytest.approx(1 / high)
    assert (Bbr2.pacing_gains[State.DOWN], Bbr2.pacing_gains[State.UP]) == (0.75, 1.25)
    assert (Bbr2.cwnd_gains[State.UP], Bbr2.cwnd_gains[State.PROBE_RTT]) == (2.0, 0.5)
    scheme = Bbr2(max_datagram_bytes=MSS, rng=random.Random(1))
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(high * 10_000 / 0.001)


def test_a_probe_ends_with_five_quarters_of_a_bdp_in_flight() -> None:
    scheme, simulation = on_even_link(Bbr2)
    assert isinstance(scheme, Bbr2)
    simulation.run_until(1.0)
    seen: list[tuple[State, int]] = []
    watch(simulation, 9.9, lambda _: seen.append((scheme.state, simulation.sender.ledger.bytes_in_flight)))
    runs = [list(run) for state, run in groupby(seen, key=lambda row: row[0]) if state is State.UP]
    assert len(runs) >= 2
    for run in runs:
        assert RTT_S <= len(run) / 1000 < 2.5 * RTT_S
        assert max(in_flight for _, in_flight in run) < 1.45 * EVEN_BDP_BYTES


def test_drain_has_no_end_by_rounds() -> None:
    scheme = Bbr2(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    for _ in range(3):
        numbers = flow.send(20)
        flow.wait(0.1)
        flow.ack(numbers)
    in_flight = list(flow.send(60))
    flow.wait(0.1)
    flow.ack(in_flight[:20])
    in_flight = in_flight[20:]
    for _ in range(10):  # 40 packets stay in flight above a BDP of 20
        assert scheme.state is State.DRAIN
        flow.wait(0.1)
        flow.ack(in_flight[:20])
        in_flight = in_flight[20:] + list(flow.send(20))


def test_startup_that_loses_takes_a_bdp_for_the_bound() -> None:
    scheme = Bbr2(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    limited_stream(flow, 200, lost_every=3)  # six or seven ranges each round trip; it takes eight
    assert scheme.longterm.inflight_bytes is None
    assert scheme.startup_loss_bound_bytes() == scheme.inflight_bytes(1.0)
    limited_stream(flow, 200, lost_every=2)
    assert scheme.longterm.inflight_bytes is not None


def test_fills_a_clean_link_with_a_short_queue() -> None:
    result = at_24_megabits(Bbr2)
    assert result.utilisation > 0.91
    assert result.queueing_delay.mean_s < 0.15 * FULL_QUEUE_S
