"""HyStart++ against RFC 9406 section 4.2, with NewReno around it.

The RTT of the first round is 100 ms, so the threshold is min(100/8, 16) = 12.5 ms.
"""

from __future__ import annotations

import random

import pytest

from cc.core.base import Phase
from cc.sender.hystart import HyStart
from cc.sender.newreno import NewReno
from cc.tests.flow import MSS, Flow


class Setup:
    """A flow whose rounds are whole windows, acknowledged packet by packet."""

    def __init__(self) -> None:
        self.hystart = HyStart()
        self.scheme = NewReno(max_datagram_bytes=MSS, rng=random.Random(1), slow_start=self.hystart)
        self.flow = Flow(self.scheme)

    def round(self, rtt_s: float) -> None:
        numbers = self.flow.fill_window()
        self.flow.wait(rtt_s)
        for number in numbers:
            self.flow.ack([number], rtt_s=rtt_s)


@pytest.fixture
def setup() -> Setup:
    return Setup()


def test_a_steady_rtt_doubles_the_window_each_round(setup: Setup) -> None:
    for expected_packets in (20, 40, 80):
        setup.round(0.100)
        assert setup.scheme.cwnd_bytes == expected_packets * MSS


def test_a_rise_below_the_threshold_is_ignored(setup: Setup) -> None:
    setup.round(0.100)
    setup.round(0.1124)
    assert not setup.hystart.is_conservative
    assert setup.scheme.cwnd_bytes == 40 * MSS


def test_a_rise_by_the_threshold_makes_growth_a_quarter_after_eight_samples(setup: Setup) -> None:
    setup.round(0.100)
    setup.round(0.1126)
    assert setup.hystart.is_conservative
    assert setup.scheme.cwnd_bytes == (20 + 8 + 12 / 4) * MSS


def test_seven_samples_decide_nothing(setup: Setup) -> None:
    setup.round(0.100)
    numbers = setup.flow.fill_window()
    setup.flow.wait(0.2)
    for number in numbers[:7]:
        setup.flow.ack([number], rtt_s=0.2)
    for number in numbers[7:]:
        setup.flow.ack([number], has_rtt_sample=False)
    assert not setup.hystart.is_conservative


@pytest.mark.parametrize(
    ("first_rtt_s", "rise_s", "is_conservative"),
    [(0.010, 0.0039, False), (0.010, 0.0041, True), (1.0, 0.0159, False), (1.0, 0.0161, True)],
    ids=["below 4 ms", "4 ms at least", "below 16 ms", "16 ms at most"],
)
def test_threshold_is_between_4_and_16_ms(first_rtt_s: float, rise_s: float, is_conservative: bool) -> None:
    setup = Setup()
    setup.round(first_rtt_s)
    setup.round(first_rtt_s + rise_s)
    assert setup.hystart.is_conservative is is_conservative


def test_resumes_when_the_rtt_falls_again(setup: Setup) -> None:
    setup.round(0.100)
    setup.round(0.120)
    assert setup.hystart.is_conservative
    setup.round(0.110)
    assert not setup.hystart.is_conservative
    assert setup.scheme.phase is Phase.SLOW_START


def test_ends_slow_start_after_five_rounds_the_first_of_them_partial(setup: Setup) -> None:
    setup.round(0.100)
    setup.round(0.120)  # conservative from its ninth packet on: the first of five rounds
    for _ in range(4):
        setup.round(0.130)
        assert setup.scheme.phase is Phase.SLOW_START
    window_bytes = setup.scheme.cwnd_bytes
    setup.round(0.130)
    assert setup.scheme.phase is Phase.AVOIDANCE
    assert setup.scheme.ssthresh_bytes == window_bytes + MSS / 4  # the first packet of this round ended it


def test_a_slow_start_with_a_known_ssthresh_is_a_plain_one(setup: Setup) -> None:
    numbers = setup.flow.fill_window()
    setup.flow.wait()
    setup.flow.lose(numbers, is_persistent_congestion=True)  # ssthresh 5 packets, window 2
    setup.flow.wait()
    setup.round(0.1)
    assert setup.scheme.cwnd_bytes == 4 * MSS
    setup.round(0.5)
    assert setup.scheme.phase is Phase.AVOIDANCE
    assert not setup.hystart.is_conservative


def test_once_over_it_does_not_end_a_later_slow_start(setup: Setup) -> None:
    setup.round(0.100)
    for _ in range(6):
        setup.round(0.120)
    assert setup.scheme.phase is Phase.AVOIDANCE
    numbers = setup.flow.fill_window()
    setup.flow.wait()
    setup.flow.lose(numbers, is_persistent_congestion=True)
    setup.flow.wait()
    setup.round(0.100)
    assert (setup.scheme.phase, setup.scheme.cwnd_bytes) == (Phase.SLOW_START, 4 * MSS)
