"""Studies of flows over links, and what makes their runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.learned.episode_runs import Settings
from e2e.laboratory.plan import INTERVAL_S, Arm, FlowChoice, RunPlan
from e2e.laboratory.record import RunError, RunFailure
from e2e.laboratory.result import DelaySummary, FlowIntervals, FlowResult, Intervals, LinkResult, RunResult
from e2e.laboratory.store.run_store import RunStore
from e2e.laboratory.studies import competition, fairness, fast_link, table_1
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings
from e2e.laboratory.studies.link_runner import LinkRunner
from e2e.laboratory.studies.link_runs import LinkRun, bulk_flow, link_run, named_link

DELAY = DelaySummary(mean_ms=10.0, p50_ms=10.0, p95_ms=20.0, max_ms=30.0)
MBIT_PER_S = {"nuwa": 4.0, "cubic": 2.0}
"""Of a flow; 1 of every other scheme's."""


def flow_result(flow: FlowChoice) -> FlowResult:
    rate = 1e6 * MBIT_PER_S.get(flow.scheme, 1.0)
    return FlowResult(
        flow.scheme, rate, rate, DELAY, packets_sent=100, packets_lost=1, spurious_losses=0, rtt_mean_ms=50
    )


def made_up(plan: RunPlan, link: LoadedLink) -> RunResult:
    del link
    count = round(plan.duration_s / INTERVAL_S)
    flows = tuple(flow_result(flow) for flow in plan.arm.flows)
    intervals = tuple(
        FlowIntervals(
            (flow.throughput_bits_per_s,) * count,
            *((None,) * count for _ in range(5)),
        )
        for flow in flows
    )
    times_s = tuple(INTERVAL_S * number for number in range(count))
    return RunResult(
        flows, LinkResult(1e7, 8e6, DELAY, 0, 0), Intervals(times_s, (1e7,) * count, intervals), server_cpu_share=0.5
    )


def results_of(runs: Sequence[LinkRun]) -> list[RunResult | None]:
    return [made_up(run.plan, run.link) for run in runs]


def bench(repeats: int = 2, failing: str = "") -> Bench:
    def run(runs: Sequence[LinkRun]) -> list[RunResult | None]:
        made = results_of(runs)
        return [None if each.plan.arm.name == failing else result for each, result in zip(runs, made, strict=True)]

    def play(*_: object) -> dict[str, list[object]]:
        raise AssertionError("nothing is to be played")

    return Bench(Settings(), repeats, play, (), run)  # type: ignore[arg-type]


def values(findings: Findings) -> dict[str, float | None]:
    return {figure.what: figure.value for figure in findings.figures}


def test_flows_of_one_scheme_are_fair_where_they_get_the_same() -> None:
    found = fairness.measure(bench())
    assert values(found)["Jain's index, nuwa (compete)"] == pytest.approx(1.0)
    assert len(found.figures) == 8


def test_shares_are_beside_the_fair_one() -> None:
    # of 4 + 4 + 2 + 2 Mbit/s a third is a third more than a quarter
    found = competition.measure(bench(repeats=3))
    assert values(found)["300 packets: flow 1 (nuwa) beside its fair share"] == pytest.approx(100 / 3)
    assert values(found)["100 packets: flow 3 (cubic, beside nuwa) beside its fair share"] == pytest.approx(-100 / 3)
    assert found.tables[0].rows[3] == ("30", "4.00", "4.00", "2.00", "2.00", "0.900")


def test_every_queue_is_judged_by_each_start() -> None:
    judged = {figure.what: figure for figure in competition.measure(bench(repeats=3)).figures if figure.reach}
    assert len(judged) == 2 * 3 * 4
    of_kuafu = "flow 4 (cubic, beside kuafu) beside its fair share"
    assert {judged[f"{packets} packets: {of_kuafu}"].is_reached for packets in (300, 200, 100)} == {False}  # by a third
    assert {(figure.has_to_be_sure, figure.repeats, figure.interval) for figure in judged.values()} == {
        (True, "starts", None)
    }


def test_one_flow_beside_one_begins_first_and_last() -> None:
    begun: dict[str, tuple[float, ...]] = {}

    def run(runs: Sequence[LinkRun]) -> list[RunResult | None]:
        begun.update({each.plan.arm.name: tuple(flow.start_s for flow in each.plan.arm.flows) for each in runs})
        return results_of(runs)

    found = values(competition.measure(replace(bench(), run=run)))
    # of 4 Mbit/s beside 2
    assert found[
        "1000 packets: one nuwa (on-demand) beside one of CUBIC, which begins first: its share"
    ] == pytest.approx(2 / 3)
    assert found[
        "1000 packets: one nuwa (on-demand) beside one of CUBIC, which begins last: its share"
    ] == pytest.approx(2 / 3)
    assert begun["cubic, kuafu (on-demand), 1000 packets"] == pytest.approx((0.0, 10.1))
    assert "kuafu, cubic (on-demand), 100 packets" in begun


def test_table_1_holds_nuwa_against_the_most_data_and_has_nothing_where_a_scheme_failed() -> None:
    found = table_1.measure(bench())
    assert found.figures[0].what == "data, Nuwa / CUBIC"
    assert found.figures[0].value == pytest.approx(2)
    assert found.figures[1].value is None  # nobody carries about as much
    assert [figure.what for figure in found.figures[2:3]] == ["data, Nuwa by the paper's law / CUBIC"]
    assert found.tables[0].rows[-2] == ("Nuwa", "40.0 ± 0.0 MB", "1.00 ± 0.00 %", "10.0 ± 0.0 ms")
    failed = table_1.measure(bench(failing="Vegas"))
    assert [figure.value for figure in failed.figures] == [None] * 4
    assert failed.tables[0].rows[5] == ("Vegas", "failed", "failed", "failed")


def test_a_fast_link_tells_the_servers_share() -> None:
    assert values(fast_link.measure(bench()))["bbr: the media server's share of a core"] == pytest.approx(50)


def test_what_was_run_is_not_run_again_unless_asked_and_failures_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made: list[str] = []

    def emulate(plan: RunPlan, link: LoadedLink) -> RunResult:
        made.append(plan.arm.name)
        if plan.arm.name == "bad":
            raise RunError(RunFailure("it broke"))
        return made_up(plan, link)

    link = named_link("1mbit", 10)
    runs = [
        link_run(link, Arm(name, (bulk_flow("cubic", "live", start),)), 1, duration_s=1, place="relay")
        for start, name in enumerate(("good", "bad"))
    ]
    runner = LinkRunner({"relay": emulate}, {"relay": "sources"}, Settings(), RunStore(tmp_path))
    good, bad = runner.run(runs)
    assert good is not None
    assert (bad, runner.failed) == (None, 1)
    runner.run(runs)
    assert made == ["good", "bad", "bad"]
    assert "1 of 2 runs were made earlier" in capsys.readouterr().err
    LinkRunner({"relay": emulate}, {"relay": "sources"}, Settings(is_fresh=True), RunStore(tmp_path)).run(runs)
    assert made == ["good", "bad", "bad", "good", "bad"]
