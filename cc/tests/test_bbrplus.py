"""BBRPlus' cycle; all else is BBR v1's."""

from __future__ import annotations

from itertools import groupby, pairwise

import pytest

from cc.sender.bbr.bbr import State
from cc.sender.bbr.bbrplus import CRUISE, PROBE_DOWN, PROBE_UP, BbrPlus
from cc.tests.even_link import (
    EVEN_MSS,
    EVEN_RATE_BYTES_PER_S,
    FULL_QUEUE_S,
    RTT_S,
    at_24_megabits,
    on_even_link,
    watch,
)

ACK_S = 0.011  # an ACK comes within a quarter of the RTT


def test_cycles_last_two_to_eight_round_trips_at_random() -> None:
    scheme, simulation = on_even_link(BbrPlus)
    assert isinstance(scheme, BbrPlus)
    simulation.run_until(2.0)
    begins: list[float] = []
    watch(simulation, 9.9, lambda _: begins.append(scheme.phase_began_s))
    lengths = [later - earlier for earlier, later in pairwise(began for began, _ in groupby(begins))]
    trips = [round(length / RTT_S - ACK_S / RTT_S / 2) for length in lengths]
    assert set(trips) == {2, 3, 4, 5, 6, 7, 8}
    assert all(trip * RTT_S < length < trip * RTT_S + ACK_S for trip, length in zip(trips, lengths, strict=True))


def test_a_cycle_probes_then_drains_to_one_bdp_then_cruises() -> None:
    scheme, simulation = on_even_link(BbrPlus)
    assert isinstance(scheme, BbrPlus)
    simulation.run_until(2.0)
    seen: list[tuple[int, int]] = []

    def look(_: float) -> None:
        seen.append((scheme.cycle_index, simulation.sender.ledger.packets_in_flight))

    watch(simulation, 9.9, look)
    runs = [(index, list(run)) for index, run in groupby(seen, key=lambda row: row[0])]
    for (index, run), (following, _) in pairwise(runs[1:]):
        if index == PROBE_UP:
            assert following == PROBE_DOWN
            assert RTT_S * 1000 <= len(run) <= 2 * RTT_S * 1000
        elif following == CRUISE:
            assert index == PROBE_DOWN
            assert run[-1][1] <= 80 + 3 * 2  # one BDP and three quanta of two packets
    assert {index for index, _ in runs} == {PROBE_UP, PROBE_DOWN, CRUISE}
    gains = [scheme.gain_cycle[index] for index in (PROBE_UP, PROBE_DOWN, CRUISE)]
    assert gains == [1.25, 0.75, 1.0]


def test_paces_without_a_margin() -> None:
    scheme, simulation = on_even_link(BbrPlus)
    assert isinstance(scheme, BbrPlus)
    simulation.run_until(3.0)
    assert scheme.state is State.PROBE_BW
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(scheme.pacing_gain * EVEN_RATE_BYTES_PER_S, rel=0.01)
    assert scheme.model.bandwidth_bytes_per_s == pytest.approx(2000 * EVEN_MSS, rel=0.01)


def test_fills_a_clean_link() -> None:
    result = at_24_megabits(BbrPlus)
    assert result.utilisation > 0.94
    assert result.queueing_delay.mean_s < RTT_S < FULL_QUEUE_S / 3
