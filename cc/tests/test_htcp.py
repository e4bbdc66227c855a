"""H-TCP against numbers worked by hand from draft-leith-tcp-htcp-06, and its fairness on a simulated link."""

from __future__ import annotations

import random

import pytest

from cc.sender.htcp import HTcp, alpha_after
from cc.tests.flow import MSS, Flow, flow_at
from cc.tests.sim_flows import jain_index, share_link


def test_alpha_grows_with_the_square_of_the_time_since_the_last_loss() -> None:
    assert [alpha_after(elapsed_s) for elapsed_s in (0, 1, 2, 5)] == [
        1,
        1,
        11.25,
        45,
    ]  # 1 + 10 t + (t/2)^2


def late_round_trip(flow: Flow, after_s: float, *, rtt_s: float = 0.1) -> None:
    numbers = flow.fill_window()
    flow.wait(after_s)
    flow.ack(numbers, rtt_s=rtt_s)


def test_grows_by_alpha_times_two_less_beta() -> None:
    flow, scheme = flow_at(HTcp, 100)
    flow.lose(flow.send(1))
    flow.wait()
    assert scheme.cwnd_bytes == 50 * MSS
    flow.whole_window()
    assert scheme.cwnd_bytes == 51 * MSS  # beta is 0.5: 2 * 0.5 * alpha(0.1 s) = 1
    late_round_trip(flow, 1.9)
    assert scheme.cwnd_bytes == 62_250  # 2 s after the loss: 11.25


def test_with_a_round_trip_of_200_ms_it_grows_twice_as_much_in_each() -> None:
    flow, scheme = flow_at(HTcp, 100)
    flow.lose(flow.send(1))
    flow.wait()
    late_round_trip(flow, 2.0, rtt_s=0.2)
    assert scheme.cwnd_bytes == (50 + 22.5) * MSS


def lossy_rounds(flow: Flow, *, rtts_s: tuple[float, ...]) -> None:
    for rtt_s in rtts_s:
        flow.whole_window(rtt_s=rtt_s)
    flow.lose(flow.send(1))
    flow.wait()


@pytest.mark.parametrize(
    ("smallest_s", "largest_s", "beta"),
    [(0.1, 0.15, 0.6667), (0.1, 0.11, 0.8), (0.1, 0.4, 0.5)],
)
def test_a_loss_leaves_the_smallest_rtt_by_the_largest(smallest_s: float, largest_s: float, beta: float) -> None:
    flow, scheme = flow_at(HTcp, 100)
    lossy_rounds(flow, rtts_s=(smallest_s, smallest_s))
    scheme._rate_at_loss_bytes_per_s = scheme._rate_bytes_per_s = None
    scheme._set_window(100 * MSS)
    scheme._largest_rtt_s = largest_s
    scheme._rate_bytes_per_s = scheme._rate_at_loss_bytes_per_s = 1e6
    flow.lose(flow.send(1))
    assert scheme.cwnd_bytes == pytest.approx(100 * beta * MSS, rel=1e-4)


def test_a_throughput_that_changed_by_a_fifth_halves_the_window() -> None:
    flow, scheme = flow_at(HTcp, 100)
    lossy_rounds(flow, rtts_s=(0.1, 0.1))
    scheme._set_window(100 * MSS)
    scheme._rate_at_loss_bytes_per_s, scheme._rate_bytes_per_s = 1e6, 1.21e6
    flow.lose(flow.send(1))
    assert scheme.cwnd_bytes == 50 * MSS


def test_a_pause_does_not_count_as_time_without_loss() -> None:
    flow, scheme = flow_at(HTcp, 100)
    flow.lose(flow.send(1))
    flow.wait()
    flow.whole_window()
    flow.wait(60)
    flow.whole_window()
    assert scheme.cwnd_bytes == pytest.approx(52 * MSS, abs=30)


def test_two_flows_share_a_link() -> None:
    schemes = [HTcp(max_datagram_bytes=1350, rng=random.Random(seed)) for seed in range(2)]
    rates = share_link(schemes, starts_s=[0, 5], duration_s=40, since_s=20)
    assert jain_index(rates) > 0.9
