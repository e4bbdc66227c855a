"""The receiver's smallest round trip, by hand: 20 ms each way, and an uplink that serves every 5 ms."""

import pytest

from cc.simulation.receiver_rtt import SAMPLE_INTERVAL_S, SERVER_ACK_DELAY_S, ReceiverRtt
from cc.simulation.way_back import WayBack


def receiver_rtt() -> ReceiverRtt:
    return ReceiverRtt(WayBack(0.020, opportunities_ms=(5,)))


def test_a_sample_holds_both_ways_their_waits_and_the_servers_delay() -> None:
    # 12 ms in the queue and 20 ms on the way; the uplink's opportunity at 35 ms, 20 ms back
    rtt_s = receiver_rtt().fallen_to_s(entered_s=0.0, arrival_s=0.032)
    assert rtt_s == pytest.approx(0.035 + 0.020 + SERVER_ACK_DELAY_S)


def test_the_receiver_asks_again_after_a_while_and_keeps_the_smallest() -> None:
    rtt = receiver_rtt()
    assert rtt.fallen_to_s(entered_s=0.0, arrival_s=0.032) is not None
    assert rtt.fallen_to_s(entered_s=0.012, arrival_s=0.032 + SAMPLE_INTERVAL_S / 2) is None, "too soon"
    assert rtt.fallen_to_s(entered_s=2.0, arrival_s=2.090) is None, "longer than before"
    assert rtt.fallen_to_s(entered_s=4.1, arrival_s=4.121) == pytest.approx(0.045 + SERVER_ACK_DELAY_S)
