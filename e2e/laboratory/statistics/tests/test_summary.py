"""Arms and flows in numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from e2e.laboratory.plan import RunPlan
from e2e.laboratory.record import FindRun, RunFailure, finder_of
from e2e.laboratory.result import PlayerResult, RunResult
from e2e.laboratory.statistics.run_figures import loss_ratio
from e2e.laboratory.statistics.summary import summarise_arms, summarise_flows, summarise_reference
from e2e.laboratory.tests.samples import SampleMatrix, sample_matrix, sample_plan, sample_result

FAILURE = RunFailure("window of -1 < 0 bytes", "cubic")


def outcome(plan: RunPlan) -> RunResult | RunFailure:
    """Nuwa 12 and 18 Mbit/s at 10 and 20 ms; CUBIC 24 at 100 ms, and fails with the second seed."""
    if plan.arm.name == "omniscient":
        return FAILURE
    if plan.arm.name == "nuwa":
        return sample_result(plan, [6e6 + 6e6 * plan.seed], 10 * plan.seed)
    return FAILURE if plan.seed == 2 else sample_result(plan, [24e6], 100)


@pytest.fixture
def made() -> SampleMatrix:
    return sample_matrix("--schemes nuwa,cubic --seeds 2 --seconds 2", outcome)


def find_in(made: SampleMatrix) -> FindRun:
    return finder_of(made.runs)


def test_an_arm_has_means_over_the_runs_that_finished(made: SampleMatrix) -> None:
    nuwa, cubic = summarise_arms(made.conditions[0], find_in(made))
    assert [run.seed for run in nuwa.runs] == [1, 2]
    utilisation = nuwa.mean("utilisation")
    assert utilisation is not None
    assert utilisation.value == 0.625  # of 12 / 24 and 18 / 24
    assert (utilisation.low, utilisation.high) == (0, 1)  # of two, cut where shares end
    loss = nuwa.mean("loss_ratio")
    assert loss is not None
    assert loss.value == 0.01
    assert nuwa.mean("jain") is None
    assert (nuwa.finished, cubic.finished) == (2, 1)
    assert cubic.runs[1].failure == FAILURE


def test_arms_are_compared_with_the_baseline_pair_by_pair(made: SampleMatrix) -> None:
    nuwa, cubic = summarise_arms(made.conditions[0], find_in(made))
    assert nuwa.against_baseline("throughput_bits_per_s") is None
    more = cubic.against_baseline("throughput_bits_per_s")
    assert more is not None
    assert (more.value, more.samples) == (1.0, 1)  # 24 for 12; the second pair lacks one


def test_an_arm_below_the_baseline_has_an_interval_below_it() -> None:
    rates_bits_per_s = {"nuwa": 12e6, "cubic": 6e6}
    made = sample_matrix(
        "--schemes nuwa,cubic --seeds 2 --seconds 2",
        lambda plan: (
            FAILURE if plan.arm.name == "omniscient" else sample_result(plan, [rates_bits_per_s[plan.arm.name]], 10)
        ),
    )
    _, cubic = summarise_arms(made.conditions[0], find_in(made))
    less = cubic.against_baseline("throughput_bits_per_s")
    assert less is not None
    assert (less.value, less.low, less.high) == (-0.5, -0.5, -0.5)


def test_a_link_that_carries_nothing_is_not_used() -> None:
    def dead(plan: RunPlan) -> RunResult:
        result = sample_result(plan, [0.0], 10)
        return replace(result, link=replace(result.link, capacity_bits_per_s=0.0))

    made = sample_matrix("--schemes nuwa --seeds 1 --seconds 2", dead)
    (nuwa,) = summarise_arms(made.conditions[0], find_in(made))
    assert nuwa.mean("throughput_bits_per_s") is not None
    assert nuwa.mean("utilisation") is None


def test_a_reference_whose_runs_failed_is_there_with_its_failures(made: SampleMatrix) -> None:
    reference = summarise_reference(made.conditions[0], find_in(made))
    assert reference is not None
    assert (reference.finished, len(reference.runs)) == (0, 2)
    tested = sample_matrix("--schemes omniscient --seeds 1 --seconds 2", lambda plan: FAILURE)
    assert summarise_reference(tested.conditions[0], find_in(tested)) is None


def test_flows_have_shares_of_their_own() -> None:
    made = sample_matrix(
        "--schemes nuwa --seeds 2 --seconds 4 --flows self,cubic@1",
        lambda plan: sample_result(plan, [6e6, 18e6][: len(plan.arm.flows)], 50),
    )
    condition = made.conditions[0]
    (arm,) = condition.arms
    first, second = summarise_flows(arm, condition.runs_of(arm), find_in(made))
    assert (first.flow.scheme, second.flow.scheme) == ("nuwa", "cubic")
    assert first.share is not None
    assert second.share is not None
    assert (first.share.value, second.share.value) == (0.25, 0.75)
    for flow, throughput_bits_per_s in ((first, 6e6), (second, 18e6)):
        assert flow.throughput_bits_per_s is not None
        assert flow.delay_p95_ms is not None
        assert flow.loss_ratio is not None
        found = (flow.throughput_bits_per_s.value, flow.delay_p95_ms.value, flow.loss_ratio.value)
        assert found == (throughput_bits_per_s, 50, 0.01)
    (summary,) = summarise_arms(condition, find_in(made))
    jain = summary.mean("jain")
    assert jain is not None
    assert (jain.value, jain.low, jain.high) == (0.8, 0.8, 0.8)


def test_a_film_has_its_own_figures() -> None:
    film = PlayerResult(-0.5, 60.0, 0.5, 1, 2.0, 3e6, 4, 0.05)
    made = sample_matrix(
        "--schemes nuwa --seeds 2 --seconds 2", lambda plan: replace(sample_result(plan, [6e6], 50), player=film)
    )
    (summary,) = summarise_arms(made.conditions[0], find_in(made))
    qoe, stalled = summary.mean("qoe_per_segment"), summary.mean("stalled_s")
    assert qoe is not None
    assert stalled is not None
    assert (qoe.value, stalled.value) == (-0.5, 2.0)  # QoE may be below 0


def test_losses_are_known_where_they_are_of_all_flows() -> None:
    plan = sample_plan()
    (flow,) = sample_result(plan, [6e6], 20).flows
    assert loss_ratio([flow, replace(flow, packets_lost=30)]) == 0.02
    assert loss_ratio([flow, replace(flow, packets_lost=None)]) is None
    assert loss_ratio([replace(flow, packets_sent=0, packets_lost=0)]) is None
