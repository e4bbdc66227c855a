"""Nuwa and Kuafu against CUBIC: as in figure 8 of Nuwa's paper, and one flow beside one, as viewers meet it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Literal

from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.plan import Arm, RunPlan
from e2e.laboratory.report.plain_table import Table
from e2e.laboratory.result import RunResult
from e2e.laboratory.statistics.fairness import run_fairness, share_bins
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings
from e2e.laboratory.studies.link_runs import LinkRun, bulk_flow, link_run, named_link
from e2e.laboratory.studies.samples import Samples, mean_figure, of_starts
from e2e.laboratory.studies.study import Study

LINK = "10mbit"
OURS = ("nuwa", "kuafu")
SHIFT_S = 0.1
"""By how much later each flow begins in each repeat: without chance, equal runs end equally."""

FOUR_QUEUES_PACKETS = (300, 200, 100)
"""The paper does not say how long its queue was."""
FOUR_S = 100
STEP_S = 10
"""One more flow so often; the paper's order."""
BOUND = Reach("within", 20.0)
"""In per cent of a fair share."""

TWO_QUEUES_PACKETS = (100, 300, 1000)
TWO_S = 60
ORDERS: tuple[Literal["first", "last"], ...] = ("first", "last")
"""When CUBIC begins."""
ALONE_PRESET = "on-demand"
"""What players begin with."""

Outcome = tuple[RunPlan, RunResult | None]


@dataclass(frozen=True, slots=True)
class Meeting:
    """Flows that begin one after the other."""

    ours: str
    schemes: tuple[str, ...]
    """In the order in which they begin."""
    preset: str
    packets: int
    """Of queue."""
    duration_s: int

    @property
    def name(self) -> str:
        """As its runs are called."""
        return f"{', '.join(self.schemes)} ({self.preset}), {self.packets} packets"

    def run(self, repeat: int) -> LinkRun:
        """Of as many as are made."""
        flows = tuple(
            bulk_flow(scheme, self.preset, at * (STEP_S + repeat * SHIFT_S)) for at, scheme in enumerate(self.schemes)
        )
        return link_run(named_link(LINK, self.packets), Arm(self.name, flows), repeat + 1, duration_s=self.duration_s)


def measure(bench: Bench) -> Findings:
    """Shares of the last 30 s."""
    preset = bench.preset_or("compete")
    fours = [
        Meeting(ours, (ours, ours, "cubic", "cubic"), preset, packets, FOUR_S)
        for ours in OURS
        for packets in FOUR_QUEUES_PACKETS
    ]
    twos = [
        Meeting(ours, ("cubic", ours) if order == "first" else (ours, "cubic"), ALONE_PRESET, packets, TWO_S)
        for ours in reversed(OURS)
        for packets in TWO_QUEUES_PACKETS
        for order in ORDERS
    ]
    meetings = [*fours, *twos]
    runs = [meeting.run(repeat) for meeting in meetings for repeat in range(bench.repeats)]
    outcomes = list(zip((run.plan for run in runs), bench.run(runs), strict=True))
    by_meeting = {meeting: outcomes[at * bench.repeats :][: bench.repeats] for at, meeting in enumerate(meetings)}
    figures = [figure for four in fours for figure in _of_four(four, by_meeting[four])]
    figures += [_of_two(two, by_meeting[two]) for two in twos]
    tables = [_over_time(four, *by_meeting[four][0]) for four in fours if four.packets == FOUR_QUEUES_PACKETS[0]]
    return Findings(tuple(figures), tables=tuple(table for table in tables if table is not None))


def _of_four(four: Meeting, outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    queue, ours = f"{four.packets} packets", four.ours
    for flow, scheme in enumerate(four.schemes):
        beside = f", beside {ours}" if scheme != ours else ""
        what = f"{queue}: flow {flow + 1} ({scheme}{beside}) beside its fair share"
        figure = mean_figure(what, _beyond_fair_percent(outcomes, flow), "%", reach=BOUND)
        yield of_starts(replace(figure, has_to_be_sure=True))
    jain = [None if result is None else run_fairness(plan, result.intervals).jain for plan, result in outcomes]
    yield of_starts(mean_figure(f"{queue}: Jain's index with {ours}", jain))


def _of_two(two: Meeting, outcomes: Sequence[Outcome]) -> Figure:
    order = "first" if two.schemes[0] == "cubic" else "last"
    ours = f"{two.packets} packets: one {two.ours} ({two.preset})"
    what = f"{ours} beside one of CUBIC, which begins {order}: its share"
    return of_starts(mean_figure(what, _shares(outcomes, two.schemes.index(two.ours))))


def _shares(outcomes: Sequence[Outcome], flow: int) -> Samples:
    return [None if result is None else run_fairness(plan, result.intervals).shares[flow] for plan, result in outcomes]


def _beyond_fair_percent(outcomes: Sequence[Outcome], flow: int) -> Samples:
    return [
        None if share is None else (share * len(plan.arm.flows) - 1) * 100
        for share, (plan, _) in zip(_shares(outcomes, flow), outcomes, strict=True)
    ]


def _over_time(four: Meeting, plan: RunPlan, result: RunResult | None) -> Table | None:
    if result is None:
        return None
    bins = share_bins(plan, result.intervals)
    rows = []
    for from_s in range(0, four.duration_s, STEP_S):
        stretch = bins[from_s : from_s + STEP_S]
        rates = [_mean([each.bits_per_s[flow] for each in stretch]) for flow in range(len(four.schemes))]
        jain = _mean([each.jain for each in stretch])
        rows.append(
            (
                str(from_s),
                *("" if rate is None else f"{rate / 1e6:.2f}" for rate in rates),
                "" if jain is None else f"{jain:.3f}",
            )
        )
    flows = (f"{flow + 1}: {scheme}, Mbit/s" for flow, scheme in enumerate(four.schemes))
    return Table(f"Shares over time, {four.ours}", ("from s", *flows, "Jain"), tuple(rows))


def _mean(values: Samples) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


STUDY = Study(
    "Nuwa and Kuafu against CUBIC",
    "10 Mbit/s (simulated), shares of the last 30 s. Two flows of Nuwa or of Kuafu (preset compete), then two of "
    "CUBIC, one each 10 s: Nuwa's paper, figure 8. And one flow (preset on-demand) beside one of CUBIC, "
    f"in both orders. In each repeat every flow begins {SHIFT_S:g} s later behind the one before it, and nothing else "
    "differs: intervals are over these starts.",
    measure,
    places=("simulation",),
    reads_preset=True,
)
