"""BIC against numbers worked by hand from its paper's pseudocode (section III)."""

from __future__ import annotations

import pytest

from cc.sender.bic import Bic
from cc.tests.flow import MSS, Flow, flow_at


def after_a_loss_at(packets: float) -> tuple[Flow, Bic]:
    flow, scheme = flow_at(Bic, packets)
    flow.lose(flow.send(1))
    flow.wait()
    return flow, scheme


def windows(flow: Flow, rounds: int) -> list[float]:
    seen = []
    for _ in range(rounds):
        flow.whole_window()
        seen.append(flow.scheme.cwnd_bytes / MSS)
    return seen


def test_searches_by_halves_for_the_window_that_was_lost() -> None:
    flow, scheme = after_a_loss_at(80)
    assert scheme.cwnd_bytes == 70 * MSS  # 80 * 7/8
    assert windows(flow, 3) == pytest.approx([75, 77.5, 78.75], abs=0.2)


def test_adds_smax_at_most() -> None:
    flow, scheme = after_a_loss_at(1600)
    assert scheme.cwnd_bytes == 1400 * MSS
    # 100, then 84 and 68 packets are half of what is missing: 32 each; then 52 / 2 = 26.
    assert windows(flow, 5) == pytest.approx([1432, 1464, 1496, 1528, 1560], abs=0.1)
    assert windows(flow, 1) == pytest.approx([1580], abs=0.1)


def test_beyond_the_window_that_was_lost_it_probes_by_doubling() -> None:
    flow, scheme = after_a_loss_at(80)
    scheme._set_window(80 * MSS)
    assert windows(flow, 7) == pytest.approx([81, 83, 87, 95, 111, 143, 175], rel=0.01)


def test_fast_convergence_halves_the_distance_to_look_for() -> None:
    flow, scheme = after_a_loss_at(80)
    flow.lose(flow.send(1))
    assert scheme.cwnd_bytes == 61_250  # 70 * 7/8
    # 70 < 80: the target is (70 + 61.25) / 2 = 65.625.
    assert scheme.log_fields()["w_max_bytes"] == pytest.approx(65_625)


def test_is_reno_below_14_packets() -> None:
    flow, scheme = after_a_loss_at(13)
    assert scheme.cwnd_bytes == 6_500
    assert windows(flow, 1) == [pytest.approx(7.42, abs=0.01)]  # six packets of 6.5 were acknowledged
