"""What a stretch of time took, and what clients got within it."""

from __future__ import annotations

import pytest

from e2e.laboratory.places.child import ChildError
from e2e.laboratory.streams.load import ClientReport, ReportedIntervals, Taken, Window, load_of

WINDOW = Window(begin_at_s=100.0, from_s=101.0, to_s=101.2)
TAKEN = Taken(server_cpu_s=0.1, others_cpu_s=0.15, server_rss_bytes=600_000)


def report(
    received_bytes: list[int], *, began_at_s: float = 100.0, delays_s: list[float | None] | None = None
) -> ClientReport:
    return ClientReport(
        began_at_s, ReportedIntervals([10**9] * 10 + received_bytes + [10**9], [*[1.0] * 10, *(delays_s or [])])
    )


def test_only_what_came_within_the_window_counts() -> None:
    load = load_of([report([25_000, 25_000]), report([50_000, 25_000])], TAKEN, WINDOW)
    assert load.mbit_per_s == pytest.approx(1.0 / 0.2)
    assert load.megabits_per_cpu_s == pytest.approx(10.0)
    assert load.core_share == pytest.approx(0.5)
    assert load.others_core_share == pytest.approx(0.75)
    assert load.smallest_share == pytest.approx(0.4 / 0.5)
    assert load.jain == pytest.approx(1.0 / (2 * (0.4**2 + 0.6**2)))
    assert load.rss_kb_a_session == pytest.approx(300)
    assert (load.server_late_ms, load.clients_late_ms) == (None, None)


def test_lateness_is_that_of_the_latest_client() -> None:
    reports = [report([1, 1]), report([1, 1])]
    reports[0].lateness_p99_s, reports[1].lateness_p99_s = 0.001, 0.003
    load = load_of(reports, Taken(0.1, 0.1, 0, server_late_s=0.002, links_late_s=0.021), WINDOW)
    assert load.server_late_ms == pytest.approx(2)
    assert load.clients_late_ms == pytest.approx(3)
    assert load.links_late_ms == pytest.approx(21)
    assert load.late_hosts == ("links",)


def test_a_client_that_began_a_little_later_is_read_from_its_own_beginning() -> None:
    late = ClientReport(100.1, ReportedIntervals([0] * 9 + [25_000, 25_000]))
    assert load_of([late], TAKEN, WINDOW).mbit_per_s == pytest.approx(0.4 / 0.2)


def test_delays_are_those_of_all_clients_where_there_are_stamps() -> None:
    load = load_of([report([1, 1], delays_s=[0.010, None]), report([1, 1], delays_s=[0.020, 0.030])], TAKEN, WINDOW)
    assert load.delay_median_ms == pytest.approx(20)
    assert load.delay_p95_ms == pytest.approx(30)
    assert load_of([report([1, 1])], TAKEN, WINDOW).delay_median_ms is None


def test_what_cannot_be_measured_is_said() -> None:
    with pytest.raises(ChildError, match=r"a client began 2\.0 s late: this machine is too busy for so many"):
        load_of([report([1, 1], began_at_s=102.0)], TAKEN, WINDOW)
    with pytest.raises(ChildError, match="nothing arrived"):
        load_of([report([0, 0])], TAKEN, WINDOW)
