from __future__ import annotations

import io
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from e2e.laboratory.condition import Condition, LoadedLink
from e2e.laboratory.plan import FlowChoice, Place, RunPlan
from e2e.laboratory.record import RunError, RunFailure, RunRecord
from e2e.laboratory.request import LinkChoice
from e2e.laboratory.result import RunResult
from e2e.laboratory.runs import run_all as runs
from e2e.laboratory.runs.attempt import KeyedRun
from e2e.laboratory.runs.run_all import Means, finished_runs, keyed_runs, run_all
from e2e.laboratory.store.run_store import RunStore
from e2e.laboratory.tests.samples import sample_link, sample_plan, sample_result
from models.executors.processes import make_processes
from models.executors.workers import Workers

LINK = sample_link(LinkChoice("24mbit", 20, 300, "droptail", 0.0))


def make(plan: RunPlan, link: LoadedLink) -> RunResult:
    """BBR asks for nonsense, and Copa ends the process."""
    if plan.arm.name == "bbr":
        raise RunError(RunFailure("window of -1 bytes", "bbr", {"cwnd_bytes": -1}))
    if plan.arm.name == "copa":
        os._exit(3)
    return sample_result(plan, [6e6], 20.0)


def run_of(scheme: str, seed: int, place: Place = "simulation") -> KeyedRun:
    plan = replace(sample_plan([FlowChoice(scheme, "on-demand")], seed=seed), place=place)
    return KeyedRun(f"{scheme}-{seed}", plan, LINK)


def start(
    directory: Path,
    runs: Sequence[KeyedRun],
    make_executor: Callable[[int], Executor] = ThreadPoolExecutor,
    jobs: int = 2,
) -> tuple[RunStore, str]:
    store, output = RunStore(directory), io.StringIO()
    run_all(runs, store, Means({"simulation": make, "relay": make}, Workers(jobs, "tests", make_executor), output))
    return store, output.getvalue()


def record_of(store: RunStore, key: str) -> RunRecord:
    record = store.read(key)
    assert record is not None
    return record


def test_a_run_that_fails_is_recorded_with_name_and_state_and_the_others_go_on(tmp_path: Path) -> None:
    store, said = start(tmp_path, [run_of("cubic", 1), run_of("bbr", 1), run_of("bbr", 2, "relay"), run_of("cubic", 2)])
    for key in ("bbr-1", "bbr-2"):
        assert record_of(store, key).failure == RunFailure("window of -1 bytes", "bbr", {"cwnd_bytes": -1})
    for key in ("cubic-1", "cubic-2"):
        assert record_of(store, key).result is not None
    assert "failed: bbr over 24mbit (simulation), seed 1: window of -1 bytes" in said
    assert "4 of 4 runs" in said


def test_a_run_that_kills_its_process_is_found_among_those_side_by_side(tmp_path: Path) -> None:
    runs = [run_of("cubic", 1), run_of("copa", 1), run_of("cubic", 2), run_of("cubic", 3)]
    store, said = start(tmp_path, runs, make_processes)
    failure = record_of(store, "copa-1").failure
    assert failure is not None
    assert failure.message.startswith("the run's process ended early")
    assert all(record_of(store, f"cubic-{seed}").result is not None for seed in (1, 2, 3))
    assert "4 of 4 runs" in said


def test_a_run_without_its_policy_is_refused_before_it_starts_in_any_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "find_problem", lambda name: f"policy {name!r} has no card")
    store, _ = start(tmp_path, [run_of("owl", 1), run_of("owl", 2, "relay"), run_of("cubic", 1)])
    for key in ("owl-1", "owl-2"):
        assert record_of(store, key).failure == RunFailure("policy 'owl' has no card", "owl")
        assert record_of(store, key).wall_s == 0.0
    assert record_of(store, "cubic-1").result is not None


@pytest.mark.parametrize("jobs", [1, 3])
def test_so_many_simulations_are_made_side_by_side(tmp_path: Path, jobs: int) -> None:
    asked: list[int] = []

    def make_executor(count: int) -> Executor:
        asked.append(count)
        return ThreadPoolExecutor(count)

    start(tmp_path, [run_of("cubic", seed) for seed in range(1, 6)], make_executor, jobs)
    assert asked == [jobs]


def test_nodes_for_emulated_runs_make_those_of_the_relay_so_many_at_a_time_and_the_others_stay_here(
    tmp_path: Path,
) -> None:
    asked: list[int] = []

    def make_emulator(count: int) -> Executor:
        asked.append(count)
        return ThreadPoolExecutor(count, thread_name_prefix="emulator")

    made_by: dict[Place, set[str]] = {"simulation": set(), "relay": set(), "mahimahi": set()}

    def note(plan: RunPlan, link: LoadedLink) -> RunResult:
        made_by[plan.place].add(threading.current_thread().name.partition("_")[0])
        return sample_result(plan, [6e6], 20.0)

    workers = Workers(2, "tests", lambda jobs: ThreadPoolExecutor(jobs, "simulator"), 3, make_emulator)
    runs = [run_of("cubic", seed, place) for place in made_by for seed in range(1, 6)]
    keyed = [replace(run, key=f"{run.plan.place}-{run.key}") for run in runs]
    run_all(keyed, RunStore(tmp_path), Means(dict.fromkeys(made_by, note), workers, io.StringIO()))
    assert asked == [3]
    assert made_by == {"simulation": {"simulator"}, "relay": {"emulator"}, "mahimahi": {"MainThread"}}


def test_started_again_it_goes_on_and_tries_again_what_failed(tmp_path: Path) -> None:
    runs = [run_of("cubic", 1), run_of("bbr", 1)]
    store, _ = start(tmp_path, runs)
    good, bad = record_of(store, "cubic-1"), record_of(store, "bbr-1")
    store.write("bbr-1", replace(bad, finished_at="before"))
    start(tmp_path, [*runs, run_of("cubic", 2)])
    assert record_of(store, "cubic-1") == good
    assert record_of(store, "bbr-1").finished_at != "before"
    assert record_of(store, "cubic-2").result is not None


def test_where_nothing_is_left_nothing_is_said(tmp_path: Path) -> None:
    start(tmp_path, [run_of("cubic", 1)])
    assert start(tmp_path, [run_of("cubic", 1)])[1] == ""


def test_an_interrupt_leaves_what_is_finished(tmp_path: Path) -> None:
    def interrupted(plan: RunPlan, link: LoadedLink) -> RunResult:
        raise KeyboardInterrupt

    store = RunStore(tmp_path)
    means = Means({"simulation": make, "relay": interrupted}, Workers(1, "tests", ThreadPoolExecutor), io.StringIO())
    with pytest.raises(KeyboardInterrupt):
        run_all([run_of("cubic", 1), run_of("cubic", 2, "relay")], store, means)
    assert record_of(store, "cubic-1").result is not None
    assert store.read("cubic-2") is None


def test_an_arm_goes_by_the_name_that_it_has_now(tmp_path: Path) -> None:
    run = run_of("cubic", 1)
    store, _ = start(tmp_path, [run])
    renamed = replace(run, plan=replace(run.plan, arm=replace(run.plan.arm, name="CUBIC")))
    (finished,) = finished_runs([renamed], store)
    assert finished.record.plan.arm.name == "CUBIC"


def test_what_two_conditions_are_held_against_is_run_once() -> None:
    reference = sample_plan([FlowChoice("omniscient", "on-demand")])
    plan = sample_plan()

    def condition(place: Place) -> Condition:
        return Condition(place, LINK, (), plan.arm, (replace(plan, place=place),), (reference,))

    runs = keyed_runs([condition("simulation"), condition("relay")], lambda place: f"sources of {place}")
    assert [(run.plan.arm.name, run.plan.place) for run in runs] == [
        ("cubic", "simulation"),
        ("omniscient", "simulation"),
        ("cubic", "relay"),
    ]
