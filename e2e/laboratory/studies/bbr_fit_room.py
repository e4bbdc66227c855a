"""BBR-FIT where BBR leaves room, beside the largest action at every decision: the highest gain that a policy can keep.

Eq. 3 in Mbit/s and seconds is almost only throughput, so it teaches a gain near that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from cc.links.link import OPPORTUNITY_BYTES
from cc.links.traces.capacity import mean_bits_per_s
from cc.sender.bbr.bbr_fit import LARGEST_ACTION
from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.learned.arms import Arm, is_shipped
from e2e.laboratory.learned.episode_runs import Results
from e2e.laboratory.learned.groups import Group, row
from e2e.laboratory.learned.lineup import TITLES, policy_arm
from e2e.laboratory.learned.plays import Played
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings, joined, not_shipped
from e2e.laboratory.studies.study import Study
from models.evaluation.student import ratio_of_groups
from models.scenarios.scenario import MIN_QUEUE_PACKETS, Scenario
from models.scenarios.seeds import with_seeds
from models.scenarios.splits import split_traces
from models.scenarios.traces import opportunities_ms

NAME = "bbr-fit"
TITLE = TITLES[NAME]
BBR = Arm("bbr", "bbr")
LARGEST = Arm(f"{TITLE}, largest action", NAME, action=LARGEST_ACTION)
ROOM_BELOW = 0.75
"""Utilisation of BBR's."""
MEASURES: tuple[tuple[str, Callable[[Played], float]], ...] = (
    ("utilisation", lambda played: played.utilisation),
    ("latency", lambda played: played.latency_s),
)
REACHES = (Reach("at least", 1.2), Reach("at most", 1.05))  # the paper: 0.858 / 0.614 = 1.40, 61.86 / 64.86 ms = 0.95
BASE_RTT_S = 0.040  # table II
DURATION_S = 100.0
PAPERS_PACKETS = 333
"""Table II's one bandwidth-delay product, of 100 Mbit/s and 40 ms."""


@dataclass(frozen=True, slots=True)
class Queue:
    """A rule for the queue's length."""

    name: str
    packets: Callable[[str], int]
    """Of a trace."""


def own_product(trace: str) -> int:
    """One bandwidth-delay product of the link's own mean rate."""
    return max(MIN_QUEUE_PACKETS, round(mean_bits_per_s(opportunities_ms(trace)) / 8 * BASE_RTT_S / OPPORTUNITY_BYTES))


QUEUES = (Queue("1 BDP", own_product), Queue(f"{PAPERS_PACKETS} packets", lambda _trace: PAPERS_PACKETS))


def measure(bench: Bench) -> Findings:
    """Over the test links where BBR has less than `ROOM_BELOW`. Raises PolicyError."""
    if not is_shipped(NAME, bench.settings.policies):
        return not_shipped(TITLE, "room")
    return joined(*(_under(bench, queue) for queue in QUEUES))


def _under(bench: Bench, queue: Queue) -> Findings:
    links = [Scenario(trace, BASE_RTT_S, queue.packets(trace), DURATION_S) for trace in split_traces("test")]
    links = links[:: bench.settings.every]
    scenarios = with_seeds(links, bench.repeats)
    results = bench.play(f"{TITLE}, {queue.name}", NAME, (policy_arm(NAME), LARGEST, BBR), scenarios)
    chosen = _with_room(results[BBR.name], len(links))
    kept = {name: [played[at] for at in chosen] for name, played in results.items()}
    count = Figure(f"test links where BBR uses less than {ROOM_BELOW:g}, {queue.name}", len(chosen) / bench.repeats)
    if not chosen:
        return Findings((count,), (Group(f"{queue.name}, where BBR has room", ()),))
    traces = [scenarios[at].trace for at in chosen]
    rows = tuple(row(name, played, is_policy=name == TITLE) for name, played in kept.items())
    return Findings((count, *_figures(kept, traces, queue)), (Group(f"{queue.name}, where BBR has room", rows),))


def _with_room(bbr: Sequence[Played], links: int) -> list[int]:
    """Places of the runs of links that BBR, over all its seeds, uses little of."""
    use = [fmean(each.utilisation for each in bbr[at::links]) for at in range(links)]
    return [place for place in range(len(bbr)) if use[place % links] < ROOM_BELOW]


def _figures(kept: Results, traces: Sequence[str], queue: Queue) -> Iterator[Figure]:
    for name, reaches in ((TITLE, REACHES), (LARGEST.name, (None, None))):
        for (what, read), reach in zip(MEASURES, reaches, strict=True):
            mine, its = ([read(each) for each in kept[arm]] for arm in (name, BBR.name))
            ratio = ratio_of_groups(mine, its, traces)
            yield Figure.of_interval(f"{name} / BBR where BBR has room, {queue.name}: {what}", ratio, reach=reach)


STUDY = Study(
    "BBR-FIT where BBR leaves room",
    f"Test traces, {1000 * BASE_RTT_S:g} ms, {DURATION_S:g} s; kept are those of which BBR uses less than "
    f"{ROOM_BELOW:g}, with a queue of one bandwidth-delay product of the link's own, and with the {PAPERS_PACKETS} "
    "packets of the paper's table II. The largest action is given at each decision: no policy can raise the gain "
    "more. The paper's table III has 1.40 and 0.95.",
    measure,
    is_of_test_links=True,
)
