"""The report's part about one condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from markupsafe import Markup

from e2e.laboratory.condition import Condition, settings_of, title_of
from e2e.laboratory.plan import Arm, RunPlan, describe_flow
from e2e.laboratory.record import FindRun, RunFailure
from e2e.laboratory.report.cells import Table
from e2e.laboratory.report.chart import series_colour
from e2e.laboratory.report.over_time import bins_of, over_time, shares_chart
from e2e.laboratory.report.scatter import Scatter, scatter, scatter_caption
from e2e.laboratory.report.series import series_of
from e2e.laboratory.report.tables import arms_table, flows_table
from e2e.laboratory.result import Intervals
from e2e.laboratory.statistics.fairness import share_bins
from e2e.laboratory.statistics.summary import ArmSummary, summarise_arms, summarise_flows, summarise_reference

WIDE = {"width": 1070.0, "height": 440.0}
NARROW = {"width": 290.0, "height": 330.0}


@dataclass(frozen=True, slots=True)
class Failure:
    """A run that failed."""

    arm: str
    seed: int
    failure: RunFailure


@dataclass(frozen=True, slots=True)
class RunChart:
    """A chart of one run."""

    name: str
    svg: Markup


@dataclass(frozen=True, slots=True)
class Section:
    """All that the page shows of a condition."""

    title: str
    settings: str
    scatters: tuple[Scatter, ...]
    """One for laptops, one for phones; none where no run finished."""
    caption: str
    arms: Table
    flows: Table | None
    """Where arms have several flows."""
    failures: tuple[Failure, ...]
    seed: int | None
    """Of the runs that are shown over time."""
    flow_names: tuple[str, ...]
    """For the legend; empty where arms have one flow."""
    first_series: int
    """Of flow 0 where arms have several; those before it are the arms'."""
    over_time: tuple[RunChart, ...]
    shares: tuple[RunChart, ...]


@dataclass(frozen=True, slots=True)
class _Shown:
    """A run that is shown over time: an arm's first seed's, or the first that finished."""

    plan: RunPlan
    intervals: Intervals
    colours: tuple[str, ...]


def section_of(condition: Condition, find: FindRun, names: Sequence[str]) -> Section:
    """What is to be shown; `names` are those of all arms of the report: an arm has the same colour everywhere."""
    arms = summarise_arms(condition, find)
    tried = summarise_reference(condition, find)
    reference = tried if tried is not None and tried.finished > 0 else None
    numbers = [names.index(arm.arm.name) for arm in arms]
    scatters = _scatters(arms, reference, numbers)
    is_shared = any(len(arm.flows) > 1 for arm in condition.arms)
    flows = [flow for arm in condition.arms for flow in summarise_flows(arm, condition.runs_of(arm), find)]
    shown = [run for arm in condition.arms if (run := _shown(condition, arm, find, names)) is not None]
    seed = shown[0].plan.seed if shown else None
    where = f"{title_of(condition)}, {settings_of(condition)}"
    return Section(
        title=title_of(condition),
        settings=settings_of(condition),
        scatters=scatters,
        caption=scatter_caption(scatters) if scatters else "",
        arms=arms_table(where, arms, reference, condition.baseline.name, numbers),
        flows=flows_table(where, flows, len(names)) if is_shared else None,
        failures=tuple(
            Failure(arm.arm.name, run.seed, run.failure)
            for arm in (*arms, *([] if tried is None else [tried]))
            for run in arm.runs
            if run.failure is not None
        ),
        seed=seed,
        flow_names=_flow_names(condition.arms) if is_shared else (),
        first_series=len(names),
        over_time=_over_time(shown, seed),
        shares=tuple(
            RunChart(
                _title(run, seed), shares_chart(run.plan.arm.name, share_bins(run.plan, run.intervals), run.colours)
            )
            for run in shown
            if len(run.plan.arm.flows) > 1
        ),
    )


def _scatters(arms: Sequence[ArmSummary], reference: ArmSummary | None, numbers: Sequence[int]) -> tuple[Scatter, ...]:
    everybody = [*arms, *([] if reference is None else [reference])]
    capacities = [run.capacity_bits_per_s for arm in everybody for run in arm.runs]
    known = [capacity for capacity in capacities if capacity is not None]
    series = series_of(arms, reference, numbers, fmean(known)) if known else []
    return tuple(scatter(series, fmean(known), **size) for size in (WIDE, NARROW)) if series else ()


def _shown(condition: Condition, arm: Arm, find: FindRun, names: Sequence[str]) -> _Shown | None:
    for plan in condition.runs_of(arm):
        result = find(plan).record.result
        if result is not None:
            count = len(arm.flows)
            first = names.index(arm.name) if count == 1 else len(names)
            colours = [series_colour(first + flow) for flow in range(count)]
            return _Shown(plan, result.intervals, tuple(colours))
    return None


def _over_time(shown: Sequence[_Shown], seed: int | None) -> tuple[RunChart, ...]:
    bins = [bins_of(run.intervals, run.plan.duration_s) for run in shown]
    return tuple(
        RunChart(_title(run, seed), over_time(run.plan, own, run.colours, beside=bins))
        for run, own in zip(shown, bins, strict=True)
    )


def _title(run: _Shown, seed: int | None) -> str:
    return run.plan.arm.name if run.plan.seed == seed else f"{run.plan.arm.name} (seed {run.plan.seed})"


def _flow_names(arms: Sequence[Arm]) -> tuple[str, ...]:
    """Where arms differ in a flow's scheme, it is the one under test."""
    names = []
    for index, flow in enumerate(arms[0].flows):
        is_fixed = all(arm.flows[index].scheme == flow.scheme for arm in arms)
        named = flow if is_fixed else replace(flow, scheme="the scheme under test")
        names.append(f"flow {index}: {describe_flow(named)}")
    return tuple(names)
