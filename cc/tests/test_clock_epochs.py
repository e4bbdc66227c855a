"""Clocks that step, sleep or stand still under a receiver, and the queues that must not be taken for that."""

from __future__ import annotations

import dataclasses
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cc.core.base import Phase
from cc.core.nuwa_parameters import NuwaParameters
from cc.core.receiver_base import Feedback, Need, ReceiverState, Stamp
from cc.links.link import Link, QueueLimit, constant_rate_opportunities_ms
from cc.receiver.nuwa import Nuwa
from cc.receiver.observer import Observer
from cc.receiver.presets import PRESETS
from cc.registry import scheme
from cc.simulation import Simulation
from cc.tests.clock_faults import ClockFault, SteppedClocks

MSS = 1200
SETTLING_S = 2.0
NOISE_S = 0.025
"""Of the filter after a sudden change, on links of 2 Mbit/s."""
ON_DEMAND = NuwaParameters(target_delay_s=0.060, rho_s=0.030, k=7.0)
RIGHT_IN_TWO_SECONDS = ("nuwa", "kuafu")
"""Of the receivers without a policy. DRWA takes longer, as cc/README.md says."""
STAMP = Stamp(
    sequence=0,
    epoch=0,
    phase=Phase.AVOIDANCE,
    send_time_s=1000.0,
    bytes_sent=0,
    packets_sent=0,
    smoothed_rtt_s=0.040,
    min_rtt_s=0.040,
    cwnd_bytes=20 * MSS,
    max_datagram_bytes=MSS,
    is_app_limited=False,
)


@dataclasses.dataclass(frozen=True)
class Reading:
    """What a receiver believed when a stamp came, beside the truth."""

    time_s: float
    true_queueing_delay_s: float
    state: ReceiverState
    cwnd_bytes: int

    @property
    def error_s(self) -> float:
        return abs(self.state.queueing_delay_s - self.true_queueing_delay_s)


class Witness:
    """Knows the link's true queue, and so what a receiver with faulty clocks should have measured."""

    def __init__(self, receiver: SteppedClocks, *, path_delay_s: float) -> None:
        self._receiver = receiver
        self._path_delay_s = path_delay_s
        self.readings: list[Reading] = []

    def on_stamp(self, stamp: Stamp, *, received_time_s: float, late_s: float = 0.0) -> None:
        self._receiver.on_stamp(stamp, received_time_s=received_time_s, late_s=late_s)
        queueing_delay_s = received_time_s - stamp.send_time_s - self._path_delay_s
        state = self._receiver.state(now_s=received_time_s)
        self.readings.append(Reading(received_time_s, queueing_delay_s, state, stamp.cwnd_bytes))

    def expect_data(self, is_expecting: bool) -> None:
        self._receiver.expect_data(is_expecting)

    def on_need(self, need: Need, *, now_s: float) -> None:
        self._receiver.on_need(need, now_s=now_s)

    def start_epoch(self, *, now_s: float) -> None:
        self._receiver.start_epoch(now_s=now_s)

    def feedback(self, *, now_s: float) -> Feedback | None:
        return self._receiver.feedback(now_s=now_s)

    def state(self, *, now_s: float) -> ReceiverState:
        return self._receiver.state(now_s=now_s)


def read_under(
    fault: ClockFault, *, mbit_per_s: float, delay_s: float, parameters: NuwaParameters, name: str = "nuwa"
) -> list[Reading]:
    """A receiver over a link whose clocks fail, until four seconds after the fault."""
    make_receiver = scheme(name).make_receiver
    assert make_receiver is not None
    witness = Witness(SteppedClocks(make_receiver(parameters), fault), path_delay_s=delay_s)
    link = Link(constant_rate_opportunities_ms(mbit_per_s), queue=QueueLimit(packets=300), delay_s=delay_s)
    sender = scheme(name).make_sender(max_datagram_bytes=MSS, rng=random.Random(1))
    simulation = Simulation(sender, link, return_delay_s=delay_s, receiver=witness)
    simulation.run_until(fault.at_s + 2 * SETTLING_S)
    return witness.readings


@st.composite
def clock_faults(draw: st.DrawFn) -> ClockFault:
    """Steps of half a second to an hour, of either clock, either way; or a sender that stands still."""
    at_s = draw(st.floats(1.0, 4.0))
    size_s = draw(st.floats(0.5, 3600.0))
    kind = draw(st.sampled_from(("sender ahead", "sender back", "receiver ahead", "receiver back", "freeze")))
    if kind == "freeze":
        return ClockFault(at_s, sender_freeze_s=size_s)
    step_s = size_s if kind.endswith("ahead") else -size_s
    return ClockFault(at_s, sender_step_s=step_s) if "sender" in kind else ClockFault(at_s, receiver_step_s=step_s)


@pytest.mark.parametrize("name", RIGHT_IN_TWO_SECONDS)
@settings(max_examples=20, derandomize=True)
@given(
    fault=clock_faults(),
    mbit_per_s=st.sampled_from((2, 5, 12, 30)),
    delay_s=st.sampled_from((0.005, 0.020, 0.040)),
    parameters=st.sampled_from([entry.parameters for entry in PRESETS if not entry.parameters.as_in_paper]),
)
def test_two_seconds_after_any_step_the_queueing_delay_is_right_again(
    name: str, fault: ClockFault, mbit_per_s: float, delay_s: float, parameters: NuwaParameters
) -> None:
    # The paper's law alone has no drain after a step, so that what stood then stays its reference.
    # A step ahead of more than the reference's window forgets the references by itself: the queue of that moment,
    # which Nuwa holds near its target, then is the reference until the next drain.
    readings = read_under(fault, mbit_per_s=mbit_per_s, delay_s=delay_s, parameters=parameters, name=name)
    queue_at_step_s = max(r.true_queueing_delay_s for r in readings if r.time_s > fault.at_s - 0.3)
    is_seen = max(fault.receiver_step_s, fault.sender_freeze_s) < 25
    bound_s = NOISE_S if is_seen else NOISE_S + queue_at_step_s
    for reading in readings:
        assert reading.time_s < fault.at_s + SETTLING_S or reading.error_s <= bound_s
        assert reading.state.window_bytes is not None
        assert reading.state.window_bytes >= 2 * MSS
    largest_bytes = max(r.cwnd_bytes for r in readings)
    assert max(r.state.window_bytes or 0 for r in readings) <= 2 * largest_bytes


@pytest.mark.parametrize("step_s", [2.0, -2.0])
def test_a_step_costs_neither_the_bandwidth_nor_the_window(step_s: float) -> None:
    readings = read_under(ClockFault(4.0, receiver_step_s=step_s), mbit_per_s=12, delay_s=0.020, parameters=ON_DEMAND)
    before = max((r for r in readings if r.time_s < 4.0), key=lambda r: r.time_s)
    after = next(r for r in readings if r.time_s > 4.0 + SETTLING_S)
    assert before.state.bandwidth_bits_per_s is not None
    assert after.state.bandwidth_bits_per_s == pytest.approx(before.state.bandwidth_bits_per_s, rel=0.05)
    assert after.cwnd_bytes == pytest.approx(before.cwnd_bytes, rel=0.1)


@pytest.mark.parametrize("name", ["nuwa", "cubic"])
@pytest.mark.parametrize("mbit_per_s", [1, 5, 24])
@pytest.mark.parametrize("outage_s", [1, 5, 15])
@pytest.mark.parametrize("backlog", [None, [(2.0 * i, 1_000_000) for i in range(10)]], ids=["bulk", "segments"])
def test_an_outage_before_a_deep_queue_is_no_step(
    name: str, mbit_per_s: float, outage_s: int, backlog: list[tuple[float, int]] | None
) -> None:
    second_ms = constant_rate_opportunities_ms(mbit_per_s)
    steady_ms = [time + cycle * second_ms[-1] for cycle in range(6) for time in second_ms]
    trace_ms = [*steady_ms, *(steady_ms[-1] + 1000 * outage_s + time for time in steady_ms)]
    link = Link(trace_ms, queue=QueueLimit(packets=1000), delay_s=0.020, rng=random.Random(1), loss_ratio=0.001)
    receiver = Nuwa(ON_DEMAND) if name == "nuwa" else Observer()
    sender = scheme(name).make_sender(max_datagram_bytes=MSS, rng=random.Random(1))
    simulation = Simulation(sender, link, return_delay_s=0.020, receiver=receiver, backlog=backlog)
    simulation.run_until(12.0 + outage_s)
    delays = simulation.result().queueing_delay
    assert delays is not None
    assert delays.max_s > 0.5 * outage_s  # the outage did hold packets back
    assert receiver.epochs_begun == 0


def test_an_observer_under_a_full_queue_notices_a_step_too() -> None:
    receiver = Observer()
    clocks = SteppedClocks(receiver, ClockFault(5.0, receiver_step_s=2.0))
    link = Link(constant_rate_opportunities_ms(12), queue=QueueLimit(packets=300), delay_s=0.020)
    simulation = Simulation(
        scheme("cubic").make_sender(max_datagram_bytes=MSS, rng=random.Random(1)),
        link,
        return_delay_s=0.020,
        receiver=clocks,
    )
    simulation.run_until(5.0 + SETTLING_S)
    assert receiver.epochs_begun == 1


def test_stamps_that_a_blocked_worker_reads_all_at_once_are_no_step() -> None:
    receiver = Observer()
    for sequence in range(600):  # the worker sleeps from 2 s to 3 s and then finds 100 stamps waiting
        sent_s = 0.01 * sequence
        packets = 20 * sequence
        stamp = dataclasses.replace(
            STAMP, sequence=sequence, send_time_s=1000 + sent_s, packets_sent=packets, bytes_sent=packets * MSS
        )
        receiver.on_stamp(stamp, received_time_s=max(sent_s, 3.0) if 2 <= sent_s <= 3 else sent_s)
    assert receiver.epochs_begun == 0
    assert receiver.state(now_s=6.0).queueing_delay_s < 0.005


@pytest.mark.parametrize("receiver", [Nuwa(ON_DEMAND), Observer()], ids=["nuwa", "observer"])
def test_an_epoch_that_a_receiver_is_told_of_keeps_the_bandwidth_and_takes_the_senders_window(
    receiver: Nuwa | Observer,
) -> None:
    stamp = STAMP
    for sequence in range(1, 200):
        stamp = dataclasses.replace(
            STAMP,
            sequence=sequence,
            send_time_s=1000 + 0.01 * sequence,
            packets_sent=10 * sequence,
            bytes_sent=10 * sequence * MSS,
        )
        receiver.on_stamp(stamp, received_time_s=0.01 * sequence + 0.020 * (sequence > 100))
    known_bits_per_s = receiver.state(now_s=2.0).bandwidth_bits_per_s
    assert receiver.state(now_s=2.0).queueing_delay_s == pytest.approx(0.020, abs=0.002)
    receiver.start_epoch(now_s=9.0)
    receiver.on_stamp(
        dataclasses.replace(stamp, sequence=200, send_time_s=1090.0, cwnd_bytes=7 * MSS), received_time_s=9.0
    )
    state = receiver.state(now_s=9.0)
    assert (state.raw_queueing_delay_s, state.queueing_delay_s) == (0.0, 0.0)
    assert state.bandwidth_bits_per_s == known_bits_per_s
    assert receiver.epochs_begun == 1
    if isinstance(receiver, Nuwa):
        assert receiver.window_packets == 7
