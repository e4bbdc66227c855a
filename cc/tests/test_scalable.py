"""Scalable TCP against numbers worked by hand from its paper's section 3."""

from __future__ import annotations

import pytest

from cc.sender.scalable import Scalable
from cc.tests.flow import MSS, flow_at


@pytest.mark.parametrize(("before", "after"), [(200, 202), (50, 50.5), (16, 17)])
def test_a_hundredth_for_each_packet_acknowledged(before: float, after: float) -> None:
    flow, scheme = flow_at(Scalable, before)
    flow.whole_window()
    assert scheme.cwnd_bytes == after * MSS


@pytest.mark.parametrize(("before", "after"), [(200, 175), (16, 8)])
def test_a_loss_takes_an_eighth_or_half_of_a_small_window(before: float, after: float) -> None:
    flow, scheme = flow_at(Scalable, before)
    flow.lose(flow.send(1))
    assert scheme.cwnd_bytes == after * MSS


@pytest.mark.parametrize("packets", [100, 1000])
def test_makes_up_for_a_loss_in_as_many_round_trips_whatever_the_window(packets: int) -> None:
    flow, scheme = flow_at(Scalable, packets)
    flow.lose(flow.send(1))
    flow.wait()
    rounds = 0
    while scheme.cwnd_bytes < packets * MSS:
        flow.whole_window()
        rounds += 1
    assert rounds == 14  # ln(8/7) / ln(1.01) = 13.4
