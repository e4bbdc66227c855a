"""What the receiver says of the bandwidth: of slow links, and while nothing arrives."""

from __future__ import annotations

import pytest

from cc.core.base import Phase
from cc.core.receiver_base import Stamp
from cc.receiver.measurement import Measurement

FAST_MBITS = 9.6
USUAL_RTT_S = 0.04
LONG_RTT_S = 0.3
PACKET_BYTES = 1200
SHORTEST_GAP_S = 0.01
QUEUE_STEP_S = 0.001
LONGEST_QUEUE_S = 0.05


class Path:
    """Stamps of a flow, 10 ms apart or a packet, over a link that has a rate and a queue."""

    def __init__(self, min_rtt_s: float = USUAL_RTT_S) -> None:
        self._min_rtt_s = min_rtt_s
        self.measurement = Measurement()
        self.measurement.expect_data(True)
        self.now_s = 0.0
        self._sequence = 0
        self._sent_bytes = 0.0
        self._queue_s = 0.0

    def carry(
        self,
        mbits: float,
        *,
        seconds: float,
        queue_s: float = LONGEST_QUEUE_S,
        phase: Phase = Phase.AVOIDANCE,
        is_app_limited: bool = False,
    ) -> None:
        """Let so much arrive for so long, behind a queue that grows by a millisecond a stamp."""
        bytes_per_s = 1e6 / 8 * mbits
        until_s = self.now_s + seconds
        while self.now_s < until_s:
            gap_s = max(SHORTEST_GAP_S, PACKET_BYTES / bytes_per_s)
            self.now_s += gap_s
            self._sent_bytes += gap_s * bytes_per_s
            self._queue_s = min(queue_s, self._queue_s + QUEUE_STEP_S)
            self._stamp(self._queue_s, phase, is_app_limited)

    def move(self, min_rtt_s: float, *, is_measured: bool) -> None:
        """To another address, on whose path the first stamp may leave before there is a round trip."""
        self._min_rtt_s = min_rtt_s
        self._queue_s = 0.0
        self.now_s += min_rtt_s
        self._stamp(0.0, Phase.AVOIDANCE, False, is_measured=is_measured)

    def _stamp(self, queue_s: float, phase: Phase, is_app_limited: bool, *, is_measured: bool = True) -> None:
        stamp = Stamp(
            sequence=self._sequence,
            epoch=0,
            phase=phase,
            send_time_s=self.now_s - self._min_rtt_s / 2 - queue_s,
            bytes_sent=round(self._sent_bytes),
            packets_sent=round(self._sent_bytes / PACKET_BYTES),
            smoothed_rtt_s=self._min_rtt_s + queue_s if is_measured else None,
            min_rtt_s=self._min_rtt_s if is_measured else None,
            cwnd_bytes=120_000,
            max_datagram_bytes=PACKET_BYTES,
            is_app_limited=is_app_limited,
        )
        self._sequence += 1
        self.measurement.on_stamp(stamp, received_time_s=self.now_s)
        self.told_mbits(after_s=0.0)

    def told_mbits(self, *, after_s: float) -> float:
        """The estimate so long after the newest stamp; not a number before there is one."""
        told = self.measurement.bandwidth_bits_per_s(now_s=self.now_s + after_s)
        return float("nan") if told is None else told / 1e6


@pytest.fixture
def path() -> Path:
    """A flow that has a queue on a fast link."""
    path = Path()
    path.carry(FAST_MBITS, seconds=2.0)
    return path


@pytest.mark.parametrize("mbits", [0.1, 0.2, 0.5, 0.9])
def test_a_link_that_becomes_slow_is_known_to_be(path: Path, mbits: float) -> None:
    path.carry(mbits, seconds=3 + 2 / mbits)
    assert path.told_mbits(after_s=0.0) == pytest.approx(mbits, rel=0.02)


def test_where_bytes_come_slower_without_a_queue_a_download_gets_no_more(path: Path) -> None:
    path.carry(2.0, seconds=10.0, queue_s=0.0)
    assert path.told_mbits(after_s=0.0) == pytest.approx(2.0, rel=0.05)


def test_a_drain_hardly_shows(path: Path) -> None:
    path.carry(FAST_MBITS / 2, seconds=2 * USUAL_RTT_S, queue_s=0.0)
    assert path.told_mbits(after_s=0.0) > 0.95 * FAST_MBITS


def test_an_application_that_has_too_little_to_send_lowers_nothing(path: Path) -> None:
    path.carry(2.0, seconds=10.0, queue_s=0.0, is_app_limited=True)
    assert path.told_mbits(after_s=0.0) == pytest.approx(FAST_MBITS, rel=0.02)


def test_nor_does_slow_start(path: Path) -> None:
    path.carry(2.0, seconds=10.0, queue_s=0.0, phase=Phase.SLOW_START)
    assert path.told_mbits(after_s=0.0) == pytest.approx(FAST_MBITS, rel=0.02)


def test_nor_does_a_receiver_that_holds_the_flow_back(path: Path) -> None:
    path.measurement.is_held = True
    path.carry(2.0, seconds=10.0, queue_s=0.0)
    assert path.told_mbits(after_s=0.0) == pytest.approx(FAST_MBITS, rel=0.02)


@pytest.mark.parametrize("mbits", [0.064, 0.1, 0.15])
def test_rare_packets_are_no_silence(path: Path, mbits: float) -> None:
    path.carry(mbits, seconds=3 + 2 / mbits)
    packet_s = 8e-6 * PACKET_BYTES / mbits
    assert path.told_mbits(after_s=packet_s) == pytest.approx(mbits, rel=0.02)


def test_a_pause_of_the_link_says_nothing_of_its_rate(path: Path) -> None:
    path.now_s += 0.3
    path.carry(FAST_MBITS, seconds=0.05)
    assert path.told_mbits(after_s=0.0) == pytest.approx(FAST_MBITS, rel=0.02)


def test_nor_does_the_round_trip_between_two_downloads() -> None:
    path = Path(LONG_RTT_S)
    path.carry(FAST_MBITS, seconds=2.0)
    path.now_s += LONG_RTT_S
    path.carry(FAST_MBITS, seconds=LONG_RTT_S, is_app_limited=True)
    path.carry(FAST_MBITS, seconds=0.05)
    assert path.told_mbits(after_s=0.0) == pytest.approx(FAST_MBITS, rel=0.02)


def test_silence_while_data_is_expected_says_that_the_link_has_slowed_down(path: Path) -> None:
    assert path.told_mbits(after_s=0.1) == pytest.approx(FAST_MBITS, rel=0.01)
    assert path.told_mbits(after_s=0.4) == pytest.approx(FAST_MBITS / 4, rel=0.01)


def test_a_pause_between_requests_says_nothing_and_silence_begins_a_round_trip_after_the_next(path: Path) -> None:
    path.measurement.expect_data(False)
    assert path.told_mbits(after_s=2.0) == pytest.approx(FAST_MBITS, rel=0.01)
    path.measurement.expect_data(True)
    assert path.told_mbits(after_s=3.0) == pytest.approx(FAST_MBITS, rel=0.01)
    begins_s = 3.0 + USUAL_RTT_S + LONGEST_QUEUE_S
    assert path.told_mbits(after_s=begins_s + 0.1) == pytest.approx(FAST_MBITS, rel=0.01)
    assert path.told_mbits(after_s=begins_s + 0.4) == pytest.approx(FAST_MBITS / 4, rel=0.01)


@pytest.mark.parametrize("is_measured", [False, True])
def test_the_delay_of_another_path_is_no_queue_and_the_bandwidth_stays_known(path: Path, is_measured: bool) -> None:
    path.carry(FAST_MBITS, seconds=1.0)
    path.move(LONG_RTT_S, is_measured=is_measured)
    path.carry(FAST_MBITS, seconds=0.02, queue_s=0.0)
    assert path.measurement.epochs_begun == 1
    assert path.measurement.queueing_delay.filtered_s == 0.0
    assert path.told_mbits(after_s=0.0) == pytest.approx(FAST_MBITS, rel=0.02)


def test_a_round_trip_that_becomes_shorter_is_of_the_same_path(path: Path) -> None:
    path.carry(FAST_MBITS, seconds=1.0)
    path.move(USUAL_RTT_S / 2, is_measured=True)
    assert path.measurement.epochs_begun == 0
