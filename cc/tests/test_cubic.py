"""CUBIC against numbers worked by hand from RFC 9438.

A window of 36 packets is chosen because K = cbrt(36 * 0.3 / 0.4) = cbrt(27) = 3 s; after the cut it is 25.2 packets,
and W_cubic(t) = 0.4 (t - 3)^3 + 36 is 25.2, 32.8, 35.6, 36, 36.4 at t = 0, 1, 2, 3, 4 s.
"""

from __future__ import annotations

import random

import pytest

from cc.core.base import Phase
from cc.sender.cubic import ALPHA, Cubic
from cc.tests.flow import MSS, Flow


def flow_after_loss_at_36() -> tuple[Flow, Cubic]:
    scheme = Cubic(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    flow.ack(flow.fill_window())  # 10 -> 20
    flow.wait()
    flow.ack(flow.fill_window()[:16])  # 20 -> 36
    assert scheme.cwnd_bytes == 36 * MSS
    flow.wait()
    flow.send(36)
    flow.lose([flow.next_number - 1])
    flow.wait()
    return flow, scheme


def flow_in_stage() -> tuple[Flow, Cubic]:
    """The stage of congestion avoidance has just begun, with one packet acknowledged and more in flight."""
    flow, scheme = flow_after_loss_at_36()
    numbers = flow.send(30)
    flow.ack(numbers[:1])
    return flow, scheme


def oldest(flow: Flow, packets: int = 1) -> list[int]:
    """The oldest packets in flight that were sent after the cut."""
    return [packet.packet_number for packet in flow.ledger.in_flight()][-29:][:packets]


def test_alpha_matches_reno_with_beta_0_7() -> None:
    assert pytest.approx(9 / 17) == ALPHA  # 3 * 0.3 / 1.7, section 4.3


def test_a_loss_cuts_to_seven_tenths() -> None:
    _, scheme = flow_after_loss_at_36()
    assert scheme.cwnd_bytes == 25_200  # section 4.6
    assert scheme.log_fields()["w_max_bytes"] == 36_000


def test_window_function() -> None:
    _, scheme = flow_in_stage()
    packets = [scheme.w_cubic_bytes(t_s) / MSS for t_s in (0, 1, 2, 3, 4)]
    assert packets == pytest.approx([25.2, 32.8, 35.6, 36, 36.4])  # section 4.2, equations 1 and 2


def test_grows_like_reno_where_that_is_faster() -> None:
    _, scheme = flow_in_stage()
    # Section 4.3: at t = 0, W_est = 25.2 + 9/17 * 1/25.2 = 25.22101 > W_cubic(0) = 25.2.
    assert scheme.cwnd_bytes == 25_221


def test_grows_towards_the_curve_one_rtt_ahead() -> None:
    flow, scheme = flow_in_stage()
    flow.wait(1.0)
    flow.ack(oldest(flow), rtt_s=1.0)
    # Section 4.4: target W_cubic(1 + 1) = 35.6; 25.22101 + (35.6 - 25.22101) * 1/25.22101 = 25.63253.
    assert scheme.cwnd_bytes == 25_632


def test_aims_at_no_more_than_one_and_a_half_windows() -> None:
    flow, scheme = flow_in_stage()
    flow.wait(8.0)
    flow.ack(oldest(flow, 4), rtt_s=1.0)
    # W_cubic(9) = 0.4 * 216 + 36 = 122.4 > 1.5 * 25.22101: the window grows by half of the 4 packets (section 4.2).
    assert scheme.cwnd_bytes == 27_221


def test_holds_the_window_on_the_plateau() -> None:
    flow, scheme = flow_in_stage()
    flow.wait(3.0)
    for number in oldest(flow, 25):
        flow.ack([number], rtt_s=1e-9)
    # The curve is at 36 packets; each packet closes 1/cwnd of the distance, and none overshoots it.
    assert 30 * MSS < scheme.cwnd_bytes <= 36 * MSS


def test_fast_convergence_leaves_room_to_a_new_flow() -> None:
    flow, scheme = flow_in_stage()
    flow.wait()
    flow.lose(oldest(flow))
    # Section 4.7: 25.22101 < W_max = 36, so W_max = 25.22101 * 1.7 / 2 = 21.43786.
    assert scheme.log_fields()["w_max_bytes"] == pytest.approx(21_437.9, abs=0.1)
    assert scheme.cwnd_bytes == 17_654  # 0.7 * 25.22101


def test_reno_friendly_window_grows_as_fast_as_reno_once_back_at_the_old_window() -> None:
    flow, scheme = flow_in_stage()
    scheme._w_est_bytes = 36_000.0  # W_est reached the window before the cut
    flow.ack(oldest(flow), rtt_s=1e-9)
    # Section 4.3: alpha is now 1; 36000 + 1000 * 1000/25221.01 = 36039.65, above W_cubic.
    assert scheme.cwnd_bytes == 36_039


def test_the_curve_stands_still_while_the_sender_is_idle() -> None:
    flow, scheme = flow_in_stage()
    flow.ack([packet.packet_number for packet in flow.ledger.in_flight()])
    before = scheme.cwnd_bytes
    flow.wait(60.0)
    flow.ack(flow.fill_window()[:1], rtt_s=0.001)
    # A minute later the curve has not moved (section 5.8): else W_cubic(60) would grow it by half a packet.
    assert scheme.cwnd_bytes - before < 50


def test_the_curve_stands_still_while_the_application_is_the_limit() -> None:
    flow, scheme = flow_in_stage()
    flow.ledger.mark_app_limited()
    newest = flow.send(1)
    flow.ack([packet.packet_number for packet in flow.ledger.in_flight()][:-1])
    before = scheme.cwnd_bytes
    for _ in range(600):
        flow.ledger.mark_app_limited()
        previous, newest = newest, flow.send(1)  # something is always in flight
        flow.wait(0.1)
        flow.ack(previous)
    assert scheme.cwnd_bytes == before
    flow.ack(flow.fill_window()[:1], rtt_s=0.001)
    assert scheme.cwnd_bytes - before < 50


def test_after_persistent_congestion_the_curve_starts_at_the_window_slow_start_reached() -> None:
    flow, scheme = flow_in_stage()
    flow.wait()
    flow.lose(oldest(flow), is_persistent_congestion=True)
    assert (scheme.cwnd_bytes, scheme.ssthresh_bytes) == (2 * MSS, 17_654)
    flow.wait()
    while scheme.phase is Phase.SLOW_START:
        flow.ack(flow.send(4))
        flow.wait()
    flow.ack(flow.send(1), rtt_s=1e-9)
    # Section 4.8: K = 0 and W_max = cwnd, so W_cubic(2) = 0.4 * 8 + 17.654 packets.
    assert scheme.w_cubic_bytes(2.0) == pytest.approx(3200 + 17_654, abs=1)


def test_leaving_slow_start_without_loss_starts_the_curve_at_its_plateau() -> None:
    scheme = Cubic(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    scheme.end_slow_start()
    flow.ack(flow.send(1))
    # Section 4.10: K = 0, W_max = cwnd = 10 packets.
    assert scheme.w_cubic_bytes(0.0) == 10 * MSS
    assert scheme.w_cubic_bytes(5.0) == pytest.approx(60 * MSS)  # 10 + 0.4 * 125
