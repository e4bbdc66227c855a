"""QTCP's coding, utility and learning, by numbers worked by hand."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import pytest

from cc.core.interval import IntervalMeasurement
from cc.sender.qtcp.kanerva import KanervaTable, drawn_prototypes
from cc.sender.qtcp.qtcp import ACTIONS_BYTES, REWARD, UPDATE_S, Qtcp, reward_of, state_of, utility_of
from cc.tests.flow import MSS, Flow

LONG_ENOUGH_S = UPDATE_S + 0.001


def measured(*, acked_bytes: int = 23_000, rtt_mean_s: float | None = 0.1) -> IntervalMeasurement:
    return IntervalMeasurement(
        start_s=1.0,
        duration_s=0.23,
        sent_bytes=46_000,
        acked_bytes=acked_bytes,
        lost_bytes=0,
        rtt_mean_s=rtt_mean_s,
        rtt_min_s=rtt_mean_s,
        rtt_gradient=0.0,
    )


class Draws:
    """Numbers in turn, then 0.5 for ever."""

    def __init__(self, *numbers: float) -> None:
        self._numbers: Iterator[float] = iter(numbers)

    def random(self) -> float:
        return next(self._numbers, 0.5)


def test_a_state_activates_what_is_near_on_every_axis_else_the_nearest() -> None:
    table = KanervaTable([(0.1, 0.1), (0.25, 0.2), (0.9, 0.9)], actions=2, radius=0.2)
    assert table.active((0.2, 0.2)) == [0, 1]
    assert table.active((0.1, 0.31)) == [1]  # 0.21 from the first
    assert table.active((0.6, 0.6)) == [2]  # 0.3, and 0.4 from the second


def test_what_is_learned_is_shared_by_the_active_prototypes() -> None:
    table = KanervaTable([(0.1,), (0.2,), (0.9,)], actions=2, radius=0.1)
    table.learn([0, 1], 1, 4.0, rate=0.5)
    assert table.values([0, 1]) == [0.0, 2.0]
    table.learn([1], 1, 6.0, rate=0.5)  # 2 + 0.5 (6 - 2) = 4
    assert table.values([0, 1]) == [0.0, 3.0]
    assert table.values([2]) == [0.0, 0.0]


def test_prototypes_come_from_the_generator_that_is_handed_over() -> None:
    assert drawn_prototypes(Draws(0.1, 0.2, 0.3, 0.4), count=2, dimensions=2) == ((0.1, 0.2), (0.3, 0.4))
    one, other = (drawn_prototypes(random.Random(3), count=5, dimensions=3) for _ in range(2))
    assert one == other


def test_state_spreads_gaps_and_round_trips_by_their_logarithm() -> None:
    # 46 packets of 1000 bytes sent and 23 acknowledged in 0.23 s: gaps of 5 and 10 ms
    sent, acked, rtt = state_of(measured(), packet_bytes=1000)
    assert sent == pytest.approx(math.log10(0.005 / 1e-5) / 5)
    assert acked == pytest.approx(0.6)  # 1e-2 is three of the five decades above 1e-5
    assert rtt == pytest.approx(math.log(100) / math.log(2000))


def test_state_where_nothing_arrived_is_at_the_end_of_its_axis() -> None:
    assert state_of(measured(acked_bytes=0, rtt_mean_s=None), packet_bytes=1000)[1:] == (1.0, 0.0)


def test_utility_is_the_logarithm_of_power() -> None:
    assert utility_of(measured()) == pytest.approx(math.log(100_000) - math.log(0.1))
    assert utility_of(measured(acked_bytes=0)) is None
    assert utility_of(measured(rtt_mean_s=None)) is None


@pytest.mark.parametrize(("rise", "reward"), [(0.03, REWARD), (0.01, 0.0), (-0.01, 0.0), (-0.03, -REWARD)])
def test_reward_leaves_small_changes_out(rise: float, reward: float) -> None:
    assert reward_of(rise) == reward


def round_trip(flow: Flow, *, rtt_s: float) -> None:
    numbers = flow.fill_window()
    flow.wait(LONG_ENOUGH_S)
    flow.ack(numbers, rtt_s=rtt_s)


def in_avoidance(*draws: float) -> Flow:
    """Three numbers for each of 100 prototypes, then `draws`."""
    scheme = Qtcp(max_datagram_bytes=MSS, rng=Draws(*([0.5] * 300), *draws))
    scheme.end_slow_start()
    return Flow(scheme)


def test_the_first_action_adds_ten_bytes_for_each_packet() -> None:
    flow = in_avoidance()
    round_trip(flow, rtt_s=0.1)
    assert flow.scheme.cwnd_bytes == 10 * MSS + 10 * 10


def test_an_action_that_lowered_the_utility_is_left_for_the_next_one() -> None:
    flow = in_avoidance()
    round_trip(flow, rtt_s=0.1)  # a first utility; values are equal, so the first action again
    assert flow.scheme.log_fields()["qtcp_action_bytes"] == ACTIONS_BYTES[0]
    round_trip(flow, rtt_s=0.2)  # as much in twice the round trip: -2
    assert flow.scheme.log_fields()["qtcp_reward"] == -REWARD
    assert flow.scheme.log_fields()["qtcp_action_bytes"] == ACTIONS_BYTES[1]
    before = flow.scheme.cwnd_bytes
    round_trip(flow, rtt_s=0.2)
    assert flow.scheme.cwnd_bytes == before


def test_an_action_is_drawn_where_it_explores() -> None:
    flow = in_avoidance(0.05, 0.99)  # below 0.1: explore; the last of three
    round_trip(flow, rtt_s=0.1)
    assert flow.scheme.log_fields()["qtcp_action_bytes"] == ACTIONS_BYTES[2]
    before = flow.scheme.cwnd_bytes
    packets = len(flow.fill_window())
    flow.wait(LONG_ENOUGH_S)
    flow.ack(range(flow.next_number - packets, flow.next_number))
    assert flow.scheme.cwnd_bytes == before - packets


def test_an_interval_that_the_application_limited_teaches_nothing() -> None:
    flow = in_avoidance()
    round_trip(flow, rtt_s=0.1)
    flow.ledger.mark_app_limited()
    numbers = flow.send(1)
    flow.wait(LONG_ENOUGH_S)
    flow.ack(numbers, rtt_s=0.9)
    round_trip(flow, rtt_s=0.9)  # nothing to compare with
    assert flow.scheme.log_fields()["qtcp_reward"] == 0.0
