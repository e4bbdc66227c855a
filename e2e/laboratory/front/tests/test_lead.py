"""Who leads, worked out by hand over two links."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from e2e.laboratory.front.lead import dominators_of, leads_of
from e2e.laboratory.front.page import picture
from e2e.laboratory.front.runs import Points
from e2e.laboratory.front.tables import tables_of, text

RATES = {"own": (9.9, 8.0, 8.0), "fast": (10.0, 8.0, 9.0), "short": (6.0, 8.0, 7.0)}
DELAYS = {"own": (40.0, 50.0, 60.0), "fast": (80.0, 40.0, 70.0), "short": (20.0, 60.0, 50.0)}
"""Mbit/s and ms over links: `own` wins both pairs of the first but `short`'s, `fast` dominates it on the second."""


def points(starts: int = 1, links: int = 2) -> Points:
    def stacked(values: Mapping[str, tuple[float, ...]]) -> np.ndarray:
        return np.array([[[value] * starts for value in values[name][:links]] for name in RATES])

    return Points(
        schemes=tuple(RATES),
        is_sender=(False, True, True),
        links=("a", "b", "c")[:links],
        families=("rate", "lte-like", "steps")[:links],
        throughput_bits_per_s=stacked(RATES) * 1e6,
        p95_delay_ms=stacked(DELAYS),
        best_throughput_bits_per_s=np.array([[10e6] * starts] * links),
        best_delay_ms=np.array([[5.0] * starts, [10.0] * starts, [10.0] * starts][:links]),
        segment_mean_ms=stacked(RATES) * np.nan,
        segment_p95_ms=stacked(RATES) * np.nan,
    )


def test_a_scheme_is_dominated_by_throughput_and_delay_together() -> None:
    own, fast, short = leads_of(points())
    assert own.not_dominated.value == 0.5  # on b `fast` has the same throughput with less delay
    assert fast.not_dominated.value == 1.0
    assert short.not_dominated.value == 0.5
    assert dominators_of(points(), 0) == {"fast": 1}
    assert dominators_of(points(), 2) == {"own": 1, "fast": 1}


def test_a_pair_takes_99_hundredths_of_the_throughput_and_less_delay() -> None:
    own, fast, short = leads_of(points())
    assert own.pairs.value == 0.5  # fast on a, at exactly 0.99 of it, and short on b
    assert fast.pairs.value == 0.5  # short on b; a scheme is no rival of its own
    assert short.pairs.value == 0.0


def test_throughput_is_beside_the_best_and_delay_a_geometric_mean() -> None:
    own = leads_of(points())[0]
    assert own.throughput.value == pytest.approx((0.99 + 1.0) / 2)
    assert own.p95_delay_ms.value == pytest.approx((40 * 50) ** 0.5)
    assert own.of_omniscient.value == pytest.approx((0.99 + 0.8) / 2)
    assert own.above_omniscient_ms.value == pytest.approx((35 + 40) / 2)


def test_a_run_that_failed_dominates_nothing_and_is_in_no_picture() -> None:
    failed = points()
    failed.throughput_bits_per_s[1, :, :] = np.nan
    failed.p95_delay_ms[1, :, :] = np.nan
    own, fast, short = leads_of(failed)
    assert own.not_dominated.value == 1.0
    assert own.pairs.value == 0.5  # of `short` alone: lost on a, won on b
    chart = picture(failed)
    assert chart is not None
    assert "fast" not in chart
    assert np.isnan([fast.not_dominated.value, fast.pairs.value, fast.throughput.value, fast.p95_delay_ms.value]).all()
    overview, *_, dominators = tables_of(failed)
    assert overview.rows[-1] == ("fast", *["failed"] * 6)
    assert ("fast", "failed") in dominators.rows
    assert short.not_dominated.value == 1.0


def test_a_link_on_which_every_rival_failed_is_no_lost_one() -> None:
    failed = points()
    failed.throughput_bits_per_s[1:, 0, :] = np.nan
    assert leads_of(failed)[0].pairs.value == 0.5  # on b: `short` is won, `fast` is not


def test_a_scheme_that_failed_on_one_link_leads_where_it_ran_alone() -> None:
    failed = points(links=3)
    failed.throughput_bits_per_s[1, 0] = np.nan
    _, by_family, *_ = tables_of(failed)
    assert ("fast", "1.00", "failed", "1.00") in by_family.rows


def test_intervals_are_over_links_however_many_starts_there_are() -> None:
    three, of_two = points(links=3), points(starts=3)
    lead = leads_of(three)[0]
    assert (lead.pairs.groups, leads_of(of_two)[0].pairs.groups) == (3, 2)
    assert lead.throughput.low < lead.throughput.value < lead.throughput.high
    assert lead.p95_delay_ms.low < lead.p95_delay_ms.value < lead.p95_delay_ms.high
    assert "[" in text(tables_of(three))
    assert "[" not in text(tables_of(of_two))


def test_means_have_students_intervals_that_end_where_a_share_does() -> None:
    own = leads_of(points(links=3))[0]
    # Shares 0.99, 1 and 8 / 9: mean 0.9596, deviation 0.0615; t(0.975, 2) / sqrt(3) = 4.3027 / 1.7321.
    assert own.throughput.value == pytest.approx(0.9596, abs=1e-4)
    assert own.throughput.low == pytest.approx(0.9596 - 0.1527, abs=1e-3)
    assert own.throughput.high == 1.0
    assert own.pairs.low == 0.0
    # Logarithms of 40, 50 and 60: mean 3.8984, deviation 0.2033.
    assert own.p95_delay_ms.high == pytest.approx(49.32 * np.exp(0.5051), abs=0.05)


def test_a_scheme_that_leads_on_every_link_does_so_for_sure_on_most_alone() -> None:
    lead = leads_of(points(links=3))[1]
    assert lead.not_dominated.value == 1.0
    assert lead.not_dominated.low == pytest.approx(0.025 ** (1 / 3))
    assert lead.not_dominated.high == 1.0


def test_families_stand_apart() -> None:
    _, by_family, *_ = tables_of(points())
    assert by_family.header == ("scheme", "lte-like", "rate")
    assert ("own", "0.00", "1.00") in by_family.rows
