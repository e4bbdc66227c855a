"""DQN v1 and v2 less CUBIC under queues of several lengths: which queue figures 6 and 7 of their paper hold under."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from cc.links.link import OPPORTUNITY_BYTES
from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.learned.arms import Arm, is_shipped
from e2e.laboratory.learned.groups import Group, row
from e2e.laboratory.learned.lineup import TITLES, policy_arm
from e2e.laboratory.learned.plays import Played
from e2e.laboratory.report.plain_table import Table
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings, joined, not_shipped
from e2e.laboratory.studies.study import Study
from models.evaluation.resampling import Interval
from models.evaluation.student import mean_of_groups
from models.scenarios.constant_rates import ALONE_MBIT_PER_S, BASE_RTT_S, DURATION_S, RIVAL, link
from models.scenarios.scenario import Scenario

NAMES = ("dqn-v2", "dqn-v1")
V2 = NAMES[0]
QUEUES_S = (0.020, 0.040)
"""As long as the link takes to empty them, so that they delay alike at every rate, as in figure 7."""
NAMED_QUEUE_S = 0.040
"""The one under which most of the paper's figures hold."""
LEAST_PACKETS = 4
HIGHER = Reach("above", 0.0)


@dataclass(frozen=True, slots=True)
class Gain:
    """What a policy has more than CUBIC at one rate."""

    mbit_per_s: float
    rtt_ms: float


def measure(bench: Bench) -> Findings:
    """Each queue at each rate. Raises PolicyError."""
    missing = [name for name in NAMES if not is_shipped(name, bench.settings.policies)]
    if missing:
        return joined(*(not_shipped(TITLES[name], "queues") for name in missing))
    return joined(*(_under(bench, queue_s) for queue_s in QUEUES_S))


def queue_packets(mbit_per_s: int, queue_s: float) -> int:
    """How many the queue takes that the link empties in this time."""
    return max(LEAST_PACKETS, round(mbit_per_s * 1e6 / 8 * queue_s / OPPORTUNITY_BYTES))


def _under(bench: Bench, queue_s: float) -> Findings:
    queue = f"{1000 * queue_s:g} ms of queue"
    arms = (*(policy_arm(name) for name in NAMES), Arm(RIVAL, RIVAL))
    figures: list[Figure] = []
    groups: list[Group] = []
    gains: dict[str, list[Gain]] = {TITLES[name]: [] for name in NAMES}
    for mbit_per_s in ALONE_MBIT_PER_S:
        results = bench.play(f"{queue}, {mbit_per_s} Mbit/s", V2, arms, _scenarios(mbit_per_s, queue_s, bench.repeats))
        for title, its in gains.items():
            its.append(_gain(results[title], results[RIVAL]))
        reach = HIGHER if queue_s == NAMED_QUEUE_S else None
        what = f"{TITLES[V2]} less CUBIC, {queue}, {mbit_per_s} Mbit/s"
        figures.append(
            Figure.of_interval(what, _more_mbit_per_s(results[TITLES[V2]], results[RIVAL]), "Mbit/s", reach=reach)
        )
        rows = tuple(row(name, played, is_policy=name == TITLES[V2]) for name, played in results.items())
        groups.append(Group(f"{queue}, {mbit_per_s} Mbit/s", rows))
    return Findings(tuple(figures), tuple(groups), (_table(queue, gains),))


def _scenarios(mbit_per_s: int, queue_s: float, seeds: int) -> list[Scenario]:
    scenario = replace(link(mbit_per_s, duration_s=DURATION_S), queue_packets=queue_packets(mbit_per_s, queue_s))
    return [replace(scenario, seed=seed) for seed in range(1, seeds + 1)]


def _gain(mine: Sequence[Played], its: Sequence[Played]) -> Gain:
    waited_ms = fmean(1000 * (one.latency_s - other.latency_s) for one, other in zip(mine, its, strict=True))
    return Gain(_more_mbit_per_s(mine, its).value, waited_ms)


def _more_mbit_per_s(mine: Sequence[Played], its: Sequence[Played]) -> Interval:
    """Over the seeds."""
    more = [
        (one.throughput_bits_per_s - other.throughput_bits_per_s) / 1e6 for one, other in zip(mine, its, strict=True)
    ]
    return mean_of_groups(more, range(len(more)))


def _table(queue: str, gains: dict[str, list[Gain]]) -> Table:
    """A row a policy, a column a rate."""
    header = ("less CUBIC: Mbit/s, ms of round trip", *(f"{mbit_per_s} Mbit/s" for mbit_per_s in ALONE_MBIT_PER_S))
    rows = tuple(
        (title, *(f"{each.mbit_per_s:+.2f}, {each.rtt_ms:+.1f}" for each in its)) for title, its in gains.items()
    )
    return Table(queue, header, rows)


STUDY = Study(
    "DQN v1 and v2 less CUBIC under several queues",
    f"Constant rates, {1000 * BASE_RTT_S:g} ms, {DURATION_S:g} s, start included; a seed moves the link's clock. The "
    "paper names no queue. Its figure 6 has v2 above CUBIC at every rate and v1 below it beyond 50 Mbit/s; its "
    "figure 7 has about 5 ms more round trip.",
    measure,
    is_of_test_links=True,
)
