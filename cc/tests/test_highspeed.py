"""HighSpeed against appendix B of RFC 3649, and against numbers worked by hand from its section 5."""

from __future__ import annotations

import pytest

from cc.sender.highspeed import HighSpeed, decrease_at, increase_at, loss_ratio_at
from cc.tests.flow import MSS, flow_at


@pytest.mark.parametrize(
    ("window_packets", "increase", "decrease"),
    [(38, 1, 0.50), (118, 2, 0.44), (221, 3, 0.41), (347, 4, 0.38), (495, 5, 0.37), (663, 6, 0.35), (1058, 8, 0.33)],
)
def test_rows_of_the_rfcs_table(window_packets: int, increase: int, decrease: float) -> None:
    assert int(increase_at(window_packets)) == increase
    assert decrease_at(window_packets) == pytest.approx(decrease, abs=0.005)


def test_both_ends_of_the_response() -> None:
    # Section 5: 38 packets at a loss of 1e-3, 83,000 at 1e-7, where the decrease is 0.1.
    assert [loss_ratio_at(38), loss_ratio_at(83_000)] == pytest.approx([1e-3, 1e-7])
    assert decrease_at(83_000) == pytest.approx(0.1)
    # a = 83000^2 * 1e-7 * 2 * 0.1 / 1.9
    assert increase_at(83_000) == pytest.approx(72.516, abs=0.001)


def test_is_reno_up_to_38_packets() -> None:
    flow, scheme = flow_at(HighSpeed, 20)
    flow.whole_window()
    assert scheme.cwnd_bytes == 21 * MSS
    flow.wait()
    flow.lose(flow.send(1))
    assert scheme.cwnd_bytes == 10_500


def test_a_large_window_grows_by_more_and_falls_by_less() -> None:
    flow, scheme = flow_at(HighSpeed, 1058)
    flow.whole_window()
    assert scheme.cwnd_bytes == pytest.approx((1058 + 8.136) * MSS, abs=2)
    flow, scheme = flow_at(HighSpeed, 1058)
    flow.lose(flow.send(1))
    assert scheme.cwnd_bytes == pytest.approx(1058 * (1 - 0.32695) * MSS, abs=10)
