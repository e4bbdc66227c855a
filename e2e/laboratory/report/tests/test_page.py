"""The whole page."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from e2e.laboratory.bundle import Bundle, HostLateness, Machine, UsedTrace, Versions
from e2e.laboratory.plan import RunPlan
from e2e.laboratory.record import RunFailure
from e2e.laboratory.report.page import write_report
from e2e.laboratory.result import RunResult, SchemeDecisions
from e2e.laboratory.tests.samples import SampleMatrix, sample_matrix, sample_result

FAILURE = RunFailure("window of -1 < 0 bytes", "cubic", {"cwnd_bytes": -1})
Report = Callable[..., str]


@pytest.fixture
def report(tmp_path: Path) -> Report:
    return partial(written, tmp_path)


def written(folder: Path, made: SampleMatrix, bundle: Bundle | None = None) -> str:
    file = folder / "report.html"
    write_report(file, bundle=bundle or bundle_of(made), conditions=made.conditions, runs=made.runs)
    return file.read_text(encoding="utf-8")


def bundle_of(made: SampleMatrix) -> Bundle:
    failed = sum(run.record.failure is not None for run in made.runs)
    return Bundle(
        command="nuwa bench --schemes 'nuwa <&> cubic'",
        written_at="2026-11-21T12:00:00+00:00",
        versions=Versions("0123456789abcdef", False, "3.11", {"aioquic": "1.7.2"}, None, "Linux 6"),
        sources={},
        policies={"owl": "beef"},
        request=made.request,
        seeds=tuple(range(1, made.request.seeds + 1)),
        links=(UsedTrace("24mbit", "f00d", "f00d", 1000),),
        machine=Machine("a processor", 2, 2**33),
        made_by="2 processes of this machine",
        finished=len(made.runs) - failed,
        failed=failed,
        failures=(),
        server_load=None,
        host_lateness=None,
        tables={"runs.parquet": {}},
    )


def steady(plan: RunPlan) -> RunResult:
    if plan.arm.name == "omniscient":
        return sample_result(plan, [24e6], 1)
    if plan.arm.name == "nuwa":
        return sample_result(plan, [23e6 + 1e5 * plan.seed], 15 + plan.seed)
    return sample_result(plan, [23.5e6], 100 + 10 * plan.seed)


ONE_FLOW = sample_matrix("--schemes nuwa,cubic --seeds 5 --seconds 2", steady)


@pytest.fixture(scope="module")
def page_of_one_flow(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Drawn once: its charts take a second."""
    return written(tmp_path_factory.mktemp("one-flow"), ONE_FLOW)


def test_the_page_needs_nothing_from_anywhere(page_of_one_flow: str) -> None:
    page = page_of_one_flow
    assert page.startswith("<!doctype html>")
    assert re.findall(r"<(?:link|img|iframe|object)|<script |@import|src=|href=\"[^#]|url\((?!#)", page) == []
    names = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert set(re.findall(r"https?://[^\"'\s<]+", page)) <= names


def test_the_scatter_has_every_scheme_the_star_ellipses_and_no_colour_that_night_would_not_change(
    page_of_one_flow: str,
) -> None:
    charts = re.findall(r'<div class="(?:wide|narrow)">(<svg.*?</svg>)', page_of_one_flow, re.DOTALL)
    assert len(charts) == 2
    for chart in charts:
        assert {"nuwa", "cubic", "omniscient"} <= set(re.findall(r">([^<]+)</text>", chart))
        colours = set(re.findall(r'(?:fill|stroke)="([^"]+)', chart))
        assert {"var(--series-1)", "var(--series-2)"} <= colours
        assert all(re.fullmatch(r"none|transparent|var\(--[a-z0-9-]+\)", colour) for colour in colours)
        # 23.1 to 23.5 of 24 Mbit/s in the mean 23.3, at (16 * 17 * 18 * 19 * 20)^(1/5) = 17.9 ms
        assert re.search(r'aria-label="[^"]*nuwa 23\.30 Mbit/s at 17\.9 ms', chart)
        assert "<title>nuwa, seed 1: 23.10 Mbit/s at 16.0 ms</title>" in chart


def test_a_scatter_of_equal_delays_has_ticks(report: Report) -> None:
    page = report(sample_matrix("--schemes nuwa --seeds 1 --seconds 2", lambda plan: sample_result(plan, [20e6], 35)))
    wide = re.findall(r'<div class="wide">(<svg.*?</svg>)', page, re.DOTALL)[0]
    assert {"34", "36"} <= set(re.findall(r">([^<]+)</text>", wide))  # 35 ms, from 32.7 to 37.5


def test_the_table_has_means_intervals_and_the_comparison_with_the_first_scheme(page_of_one_flow: str) -> None:
    page = page_of_one_flow
    rows = re.findall(r"<tr>(?:(?!</tr>).)*</tr>", re.findall(r"<tbody>.*?</tbody>", page, re.DOTALL)[0], re.DOTALL)
    assert len(rows) == 3
    assert re.search(r"nuwa</th><td>23\.30<small>23\.\d\d to 23\.\d\d</small></td><td>18\.0<small>", rows[0])
    # 23.5 against 23.1, 23.2, 23.3, 23.4, 23.5: against 23.3 in the mean
    equal = r"cubic</th><td>23\.50<small>23\.50 to 23\.50</small></td><td>130\.0<small>.*<td>\+0\.9<small>"
    assert re.search(equal, rows[1])
    assert "omniscient" in rows[2]
    assert "Failed runs" not in page


def test_several_flows_have_shares_jains_index_and_a_table_of_their_own(report: Report) -> None:
    rates = {1: [24e6], 2: [6e6, 18e6]}
    made = sample_matrix(
        "--schemes nuwa,cubic --seeds 2 --seconds 4 --flows self,cubic@1",
        lambda plan: sample_result(plan, rates[len(plan.arm.flows)], 50),
    )
    page = report(made)
    for part in ("<h3>Shares</h3>", "<h3>Flows</h3>", "Jain&#39;s index", "flow 0: the scheme under test"):
        assert part in page
    assert "flow 1: cubic, from 1 s" in page
    assert re.search(r'<i class="chip s3"></i>flow 0: the scheme', page)  # two schemes have the colours before it
    assert re.search(r'<i class="chip s3"></i>nuwa, flow 0', page)
    regions = re.findall(r'role="region" aria-label="([^"]+)', page)
    assert len(set(regions)) == len(regions) == 2
    assert "<td>0.800<small>0.800 to 0.800</small></td>" in page
    assert "<td>25.0<small>25.0 to 25.0</small></td>" in page


def test_a_run_that_failed_is_shown_as_failed_and_the_rest_is_shown_all_the_same(report: Report) -> None:
    def outcome(plan: RunPlan) -> RunResult | RunFailure:
        if plan.arm.name == "omniscient" or (plan.arm.name, plan.seed) == ("cubic", 1):
            return FAILURE
        return sample_result(plan, [20e6], 30)

    page = report(sample_matrix("--schemes nuwa,cubic --seeds 2 --seconds 2", outcome))
    assert "Failed runs" in page
    assert "cubic, seed 1 (cubic): window of -1 &lt; 0 bytes" in page
    assert "&#34;cwnd_bytes&#34;: -1" in page
    assert '<strong class="failed">1 of 2</strong>' in page
    assert "cubic (seed 2)" in page
    assert ">omniscient</text>" not in page


def test_a_condition_in_which_nothing_finished_has_its_failures_and_no_charts(report: Report) -> None:
    page = report(sample_matrix("--schemes nuwa --seeds 1 --seconds 2", lambda plan: FAILURE))
    assert "nuwa, seed 1 (cubic)" in page
    assert "<svg" not in page


def test_an_arm_whose_policy_missed_decisions_says_so_everywhere(report: Report) -> None:
    missed = SchemeDecisions("owl", True, decisions=100, answered=87, late=13, failed=0)
    made = sample_matrix(
        "--schemes owl --seeds 1 --seconds 2", lambda plan: replace(sample_result(plan, [6e6], 9), decisions=(missed,))
    )
    page = report(made)
    for where in ("<h1>{} over 24mbit</h1>", "{}</text>", "{}</th>", "<h4>{}</h4>"):
        assert where.format("owl (policy missed 13 %)") in page


def test_the_page_says_how_it_was_made(page_of_one_flow: str) -> None:
    page = page_of_one_flow
    for part in ("nuwa bench --schemes &#39;nuwa &lt;&amp;&gt; cubic&#39;", "0123456789abcdef", "SHA-256 f00d"):
        assert part in page
    assert "<dt>Policy owl</dt><dd>SHA-256 beef</dd>" in page
    assert "aioquic 1.7.2, Linux 6" in page


def test_runs_on_an_overloaded_host_are_marked(report: Report, page_of_one_flow: str) -> None:
    assert "overloaded host" not in page_of_one_flow
    late = replace(bundle_of(ONE_FLOW), host_lateness=HostLateness(45.26, ("one", "two")))
    page = re.sub(r"\s+", " ", report(ONE_FLOW, late))
    assert "at most 45.3 ms (p99 of a run); <strong>2 runs on an overloaded host</strong>, above 20 ms" in page
