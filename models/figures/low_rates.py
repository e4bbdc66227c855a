"""ZiXia over links of 1.4 Mbit/s with a queue of 100 packets: table III of its paper."""

from __future__ import annotations

from models.figures.arms import is_shipped
from models.figures.names import TITLES
from models.figures.player import Figures
from models.figures.report import Figure, Group, PartReport, Reach, joined, not_trained, row
from models.figures.rewards import policy_arm, rivals
from models.resampling import ratio_of_means
from models.scenarios.seeds import with_seeds
from models.training.recipes import recipe

BBR = "bbr"
THROUGHPUT = Reach("at least", 1.0)  # the paper: 1.43 / 1.42 Mbit/s = 1.01
DELAY = Reach("at most", 0.3)  # the paper: 50.91 / 383.73 ms = 0.13


def report(figures: Figures) -> PartReport:
    """Of both; the paper's figures are ZiXia's, and ZiXia-delay's are shown. Raises PolicyError."""
    return joined(
        _of(figures, "zixia", (THROUGHPUT, DELAY)),
        _of(figures, "zixia-delay", (None, None)),
        _of(figures, "zixia-graded", (THROUGHPUT, DELAY)),
    )


def _of(figures: Figures, name: str, reach: tuple[Reach | None, Reach | None]) -> PartReport:
    policy, title = recipe(name), TITLES[name]
    if not is_shipped(name, figures.settings.policies):
        return not_trained(title, "low rates")
    scenarios = with_seeds(policy.paper_setting, figures.settings.seeds)
    arms = (policy_arm(name), *rivals(policy, figures))
    results = figures.play(f"{title}, low rates", name, arms, scenarios)
    throughput = ratio_of_means(*([each.throughput_bits_per_s for each in results[arm]] for arm in (title, BBR)))
    # The paper measures the delay of packets, one way: what the link takes, and the queue.
    delay = ratio_of_means(
        *(
            [scenario.base_rtt_s / 2 + each.queueing_s for each, scenario in zip(results[arm], scenarios, strict=True)]
            for arm in (title, BBR)
        )
    )
    return PartReport(
        (Group(title, tuple(row(arm, played, is_policy=arm == title) for arm, played in results.items())),),
        (
            Figure(f"{title} / BBR at 1.4 Mbit/s: throughput", throughput, reach=reach[0]),
            Figure(f"{title} / BBR at 1.4 Mbit/s: mean one-way delay", delay, reach=reach[1]),
        ),
    )
