"""TCP D* against the authors' constants, on a link and with numbers worked by hand.

By hand packets are of 1000 bytes and round trips of 0.1 s; a mode of n round trips ends with the first ACK after these.
"""

from __future__ import annotations

import random
from itertools import groupby

import pytest

from cc.core.base import Phase
from cc.sender.tcp_dstar import Mode, TcpDstar
from cc.tests.even_link import (
    EVEN_MSS,
    FULL_QUEUE_S,
    RTT_S,
    at_24_megabits,
    on_even_link,
    watch,
)
from cc.tests.flow import MSS, Flow
from cc.tests.sim_flows import jain_index, share_link


def make_flow() -> tuple[Flow, TcpDstar]:
    scheme = TcpDstar(max_datagram_bytes=MSS, rng=random.Random(1))
    return Flow(scheme), scheme


def round_trip(flow: Flow, packets: int) -> None:
    """Send so many packets at once, and have all acknowledged 0.1 s later."""
    numbers = flow.send(packets)
    flow.wait(0.1)
    flow.ack(numbers)


def pass_mode(flow: Flow, scheme: TcpDstar, packets: int) -> None:
    """Round trips of so many packets until the mode changes."""
    mode, before = scheme.mode, flow.now_s
    while scheme.mode is mode:
        round_trip(flow, packets)
        assert flow.now_s < before + 2


def test_slow_start_grows_by_half_a_bdp_until_that_brings_no_more() -> None:
    flow, scheme = make_flow()
    assert (scheme.cwnd_bytes, scheme.phase) == (4 * MSS, Phase.SLOW_START)
    for packets, window in ((4, 6), (6, 9), (9, 13)):  # 1.5 * 4, 1.5 * 6, 1.5 * 9 rounded down
        pass_mode(flow, scheme, packets)
        assert scheme.mode is Mode.GAIN_2
        pass_mode(flow, scheme, packets)
        assert (scheme.mode, scheme.cwnd_bytes) == (Mode.GAIN_1, window * MSS)
    pass_mode(flow, scheme, 9)  # the path holds no more
    pass_mode(flow, scheme, 9)
    assert (scheme.mode, scheme.cwnd_bytes, scheme.phase) == (Mode.DRAIN, 4 * MSS, Phase.AVOIDANCE)
    pass_mode(flow, scheme, 4)
    assert (scheme.mode, scheme.bdp_packets) == (Mode.STABLE, 9)


@pytest.mark.parametrize(
    ("last_bdp", "bdp", "gain"),
    [
        (640, 640, 10),  # 1/64 while nothing changes
        (640, 720, 90),  # 1/8 after growth by 1/8: 720 - (1 - 1/64) * 640 = 90
        (64, 64, 4),  # no less than four packets
        (720, 640, 10),  # nor than 1/64
    ],
)
def test_gain_follows_the_growth(last_bdp: int, bdp: int, gain: int) -> None:
    _, scheme = make_flow()
    scheme._last_bdp_packets, scheme.bdp_packets = last_bdp, bdp
    scheme._update_gain()
    assert scheme.gain_packets == gain


def test_cycle_on_a_link() -> None:
    scheme, simulation = on_even_link(TcpDstar)
    assert isinstance(scheme, TcpDstar)
    simulation.run_until(3.0)
    seen: list[Mode] = []
    watch(simulation, 10.0, lambda _: seen.append(scheme.mode))
    runs = [(mode, len(list(run)) / 1000 / RTT_S) for mode, run in groupby(seen)][1:-1]
    first = [mode for mode, _ in runs].index(Mode.STABLE)
    assert [mode for mode, _ in runs][first : first + 6] == [Mode.STABLE, Mode.GAIN_1, Mode.GAIN_2] * 2
    # Round trips of 40 ms and a queue of a few ms; a mode ends with the next ACK.
    bounds = {Mode.STABLE: (3, 7.5), Mode.GAIN_1: (2, 2.7), Mode.GAIN_2: (1, 1.6)}
    for mode, trips in runs:
        shortest, longest = bounds[mode]
        assert shortest <= trips <= longest
    stable = {round(trips / 1.1) for mode, trips in runs if mode is Mode.STABLE}
    assert stable == {3, 4, 5, 6}


def test_about_one_bdp_in_flight_and_no_pacing() -> None:
    scheme, simulation = on_even_link(TcpDstar)
    assert isinstance(scheme, TcpDstar)
    simulation.run_until(3.0)
    in_flight: list[int] = []

    def look(_: float) -> None:
        assert scheme.pacing_rate_bytes_per_s is None
        if scheme.mode is Mode.STABLE:
            in_flight.append(simulation.sender.ledger.bytes_in_flight)

    watch(simulation, 10.0, look)
    # ACKs come for ten packets, so that on average five of 80 have arrived; a few more wait in the queue.
    assert 0.95 < sum(in_flight) / len(in_flight) / (80 * EVEN_MSS) < 1.2


def test_drains_to_four_packets_when_the_shortest_round_trip_is_ten_seconds_old() -> None:
    flow, scheme = make_flow()
    drained_s = []
    began_s = flow.now_s
    while flow.now_s < began_s + 24:
        before = scheme.mode
        numbers = flow.send(min(9, scheme.cwnd_bytes // MSS))
        flow.wait(0.1)
        flow.ack(numbers, rtt_s=0.1 + flow.now_s * 1e-6)
        if scheme.mode is Mode.DRAIN is not before:
            drained_s.append(flow.now_s - began_s)
            assert scheme.cwnd_bytes == 4 * MSS
    # Once at the end of slow start, then every 10 s and what is left of a cycle of up to ten round trips.
    assert drained_s[1:] == pytest.approx([10.6, 21.2], abs=0.7)


def test_application_limited_measurements_count_for_nothing() -> None:
    flow, scheme = make_flow()
    for _ in range(100):
        round_trip(flow, min(20, scheme.cwnd_bytes // MSS))
    before = scheme.bdp_packets
    assert before == 20
    for _ in range(100):
        flow.ledger.mark_app_limited()
        round_trip(flow, 1)
    assert scheme.bdp_packets == before


def test_a_loss_ends_slow_start_and_later_changes_nothing() -> None:
    flow, scheme = make_flow()
    flow.lose(flow.send(1))
    assert (scheme.mode, scheme.cwnd_bytes, scheme.phase) == (Mode.DRAIN, 4 * MSS, Phase.AVOIDANCE)
    pass_mode(flow, scheme, 4)
    before = (scheme.mode, scheme.cwnd_bytes)
    flow.lose(flow.send(1))
    assert (scheme.mode, scheme.cwnd_bytes) == before


def test_persistent_congestion_leaves_two_packets_for_two_round_trips() -> None:
    flow, scheme = make_flow()
    for _ in range(60):
        round_trip(flow, min(20, scheme.cwnd_bytes // MSS))
    flow.lose(flow.send(2), is_persistent_congestion=True)
    assert scheme.cwnd_bytes == 2 * MSS
    pass_mode(flow, scheme, 2)
    assert (scheme.mode, scheme.bdp_packets) == (Mode.STABLE, 20)


def test_trades_throughput_for_delay_on_a_clean_link() -> None:
    result = at_24_megabits(TcpDstar)
    assert result.utilisation > 0.88
    assert result.queueing_delay.mean_s < 0.05 * FULL_QUEUE_S


def test_two_flows_share_fairly() -> None:
    flows = [TcpDstar(max_datagram_bytes=1350, rng=random.Random(seed)) for seed in (1, 2)]
    rates = share_link(flows, starts_s=(0.0, 10.0), duration_s=40.0, since_s=20.0)
    assert sum(rates) > 0.95 * 24
    assert jain_index(rates) > 0.95
