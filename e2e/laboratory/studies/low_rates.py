"""ZiXia over links of 1.4 Mbit/s with a queue of 100 packets: table III of its paper."""

from __future__ import annotations

from collections.abc import Callable

from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.learned.arms import is_shipped
from e2e.laboratory.learned.groups import Group, row
from e2e.laboratory.learned.lineup import TITLES, policy_arm, rivals
from e2e.laboratory.learned.plays import Played
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings, joined, not_shipped
from e2e.laboratory.studies.study import Study
from models.evaluation.resampling import Interval
from models.evaluation.student import ratio_of_groups
from models.recipes import RECIPES
from models.recipes.recipe import Recipe
from models.recipes.zixia import PAPER_SETTING, ZIXIA_DELAY
from models.scenarios.seeds import with_seeds

BBR = "bbr"
THROUGHPUT = Reach("at least", 1.0)  # the paper: 1.43 / 1.42 Mbit/s = 1.01
DELAY = Reach("at most", 0.3)  # the paper, 95th percentiles (section III.A): 50.91 / 383.73 ms = 0.13
SHOWN_ALONE = (ZIXIA_DELAY.name,)
"""Whose figures have nothing to reach: the paper's are ZiXia's, and eq. 6 gives throughput away for delay."""


def measure(bench: Bench) -> Findings:
    """Of ZiXia and all its variants. Raises PolicyError."""
    return joined(*(_of(bench, policy) for policy in RECIPES if policy.paper_setting == PAPER_SETTING))


def _of(bench: Bench, policy: Recipe) -> Findings:
    title = TITLES[policy.name]
    if not is_shipped(policy.name, bench.settings.policies):
        return not_shipped(title, "low rates")
    scenarios = with_seeds(policy.paper_setting, bench.repeats)
    arms = (policy_arm(policy.name), *rivals(policy, bench.settings.policies))
    results = bench.play(f"{title}, low rates", policy.name, arms, scenarios)
    traces = [scenario.trace for scenario in scenarios]
    mine, its = ([each.throughput_bits_per_s for each in results[arm]] for arm in (title, BBR))
    throughput = ratio_of_groups(mine, its, traces)

    def delay(queue_s: Callable[[Played], float]) -> Interval:
        """One way: what the link takes, and the queue."""
        mine_s, its_s = (
            [scenario.base_rtt_s / 2 + queue_s(each) for each, scenario in zip(results[arm], scenarios, strict=True)]
            for arm in (title, BBR)
        )
        return ratio_of_groups(mine_s, its_s, traces)

    reaches = (None, None) if policy.name in SHOWN_ALONE else (THROUGHPUT, DELAY)
    what = f"{title} / BBR at 1.4 Mbit/s"
    return Findings(
        groups=(Group(title, tuple(row(arm, played, is_policy=arm == title) for arm, played in results.items())),),
        figures=(
            Figure.of_interval(f"{what}: throughput", throughput, reach=reaches[0]),
            Figure.of_interval(f"{what}: p95 one-way delay", delay(lambda each: each.queueing_p95_s), reach=reaches[1]),
            Figure.of_interval(f"{what}: mean one-way delay", delay(lambda each: each.queueing_s)),
        ),
    )


STUDY = Study(
    "ZiXia on links of 1.4 Mbit/s",
    "Six generated traces of 1.4 Mbit/s on average, 40 ms, a queue of 100 packets, 30 s. Delay is one way: half "
    "the base round trip and the queueing delay. The paper's table III, of 95th percentiles, has 1.01 and 0.13.",
    measure,
    is_of_test_links=True,
)
