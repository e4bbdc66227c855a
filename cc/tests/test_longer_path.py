"""A path that becomes longer or shorter while a flow lasts: no queue, and the flow has the link again."""

from __future__ import annotations

import random

import pytest

from cc.core.base import Phase
from cc.core.receiver_base import Stamp
from cc.links.link import Link, QueueLimit, constant_rate_opportunities_ms
from cc.receiver.kuafu import Kuafu
from cc.receiver.longer_path import PathWatch
from cc.receiver.presets import preset
from cc.receiver.window_receiver import WindowReceiver
from cc.registry import scheme
from cc.simulation import FlowPlan, Network
from cc.tests.clock_faults import ClockFault, SteppedClocks

ONE_WAY_S = 0.020
PACKET_BYTES = 1200
RTT_S = 0.040
LONG_RTT_S = 0.140
NO_FAULT = ClockFault(at_s=0.0)


class OneFlow:
    """Alone over a steady link whose delay the test changes."""

    def __init__(self, name: str, preset_name: str, *, mbit_per_s: int, fault: ClockFault = NO_FAULT) -> None:
        entry = scheme(name)
        sender = entry.make_sender(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
        assert entry.make_receiver is not None
        receiver = entry.make_receiver(preset(preset_name).parameters)
        assert isinstance(receiver, WindowReceiver)
        self.receiver = receiver
        link = Link(constant_rate_opportunities_ms(mbit_per_s), queue=QueueLimit(packets=300), delay_s=ONE_WAY_S)
        plan = FlowPlan(sender, receiver=SteppedClocks(receiver, fault))
        self.network = Network(link, [plan], return_delay_s=ONE_WAY_S)
        self.flow = self.network.flows[0]

    def run_until(self, until_s: float, *, extra_s: float) -> None:
        """With so much more delay from now on."""
        self.flow.delay_s = ONE_WAY_S + extra_s
        self.network.run_until(until_s)

    def mbit_per_s(self, since_s: float, until_s: float) -> float:
        return self.flow.record.wire_bytes(since_s, until_s) * 8e-6 / (until_s - since_s)

    def queue_s(self, since_s: float, until_s: float) -> float:
        delays = self.flow.record.delays(since_s, until_s)
        assert delays is not None
        return delays.mean_s

    @property
    def is_contesting(self) -> bool:
        return isinstance(self.receiver, Kuafu) and self.receiver._contest.is_on


@pytest.mark.parametrize(
    ("name", "preset_name", "longest_queue_s"),
    [
        ("nuwa", "on-demand", 0.070),
        ("nuwa", "live", 0.040),
        ("kuafu", "film", 0.030),
        ("kuafu", "interactive", 0.030),
        ("drwa", "on-demand", 0.300),
    ],
)
def test_a_path_longer_by_100_ms_has_80_percent_of_its_link_again_within_12_s(
    name: str, preset_name: str, longest_queue_s: float
) -> None:
    flow = OneFlow(name, preset_name, mbit_per_s=8)
    flow.run_until(10.0, extra_s=0.0)
    flow.run_until(24.0, extra_s=0.1)
    assert flow.mbit_per_s(22.0, 24.0) > 0.8 * 8
    assert flow.queue_s(22.0, 24.0) < longest_queue_s
    assert not flow.is_contesting


@pytest.mark.parametrize(("name", "preset_name"), [("nuwa", "live"), ("kuafu", "film")])
def test_a_path_that_becomes_longer_and_shorter_keeps_its_link_and_a_short_queue(name: str, preset_name: str) -> None:
    flow = OneFlow(name, preset_name, mbit_per_s=20)
    for index, extra_s in enumerate((0.0, 0.030, 0.005, 0.035, 0.0, 0.030)):  # satellites take turns
        flow.run_until(15.0 * (index + 1), extra_s=extra_s)
        assert not flow.is_contesting
    assert flow.mbit_per_s(15.0, 90.0) > 0.85 * 20
    assert flow.queue_s(15.0, 90.0) < 0.040


@pytest.mark.parametrize(("name", "preset_name"), [("nuwa", "on-demand"), ("kuafu", "film")])
@pytest.mark.parametrize("step_s", [0.4, -0.4])
def test_a_clock_that_steps_on_a_longer_path_is_known_within_two_seconds(
    name: str, preset_name: str, step_s: float
) -> None:
    flow = OneFlow(name, preset_name, mbit_per_s=8, fault=ClockFault(24.0, receiver_step_s=step_s))
    flow.run_until(10.0, extra_s=0.0)
    flow.run_until(24.0, extra_s=0.3)
    assert flow.receiver.epochs_begun == 1
    flow.run_until(26.0, extra_s=0.3)
    assert flow.receiver.epochs_begun == 2
    flow.run_until(34.0, extra_s=0.3)
    assert flow.receiver.epochs_begun == 2
    assert flow.mbit_per_s(26.0, 34.0) > 0.9 * 8


class Watched:
    """Stamps each 10 ms of a flow with a window, over a path and a queue that the test gives."""

    def __init__(self) -> None:
        self.watch = PathWatch()
        self.now_s = 0.0
        self._sequence = 0
        self._sent_bytes = 0.0

    def sees_longer_path(self, *, seconds: float, packets: float, delay_s: float, jitter_s: float = 0.0) -> bool:
        """Whether it does within so long; `jitter_s` comes on top of two delays of three."""
        until_s = self.now_s + seconds
        while self.now_s < until_s:
            self.now_s += 0.01
            self._sent_bytes += packets * PACKET_BYTES * 0.01 / (RTT_S + delay_s)
            self._sequence += 1
            jittered_s = delay_s + (jitter_s if self._sequence % 3 else 0.0)
            stamp = Stamp(
                sequence=self._sequence,
                epoch=0,
                phase=Phase.AVOIDANCE,
                send_time_s=self.now_s - RTT_S / 2 - jittered_s,
                bytes_sent=round(self._sent_bytes),
                packets_sent=round(self._sent_bytes / PACKET_BYTES),
                smoothed_rtt_s=RTT_S + delay_s,
                min_rtt_s=RTT_S,
                cwnd_bytes=round(packets * PACKET_BYTES),
                max_datagram_bytes=PACKET_BYTES,
                is_app_limited=False,
            )
            if self.watch.unqueued_bytes(stamp, received_time_s=self.now_s, raw_delay_s=jittered_s) is not None:
                return True
        return False


@pytest.mark.parametrize("jitter_s", [0.0, 0.015])
def test_a_delay_that_stays_while_the_window_goes_is_the_paths(jitter_s: float) -> None:
    flow = Watched()
    assert not flow.sees_longer_path(seconds=2.0, packets=80, delay_s=0.1, jitter_s=jitter_s)
    assert flow.sees_longer_path(seconds=2.0, packets=30, delay_s=0.1, jitter_s=jitter_s)
    assert flow.watch.extra_s == pytest.approx(LONG_RTT_S - RTT_S)


def test_a_delay_that_goes_with_the_window_is_the_flows_own_queue() -> None:
    flow = Watched()
    for packets in range(80, 10, -2):  # 6 Mbit/s: of 80 packets 55 wait
        assert not flow.sees_longer_path(seconds=0.5, packets=packets, delay_s=max(0.0, 0.0016 * packets - RTT_S))


def test_a_delay_of_next_to_nothing_is_left_alone() -> None:
    flow = Watched()
    assert not flow.sees_longer_path(seconds=2.0, packets=80, delay_s=0.009)
    assert not flow.sees_longer_path(seconds=2.0, packets=8, delay_s=0.009)


def test_the_round_trip_follows_a_path_that_becomes_shorter_again() -> None:
    flow = Watched()
    flow.sees_longer_path(seconds=2.0, packets=80, delay_s=0.1)
    assert flow.sees_longer_path(seconds=2.0, packets=30, delay_s=0.1)
    flow.sees_longer_path(seconds=1.0, packets=30, delay_s=0.03)
    assert flow.watch.extra_s == pytest.approx(0.03, abs=0.001)
    flow.sees_longer_path(seconds=1.0, packets=30, delay_s=0.0)
    assert flow.watch.extra_s == 0.0
