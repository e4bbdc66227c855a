"""What a policy may make of a window, worked by hand."""

from __future__ import annotations

import pytest

from cc.core.base import AckEvent
from cc.core.ledger import PacketLedger
from cc.sender.delivered_ceiling import DeliveredCeiling
from cc.tests.flow import MSS, rtt_state

RTT_S = 0.1


def acknowledged(packets: int, *, is_app_limited: bool = False, rtt_s: float = RTT_S) -> AckEvent:
    """Packets that are sent together and acknowledged together."""
    ledger = PacketLedger(MSS)
    if is_app_limited:
        ledger.mark_app_limited()
    for number in range(packets):
        ledger.on_packet_sent(packet_number=number, size_bytes=MSS, now_s=1.0)
    event = ledger.on_packets_acked(
        range(packets), now_s=1.0 + rtt_s, rtt=rtt_state(), has_rtt_sample=True, cwnd_bytes=2 * packets * MSS
    )
    assert event is not None
    return event


def ceiling_after(event: AckEvent) -> DeliveredCeiling:
    ceiling = DeliveredCeiling(MSS)
    ceiling.on_ack(event)
    return ceiling


@pytest.mark.parametrize(
    ("window_packets", "wanted_packets", "allowed_packets"),
    [(20, 10, 10), (20, 30, 30), (20, 60, 60), (20, 61, 60), (60, 70, 60), (80, 90, 80), (80, 70, 70)],
)
def test_a_window_rises_to_three_times_what_a_round_trip_delivered(
    window_packets: int, wanted_packets: int, allowed_packets: int
) -> None:
    ceiling = ceiling_after(acknowledged(20))
    assert ceiling.bounded(wanted_packets * MSS, window_bytes=window_packets * MSS) == allowed_packets * MSS


def test_it_may_rise_to_the_initial_window_in_any_case() -> None:
    ceiling = ceiling_after(acknowledged(1))
    assert ceiling.bounded(100 * MSS, window_bytes=2 * MSS) == 10 * MSS


def test_before_the_first_ack_it_may_rise_to_the_initial_window() -> None:
    assert DeliveredCeiling(MSS).bounded(100 * MSS, window_bytes=2 * MSS) == 10 * MSS


def test_an_unused_window_falls_but_does_not_rise() -> None:
    ceiling = ceiling_after(acknowledged(20, is_app_limited=True))
    assert ceiling.bounded(30 * MSS, window_bytes=20 * MSS) == 20 * MSS
    assert ceiling.bounded(10 * MSS, window_bytes=20 * MSS) == 10 * MSS


def test_an_ack_in_the_instant_of_sending_measures_no_round_trip() -> None:
    ceiling = ceiling_after(acknowledged(20))
    ceiling.on_ack(acknowledged(1, rtt_s=0.0))
    assert ceiling.bounded(100 * MSS, window_bytes=20 * MSS) == 60 * MSS
