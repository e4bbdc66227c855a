"""How good a whisker tree is: Remy's objective over a set of scenarios, and what the tree was asked on the way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import fmean

from cc.registry import scheme
from cc.sender.tao.tao import Tao
from cc.sender.tao.whiskers import Signals, Tree
from models.scenarios.episode import START, Contender, Episode
from models.scenarios.scenario import Scenario

DELTA = 1.0
"""What delay weighs beside throughput (section 3.3)."""
LEAST_SHARE = 1e-3
"""Of the link: below it, all is as bad."""


@dataclass(slots=True)
class Played:
    """A tree over some scenarios."""

    objective: float
    asked: list[Signals] = field(default_factory=list)


def objective(share: float, rtt_ratio: float) -> float:
    """log2(throughput) - delta log2(delay) (sections 3.3 and 5.1), as shares of the link's rate and base RTT."""
    return math.log2(max(share, LEAST_SHARE)) - DELTA * math.log2(rtt_ratio)


def play(tree: Tree, scenarios: Sequence[Scenario]) -> Played:
    """The mean of the scenarios."""
    asked: list[Signals] = []
    return Played(fmean(_play_one(tree, scenario, asked) for scenario in scenarios), asked)


def _play_one(tree: Tree, scenario: Scenario, asked: list[Signals]) -> float:
    make = partial(Tao, tree=tree, watch=asked.append)
    episode = Episode(scenario, Contender(scheme("tao"), make_sender=make))
    episode.run_until(scenario.duration_s)
    whole = episode.outcome_since(START)
    rtt_ratio = (whole.base_rtt_s + whole.mean_queueing_delay_s) / whole.base_rtt_s
    return objective(whole.utilisation, rtt_ratio)
