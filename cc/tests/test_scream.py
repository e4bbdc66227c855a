"""SCReAM's window against numbers worked by hand from RFC 8298, section 4.1.2. A full packet is 1000 bytes."""

from __future__ import annotations

import random

import pytest

from cc.core.base import AckEvent, EcnCounts, Phase, RttState
from cc.core.ledger import PacketLedger
from cc.sender.scream import DelayTrend, Scream, autocorrelation
from cc.tests.flow import MSS, Flow
from cc.tests.sim_flows import run_flow

BASE_RTT_S = 0.05


class Path(Flow):
    """A flow whose smallest RTT is 50 ms."""

    def __init__(self) -> None:
        self.scream = Scream(max_datagram_bytes=MSS, rng=random.Random(1))
        super().__init__(self.scream)
        self.ledger: PacketLedger
        self.scream._base.on_sample(BASE_RTT_S, now_s=self.now_s)

    def ack_delayed(self, numbers: list[int] | range, qdelay_s: float, *, ce: int = 0) -> AckEvent | None:
        """One ACK that shows this queueing delay."""
        rtt_s = BASE_RTT_S + qdelay_s
        event = self.ledger.on_packets_acked(
            numbers,
            now_s=self.now_s,
            rtt=RttState(latest_s=rtt_s, smoothed_s=rtt_s, min_s=BASE_RTT_S, variance_s=0.0),
            has_rtt_sample=True,
            cwnd_bytes=self.scream.cwnd_bytes,
            ecn=EcnCounts(ce=ce) if ce else None,
        )
        if event is not None:
            self.scream.on_ack(event)
        return event

    @property
    def window(self) -> float:
        return self.scream._window_bytes


def path_in_avoidance(window_packets: int = 20) -> Path:
    """Fast increase has ended by a loss, and the window is in flight."""
    path = Path()
    path.scream._window_bytes = window_packets * MSS / 0.8
    numbers = path.send(window_packets + 1)
    path.wait(0.05)
    path.lose(numbers[:1])
    path.wait(0.05)
    assert path.window == window_packets * MSS
    return path


def in_flight(path: Path) -> list[int]:
    return [packet.packet_number for packet in path.ledger.in_flight()]


def test_autocorrelation_of_a_ramp() -> None:
    # Mean 0.03; squares 17 x 0.0009 + 0.0049 + 0.0289 + 0.0729 = 0.122; products of neighbours
    # 16 x 0.0009 - 0.0021 + 0.0119 + 0.0459 = 0.0701.
    assert autocorrelation([0.0] * 17 + [0.1, 0.2, 0.3]) == pytest.approx(0.0701 / 0.122)
    assert autocorrelation([0.4] * 20) == 0.0


def test_trend_is_the_autocorrelation_times_the_mean_fraction() -> None:
    trend = DelayTrend()
    trend.update(0.0, now_s=1.0)
    for index, qdelay_s in enumerate((0.01, 0.02, 0.03), start=1):
        trend.update(qdelay_s, now_s=1.0 + 0.0501 * index)
    # Fractions of the target 0.1, 0.2, 0.3, whose mean by tenths is 0.01, 0.029, 0.0561.
    assert trend.value == pytest.approx(0.0701 / 0.122 * 0.0561)


def test_trend_takes_a_sample_for_each_fifty_milliseconds() -> None:
    trend = DelayTrend()
    trend.update(0.0, now_s=1.0)
    trend.update(0.1, now_s=1.49)  # nine samples
    # Of 20, eleven are 0 and nine are 1: mean 0.45, squares 20 x 0.45 x 0.55 = 4.95, products
    # 10 x 0.2025 - 0.2475 + 8 x 0.3025 = 4.1975; the mean fraction is 0.1.
    assert trend.value == pytest.approx(4.1975 / 4.95 * 0.1)


def test_starts_with_three_thousand_bytes_and_a_packet_of_slack() -> None:
    path = Path()
    assert path.scream.cwnd_bytes == 4000
    assert path.scream.phase is Phase.SLOW_START
    assert path.scream.pacing_rate_bytes_per_s is None


def test_fast_increase_grows_by_what_is_acknowledged() -> None:
    path = Path()
    numbers = path.send(4)
    path.wait(BASE_RTT_S)
    path.ack_delayed(numbers, 0.0)
    assert path.window == 7000
    assert path.scream.pacing_rate_bytes_per_s == pytest.approx(7000 / BASE_RTT_S)


def test_an_unused_window_does_not_grow() -> None:
    path = Path()
    path.scream._window_bytes = 20_000.0
    path.ack_delayed(path.send(8)[:4], 0.0)  # 1.5 x 4000 + 4000 is no more than 20000
    assert path.window == 20_000
    path = path_in_avoidance()
    path.ack_delayed(in_flight(path)[:10], 0.0)  # 1.25 x 10000 + 10000 = 22500 is more
    assert path.window > 20_000
    before = path.window
    path.ack_delayed(in_flight(path)[:4], 0.0)  # 1.25 x 6000 + 4000 = 11500 is not
    assert path.window == before


def test_grows_below_the_target_and_shrinks_above_it() -> None:
    path = path_in_avoidance()
    path.ack_delayed(in_flight(path)[:4], 0.05)
    # off_target 0.5: 0.5 x 4000 x 1000 / 20000 = 100 bytes.
    assert path.window == pytest.approx(20_100)
    path = path_in_avoidance()
    path.ack_delayed(in_flight(path)[:4], 0.25)
    # off_target -1.5: -1.5 x 4000 x 1000 / 20000 = -300 bytes.
    assert path.window == pytest.approx(19_700)
    assert path.scream.cwnd_bytes == 19_700  # and no slack


def test_window_is_at_most_a_tenth_more_than_was_in_flight() -> None:
    path = path_in_avoidance()
    path.scream._window_bytes = 24_000.0
    path.ack_delayed(in_flight(path)[:1], 0.0)
    assert path.window == pytest.approx(1.1 * 21_000)


def test_losses_cut_to_four_fifths_once_a_round_trip() -> None:
    path = path_in_avoidance()
    epoch = path.scream.window_resets
    old = in_flight(path)
    path.lose(old[:3])  # sent before the cut
    assert path.window == 20_000
    new = path.send(2)
    path.wait(0.01)
    path.lose(new[:1])
    assert path.window == pytest.approx(16_000)
    assert path.scream.window_resets == epoch + 1
    assert path.scream.phase is Phase.AVOIDANCE


def test_a_congestion_mark_cuts_to_nine_tenths() -> None:
    path = path_in_avoidance()
    new = path.send(4)
    path.wait(0.01)
    path.ack_delayed(new[:2], 0.0, ce=1)
    assert path.window == pytest.approx(18_000)
    path.ack_delayed(new[2:], 0.0, ce=2)
    assert path.window == pytest.approx(18_000)


def test_a_trend_ends_fast_increase() -> None:
    path = Path()
    path.scream._window_bytes = 100_000.0
    phases = []
    for index in range(12):
        numbers = path.send(20)
        path.wait(0.051)
        path.ack_delayed(numbers, 0.01 * index)
        phases.append(path.scream.phase)
    assert phases[0] is Phase.SLOW_START
    assert phases[-1] is Phase.AVOIDANCE
    assert 0.03 < 0.01 * phases.index(Phase.AVOIDANCE) < 0.09  # before the target is reached


def test_fast_increase_resumes_after_five_quiet_seconds() -> None:
    path = path_in_avoidance()
    phases = []
    for _ in range(60):
        numbers = path.send(1)
        path.wait(0.1)
        path.ack_delayed(numbers, 0.0)
        phases.append(path.scream.phase)
    assert phases.index(Phase.SLOW_START) == 49  # 50 ms and 50 times 100 ms after the cut


def test_a_path_that_became_longer_is_believed_after_ten_minutes() -> None:
    path = path_in_avoidance()
    windows = {}
    for at_s in (0, 60, 590, 700):
        while path.now_s < at_s:
            path.fill_window(most_packets=40)
            path.wait(0.2)
            path.ack_delayed(in_flight(path), 0.15)
        windows[at_s] = path.window
    assert windows[60] < 0.5 * windows[0]
    assert windows[590] == 3000
    assert windows[700] > windows[0]


def test_persistent_congestion_leaves_the_least_window() -> None:
    path = path_in_avoidance()
    path.lose(path.send(1), is_persistent_congestion=True)
    assert path.window == 3000


def test_lets_a_queue_of_a_hundred_milliseconds_stand() -> None:
    result = run_flow(Scream(max_datagram_bytes=1350, rng=random.Random(1)), duration_s=40)
    assert result.utilisation > 0.90
    assert result.queueing_delay.p95_s < 0.125
