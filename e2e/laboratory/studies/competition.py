"""Nuwa and Kuafu against CUBIC, as in figure 8 of Nuwa's paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean

from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.plan import Arm, RunPlan
from e2e.laboratory.result import RunResult
from e2e.laboratory.statistics.fairness import run_fairness, share_bins
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings, Table
from e2e.laboratory.studies.link_runs import LinkRun, bulk_flow, link_run, named_link
from e2e.laboratory.studies.samples import mean_figure
from e2e.laboratory.studies.study import Study

QUEUES_PACKETS = (300, 200, 100)
"""The first is judged; the paper does not say how long its queue was."""
DURATION_S = 100
STEP_S = 10
"""One more flow so often; the paper's order."""
OURS = ("nuwa", "kuafu")
"""Two flows of each, and then two of CUBIC."""
FLOWS = 4
SHIFT_S = 0.1
"""By how much later each flow begins in each repeat: without chance, equal runs end equally."""
BOUNDS = (Reach("at least", -20.0), Reach("at most", 20.0))
"""In per cent of a fair share."""

Outcome = tuple[RunPlan, RunResult | None]


def measure(bench: Bench) -> Findings:
    """Shares of the last 30 s, when they have long settled."""
    preset = bench.preset_or("compete")
    arms = [(scheme, packets) for scheme in OURS for packets in QUEUES_PACKETS]
    runs = [_run(*arm, preset, repeat) for arm in arms for repeat in range(bench.repeats)]
    outcomes = list(zip((run.plan for run in runs), bench.run(runs), strict=True))
    by_arm = [outcomes[at * bench.repeats :][: bench.repeats] for at in range(len(arms))]
    figures = [
        figure
        for (scheme, packets), own in zip(arms, by_arm, strict=True)
        for figure in _figures(scheme, packets, own, is_judged=packets == QUEUES_PACKETS[0])
    ]
    tables = [
        _over_time(scheme, *own[0])
        for (scheme, packets), own in zip(arms, by_arm, strict=True)
        if packets == QUEUES_PACKETS[0]
    ]
    return Findings(tuple(figures), tables=tuple(table for table in tables if table is not None))


def _schemes(ours: str) -> tuple[str, ...]:
    return (ours, ours, "cubic", "cubic")


def _run(ours: str, packets: int, preset: str, repeat: int) -> LinkRun:
    starts_s = [at * (STEP_S + repeat * SHIFT_S) for at in range(FLOWS)]
    flows = tuple(bulk_flow(scheme, preset, start_s) for scheme, start_s in zip(_schemes(ours), starts_s, strict=True))
    arm = Arm(f"competition of {ours}, {packets} packets", flows)
    return link_run(named_link("10mbit", packets), arm, repeat + 1, duration_s=DURATION_S)


def _figures(ours: str, packets: int, outcomes: Sequence[Outcome], *, is_judged: bool) -> Iterator[Figure]:
    queue = f"{packets} packets"
    settled = [None if result is None else run_fairness(plan, result.intervals) for plan, result in outcomes]
    for flow, scheme in enumerate(_schemes(ours)):
        shares = [None if each is None else each.shares[flow] for each in settled]
        percents = [None if share is None else (share * FLOWS - 1) * 100 for share in shares]
        beside = f", beside {ours}" if scheme != ours else ""
        what = f"{queue}: flow {flow + 1} ({scheme}{beside}) beside its fair share"
        figure = mean_figure(what, percents, "%", reach=BOUNDS[0] if is_judged else None)
        yield figure
        if is_judged:
            yield replace(figure, reach=BOUNDS[1])
    yield mean_figure(f"{queue}: Jain's index with {ours}", [None if each is None else each.jain for each in settled])


def _over_time(ours: str, plan: RunPlan, result: RunResult | None) -> Table | None:
    if result is None:
        return None
    bins = share_bins(plan, result.intervals)
    rows = []
    for from_s in range(0, DURATION_S, STEP_S):
        stretch = bins[from_s : from_s + STEP_S]
        rates = [_mean([each.bits_per_s[flow] for each in stretch]) for flow in range(FLOWS)]
        jain = _mean([each.jain for each in stretch])
        rows.append(
            (
                str(from_s),
                *("" if rate is None else f"{rate / 1e6:.2f}" for rate in rates),
                "" if jain is None else f"{jain:.3f}",
            )
        )
    flows = (f"{flow + 1}: {scheme}, Mbit/s" for flow, scheme in enumerate(_schemes(ours)))
    return Table(f"Shares over time, {ours}", ("from s", *flows, "Jain"), tuple(rows))


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


STUDY = Study(
    "Nuwa and Kuafu against CUBIC",
    "Two flows of Nuwa or of Kuafu (preset compete), then two of CUBIC, one each 10 s, 10 Mbit/s (simulated): their "
    "shares in the last 30 s. Nuwa's paper, figure 8.",
    measure,
    places=("simulation",),
)
