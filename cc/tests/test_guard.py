"""What a receiver may and may not make the server do."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cc.core.base import AckEvent, RttState, SentPacket
from cc.core.guard import (
    FEEDBACK_BURST,
    PROOF_LIFETIME_S,
    REQUESTS_TO_TRUST_AGAIN,
    SELF_CONTROL_AFTER_S,
    WINDOW_CAP_BYTES,
    FeedbackGuard,
    Verdict,
)
from cc.core.receiver_base import Feedback, Need, ReceiverState, Stamp
from cc.links.link import Link, QueueLimit, constant_rate_opportunities_ms
from cc.sender.newreno import NewReno
from cc.sender.receiver_driven import ReceiverDriven
from cc.simulation import Simulation, SimulationResult
from cc.tests.flow import Flow

PACKET_BYTES = 1200
MINIMUM_BYTES = 2 * PACKET_BYTES
INITIAL_BYTES = 10 * PACKET_BYTES
RTT = RttState(latest_s=0.040, smoothed_s=0.040, min_s=0.040, variance_s=0.001)


def feedback(sequence: int, window_bytes: int, *, epoch: int = 0, end_slow_start: bool = False) -> Feedback:
    """A request for a window."""
    return Feedback(
        sequence=sequence,
        epoch=epoch,
        last_stamp_sequence=0,
        window_bytes=window_bytes,
        end_slow_start=end_slow_start,
        bandwidth_bits_per_s=0,
        queueing_delay_s=0.0,
        k=2.0,
        target_delay_s=0.015,
    )


def round_trip(guard: FeedbackGuard, *, now_s: float, before_bytes: int, acked_bytes: int, rtt: RttState = RTT) -> None:
    """One ACK that ends a round in which `acked_bytes` were delivered."""
    sent_s = now_s - rtt.latest_s
    packet = SentPacket(1, PACKET_BYTES, sent_s, before_bytes, sent_s, sent_s, False, PACKET_BYTES, 0)
    guard.on_ack(
        AckEvent(
            now_s=now_s,
            acked=(packet,),
            acked_bytes=acked_bytes,
            rtt=rtt,
            has_rtt_sample=True,
            delivery_rate=None,
            delivered_bytes=before_bytes + acked_bytes,
            total_lost_bytes=0,
            prior_bytes_in_flight=acked_bytes,
            bytes_in_flight=0,
            is_app_limited=False,
        )
    )


def proven_guard(acked_bytes: int, *, now_s: float = 1.0) -> FeedbackGuard:
    """A guard that saw `acked_bytes` delivered in one round trip."""
    guard = FeedbackGuard(max_datagram_bytes=PACKET_BYTES)
    round_trip(guard, now_s=now_s, before_bytes=0, acked_bytes=acked_bytes)
    return guard


def test_without_proof_the_initial_window_is_the_bound() -> None:
    guard = FeedbackGuard(max_datagram_bytes=PACKET_BYTES)
    assert guard.on_feedback(feedback(0, 2**31), now_s=1.0) == INITIAL_BYTES
    assert guard.counts[Verdict.LOWERED] == 1


def test_twice_what_was_acknowledged_in_a_round_trip_is_the_bound() -> None:
    assert proven_guard(100_000).on_feedback(feedback(0, 2**31), now_s=1.1) == 200_000


def test_a_flight_that_is_acknowledged_in_parts_proves_all_of_it() -> None:
    guard = FeedbackGuard(max_datagram_bytes=PACKET_BYTES)
    for part in range(1, 9):  # it left at once, as from a host that is late, and its first ACK begins the round
        round_trip(guard, now_s=1.0 + 0.02 * part, before_bytes=0, acked_bytes=10 * PACKET_BYTES * part)
    assert guard.bound_bytes(now_s=1.2) == 2 * 80 * PACKET_BYTES


def test_the_proof_lasts_ten_seconds_and_the_largest_counts() -> None:
    guard = proven_guard(100_000, now_s=1.0)
    round_trip(guard, now_s=2.0, before_bytes=100_000, acked_bytes=30_000)
    assert guard.bound_bytes(now_s=1.0 + PROOF_LIFETIME_S) == 200_000
    assert guard.bound_bytes(now_s=1.1 + PROOF_LIFETIME_S) == 60_000
    assert guard.bound_bytes(now_s=2.1 + PROOF_LIFETIME_S) == INITIAL_BYTES


def test_the_cap_holds_whatever_was_proven() -> None:
    assert proven_guard(2**30).on_feedback(feedback(0, 2**32 - 1), now_s=1.1) == WINDOW_CAP_BYTES


def test_a_request_below_two_packets_is_raised_to_them() -> None:
    assert proven_guard(100_000).on_feedback(feedback(0, 1), now_s=1.1) == MINIMUM_BYTES


def test_older_and_repeated_requests_are_ignored_also_where_the_sequence_wraps() -> None:
    guard = proven_guard(100_000)
    assert guard.on_feedback(feedback(2**32 - 1, 50_000), now_s=1.1) == 50_000
    assert guard.on_feedback(feedback(2**32 - 1, 60_000), now_s=1.1) is None
    assert guard.on_feedback(feedback(2**32 - 5, 60_000), now_s=1.1) is None
    assert guard.on_feedback(feedback(0, 60_000), now_s=1.1) == 60_000


@given(st.permutations(range(12)))
def test_any_order_of_requests_ends_with_the_newest(order: list[int]) -> None:
    guard = proven_guard(100_000)
    granted = [guard.on_feedback(feedback(number, 20_000 + number), now_s=1.1) for number in order]
    assert [window for window in granted if window is not None][-1] == 20_011


def test_a_flood_of_requests_is_cut_to_the_rate() -> None:
    guard = proven_guard(100_000)
    accepted = sum(guard.on_feedback(feedback(n, 50_000), now_s=1.0 + n * 1e-5) is not None for n in range(20_000))
    assert accepted <= FEEDBACK_BURST + 0.2 * 500 + 1


def test_what_an_honest_receiver_sends_at_most_is_all_looked_at() -> None:
    guard = proven_guard(100_000)
    assert all(guard.on_feedback(feedback(n, 50_000), now_s=1.0 + n / 500) == 50_000 for n in range(1000))


def unanswered_guard(*, now_s: float) -> FeedbackGuard:
    """A guard that saw a stamp's flight acknowledged at `now_s`, without feedback."""
    guard = proven_guard(100_000)
    guard.on_stamp_sent(now_s=now_s - 0.040, is_first_after_idle=False)
    round_trip(guard, now_s=now_s, before_bytes=100_000, acked_bytes=100_000)
    return guard


def test_silence_halves_every_max_of_four_round_trips_and_half_a_second() -> None:
    guard = unanswered_guard(now_s=2.0)
    assert guard.halvings_due(now_s=2.4) == 0
    assert guard.halvings_due(now_s=2.6) == 1
    assert guard.halvings_due(now_s=2.7) == 0
    assert guard.halvings_due(now_s=3.6) == 2


def test_on_a_long_path_silence_is_counted_in_four_round_trips() -> None:
    rtt = RttState(latest_s=0.4, smoothed_s=0.4, min_s=0.4, variance_s=0.001)
    guard = FeedbackGuard(max_datagram_bytes=PACKET_BYTES)
    guard.on_stamp_sent(now_s=0.9, is_first_after_idle=False)
    round_trip(guard, now_s=1.4, before_bytes=0, acked_bytes=100_000, rtt=rtt)
    assert guard.halvings_due(now_s=2.9) == 0
    assert guard.halvings_due(now_s=3.1) == 1


def test_silence_is_noticed_though_stamps_leave_more_often_than_they_are_acknowledged() -> None:
    guard = proven_guard(100_000)
    for stamp in range(1000):  # one in 3 ms, each acknowledged 40 ms later
        guard.on_stamp_sent(now_s=2.0 + 0.003 * stamp, is_first_after_idle=False)
        if stamp >= 14:
            round_trip(guard, now_s=2.0 + 0.003 * stamp, before_bytes=100_000, acked_bytes=100_000)
    assert guard.halvings_due(now_s=2.0 + 0.04 + 0.55) == 1


@pytest.mark.parametrize("what_ends_it", ["feedback", "an idle time"])
def test_each_silence_is_counted_anew(what_ends_it: str) -> None:
    guard = unanswered_guard(now_s=2.0)
    assert guard.halvings_due(now_s=2.6) == 1
    if what_ends_it == "feedback":
        guard.on_feedback(feedback(0, 50_000), now_s=2.7)
    guard.on_stamp_sent(now_s=2.8, is_first_after_idle=what_ends_it == "an idle time")
    round_trip(guard, now_s=3.0, before_bytes=200_000, acked_bytes=100_000)
    assert guard.halvings_due(now_s=3.4) == 0
    assert guard.halvings_due(now_s=3.6) == 1


def test_idle_time_is_not_silence() -> None:
    guard = unanswered_guard(now_s=2.0)
    guard.on_stamp_sent(now_s=30.0, is_first_after_idle=True)
    assert guard.halvings_due(now_s=30.4) == 0
    assert guard.is_trusting


def test_an_outage_is_not_silence() -> None:
    guard = proven_guard(100_000)
    guard.on_stamp_sent(now_s=2.0, is_first_after_idle=False)
    round_trip(guard, now_s=7.0, before_bytes=100_000, acked_bytes=100_000)  # sent at 6.96: nothing came for 5 s
    assert guard.halvings_due(now_s=7.4) == 0
    assert guard.halvings_due(now_s=7.6) == 1


def test_after_two_seconds_of_silence_three_requests_must_come_before_one_is_followed() -> None:
    guard = unanswered_guard(now_s=2.0)
    guard.halvings_due(now_s=2.0 + SELF_CONTROL_AFTER_S)
    assert not guard.is_trusting
    answers = [guard.on_feedback(feedback(n, 50_000), now_s=4.1) for n in range(REQUESTS_TO_TRUST_AGAIN)]
    assert answers == [None, None, 50_000]


def test_after_a_loss_requests_are_bounded_by_the_cut_window_which_grows_by_rounds() -> None:
    guard = proven_guard(100_000)
    guard.on_loss(bound_bytes=70_000)
    assert guard.on_feedback(feedback(0, 2**31), now_s=1.1) == 70_000
    round_trip(guard, now_s=1.2, before_bytes=100_000, acked_bytes=70_000)
    assert guard.on_feedback(feedback(1, 2**31), now_s=1.3) == 77_000


@given(
    window_bytes=st.integers(0, 2**32 - 1),
    acked_bytes=st.integers(1, 2**34),
    loss_bytes=st.none() | st.integers(1, 2**34),
)
def test_what_is_granted_is_a_whole_number_between_two_packets_and_the_cap(
    window_bytes: int, acked_bytes: int, loss_bytes: int | None
) -> None:
    guard = proven_guard(acked_bytes)
    if loss_bytes is not None:
        guard.on_loss(bound_bytes=loss_bytes)
    granted = guard.on_feedback(feedback(0, window_bytes), now_s=1.1)
    assert isinstance(granted, int)
    assert MINIMUM_BYTES <= granted <= WINDOW_CAP_BYTES


class Greedy:
    """A hostile receiver: honest ACKs, and always the largest window there is."""

    def __init__(self) -> None:
        self._stamp: Stamp | None = None
        self._sequence = 0

    def on_stamp(self, stamp: Stamp, *, received_time_s: float, late_s: float = 0.0) -> None:
        """Only the epoch matters to it."""
        self._stamp = stamp

    def expect_data(self, is_expecting: bool) -> None:
        """Always."""

    def on_need(self, need: Need, *, now_s: float) -> None:
        raise NotImplementedError

    def start_epoch(self, *, now_s: float) -> None:
        pass

    def feedback(self, *, now_s: float) -> Feedback | None:
        """More."""
        if self._stamp is None:
            return None
        self._sequence += 1
        return feedback(self._sequence, 2**31, epoch=self._stamp.epoch, end_slow_start=True)

    def state(self, *, now_s: float) -> ReceiverState:
        """Nothing."""
        return ReceiverState(0.0, 0.0, None, None, None, None, None)


def on_slow_link(scheme: NewReno, receiver: Greedy | None) -> Simulation:
    """At 5 Mbit/s, 40 ms, a queue of one bandwidth-delay product."""
    link = Link(constant_rate_opportunities_ms(5), queue=QueueLimit(packets=21), delay_s=0.020, rng=random.Random(1))
    return Simulation(scheme, link, return_delay_s=0.020, receiver=receiver)


def run_on_slow_link(scheme: NewReno, receiver: Greedy | None) -> SimulationResult:
    """Half a minute."""
    simulation = on_slow_link(scheme, receiver)
    simulation.run_until(30.0)
    return simulation.result()


class Swinging(Greedy):
    """A hostile receiver that asks for next to nothing half of the time, so that losses meet a small window."""

    def __init__(self, half_period_s: float) -> None:
        super().__init__()
        self._half_period_s = half_period_s

    def feedback(self, *, now_s: float) -> Feedback | None:
        """The largest window, and the least, in turn."""
        asked = super().feedback(now_s=now_s)
        if asked is None or math.floor(now_s / self._half_period_s) % 2 == 0:
            return asked
        return replace(asked, window_bytes=MINIMUM_BYTES)


def test_a_greedy_receiver_draws_less_than_twice_what_newreno_sends() -> None:
    honest = run_on_slow_link(NewReno(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1)), None)
    greedy = run_on_slow_link(ReceiverDriven(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1)), Greedy())
    assert greedy.packets_sent <= 2 * honest.packets_sent
    assert greedy.packets_lost / greedy.packets_sent <= honest.packets_lost / honest.packets_sent + 0.05


@pytest.mark.parametrize("half_period_s", [0.02, 0.05, 0.1, 0.3, 1.0])
def test_small_windows_between_large_ones_draw_no_more(half_period_s: float) -> None:
    scheme = ReceiverDriven(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    greedy = run_on_slow_link(ReceiverDriven(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1)), Greedy())
    swinging = run_on_slow_link(scheme, Swinging(half_period_s))
    assert swinging.packets_sent <= greedy.packets_sent
    assert swinging.packets_lost <= 0.2 * swinging.packets_sent


class Deaf(Greedy):
    """A receiver that asks for a large window for two seconds and then never again."""

    def feedback(self, *, now_s: float) -> Feedback | None:
        """Silent from the third second on."""
        return super().feedback(now_s=now_s) if now_s < 2.0 else None


def test_a_receiver_that_falls_silent_has_its_window_halved_twice_a_second() -> None:
    scheme = ReceiverDriven(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    simulation = on_slow_link(scheme, Deaf())
    windows_bytes = []
    for now_s in (2.4, 2.9, 3.4):
        simulation.run_until(now_s)
        windows_bytes.append(scheme.cwnd_bytes)
    assert windows_bytes == [windows_bytes[0], windows_bytes[0] // 2, windows_bytes[0] // 4]


def test_a_receiver_that_falls_silent_leaves_a_working_sender() -> None:
    silent = run_on_slow_link(ReceiverDriven(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1)), Deaf())
    assert silent.goodput_bits_per_s >= 0.85 * 5e6 * PACKET_BYTES / (PACKET_BYTES + 32)


def test_a_request_that_does_not_know_of_the_latest_cut_is_not_followed() -> None:
    scheme = ReceiverDriven(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    scheme.end_slow_start()
    scheme.on_feedback(feedback(0, 6000), is_current=False, now_s=1.0)
    assert scheme.cwnd_bytes == INITIAL_BYTES
    scheme.on_feedback(feedback(1, 6000), is_current=True, now_s=1.0)
    assert scheme.cwnd_bytes == 6000


def test_losses_of_a_window_that_the_receiver_lowered_since_bound_it_as_that_window_would_have_been_cut() -> None:
    scheme = ReceiverDriven(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    flow = Flow(scheme)
    numbers = flow.send(10)
    flow.ack(numbers[:1])  # 12,000 bytes are the initial window, and what may be asked for
    scheme.end_slow_start()
    scheme.on_feedback(feedback(0, MINIMUM_BYTES), is_current=True, now_s=flow.now_s)
    flow.lose(numbers[1:6])
    assert scheme.cwnd_bytes == MINIMUM_BYTES
    flow.wait()
    flow.ack(flow.send(1))  # the recovery is over
    scheme.on_feedback(feedback(1, 2**31), is_current=True, now_s=flow.now_s)
    assert scheme.cwnd_bytes == pytest.approx(1.1 * 0.7 * 9 * PACKET_BYTES, abs=2)  # nine were in flight, a round ago
