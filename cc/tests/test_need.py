"""What a player's need makes of Nuwa and of Kuafu, worked out by hand."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable

import pytest

from cc.core.base import Phase
from cc.core.nuwa_parameters import NuwaParameters
from cc.core.receiver_base import Need, ReceiverState, Stamp
from cc.links.link import Link, QueueLimit, constant_rate_opportunities_ms
from cc.receiver.kuafu import Kuafu
from cc.receiver.need import FULL_GAIN, FULL_TARGET_SHARE, LIFETIME_S, SHORT_GAIN, NeedWatch
from cc.receiver.nuwa import Nuwa
from cc.receiver.presets import preset
from cc.receiver.window_receiver import WindowReceiver
from cc.registry import scheme
from cc.sender.receiver_driven import ReceiverDriven
from cc.simulation import Simulation
from cc.simulation.flow_plan import FlowPlan
from cc.simulation.network import Network

RATE = 500_000.0
STAMP = Stamp(
    sequence=0,
    epoch=0,
    phase=Phase.AVOIDANCE,
    send_time_s=0.0,
    bytes_sent=0,
    packets_sent=0,
    smoothed_rtt_s=0.048,
    min_rtt_s=0.040,
    cwnd_bytes=120_000,
    max_datagram_bytes=1200,
    is_app_limited=False,
)
DELAY_S = 0.020
RTT_S = 2 * DELAY_S


def watch(buffer_s: float, *, rate: float | None = RATE) -> NeedWatch:
    need = NeedWatch()
    need.tell(Need(rate, buffer_s, 16.0), now_s=10.0)
    return need


@pytest.mark.parametrize(
    ("buffer_s", "gain", "target_share"),
    [
        (0.0, None, 1.0),
        (3.9, None, 1.0),
        (4.0, SHORT_GAIN, 1.0),
        (10.0, (SHORT_GAIN + FULL_GAIN) / 2, (1 + FULL_TARGET_SHARE) / 2),
        (16.0, FULL_GAIN, FULL_TARGET_SHARE),
        (40.0, FULL_GAIN, FULL_TARGET_SHARE),
    ],
)
def test_a_fuller_buffer_wants_less(buffer_s: float, gain: float | None, target_share: float) -> None:
    need = watch(buffer_s)
    assert need.bound_bytes_per_s(now_s=10.0) == (None if gain is None else pytest.approx(gain * RATE))
    assert need.target_share(SHORT_GAIN * RATE, now_s=10.0) == pytest.approx(target_share)
    assert need.target_share(0.9 * FULL_GAIN * RATE, now_s=10.0) == 1.0
    assert need.target_share(None, now_s=10.0) == 1.0


def test_the_window_carries_the_bound_over_the_round_trip_and_the_target_of_queue() -> None:
    need = watch(16.0)
    full = FULL_GAIN * RATE
    assert need.bound_packets(STAMP, most_queue_s=0.060, now_s=10.0) == pytest.approx(full * 0.058 / 1200)
    behind_others = dataclasses.replace(STAMP, smoothed_rtt_s=0.300)
    assert need.bound_packets(behind_others, most_queue_s=0.060, now_s=10.0) == pytest.approx(full * 0.110 / 1200)
    near = dataclasses.replace(STAMP, smoothed_rtt_s=0.001, min_rtt_s=0.001)
    assert need.bound_packets(near, most_queue_s=0.060, now_s=10.0) == 10.0
    unmeasured = dataclasses.replace(STAMP, smoothed_rtt_s=None, min_rtt_s=None)
    assert need.bound_packets(unmeasured, most_queue_s=0.060, now_s=10.0) is None


def test_a_player_that_is_gone_or_wants_all_there_is_bounds_nothing() -> None:
    assert watch(16.0, rate=None).bound_bytes_per_s(now_s=10.0) is None
    need = watch(16.0)
    assert need.bound_bytes_per_s(now_s=10.0 + LIFETIME_S) is not None
    assert need.bound_bytes_per_s(now_s=10.1 + LIFETIME_S) is None
    assert need.target_share(SHORT_GAIN * RATE, now_s=10.1 + LIFETIME_S) == 1.0
    assert NeedWatch().bound_bytes_per_s(now_s=0.0) is None


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((float("nan"), 1.0, 16.0), "rate_bytes_per_s of a need must be finite and positive, not nan"),
        ((-1.0, 1.0, 16.0), "rate_bytes_per_s of a need must be finite and positive, not -1.0"),
        ((RATE, -0.1, 16.0), "buffer_s of a need must be finite and not negative, not -0.1"),
        ((RATE, float("inf"), 16.0), "buffer_s of a need must be finite and not negative, not inf"),
        ((RATE, 1.0, 0.0), "full_buffer_s of a need must be finite and positive, not 0.0"),
    ],
)
def test_a_need_that_makes_no_sense_is_refused(values: tuple[float, float, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Need(*values)


def played(
    receiver: WindowReceiver, need: Need | None, *, link_mbits: float, at_last: Need | None = None
) -> ReceiverState:
    """What the receiver knows after 6 s of a download; the need is told from 1 s on, another in the last second."""
    link = Link(constant_rate_opportunities_ms(link_mbits), queue=QueueLimit(packets=300), delay_s=DELAY_S)
    sender = ReceiverDriven(max_datagram_bytes=1200, rng=random.Random(1))
    simulation = Simulation(sender, link, return_delay_s=DELAY_S, receiver=receiver)
    while simulation.now_s < 6.0:
        simulation.run_until(simulation.now_s + 0.5)
        told = at_last if at_last is not None and simulation.now_s >= 5.0 else need
        if told is not None and simulation.now_s >= 1.0:
            receiver.on_need(told, now_s=simulation.now_s)
    return receiver.state(now_s=simulation.now_s)


FILM = preset("film").parameters
FULL = Need(RATE, 16.0, 16.0)  # 4 Mbit/s


both = pytest.mark.parametrize("make", [Nuwa, Kuafu])
Make = Callable[[NuwaParameters], WindowReceiver]


@both
def test_a_full_buffer_holds_the_flow_and_leaves_the_estimate_alone(make: Make) -> None:
    state = played(make(FILM), FULL, link_mbits=24)
    assert state.is_held
    assert state.delivered_bits_per_s == pytest.approx(6e6, rel=0.1)
    assert state.wanted_bits_per_s == 8 * FULL_GAIN * RATE
    assert state.queueing_delay_s < 0.005
    free = played(make(FILM), None, link_mbits=24)
    assert state.bandwidth_bits_per_s == pytest.approx(free.bandwidth_bits_per_s, rel=0.05)


@both
def test_a_link_that_is_slower_than_the_bound_is_measured_as_ever(make: Make) -> None:
    state = played(make(FILM), FULL, link_mbits=5)
    assert not state.is_held
    assert state.bandwidth_bits_per_s == pytest.approx(5e6 * 1200 / 1232, rel=0.05)
    free = played(make(FILM), None, link_mbits=5)
    assert (state.window_bytes, state.target_delay_s) == (free.window_bytes, free.target_delay_s)


@both
def test_a_buffer_that_runs_short_has_the_whole_link_at_once(make: Make) -> None:
    state = played(make(FILM), FULL, link_mbits=24, at_last=Need(RATE, 1.0, 16.0))
    assert not state.is_held
    assert state.wanted_bits_per_s is None
    assert state.delivered_bits_per_s == pytest.approx(24e6, rel=0.1)


@both
def test_after_a_seek_a_long_fast_link_carries_much_within_seven_round_trips(make: Make) -> None:
    link = Link(constant_rate_opportunities_ms(100), queue=QueueLimit(packets=1000), delay_s=0.050)
    sender = ReceiverDriven(max_datagram_bytes=1200, rng=random.Random(1))
    receiver = make(FILM)
    simulation = Simulation(sender, link, return_delay_s=0.050, receiver=receiver)
    while simulation.now_s < 4.0:
        simulation.run_until(simulation.now_s + 0.5)
        if simulation.now_s >= 1.0:
            receiver.on_need(FULL, now_s=simulation.now_s)
    assert receiver.state(now_s=simulation.now_s).is_held
    receiver.on_need(Need(RATE, 0.5, 16.0), now_s=simulation.now_s)
    simulation.run_until(4.5)
    receiver.on_need(Need(RATE, 0.5, 16.0), now_s=simulation.now_s)
    simulation.run_until(4.7)
    delivered = receiver.state(now_s=simulation.now_s).delivered_bits_per_s
    assert delivered is not None
    assert delivered > 70e6


@both
def test_only_parameters_that_say_so_follow_a_need(make: Make) -> None:
    ordinary = preset("on-demand").parameters
    assert played(make(ordinary), FULL, link_mbits=24) == played(make(ordinary), None, link_mbits=24)
    assert dataclasses.replace(FILM, follows_need=False) == ordinary
    short = Need(RATE, 1.0, 16.0)
    with_need = played(make(FILM), short, link_mbits=24)
    without = played(make(ordinary), None, link_mbits=24)
    assert (with_need.window_bytes, with_need.bandwidth_bits_per_s) == (
        without.window_bytes,
        without.bandwidth_bits_per_s,
    )


def test_beside_cubic_a_film_of_kuafu_has_its_bound_and_no_more() -> None:
    """In a contest, too, whose window would grow to half of the link."""
    link = Link(constant_rate_opportunities_ms(24), queue=QueueLimit(packets=300), delay_s=DELAY_S)
    cubic = scheme("cubic").make_sender(max_datagram_bytes=1200, rng=random.Random(1))
    kuafu = ReceiverDriven(max_datagram_bytes=1200, rng=random.Random(2))
    plans = [FlowPlan(cubic, name="cubic"), FlowPlan(kuafu, name="kuafu", receiver=Kuafu(FILM), start_s=1.0)]
    network = Network(link, plans, return_delay_s=DELAY_S)
    _, film = network.flows
    while network.now_s < 60.0:
        network.run_until(network.now_s + 0.5)
        film.on_need(Need(RATE / 2, 16.0, 16.0), now_s=network.now_s)  # 2 Mbit/s
    bits_per_s = 8 * film.record.wire_bytes(20.0, 60.0) / 40.0
    assert 2e6 < bits_per_s < 1.15 * FULL_GAIN * 2e6
