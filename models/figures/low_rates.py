"""ZiXia over links of 1.4 Mbit/s with a queue of 100 packets: table III of its paper."""

from __future__ import annotations

from models.evaluation.resampling import ratio_of_means
from models.figures.arms import is_shipped
from models.figures.lineup import policy_arm, rivals
from models.figures.names import TITLES
from models.figures.player import Figures
from models.figures.report import Figure, Group, PartReport, Reach, joined, not_shipped, row
from models.recipes import RECIPES
from models.recipes.recipe import Recipe
from models.recipes.zixia import PAPER_SETTING, ZIXIA_DELAY
from models.scenarios.seeds import with_seeds

BBR = "bbr"
THROUGHPUT = Reach("at least", 1.0)  # the paper: 1.43 / 1.42 Mbit/s = 1.01
DELAY = Reach("at most", 0.3)  # the paper: 50.91 / 383.73 ms = 0.13
SHOWN_ALONE = (ZIXIA_DELAY.name,)
"""Whose figures have nothing to reach: the paper's are ZiXia's, and eq. 6 gives throughput away for delay."""


def report(figures: Figures) -> PartReport:
    """Of ZiXia and all its variants. Raises PolicyError."""
    return joined(*(_of(figures, policy) for policy in RECIPES if policy.paper_setting == PAPER_SETTING))


def _of(figures: Figures, policy: Recipe) -> PartReport:
    title = TITLES[policy.name]
    if not is_shipped(policy.name, figures.settings.policies):
        return not_shipped(title, "low rates")
    scenarios = with_seeds(policy.paper_setting, figures.settings.seeds)
    arms = (policy_arm(policy.name), *rivals(policy, figures))
    results = figures.play(f"{title}, low rates", policy.name, arms, scenarios)
    traces = [scenario.trace for scenario in scenarios]
    carried = ([each.throughput_bits_per_s for each in results[arm]] for arm in (title, BBR))
    throughput = ratio_of_means(*carried, groups=traces)
    # The paper measures the delay of packets, one way: what the link takes, and the queue.
    delay = ratio_of_means(
        *(
            [scenario.base_rtt_s / 2 + each.queueing_s for each, scenario in zip(results[arm], scenarios, strict=True)]
            for arm in (title, BBR)
        ),
        groups=traces,
    )
    has_reach = policy.name not in SHOWN_ALONE
    return PartReport(
        (Group(title, tuple(row(arm, played, is_policy=arm == title) for arm, played in results.items())),),
        (
            Figure(f"{title} / BBR at 1.4 Mbit/s: throughput", throughput, reach=THROUGHPUT if has_reach else None),
            Figure(f"{title} / BBR at 1.4 Mbit/s: mean one-way delay", delay, reach=DELAY if has_reach else None),
        ),
    )
