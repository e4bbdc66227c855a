"""Tsunami's own values; all else is BBR v1's."""

from __future__ import annotations

from itertools import groupby

import pytest

from cc.sender.bbr.bbr import State
from cc.sender.bbr.tsunami import Tsunami
from cc.tests.even_link import (
    EVEN_BDP_BYTES,
    EVEN_MSS,
    EVEN_RATE_BYTES_PER_S,
    FULL_QUEUE_S,
    RTT_S,
    at_24_megabits,
    on_even_link,
    watch,
)


def test_gain_cycle_on_a_link() -> None:
    scheme, simulation = on_even_link(Tsunami)
    assert isinstance(scheme, Tsunami)
    simulation.run_until(2.0)
    seen: list[tuple[float, float]] = []
    rates: set[float] = set()

    def look(_: float) -> None:
        seen.append((scheme.pacing_gain, scheme.phase_began_s))
        assert scheme.pacing_rate_bytes_per_s is not None
        rates.add(round(scheme.pacing_rate_bytes_per_s / EVEN_RATE_BYTES_PER_S, 2))

    watch(simulation, 8.0, look)
    gains = [gain for (gain, _), _ in groupby(seen)][1:]
    first = gains.index(1.5)
    assert gains[first : first + 8] == [1.5, 0.75, 1.125, 1.125, 1.125, 1.125, 1.125, 1.125]
    assert {0.74, 1.11} < rates  # 0.99 of the gains


def test_drains_with_a_gain_of_1_2_over_2_885() -> None:
    scheme, simulation = on_even_link(Tsunami)
    assert isinstance(scheme, Tsunami)
    while scheme.state is State.STARTUP:
        simulation.run_until(simulation.now_s + 0.01)
    assert scheme.pacing_gain == pytest.approx(1.2 / 2.885, abs=1e-4)


def test_probe_rtt_after_twenty_seconds_halves_the_window_with_each_ack() -> None:
    scheme, simulation = on_even_link(Tsunami)
    assert isinstance(scheme, Tsunami)
    assert scheme.probe_rtt_window_bytes(100 * EVEN_MSS) == 50 * EVEN_MSS
    assert scheme.probe_rtt_window_bytes(6 * EVEN_MSS) == 4 * EVEN_MSS
    while scheme.state is not State.PROBE_RTT:
        simulation.run_until(simulation.now_s + 0.01)
        assert simulation.now_s < 21
    assert simulation.now_s > 20
    began_s = simulation.now_s
    while scheme.state is State.PROBE_RTT:
        simulation.run_until(simulation.now_s + 0.01)
    assert simulation.now_s - began_s < 0.2 + 6 * RTT_S


def test_fills_the_window_of_two_bdp() -> None:
    _, simulation = on_even_link(Tsunami)
    simulation.run_until(5.0)
    in_flight: list[int] = []
    watch(simulation, 7.0, lambda _: in_flight.append(simulation.sender.ledger.bytes_in_flight))
    assert 1.9 < sum(in_flight) / len(in_flight) / EVEN_BDP_BYTES < 2.4


def test_fills_a_link_with_a_queue_of_about_one_bdp() -> None:
    result = at_24_megabits(Tsunami)
    assert result.utilisation > 0.95
    # The window of 2 BDP, three quanta and ten packets of aggregation leave 1.2 BDP in the queue.
    assert RTT_S < result.queueing_delay.mean_s < 1.5 * RTT_S < FULL_QUEUE_S / 2
