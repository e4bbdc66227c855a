"""Monitor intervals against numbers worked by hand."""

from __future__ import annotations

import pytest

from cc.core.base import AckEvent, LossEvent, RttState
from cc.core.ledger import PacketLedger
from cc.core.monitor_interval import MonitorInterval, MonitorIntervals

RATE = 100_000.0  # bytes per second: a packet of 1000 bytes every 10 ms
DURATION_S = 0.05


class Path:
    """Intervals joined to a ledger."""

    def __init__(self) -> None:
        self.intervals = MonitorIntervals()
        self.ledger = PacketLedger(1000)
        self.next_number = 0

    def begin(self, *, is_trial: bool = True) -> None:
        self.intervals.begin(RATE, minimum_duration_s=DURATION_S, timeout_s=0.1, is_trial=is_trial)

    def send(self, *times_s: float) -> list[int]:
        numbers = []
        for time_s in times_s:
            packet = self.ledger.on_packet_sent(packet_number=self.next_number, size_bytes=1000, now_s=time_s)
            self.intervals.on_packet_sent(packet)
            numbers.append(self.next_number)
            self.next_number += 1
        return numbers

    def ack(self, *numbers: int, now_s: float, rtt_s: float = 0.04, has_rtt_sample: bool = True) -> AckEvent | None:
        event = self.ledger.on_packets_acked(
            numbers,
            now_s=now_s,
            rtt=RttState(latest_s=rtt_s, smoothed_s=0.04, min_s=0.04, variance_s=0.0),
            has_rtt_sample=has_rtt_sample,
            cwnd_bytes=100_000,
        )
        if event is not None:
            self.intervals.on_ack(event)
        return event

    def lose(self, *numbers: int, now_s: float) -> LossEvent | None:
        event = self.ledger.on_packets_lost(numbers, now_s=now_s, is_persistent_congestion=False)
        if event is not None:
            self.intervals.on_loss(event)
        return event

    @property
    def current(self) -> MonitorInterval:
        current = self.intervals.current
        assert current is not None
        return current


def test_an_interval_is_over_when_it_lasted_and_has_four_rtts() -> None:
    path = Path()
    path.begin()
    assert not path.current.is_over(9.0)  # nothing was sent
    numbers = path.send(1.00, 1.01, 1.02, 1.03, 1.04)
    for number, now_s in zip(numbers[:3], (1.041, 1.045, 1.049), strict=True):
        path.ack(number, now_s=now_s)
    assert not path.current.is_over(1.06)  # three RTTs
    path.ack(numbers[3], now_s=1.049)
    assert not path.current.is_over(1.049)  # 49 ms
    assert path.current.is_over(1.050)


def test_measures_rates_and_loss() -> None:
    path = Path()
    path.begin()
    numbers = path.send(1.00, 1.01, 1.02, 1.03, 1.04)
    interval = path.current
    path.ack(*numbers[:2], now_s=1.05)
    path.lose(numbers[2], now_s=1.08)
    assert not interval.is_measured
    path.ack(*numbers[3:], now_s=1.08)
    assert interval.is_measured
    assert interval.duration_s == pytest.approx(0.05)  # 40 ms and the last packet's 10 ms
    assert interval.sending_rate_bytes_per_s == pytest.approx(100_000)
    assert interval.throughput_bytes_per_s == pytest.approx(80_000)
    assert interval.loss_ratio == pytest.approx(0.2)


def test_takes_one_rtt_from_each_ack_at_its_newest_packets_sending_time() -> None:
    path = Path()
    path.begin()
    numbers = path.send(1.00, 1.01, 1.02)
    path.ack(*numbers[:2], now_s=1.05, rtt_s=0.041)
    path.ack(numbers[2], now_s=1.07, rtt_s=0.05, has_rtt_sample=False)
    assert path.current.rtt_samples == [(1.01, 0.041)]


def test_tells_trials_when_all_of_them_are_measured() -> None:
    path = Path()
    path.begin(is_trial=False)
    path.send(1.0)
    path.begin()
    first = path.send(1.1, 1.2)
    path.begin()
    second = path.send(1.3, 1.4)
    path.begin(is_trial=False)
    path.send(1.5)
    path.ack(*second, now_s=1.6)
    assert path.intervals.take_trials(2) is None
    path.lose(*first, now_s=1.7)
    trials = path.intervals.take_trials(2)
    assert trials is not None
    assert [trial.first_sent_s for trial in trials] == [1.1, 1.3]
    assert path.intervals.take_trials(1) is None
    assert path.current.first_sent_s == 1.5


def test_a_trial_that_is_still_being_sent_is_not_measured() -> None:
    path = Path()
    path.begin()
    path.ack(*path.send(1.0, 1.1), now_s=1.2)
    assert path.intervals.take_trials(1) is None
    path.begin(is_trial=False)
    assert path.intervals.take_trials(1) is not None


def test_does_without_discarded_packets() -> None:
    path = Path()
    path.begin()
    numbers = path.send(1.00, 1.01, 1.02)
    path.begin(is_trial=False)
    path.ack(*numbers[:2], now_s=1.05)
    path.ledger.on_packets_discarded(numbers[2:])
    later = path.send(1.065, 1.066, 1.067)
    path.ack(later[0], now_s=1.10)
    path.ack(later[1], now_s=1.11)
    assert path.intervals.take_trials(1) is None  # sent 45 ms, 9/8 RTT, after the third: no more than that
    path.ack(later[2], now_s=1.12)
    trials = path.intervals.take_trials(1)  # the ACK of one sent 46 ms after it told of no loss
    assert trials is not None
    assert (trials[0].sent_bytes, trials[0].loss_ratio) == (2000, 0.0)


def test_an_abandoned_interval_takes_no_more_packets() -> None:
    path = Path()
    path.begin()
    numbers = path.send(1.0, 1.1)
    path.intervals.abandon_current()
    assert path.intervals.current is None
    path.send(1.2)
    path.ack(*numbers, now_s=1.3)
    assert path.intervals.take_trials(1) is None


def test_an_interval_begun_twice_begins_once() -> None:
    path = Path()
    path.begin()
    path.begin(is_trial=False)
    path.send(1.0)
    assert not path.current.is_trial


def test_an_interval_is_overdue_when_no_fate_of_its_first_packet_is_known_in_time() -> None:
    path = Path()  # a timeout of 100 ms
    path.begin()
    numbers = path.send(1.0, 1.05)
    assert not path.intervals.is_overdue(1.1)
    assert path.intervals.is_overdue(1.101)
    path.ack(numbers[0], now_s=1.101)
    assert not path.intervals.is_overdue(2.0)  # it is still being sent


def test_an_interval_is_overdue_when_the_fate_of_its_last_packet_is_not_known_in_time() -> None:
    path = Path()
    path.begin()
    numbers = path.send(1.0, 1.05)
    path.ack(numbers[0], now_s=1.1)
    path.begin(is_trial=False)
    path.send(1.06)
    assert not path.intervals.is_overdue(1.15)
    assert path.intervals.is_overdue(1.151)
    path.lose(numbers[1], now_s=1.152)
    assert not path.intervals.is_overdue(9.0)  # what bridges the wait need not be measured


def test_an_interval_is_flooded_when_more_is_lost_than_delivered() -> None:
    path = Path()
    path.begin()
    numbers = path.send(1.0, 1.1, 1.2, 1.3)
    path.ack(*numbers[:2], now_s=1.4)
    path.lose(numbers[2], now_s=1.4)
    assert not path.intervals.is_flooded()
    path.lose(numbers[3], now_s=1.4)
    assert not path.intervals.is_flooded()  # two of four
    path.begin()
    numbers = path.send(1.5, 1.6, 1.7)
    path.ack(numbers[0], now_s=1.8)
    path.lose(*numbers[1:], now_s=1.8)
    assert path.intervals.is_flooded()
