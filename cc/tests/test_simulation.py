"""One flow over the simulated link: ranges that hold for any sound sender, and the pieces a QUIC sender is made of."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest

from cc.core.base import AckEvent, SenderScheme, SentPacket
from cc.core.loss_detection import detect_losses, is_persistent_congestion, probe_timeout_s
from cc.core.receiver_base import Feedback, Need, ReceiverState, Stamp
from cc.core.rtt import RttEstimator
from cc.core.scheme import Scheme
from cc.links.link import OVERHEAD_BYTES, Link, QueueLimit, constant_rate_opportunities_ms
from cc.receiver.feedback_interval import SHORTEST_S
from cc.receiver.nuwa import Nuwa
from cc.receiver.presets import PRESETS, Preset
from cc.registry import SCHEMES
from cc.sender.cubic import Cubic
from cc.sender.newreno import NewReno
from cc.sender.receiver_driven import ReceiverDriven
from cc.simulation import FlowPlan, Network, OnOff, Simulation, SimulationOptions
from cc.tests.flow import RTT_S, Flow, rtt_state
from cc.tests.schemes import Fixed

MSS = 1350
DELAY_S = 0.020
PAYLOAD_SHARE = MSS / (MSS + OVERHEAD_BYTES)


def make_link(mbit_per_s: float = 24, packets: int = 300, loss_ratio: float = 0.0) -> Link:
    return Link(
        constant_rate_opportunities_ms(mbit_per_s),
        queue=QueueLimit(packets=packets),
        delay_s=DELAY_S,
        loss_ratio=loss_ratio,
        rng=random.Random(1),
    )


def simulate(scheme: SenderScheme, link: Link, seconds: float) -> Simulation:
    simulation = Simulation(scheme, link, return_delay_s=DELAY_S)
    simulation.run_until(seconds)
    return simulation


def test_cubic_fills_a_link_and_most_of_its_queue() -> None:
    result = simulate(Cubic(max_datagram_bytes=MSS, rng=random.Random(1)), make_link(), 20).result()
    assert 0.97 < result.goodput_bits_per_s / (24e6 * PAYLOAD_SHARE) <= 1.001
    assert result.queueing_delay is not None
    # 300 packets of 1382 bytes in units of 1504 are 0.138 s; CUBIC stays above 0.7 of 0.040 + 0.138 s
    assert 0.08 < result.queueing_delay.mean_s < 0.13
    assert 0.13 < result.queueing_delay.max_s <= 0.140
    assert 0 < result.packets_lost / result.packets_sent < 0.02
    assert (result.spurious_losses, result.persistent_congestions, result.probes_sent) == (0, 0, 0)


def test_a_printed_result_is_a_line_without_its_windows() -> None:
    result = simulate(NewReno(max_datagram_bytes=MSS, rng=random.Random(1)), make_link(), 2).result()
    assert len(result.window) > 100
    assert len(repr(result)) < 500


def test_hystart_ends_slow_start_without_a_loss() -> None:
    # It notices the queue at about 360 packets, and may grow them by 1.25 in each of five more rounds: to 1100.
    scheme = Cubic(max_datagram_bytes=MSS, rng=random.Random(1))
    link = make_link(packets=1500)
    simulation = Simulation(scheme, link, return_delay_s=DELAY_S)
    while scheme.ssthresh_bytes is None:
        simulation.run_until(simulation.now_s + 0.01)
        assert simulation.now_s < 3
    assert link.packets_dropped == 0
    assert scheme.cwnd_bytes < 1300 * MSS


@pytest.mark.parametrize("entry", SCHEMES, ids=lambda entry: entry.name)
@pytest.mark.parametrize(("mbit_per_s", "loss_ratio", "seconds"), [(1, 0.0, 6), (12, 0.0, 3), (12, 0.02, 3)])
def test_no_scheme_breaks_the_laws_of_the_link(
    entry: Scheme, mbit_per_s: float, loss_ratio: float, seconds: float
) -> None:
    link = make_link(mbit_per_s, packets=60, loss_ratio=loss_ratio)
    simulation = simulate(entry.make_sender(max_datagram_bytes=MSS, rng=random.Random(1)), link, seconds)
    result = simulation.result()
    assert result.goodput_bits_per_s <= mbit_per_s * 1e6 * 1.003
    assert result.goodput_bits_per_s > 1e5
    assert result.packets_sent == link.packets_sent
    assert link.packets_sent == link.packets_carried + link.packets_dropped + link.packets_lost
    rtt = simulation.sender.rtt.state
    assert rtt is not None
    assert rtt.min_s >= 2 * DELAY_S
    assert all(cwnd_bytes >= 2 * MSS for _, cwnd_bytes in result.window)
    ledger = simulation.sender.ledger
    assert ledger.bytes_in_flight == sum(packet.size_bytes for packet in ledger.in_flight())


@pytest.mark.parametrize("entry", SCHEMES, ids=lambda entry: entry.name)
def test_schemes_keep_their_promise_not_to_change_when_they_send(entry: Scheme) -> None:
    flow = Flow(entry.make_sender(max_datagram_bytes=MSS, rng=random.Random(1)))
    if flow.scheme.may_change_on_send:
        return
    for round_trip in range(60):
        before = (flow.scheme.cwnd_bytes, flow.scheme.pacing_rate_bytes_per_s)
        numbers = flow.fill_window()
        assert (flow.scheme.cwnd_bytes, flow.scheme.pacing_rate_bytes_per_s) == before
        flow.wait(RTT_S if round_trip % 7 else 5.0)
        flow.lose(numbers[: round_trip % 5 == 0])
        flow.ack(numbers[round_trip % 5 == 0 :], rtt_s=RTT_S + 0.01 * (round_trip % 3))


def test_the_same_seed_gives_the_same_run() -> None:
    runs = [
        simulate(NewReno(max_datagram_bytes=MSS, rng=random.Random(1)), make_link(loss_ratio=0.01), 3).result()
        for _ in range(2)
    ]
    assert runs[0] == runs[1]


def test_a_dead_link_is_probed_ever_more_rarely() -> None:
    link = Link([1], delay_s=DELAY_S, loss_ratio=1.0, rng=random.Random(1))
    result = simulate(NewReno(max_datagram_bytes=MSS, rng=random.Random(1)), link, 100).result()
    # Ten packets, then probes after 0.666, 1.33, 2.66 ... s (RFC 9002 section 6.2): seven in 100 s.
    assert (result.packets_sent, result.probes_sent, result.goodput_bits_per_s) == (17, 7, 0.0)


class Falling(Fixed):
    """A window of 200 packets, and of two once a packet has waited."""

    def on_ack(self, event: AckEvent) -> None:
        super().on_ack(event)
        if event.rtt is not None and event.rtt.latest_s > 0.1:
            self.window_bytes = 2 * self.max_datagram_bytes


def test_a_window_that_falls_below_what_is_in_flight_does_not_silence_the_sender() -> None:
    fast_ms = constant_rate_opportunities_ms(50)
    slow_ms = range(1000, 4000, 60)  # 0.2 Mbit/s
    trace_ms = [*fast_ms, *slow_ms]
    link = Link(trace_ms, queue=QueueLimit(packets=17), delay_s=DELAY_S)
    scheme = Falling(max_datagram_bytes=MSS, rng=random.Random(1), window_packets=200, rate_bytes_per_s=6e6)
    simulate(scheme, link, 3)
    # The queue of a second is drained then, and has made the RTT vary so much that the PTO lies behind 3.3 s.
    assert sum(len(event.acked) for event in scheme.acks if event.now_s > 2.2) > 10


def test_an_outage_is_survived() -> None:
    # 1 s of 12 Mbit/s, then 2 s of nothing, again and again
    trace = [*range(1, 1001), 3000]
    link = Link(trace, queue=QueueLimit(packets=50), delay_s=DELAY_S)
    result = simulate(Cubic(max_datagram_bytes=MSS, rng=random.Random(1)), link, 30).result()
    assert result.goodput_bits_per_s > 0.5 * 12e6 / 3 * PAYLOAD_SHARE


def test_a_source_that_rests_leaves_its_window_alone() -> None:
    scheme = NewReno(max_datagram_bytes=MSS, rng=random.Random(1))
    backlog = [(second * 1.0, 5 * MSS) for second in range(10)]
    simulation = Simulation(scheme, make_link(), return_delay_s=DELAY_S, backlog=backlog)
    simulation.run_until(12)
    result = simulation.result()
    assert result.packets_sent == 50
    assert scheme.cwnd_bytes <= 15 * MSS  # of ten packets, five were in use at a time
    assert simulation.sender.ledger.bytes_in_flight == 0


class Recorder:
    """A receiver that notes its stamps and asks for a fixed window."""

    def __init__(self) -> None:
        self.stamps: list[Stamp] = []
        self.asked_s: list[float] = []

    def on_stamp(self, stamp: Stamp, *, received_time_s: float, late_s: float = 0.0) -> None:
        assert received_time_s > stamp.send_time_s + DELAY_S
        self.stamps.append(stamp)

    def expect_data(self, is_expecting: bool) -> None:
        assert is_expecting

    def on_need(self, need: Need, *, now_s: float) -> None:
        raise NotImplementedError

    def start_epoch(self, *, now_s: float) -> None:
        raise NotImplementedError

    def feedback(self, *, now_s: float) -> Feedback | None:
        self.asked_s.append(now_s)
        return None

    def state(self, *, now_s: float) -> ReceiverState:
        raise NotImplementedError


def test_stamps_lead_flights_and_count_what_was_sent_before() -> None:
    recorder = Recorder()
    simulation = Simulation(
        NewReno(max_datagram_bytes=MSS, rng=random.Random(1)),
        make_link(packets=10_000),
        return_delay_s=DELAY_S,
        receiver=recorder,
    )
    simulation.run_until(2)
    stamps = recorder.stamps
    assert [stamp.sequence for stamp in stamps] == list(range(len(stamps)))
    first = stamps[0]
    assert (first.packets_sent, first.bytes_sent, first.smoothed_rtt_s, first.min_rtt_s) == (0, 0, None, None)
    assert (stamps[1].packets_sent, stamps[1].bytes_sent) == (10, 10 * MSS)  # the first flight was the initial window
    assert all(later.packets_sent > earlier.packets_sent for earlier, later in pairwise(stamps))
    waits = [later - earlier for earlier, later in pairwise(recorder.asked_s)]
    assert min(waits) >= SHORTEST_S - 1e-9


def test_a_receiver_is_asked_four_times_in_a_round_trip_once_slow_start_is_over() -> None:
    def waits(options: SimulationOptions) -> list[float]:
        recorder = Recorder()
        sender = NewReno(max_datagram_bytes=MSS, rng=random.Random(1))
        link = make_link(packets=50)
        Simulation(sender, link, return_delay_s=DELAY_S, receiver=recorder, options=options).run_until(4)
        return [later - earlier for earlier, later in pairwise(recorder.asked_s)]

    by_path = waits(SimulationOptions())
    assert by_path[0] == pytest.approx(SHORTEST_S)
    assert by_path[-1] == pytest.approx(2 * DELAY_S / 4, rel=0.1)
    assert waits(SimulationOptions(feedback_interval_s=0.006))[-1] == pytest.approx(0.006)


# compete is there to fill a queue as CUBIC does, and no link of this test has room for its 2 s
HOLDING_PRESETS = [chosen for chosen in PRESETS if chosen.name != "compete"]


@pytest.mark.parametrize("chosen", HOLDING_PRESETS, ids=lambda chosen: chosen.name)
def test_nuwa_holds_its_queue(chosen: Preset) -> None:
    simulation = Simulation(
        ReceiverDriven(max_datagram_bytes=MSS, rng=random.Random(1)),
        make_link(),
        return_delay_s=DELAY_S,
        receiver=Nuwa(chosen.parameters),
    )
    simulation.run_until(10)
    result = simulation.result()
    assert result.goodput_bits_per_s > 0.9 * 24e6 * PAYLOAD_SHARE
    assert result.queueing_delay is not None
    window_packets = simulation.sender.cwnd_bytes / MSS
    falling_s = chosen.target_delay_s - chosen.rho_s / 2 * math.log(window_packets / 64)
    target_s = chosen.target_delay_s if chosen.as_in_paper else max(chosen.target_delay_s / 2, falling_s)
    assert result.queueing_delay.p50_s == pytest.approx(target_s, rel=0.2, abs=0.003)


def packets(*sent_times_s: float) -> list[SentPacket]:
    return [SentPacket(number, MSS, time_s, 0, 0.0, 0.0, False, MSS, 0) for number, time_s in enumerate(sent_times_s)]


def test_three_packets_later_is_lost() -> None:
    verdict = detect_losses(packets(1.0, 1.0, 1.0, 1.0), largest_acked=4, now_s=1.1, rtt=rtt_state(0.1))
    assert [packet.packet_number for packet in verdict.lost] == [0, 1]
    assert verdict.next_check_s == pytest.approx(1.1125)  # packet 2 after 9/8 of the RTT


def test_nine_eighths_of_the_rtt_later_is_lost() -> None:
    verdict = detect_losses(packets(1.0, 1.01), largest_acked=2, now_s=1.1126, rtt=rtt_state(0.1))
    assert [packet.packet_number for packet in verdict.lost] == [0]
    assert verdict.next_check_s == pytest.approx(1.1225)


def test_packets_sent_after_the_largest_acknowledged_are_never_lost() -> None:
    verdict = detect_losses(packets(1.0, 1.0), largest_acked=-1, now_s=99.0, rtt=rtt_state(0.1))
    assert (verdict.lost, verdict.next_check_s) == ((), None)


@pytest.mark.parametrize(
    ("last_sent_s", "first_sample_s", "expected"),
    [(1.376, 0.5, True), (1.374, 0.5, False), (1.376, 1.0, False)],
    ids=["longer than three PTOs", "shorter", "began before the first RTT sample"],
)
def test_persistent_congestion(last_sent_s: float, first_sample_s: float, expected: bool) -> None:
    # Section 7.6.1 with an RTT of 0.1 s that never varied: (0.1 + 0.001 + 0.024) * 3 = 0.375 s.
    lost = packets(1.0, 1.1, last_sent_s)
    verdict = is_persistent_congestion(
        lost, rtt=rtt_state(0.1), max_ack_delay_s=0.024, first_rtt_sample_s=first_sample_s
    )
    assert verdict is expected


def test_an_acknowledged_packet_in_between_is_no_persistent_congestion() -> None:
    lost = packets(1.0, 1.1, 1.2, 9.0)
    del lost[2]
    assert not is_persistent_congestion(lost, rtt=rtt_state(0.1), max_ack_delay_s=0.024, first_rtt_sample_s=0.0)


def test_probe_timeout() -> None:
    assert probe_timeout_s(None, max_ack_delay_s=0.025) == pytest.approx(0.666)
    estimator = RttEstimator()
    estimator.on_sample(0.1, ack_delay_s=0.0)
    assert probe_timeout_s(estimator.state, max_ack_delay_s=0.025) == pytest.approx(0.1 + 4 * 0.05 + 0.025)


def test_rtt_estimate() -> None:
    estimator = RttEstimator()
    estimator.on_sample(0.100, ack_delay_s=0.010)  # section 5.3: the first sample counts as it is
    estimator.on_sample(0.140, ack_delay_s=0.024)  # counts as 0.116
    state = estimator.state
    assert state is not None
    assert (state.latest_s, state.min_s) == pytest.approx((0.116, 0.100))
    assert state.smoothed_s == pytest.approx(0.102)  # 7/8 * 0.100 + 1/8 * 0.116
    assert state.variance_s == pytest.approx(0.0415)  # 3/4 * 0.050 + 1/4 * |0.100 - 0.116|
    estimator.on_sample(0.105, ack_delay_s=0.024)  # less than min + delay: the delay is not believed
    assert estimator.state is not None
    assert estimator.state.latest_s == pytest.approx(0.105)


@pytest.mark.parametrize("seed", range(8))
def test_goodput_is_what_was_handed_over_whatever_probes_repeated(seed: int) -> None:
    """Segments of 500 bytes, of which each tail is lost two times in five: probes of a full packet hid what arrived."""
    source = OnOff(on_bytes=500, off_s=0.0)
    link = Link(list(range(1, 1001)), delay_s=0.020, loss_ratio=0.4, rng=random.Random(seed))
    sender = Cubic(max_datagram_bytes=1350, rng=random.Random(1))
    network = Network(link, [FlowPlan(sender, source=source)], return_delay_s=0.020)
    network.run_until(6.0)
    delivered_bytes = 500 * len(source.segment_times_s)
    assert delivered_bytes <= network.flows[0].goodput_bytes(6.0) <= delivered_bytes + 500


def test_a_segment_ends_where_the_last_that_is_lost_had_been_repeated() -> None:
    """Two packets, the first of which is lost; ACKs wait, and its copy's is there before its own loss is known."""
    source = OnOff(on_bytes=2400, off_s=1.0)
    link = Link(list(range(1, 1001)), delay_s=0.020, loss_ratio=0.14, rng=random.Random(1))
    plan = FlowPlan(Cubic(max_datagram_bytes=1200, rng=random.Random(1)), source=source)
    network = Network(link, [plan], return_delay_s=0.020, return_opportunities_ms=[1352])
    network.run_until(2.0)
    assert source.segment_times_s == [pytest.approx(1.4, abs=0.1)]
