"""BBR v3 against draft-ietf-ccwg-bbr-06 and the test cases of its appendix.

By hand packets are of 1000 bytes and round trips of 0.1 s, so n packets a round trip are n * 10,000 bytes/s.
"""

from __future__ import annotations

import math
import random
from itertools import groupby, pairwise

import pytest

from cc.core.base import Phase, SentPacket
from cc.sender.bbr.bbr3 import Bbr3
from cc.sender.bbr.bbr3_longterm import LongTermBound, inflight_at_loss_bytes
from cc.sender.bbr.bbr3_probe import ProbeTimer, UpwardSlope
from cc.sender.bbr.bbr3_states import PROBE_BW, STARTUP_GAIN, State
from cc.simulation import Simulation
from cc.tests.even_link import (
    EVEN_BDP_BYTES,
    EVEN_MSS,
    EVEN_RATE_BYTES_PER_S,
    FULL_QUEUE_S,
    RTT_S,
    at_24_megabits,
    even_link,
    on_even_link,
    watch,
)
from cc.tests.flow import MSS, Flow
from cc.tests.limited_stream import limited_stream
from cc.tests.same_number import SameNumber
from cc.tests.sim_flows import DELAY_S, jain_index, share_link

MARGIN = 0.99  # paced 1 % below the bandwidth


def make_flow() -> tuple[Flow, Bbr3]:
    scheme = Bbr3(max_datagram_bytes=MSS, rng=SameNumber(0.5))
    return Flow(scheme), scheme


def round_trip(flow: Flow, packets: int, rtt_s: float = 0.1) -> None:
    """Send so many packets at once, and have all acknowledged a round trip later."""
    numbers = flow.send(packets)
    flow.wait(rtt_s)
    flow.ack(numbers, rtt_s=rtt_s)


def lossy_round_trip(flow: Flow, packets: int, lost: int) -> None:
    """As many single packets of these are lost as said, every second one from the start."""
    numbers = flow.send(packets)
    missing = numbers[: 2 * lost : 2]
    flow.wait(0.1)
    flow.ack([number for number in numbers if number not in missing])
    if missing:
        flow.lose(missing)


def flow_in(state: State, packets: int = 20) -> tuple[Flow, Bbr3]:
    """So many packets a round trip until the state is reached."""
    flow, scheme = make_flow()
    for _ in range(200):
        if scheme.state is state:
            return flow, scheme
        round_trip(flow, packets)
    raise AssertionError(f"never reached {state}")


# Startup and Drain


def test_startup_gains() -> None:
    flow, scheme = make_flow()
    assert pytest.approx(2.7726, abs=1e-4) == STARTUP_GAIN  # 4 ln 2
    round_trip(flow, 20)
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(STARTUP_GAIN * 200_000 * MARGIN)
    # 2 * BDP, and an excess of 20 packets in one ACK as the aggregation.
    assert scheme.target_window_bytes() == pytest.approx(2 * 20_000 + 10_000)


def test_startup_ends_after_three_rounds_with_less_than_a_quarter_of_growth() -> None:
    flow, scheme = make_flow()
    for packets in (20, 24, 25, 31, 31):
        round_trip(flow, packets)
        assert scheme.state is State.STARTUP
    round_trip(flow, 31)
    assert scheme.model.is_full_bandwidth_reached
    assert scheme.state is not State.STARTUP


def test_application_limited_rounds_do_not_end_startup_but_losses_do() -> None:
    flow, scheme = make_flow()
    limited_stream(flow, 200, lost_every=1000)
    assert scheme.state is State.STARTUP
    limited_stream(flow, 200, lost_every=4)  # 12.5 % in five ranges each round trip
    assert scheme.state is State.STARTUP
    limited_stream(flow, 200, lost_every=3)  # six or seven
    assert scheme.model.is_full_bandwidth_reached
    assert scheme.longterm.inflight_bytes is not None


def test_drain_ends_with_a_bdp_in_flight_or_after_three_rounds() -> None:
    flow, scheme = make_flow()
    for _ in range(3):
        round_trip(flow, 20)
    numbers = list(flow.send(60))
    flow.wait(0.1)
    flow.ack(numbers[:20])
    assert (scheme.state, scheme.pacing_gain) == (State.DRAIN, 0.5)
    # 40 packets stay in flight above a BDP of 20: one leaves for each that arrives.
    rounds = scheme.model.rounds.count
    numbers = numbers[20:]
    while scheme.state is State.DRAIN:
        flow.wait(0.1)
        flow.ack(numbers[:20])
        numbers = numbers[20:] + list(flow.send(20))
    assert scheme.model.rounds.count - rounds == 4  # the first later than three rounds after it began
    assert scheme.state is State.DOWN


# ProbeBW


def test_states_and_gains_follow_one_another_on_a_link() -> None:
    scheme, simulation = on_even_link(Bbr3)
    assert isinstance(scheme, Bbr3)
    seen: list[tuple[State, float]] = []
    watch(simulation, 16.0, lambda _: seen.append((scheme.state, scheme.pacing_gain)))
    runs = [run for run, _ in groupby(seen)]
    assert runs[:2] == [(State.STARTUP, STARTUP_GAIN), (State.DRAIN, 0.5)]
    following = {
        State.DOWN: {State.CRUISE, State.REFILL},
        State.CRUISE: {State.REFILL},
        State.REFILL: {State.UP},
        State.UP: {State.DOWN},
        State.PROBE_RTT: {State.CRUISE},
    }
    for (state, _), (after, _) in pairwise(runs[2:]):
        assert after in {*following[state], State.PROBE_RTT}
    assert dict(runs[2:]).items() >= {
        (State.DOWN, 0.9),
        (State.CRUISE, 1.0),
        (State.REFILL, 1.0),
        (State.UP, 1.25),
    }


def test_probes_every_two_to_three_seconds_for_one_round_of_refill_and_three_to_four_of_up() -> None:
    scheme, simulation = on_even_link(Bbr3)
    assert isinstance(scheme, Bbr3)
    simulation.run_until(1.0)
    seen: list[State] = []
    watch(simulation, 9.9, lambda _: seen.append(scheme.state))
    runs = [(state, len(list(run)) / 1000) for state, run in groupby(seen)][1:-1]
    trips = {state: [length / RTT_S for other, length in runs if other is state] for state in State}
    assert all(1 <= trip < 1.6 for trip in trips[State.REFILL])
    # Three rounds without growth; the queue of up to 1.25 BDP makes them longer.
    assert all(3 <= trip < 10 for trip in trips[State.UP])
    waits, waited = [], 0.0
    for state, length in runs:
        if state is State.REFILL:
            waits.append(waited)
            waited = 0.0
        elif state is State.PROBE_RTT:  # which begins a new wait
            waited = 0.0
        elif state in {State.DOWN, State.CRUISE}:
            waited += length
    assert len(waits) >= 2
    assert all(2 <= wait < 3.1 for wait in waits[1:])


def test_one_bdp_in_flight_while_cruising() -> None:
    scheme, simulation = on_even_link(Bbr3)
    assert isinstance(scheme, Bbr3)
    simulation.run_until(1.0)
    cruising: list[int] = []

    def look(_: float) -> None:
        if scheme.state is State.CRUISE:
            cruising.append(simulation.sender.ledger.bytes_in_flight)

    watch(simulation, 4.9, look)
    assert scheme.model.max_bandwidth_bytes_per_s == pytest.approx(EVEN_RATE_BYTES_PER_S, rel=0.02)
    assert 1.0 < sum(cruising) / len(cruising) / EVEN_BDP_BYTES < 1.1


def test_probe_timer_waits_for_the_wall_clock_or_as_long_as_reno() -> None:
    timer = ProbeTimer()
    timer.start(10.0, SameNumber(0.25))  # no round to begin with, and 2.25 s
    assert timer.wait_s == 2.25
    assert not timer.is_due(12.25, inflight_packets=100)
    assert timer.is_due(12.26, inflight_packets=100)
    for rounds in range(63):
        assert timer.is_due(11.0, inflight_packets=100) is (rounds >= 63)
        assert timer.is_due(11.0, inflight_packets=20) is (rounds >= 20)
        timer.on_round()
    assert timer.is_due(11.0, inflight_packets=100)


def test_bandwidth_is_the_largest_of_this_cycle_and_the_last() -> None:
    flow, scheme = flow_in(State.CRUISE)
    round_trip(flow, 20)
    scheme.model.advance_max_bandwidth()
    round_trip(flow, 10)
    assert scheme.model.max_bandwidth_bytes_per_s == pytest.approx(200_000)
    scheme.model.advance_max_bandwidth()
    round_trip(flow, 10)
    assert scheme.model.max_bandwidth_bytes_per_s == pytest.approx(100_000)


# Losses


def test_shortterm_bounds_fall_to_what_was_delivered_but_no_lower_than_seven_tenths() -> None:
    flow, scheme = flow_in(State.CRUISE)
    before = scheme.cwnd_bytes
    lossy_round_trip(flow, 20, lost=2)
    round_trip(flow, 20)
    # Section 5.5.10.3: max(bw_latest, 0.7 * max_bw): 18 and then 20 packets were delivered.
    assert scheme.model.bandwidth_shortterm == pytest.approx(200_000)
    assert scheme.model.inflight_shortterm_bytes == pytest.approx(max(20_000, 0.7 * before))
    lossy_round_trip(flow, 10, lost=2)
    round_trip(flow, 10)
    assert scheme.model.bandwidth_shortterm == pytest.approx(140_000)
    assert scheme.model.bandwidth_bytes_per_s == pytest.approx(140_000)
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(140_000 * MARGIN)


def test_refill_forgets_the_shortterm_bounds() -> None:
    flow, scheme = flow_in(State.CRUISE)
    lossy_round_trip(flow, 10, lost=2)
    round_trip(flow, 10)
    assert scheme.model.bandwidth_shortterm is not None
    while scheme.state is not State.REFILL:
        round_trip(flow, 10)
    assert scheme.log_fields()["inflight_shortterm_bytes"] is None
    assert scheme.model.bandwidth_bytes_per_s == scheme.model.max_bandwidth_bytes_per_s


def test_inflight_at_loss() -> None:
    # 100 packets in flight, this one included, and three lost: (0.02 * 99 - 2) / 0.98 = -0.0204 packets before it.
    packet = SentPacket(0, 1000, 0.0, 0, 0.0, 0.0, False, 100_000, 0)
    assert inflight_at_loss_bytes(packet, 3000) == pytest.approx(98_979.6, abs=0.1)


def test_a_probe_that_loses_more_than_two_percent_sets_the_longterm_bound_and_ends() -> None:
    flow, scheme = flow_in(State.UP, packets=50)
    numbers = flow.send(60)
    flow.wait(0.1)
    flow.ack([number for number in numbers if number not in numbers[40:42]])
    # Two of the 42 that were in flight when the second left: (0.02 * 41 - 1) / 0.98 = -0.184 packets before that.
    flow.lose(numbers[40:42])
    assert scheme.state is State.DOWN
    assert scheme.longterm.inflight_bytes == pytest.approx(40_816, abs=1)
    assert scheme.longterm.prev_probe_too_high


def test_a_probe_that_loses_less_goes_on() -> None:
    flow, scheme = flow_in(State.UP, packets=100)
    numbers = flow.send(100)
    flow.wait(0.1)
    flow.ack(numbers[:98])
    flow.lose(numbers[98:99])  # one of 99
    assert scheme.longterm.inflight_bytes is None
    assert scheme.state is State.UP


def test_cruising_leaves_headroom_of_fifteen_percent() -> None:
    bound = LongTermBound(packet_bytes=1000)
    assert bound.with_headroom_bytes == math.inf
    bound.inflight_bytes = 100_000
    assert bound.with_headroom_bytes == pytest.approx(85_000)
    bound.inflight_bytes = 5000  # a packet at least, and four packets are left at least
    assert bound.with_headroom_bytes == 4000


def test_the_bound_rises_by_one_two_four_packets_in_successive_rounds() -> None:
    slope = UpwardSlope()
    slope.reset()
    for packets in (1, 2, 4, 8):
        slope.steepen(window_bytes=16_000, packet_bytes=1000)
        assert sum(slope.packets_for(1000) for _ in range(16)) == packets


def test_a_link_with_a_short_queue_is_used_with_few_losses() -> None:
    link = even_link(queue_packets=40)
    scheme = Bbr3(max_datagram_bytes=EVEN_MSS, rng=random.Random(1))
    simulation = Simulation(scheme, link, return_delay_s=DELAY_S)
    bounds: list[tuple[float, int]] = []

    def look(_: float) -> None:
        if scheme.state is State.CRUISE and scheme.longterm.inflight_bytes is not None:
            bounds.append((scheme.longterm.inflight_bytes, scheme.cwnd_bytes))

    watch(simulation, 15.0, look)
    result = simulation.result()
    assert result.goodput_bits_per_s > 0.93 * 8 * EVEN_RATE_BYTES_PER_S
    assert result.packets_lost < 0.01 * result.packets_sent
    assert bounds
    assert all(window <= 0.85 * bound + 1 for bound, window in bounds)


def test_one_percent_of_random_loss_is_tolerated() -> None:
    link = even_link(loss_ratio=0.01)
    scheme = Bbr3(max_datagram_bytes=EVEN_MSS, rng=random.Random(1))
    simulation = Simulation(scheme, link, return_delay_s=DELAY_S)
    simulation.run_until(20.0)
    # Section 5.3.3.8.3: each lossy round trip of cruising takes the loss, and here the margin, off the rate: of some 60
    # with 80 packets each 33, so that a probe every 2 to 3 s finds 0.98^33 = 0.51 of it left, and 0.74 on average.
    assert 0.6 < simulation.result().goodput_bits_per_s / 8 / EVEN_RATE_BYTES_PER_S < 0.9


# ProbeRTT


def test_probe_rtt_after_five_seconds_at_half_a_bdp_for_200_ms() -> None:
    scheme, simulation = on_even_link(Bbr3)
    assert isinstance(scheme, Bbr3)
    seen: list[tuple[float, int]] = []

    def look(now_s: float) -> None:
        if scheme.state is State.PROBE_RTT:
            seen.append((now_s, simulation.sender.ledger.bytes_in_flight))

    watch(simulation, 6.0, look)
    assert 5.0 < seen[0][0] < 5.3
    small = [now_s for now_s, in_flight in seen if in_flight <= 0.51 * EVEN_BDP_BYTES]
    assert 0.199 <= small[-1] - small[0] < 0.2 + 2 * RTT_S
    assert scheme.state in {State.CRUISE, State.REFILL, State.UP, State.DOWN}


def test_an_idle_flow_needs_no_probe_rtt() -> None:
    flow, scheme = flow_in(State.CRUISE)
    flow.ledger.mark_app_limited()
    flow.wait(6.0)
    flow.send(1)
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(200_000 * MARGIN)  # section 5.4.1
    round_trip(flow, 20)
    assert scheme.state in PROBE_BW


# The rest


def test_persistent_congestion_leaves_two_packets_and_the_bandwidth() -> None:
    flow, scheme = flow_in(State.CRUISE)
    flow.lose(flow.send(20), is_persistent_congestion=True)
    assert (scheme.cwnd_bytes, scheme.phase) == (2 * MSS, Phase.RECOVERY)
    assert scheme.model.max_bandwidth_bytes_per_s == pytest.approx(200_000)


def test_fills_a_clean_link_with_a_short_queue() -> None:
    result = at_24_megabits(Bbr3)
    assert result.utilisation > 0.93
    assert result.queueing_delay.mean_s < 0.2 * FULL_QUEUE_S


def test_two_flows_share_fairly() -> None:
    flows = [Bbr3(max_datagram_bytes=1350, rng=random.Random(seed)) for seed in (1, 2)]
    rates = share_link(flows, starts_s=(0.0, 10.0), duration_s=40.0, since_s=20.0)
    assert sum(rates) > 0.95 * 24
    assert jain_index(rates) > 0.95
