"""An honest viewer in virtual time, with protection and without."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from e2e.laboratory.figures.figure import Figure
from e2e.protection_cost.measure import Pair, figures, pairs_of
from e2e.protection_cost.unprotected import UNLIMITED_BYTES, unprotect
from e2e.protection_cost.viewer import RATE_MBIT, Viewer

SECONDS = 3.0


@pytest.fixture
def viewer() -> Iterator[Viewer]:
    """One under CUBIC."""
    made = Viewer("cubic")
    yield made
    made.close()


def test_a_viewer_gets_what_the_link_carries(viewer: Viewer) -> None:
    assert viewer.watch(SECONDS) > 0
    mbit = 8 * viewer.received_bytes / 1e6
    assert 0.5 * RATE_MBIT * SECONDS < mbit < RATE_MBIT * SECONDS


def test_packets_are_withheld_from_the_protected_one(viewer: Viewer) -> None:
    viewer.watch(SECONDS)
    assert viewer.protocol.connection.guard.withheld.survived > 0


def test_none_is_withheld_and_no_flight_bounded_without_protection(viewer: Viewer) -> None:
    viewer.watch(SECONDS)
    unprotect(viewer)
    viewer.watch(1.0)  # those that are out come to their end
    before = viewer.protocol.connection.guard.withheld.survived
    viewer.watch(SECONDS)
    assert viewer.protocol.connection.guard.withheld.survived == before
    assert viewer.protocol.connection._recovery.controller.flight_bound.bytes == UNLIMITED_BYTES
    assert viewer.received_bytes > 0


def test_both_arms_download_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over as little as tells that each has its own server."""
    monkeypatch.setattr("e2e.protection_cost.measure.WARM_UP_S", 0.5)
    pairs = list(pairs_of("cubic", makings=2, blocks=1))
    assert [pair.making for pair in pairs] == [0, 1]  # of each order in which they are made
    for pair in pairs:
        assert min(pair.protected_bytes, pair.bare_bytes) > 0
        assert min(pair.protected_cpu_s, pair.bare_cpu_s) > 0


def test_figures_are_medians_of_pairs_and_ratios_of_bytes() -> None:
    pairs = [Pair(0, 1.1, 1.0, 100, 100), Pair(1, 1.2, 1.0, 100, 100), Pair(2, 9.0, 1.0, 100, 120)]
    cpu, goodput = figures("nuwa", pairs)
    assert isinstance(cpu, Figure)
    assert cpu.value == pytest.approx(1.2)
    assert goodput.value == pytest.approx(300 / 320)
    assert not cpu.is_reached
    assert not goodput.is_reached
