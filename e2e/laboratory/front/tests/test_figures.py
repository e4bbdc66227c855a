"""What pages have of a front: what is to lead is held to what is to be reached, the others stand beside it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from e2e.laboratory.figures.measured import Measured
from e2e.laboratory.front.figures import LEADER, figures_of, leave
from e2e.laboratory.front.tables import tables_of
from e2e.laboratory.front.tests.test_lead import points

NAMES = (LEADER, "fast", "short")


def test_the_leader_is_held_to_what_is_to_be_reached() -> None:
    found = {figure.what: figure for figure in figures_of(replace(points(links=3), schemes=NAMES))}
    assert found[f"{LEADER}: share of pairs won"].value == pytest.approx(1 / 3)  # `fast` on a, `short` on b
    assert found[f"{LEADER}: share of pairs won"].is_reached is False
    assert found[f"{LEADER}: share of links on which no sender-side scheme dominates it"].is_reached is False
    assert found["fast: share of links on which no sender-side scheme dominates it"].value == 1.0
    assert found["fast: share of links on which no sender-side scheme dominates it"].is_reached is None
    assert len(found) == 4 * len(NAMES)


def test_what_failed_is_not_measured() -> None:
    failed = points(links=3)
    failed.throughput_bits_per_s[1] = np.nan
    failed.p95_delay_ms[1] = np.nan
    values = {figure.what: figure.value for figure in figures_of(failed)}
    assert {value for what, value in values.items() if what.startswith("fast: ")} == {None}


@pytest.mark.parametrize("links", [1, 3])
@pytest.mark.parametrize("has_segments", [False, True])
def test_it_is_left_for_pages_however_few_links_there_are(links: int, has_segments: bool, tmp_path: Path) -> None:
    found = replace(points(links=links), schemes=(LEADER, "fast", "cubic"))
    if has_segments:
        found = replace(found, segment_mean_ms=found.p95_delay_ms, segment_p95_ms=found.p95_delay_ms)
    kept = Measured.read(leave(found, tables_of(found), command="a command", name="front", folder=tmp_path))
    assert kept.command == "a command"
    assert kept.figures == tuple(figures_of(found))
    assert kept.tables[0].startswith(f"Over {links} link")
