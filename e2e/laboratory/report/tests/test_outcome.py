"""Tables for the terminal."""

from __future__ import annotations

from dataclasses import replace

from e2e.laboratory.plan import RunPlan
from e2e.laboratory.record import RunFailure
from e2e.laboratory.report.outcome import outcome_tables
from e2e.laboratory.result import PlayerResult, RunResult
from e2e.laboratory.tests.samples import sample_matrix, sample_result

FAILURE = RunFailure("window of -1 < 0 bytes", "cubic")


def test_each_condition_has_a_table_of_means_which_says_how_many_runs_they_are_of() -> None:
    def outcome(plan: RunPlan) -> RunResult | RunFailure:
        if plan.arm.name != "cubic":
            return sample_result(plan, [(22 + plan.seed) * 1e6], 10 * plan.seed)
        return FAILURE if plan.seed == 1 else sample_result(plan, [20e6], 30)

    made = sample_matrix("--schemes nuwa,cubic --links 24mbit:queue=100 --seeds 2 --seconds 2", outcome)
    assert outcome_tables(made.conditions, made.runs).splitlines() == [
        "24mbit, simulated: 20 ms each way, droptail, queue of 100 packets",
        "",
        "| scheme | Mbit/s | queueing delay, mean | p95     | loss   | runs   |",
        "| ------ | ------ | -------------------- | ------- | ------ | ------ |",
        "| nuwa   | 23.50  | 7.5 ms               | 15.0 ms | 1.00 % | 2      |",
        "| cubic  | 20.00  | 15.0 ms              | 30.0 ms | 1.00 % | 1 of 2 |",
    ]


def test_where_no_run_finished_there_is_nothing_to_say() -> None:
    made = sample_matrix("--schemes cubic --seeds 1 --seconds 2", lambda plan: FAILURE)
    assert "| cubic  | -      | -                    | -   | -    | 0 of 1 |" in outcome_tables(
        made.conditions, made.runs
    )


def test_a_film_has_columns_of_its_own() -> None:
    film = PlayerResult(1.5, 60.0, 0.5, 1, 0.0, 3e6, 4, 0.05)
    made = sample_matrix(
        "--schemes nuwa --seeds 1 --seconds 2", lambda plan: replace(sample_result(plan, [6e6], 50), player=film)
    )
    header, _, nuwa = outcome_tables(made.conditions, made.runs).splitlines()[2:]
    assert header.split("|")[6:8] == [" QoE a segment ", " stalled "]
    assert nuwa.split("|")[6:8] == [" 1.50          ", " 0.00 s  "]
