"""What PCC senders have in common: trials, pacing, window, interruptions."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from cc.core.base import Phase
from cc.core.monitor_interval import MonitorInterval
from cc.sender.pcc.base import PccScheme, PccState
from cc.tests.flow import MSS, Flow
from cc.tests.monitored import begin

RATE = 100_000.0  # ten packets in each RTT of 100 ms


class TwoTrials(PccScheme):
    """Tries 1.2 and 0.8 times its rate, and notes what it measured."""

    def __init__(self) -> None:
        super().__init__(max_datagram_bytes=MSS, rng=random.Random(1))
        self.measured: list[list[MonitorInterval]] = []

    def trial_rates(self) -> Sequence[float]:
        return [1.2 * self.rate_bytes_per_s, 0.8 * self.rate_bytes_per_s]

    def on_trials(self, trials: Sequence[MonitorInterval]) -> None:
        self.measured.append(list(trials))
        self._state = PccState.MOVING
        self.set_rate(2 * self.rate_bytes_per_s)


def pass_time(flow: Flow, seconds: float) -> None:
    """A packet leaves each 10 ms, and comes back 100 ms later."""
    for _ in range(round(seconds / 0.01)):
        flow.send(1)
        arrived = [p.packet_number for p in flow.ledger.in_flight() if p.sent_time_s <= flow.now_s - 0.0999]
        flow.ack(arrived)
        flow.wait(0.01)


def test_starts_with_ten_packets_for_each_of_the_first_rtt() -> None:
    scheme = TwoTrials()
    assert (scheme.cwnd_bytes, scheme.pacing_rate_bytes_per_s, scheme.phase) == (10 * MSS, None, Phase.SLOW_START)
    begin(scheme)
    assert scheme.rate_bytes_per_s == pytest.approx(RATE)
    assert scheme.cwnd_bytes == 20 * MSS  # twice what the rate keeps in flight
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(1.2 * RATE)


def test_tries_one_rate_after_the_other_and_then_waits_at_its_own() -> None:
    scheme = TwoTrials()
    flow = begin(scheme)
    paced = []
    while not scheme.measured:
        paced.append(round((scheme.pacing_rate_bytes_per_s or 0) / RATE, 3))
        pass_time(flow, 0.01)
    # Each is over after one RTT and four samples of its own, 100 + 30 ms; then its packets take an RTT to come back.
    assert paced == [1.2] * 14 + [0.8] * 14 + [1.0] * 10
    first, second = scheme.measured[0]
    assert (first.rate_bytes_per_s, second.rate_bytes_per_s) == pytest.approx((1.2 * RATE, 0.8 * RATE))
    assert first.is_measured
    assert second.is_measured
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(2.4 * RATE)  # twice the rate, and its first trial


def test_a_trial_that_the_application_interrupts_is_made_again() -> None:
    scheme = TwoTrials()
    flow = begin(scheme)
    pass_time(flow, 0.20)  # the first trial is sent, the second has begun
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(0.8 * RATE)
    flow.ledger.mark_app_limited()
    flow.send(1)
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(RATE)
    pass_time(flow, 0.2)
    interrupted_s = flow.now_s - 0.2
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(0.8 * RATE)
    while not scheme.measured:
        pass_time(flow, 0.01)
    first, second = scheme.measured[0]
    assert first.last_sent_s < interrupted_s < second.first_sent_s
    assert second.rate_bytes_per_s == pytest.approx(0.8 * RATE)


def test_an_application_limited_sender_measures_nothing() -> None:
    scheme = TwoTrials()
    flow = begin(scheme)
    for _ in range(100):
        flow.ledger.mark_app_limited()
        numbers = flow.send(1)
        flow.wait()
        flow.ack(numbers)
    assert not scheme.measured
    assert scheme.rate_bytes_per_s == pytest.approx(RATE)


def test_persistent_congestion_halves_the_rate_and_tries_anew() -> None:
    scheme = TwoTrials()
    flow = begin(scheme)
    pass_time(flow, 0.20)
    epoch = scheme.window_resets
    flow.lose(flow.send(1), is_persistent_congestion=True)
    assert scheme.rate_bytes_per_s == pytest.approx(RATE / 2)
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(0.6 * RATE)
    assert scheme.phase is Phase.AVOIDANCE
    assert scheme.window_resets == epoch + 1


def test_a_trial_that_is_not_measured_in_time_halves_the_rate() -> None:
    scheme = TwoTrials()
    flow = begin(scheme)
    for _ in range(40):
        flow.send(1)
        flow.wait(0.01)
    assert scheme.rate_bytes_per_s == pytest.approx(RATE)
    flow.wait(0.001)  # its first packet left more than 400 ms, four RTTs, ago
    flow.send(1)
    assert scheme.rate_bytes_per_s == pytest.approx(RATE / 2)
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(0.6 * RATE)


def test_an_interval_that_loses_more_than_it_delivers_halves_the_rate() -> None:
    scheme = TwoTrials()
    flow = begin(scheme)
    trial: list[int] = []
    for _ in range(14):
        trial.extend(flow.send(1))
        flow.wait(0.01)
    for number in trial[:4]:
        flow.ack([number])
    flow.wait(0.01)
    flow.send(1)  # the first of the second trial
    flow.ack(trial[4:6])
    flow.lose(trial[6:])  # 8 of 14
    assert scheme.rate_bytes_per_s == pytest.approx(RATE / 2)
    assert not scheme.measured


def test_the_rate_never_falls_below_two_packets_an_rtt() -> None:
    scheme = TwoTrials()
    flow = begin(scheme)
    for _ in range(10):
        flow.lose(flow.send(1), is_persistent_congestion=True)
    assert scheme.rate_bytes_per_s == pytest.approx(20_000)  # 2 x 1000 bytes / 0.1 s
    assert scheme.cwnd_bytes == 4 * MSS
