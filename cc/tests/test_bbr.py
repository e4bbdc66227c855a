"""BBR v1 against draft-cardwell-iccrg-bbr-congestion-control-00, on a link and with numbers worked by hand.

By hand packets are of 1000 bytes and round trips of 0.1 s, so n packets a round trip are n * 10,000 bytes/s.
"""

from __future__ import annotations

import math
import random
from itertools import groupby, pairwise

import pytest

from cc.core.base import Phase
from cc.sender.bbr.bbr import HIGH_GAIN, Bbr, State
from cc.tests.even_link import (
    EVEN_BDP_BYTES,
    EVEN_RATE_BYTES_PER_S,
    FULL_QUEUE_S,
    RTT_S,
    at_24_megabits,
    on_even_link,
    watch,
)
from cc.tests.flow import MSS, Flow
from cc.tests.same_number import SameNumber
from cc.tests.sim_flows import jain_index, share_link

MARGIN = 0.99  # paced 1 % below the bandwidth


def make_flow(drawn: float = 0.0) -> tuple[Flow, Bbr]:
    scheme = Bbr(max_datagram_bytes=MSS, rng=SameNumber(drawn))
    return Flow(scheme), scheme


def round_trip(flow: Flow, packets: int, rtt_s: float = 0.1) -> None:
    """Send so many packets at once, and have all acknowledged a round trip later."""
    numbers = flow.send(packets)
    flow.wait(rtt_s)
    flow.ack(numbers, rtt_s=rtt_s)


def flow_in_probe_bw() -> tuple[Flow, Bbr]:
    """20 packets a round trip, and a pipe found full after three rounds without growth."""
    flow, scheme = make_flow()
    for _ in range(4):
        round_trip(flow, 20)
    assert scheme.state is State.PROBE_BW
    return flow, scheme


# Startup and Drain


def test_startup_doubles_the_rate_each_round_trip() -> None:
    flow, scheme = make_flow()
    assert pytest.approx(2.885, abs=0.001) == HIGH_GAIN  # 2/ln 2, section 4.3.2.1
    # Before any sample: 2.885 * 10,000 bytes in 1 ms (section 4.2.1), with the first one in the RTT.
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(HIGH_GAIN * 10_000 / 0.001)
    round_trip(flow, 10)
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(HIGH_GAIN * 100_000)
    round_trip(flow, 20)
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(HIGH_GAIN * 200_000 * MARGIN)
    assert (scheme.state, scheme.phase) == (State.STARTUP, Phase.SLOW_START)


def test_startup_ends_after_three_rounds_with_less_than_a_quarter_of_growth() -> None:
    flow, scheme = make_flow()
    for packets in (20, 24, 25, 31, 31, 31):  # 24 < 1.25 * 20, but 25 begins anew, and 31 < 1.25 * 25 three times
        assert not scheme.model.is_pipe_full
        round_trip(flow, packets)
    assert scheme.model.is_pipe_full


def test_application_limited_rounds_do_not_end_startup() -> None:
    flow, scheme = make_flow()
    for _ in range(10):
        flow.ledger.mark_app_limited()
        round_trip(flow, 5)
    assert scheme.state is State.STARTUP


def test_drain_is_as_slow_as_startup_was_fast_and_ends_at_one_bdp() -> None:
    flow, scheme = make_flow()
    for _ in range(3):
        round_trip(flow, 20)
    numbers = flow.send(60)
    flow.wait(0.1)
    flow.ack(numbers[:20])
    # 40 packets are left; it ends at a BDP of 20 and three quanta, at 68,600 bytes/s of one packet each.
    assert scheme.state is State.DRAIN
    assert scheme.pacing_gain == pytest.approx(math.log(2) / 2)
    flow.wait(0.1)
    flow.ack(numbers[20:33])
    assert scheme.pacing_gain < 1
    flow.wait(0.001)
    flow.ack(numbers[33:40])
    assert (scheme.state, scheme.pacing_gain) == (State.PROBE_BW, 1.25)


# ProbeBW


def test_the_cycle_begins_anywhere_but_in_the_draining_phase() -> None:
    begins = []
    for drawn in (0.0, 0.15, 0.29, 0.43, 0.58, 0.72, 0.99):
        _, scheme = make_flow(drawn)
        scheme.start_cycle(0.0)
        begins.append(scheme.cycle_index)
    assert begins == [0, 7, 6, 5, 4, 3, 2]  # section 4.3.4.3: 7 - random(0..6), then one further


def test_gain_cycle_on_a_link() -> None:
    scheme, simulation = on_even_link(Bbr)
    assert isinstance(scheme, Bbr)
    simulation.run_until(2.0)
    seen: list[tuple[float, float]] = []
    watch(simulation, 8.0, lambda _: seen.append((scheme.probe_bw_gain(), scheme.phase_began_s)))
    phases = [phase for phase, _ in groupby(seen)][1:]
    gains = [gain for gain, _ in phases]
    first = gains.index(1.25)
    assert gains[first : first + 16] == [1.25, 0.75, 1, 1, 1, 1, 1, 1] * 2
    # A phase lasts a minimum RTT and until the next ACK, which comes within 10 ms. The first lasts until 1.25 BDP are
    # in flight too; the second may end earlier.
    for (gain, began_s), (_, ended_s) in pairwise(phases):
        longest_s = 2 * RTT_S if gain > 1 else RTT_S + 0.011
        assert (RTT_S if gain >= 1 else 0) <= ended_s - began_s <= longest_s


def test_a_variant_may_move_the_gain_of_steady_phases_alone() -> None:
    class Eager(Bbr):
        def probe_bw_gain(self) -> float:
            gain = super().probe_bw_gain()
            return 1.05 if gain == 1 else gain

    scheme, simulation = on_even_link(Eager)
    assert isinstance(scheme, Eager)
    simulation.run_until(2.0)
    seen: list[tuple[float, float]] = []
    watch(simulation, 5.0, lambda _: seen.append((scheme.pacing_gain, scheme.phase_began_s)))
    phases = [phase for phase, _ in groupby(seen)][1:]
    first = [gain for gain, _ in phases].index(1.25)
    assert [gain for gain, _ in phases][first : first + 8] == [1.25, 0.75, *[1.05] * 6]
    steady = [ended_s - began_s for (gain, began_s), (_, ended_s) in pairwise(phases) if gain == 1.05]
    assert all(RTT_S <= length <= RTT_S + 0.011 for length in steady)


def test_one_bdp_in_flight_while_cruising() -> None:
    scheme, simulation = on_even_link(Bbr)
    assert isinstance(scheme, Bbr)
    simulation.run_until(2.0)
    cruising: list[int] = []

    def look(_: float) -> None:
        if scheme.cycle_index >= 3:
            cruising.append(simulation.sender.ledger.bytes_in_flight)

    watch(simulation, 9.0, look)
    assert scheme.model.bandwidth_bytes_per_s == pytest.approx(EVEN_RATE_BYTES_PER_S, rel=0.001)
    # ACKs come for ten packets: on average five of 80 count as in flight though they have arrived.
    assert 1.0 < sum(cruising) / len(cruising) / EVEN_BDP_BYTES < 1.1


def test_window_is_two_bdp_and_three_quanta_and_what_aggregation_needs() -> None:
    flow, scheme = flow_in_probe_bw()
    round_trip(flow, 20)
    assert scheme.inflight_bytes(1.0) == pytest.approx(20_000 + 3 * 2 * MSS)  # 198,000 bytes/s: two packets a quantum
    # One ACK for 20 packets in a round trip: an excess of 20 packets, which is just the 0.1 s of bandwidth that count.
    assert scheme.model.extra_acked_bytes == pytest.approx(20_000)
    assert scheme.target_window_bytes() == pytest.approx(2 * 20_000 + 6000 + 20_000)


def test_bandwidth_is_the_largest_of_ten_round_trips() -> None:
    flow, scheme = flow_in_probe_bw()
    for _ in range(10):
        round_trip(flow, 10)
        assert scheme.model.bandwidth_bytes_per_s == pytest.approx(200_000)
    round_trip(flow, 10)
    assert scheme.model.bandwidth_bytes_per_s == pytest.approx(100_000)


def test_application_limited_samples_do_not_lower_the_bandwidth() -> None:
    flow, scheme = flow_in_probe_bw()
    for _ in range(30):
        flow.ledger.mark_app_limited()
        round_trip(flow, 2)
    assert scheme.model.bandwidth_bytes_per_s == pytest.approx(200_000)


def test_restarts_from_idle_at_the_bandwidth() -> None:
    flow, scheme = flow_in_probe_bw()
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(1.25 * 200_000 * MARGIN)
    flow.ledger.mark_app_limited()
    flow.wait(3.0)
    flow.send(1)
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(200_000 * MARGIN)  # section 4.3.4.4


# ProbeRTT


def test_min_rtt_is_the_smallest_of_ten_seconds() -> None:
    flow, scheme = flow_in_probe_bw()
    for _ in range(66):
        round_trip(flow, 20, rtt_s=0.15)  # 9.9 s
        assert scheme.model.min_rtt_s == pytest.approx(0.1)
    round_trip(flow, 20, rtt_s=0.15)
    assert scheme.model.min_rtt_s == pytest.approx(0.15)
    assert scheme.state is State.PROBE_RTT
    assert scheme.cwnd_bytes == 4 * MSS


def test_probe_rtt_comes_every_ten_seconds_while_round_trips_grow() -> None:
    flow, scheme = flow_in_probe_bw()
    began_s = flow.now_s
    begins = []
    for trip in range(400):
        before = scheme.state
        round_trip(flow, min(20, scheme.cwnd_bytes // MSS), rtt_s=0.1 + trip * 1e-6)
        if before is not scheme.state is State.PROBE_RTT:
            begins.append(flow.now_s - began_s)
    # The first 10 s after the last smallest sample; the later ones 10 s after the end of a ProbeRTT of 0.3 to 0.4 s.
    assert begins == pytest.approx([10.0, 20.4, 30.8], abs=0.4)


def test_probe_rtt_holds_four_packets_for_200_ms() -> None:
    scheme, simulation = on_even_link(Bbr)
    assert isinstance(scheme, Bbr)
    seen: list[tuple[float, int]] = []

    def look(now_s: float) -> None:
        if scheme.state is State.PROBE_RTT:
            seen.append((now_s, simulation.sender.ledger.packets_in_flight))

    watch(simulation, 11.0, look)
    small = [now_s for now_s, in_flight in seen if in_flight <= 4]
    assert 10 < seen[0][0] < 10.5
    assert 0.199 <= small[-1] - small[0] < 0.2 + 2 * RTT_S  # and until a round trip is over
    assert seen[-1][0] - seen[0][0] < 0.2 + 4 * RTT_S


def test_probe_rtt_leaves_bandwidth_and_window_as_they_were() -> None:
    scheme, simulation = on_even_link(Bbr)
    assert isinstance(scheme, Bbr)
    simulation.run_until(9.5)
    bandwidth, window = scheme.model.bandwidth_bytes_per_s, scheme.cwnd_bytes
    while scheme.state is not State.PROBE_RTT:
        simulation.run_until(simulation.now_s + 0.01)
        assert simulation.now_s < 11
    while scheme.state is State.PROBE_RTT:
        simulation.run_until(simulation.now_s + 0.01)
    simulation.run_until(simulation.now_s + 4 * RTT_S)
    assert scheme.model.bandwidth_bytes_per_s == pytest.approx(bandwidth, rel=0.02)
    assert scheme.cwnd_bytes == pytest.approx(window, rel=0.1)


def test_an_idle_flow_needs_no_probe_rtt() -> None:
    flow, scheme = flow_in_probe_bw()
    flow.ledger.mark_app_limited()
    flow.wait(11.0)
    round_trip(flow, 20)
    assert scheme.state is State.PROBE_BW


# Loss


def test_first_round_of_recovery_conserves_packets_and_its_end_restores_the_window() -> None:
    flow, scheme = flow_in_probe_bw()
    before = scheme.cwnd_bytes
    numbers = flow.send(20)
    flow.wait(0.1)
    flow.ack(numbers[4:8])
    flow.lose(numbers[:4])
    # Section 4.2.3.4: 12 packets are left in flight, 4 were just delivered.
    assert (scheme.cwnd_bytes, scheme.phase) == (16 * MSS, Phase.RECOVERY)
    flow.wait(0.001)
    after = flow.send(4)
    flow.wait(0.001)
    flow.ack(numbers[8:12])
    assert scheme.cwnd_bytes == 16 * MSS  # 12 in flight and 4 delivered
    flow.lose(numbers[12:13])
    assert scheme.cwnd_bytes == 15 * MSS
    flow.wait(0.1)
    after = flow.send(1)
    flow.wait(0.1)
    flow.ack(after)
    assert scheme.phase is Phase.AVOIDANCE
    assert scheme.cwnd_bytes >= before


def test_a_loss_does_not_change_the_rate() -> None:
    flow, scheme = flow_in_probe_bw()
    before = scheme.pacing_rate_bytes_per_s
    numbers = flow.send(20)
    flow.wait(0.05)
    flow.lose(numbers[:1])
    assert scheme.pacing_rate_bytes_per_s == before


def test_persistent_congestion_leaves_two_packets_and_the_model() -> None:
    flow, scheme = flow_in_probe_bw()
    epoch = scheme.window_resets
    flow.lose(flow.send(20), is_persistent_congestion=True)
    assert scheme.cwnd_bytes == 2 * MSS
    assert scheme.window_resets != epoch
    assert scheme.model.bandwidth_bytes_per_s == pytest.approx(200_000)
    flow.wait(0.1)
    round_trip(flow, 2)
    assert scheme.cwnd_bytes > 40 * MSS  # the last known good window


def test_random_loss_costs_little() -> None:
    # A loss-based window at 2 % would be 1.22 / sqrt(0.02) = 8.6 packets, a tenth of the BDP.
    flow, scheme = make_flow()
    rng = random.Random(1)
    for _ in range(300):
        numbers = flow.send(min(20, scheme.cwnd_bytes // MSS))
        flow.wait(0.1)
        lost = [number for number in numbers if rng.random() < 0.02]
        flow.ack([number for number in numbers if number not in lost])
        flow.lose(lost)
    assert scheme.model.bandwidth_bytes_per_s > 190_000


def test_fills_a_clean_link_with_a_short_queue() -> None:
    _, simulation = on_even_link(Bbr)
    simulation.run_until(20)
    result = simulation.result()
    assert result.queueing_delay is not None
    # Of 20 s Startup and ProbeRTT take about 0.5 s. A probe of 1.25 for one round trip of 40 ms queues 10 ms.
    assert result.goodput_bits_per_s > 0.96 * 8 * EVEN_RATE_BYTES_PER_S
    assert result.queueing_delay.mean_s < 0.008
    assert result.packets_lost == 0


def test_where_the_bandwidth_is_overestimated_the_window_bounds_the_queue_to_one_bdp() -> None:
    result = at_24_megabits(Bbr)
    assert result.utilisation > 0.94
    assert result.queueing_delay.mean_s < RTT_S < FULL_QUEUE_S / 3


def test_two_flows_share_fairly() -> None:
    flows = [Bbr(max_datagram_bytes=1350, rng=random.Random(seed)) for seed in (1, 2)]
    rates = share_link(flows, starts_s=(0.0, 5.0), duration_s=40.0, since_s=20.0)
    assert sum(rates) > 0.95 * 24
    assert jain_index(rates) > 0.95
