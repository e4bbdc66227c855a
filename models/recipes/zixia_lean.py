"""ZiXia's scheme, rewarded for as much throughput as BBR has with a smaller part of its delay, over slow links, too."""

from __future__ import annotations

from dataclasses import replace
from math import exp

from models.recipes.recipe import Falling
from models.recipes.zixia import COMMON_NOTES, RANKED_NOTE, SCALE, ZIXIA_DELAY
from models.scenarios.episode import LEARNER, Outcome
from models.scenarios.graded_ranking import recent, recent_of_rivals

RIVAL = "bbr"
DELAY_WEIGHT = 0.2
MOST_DELAY_RATIO = 3.0
SLOW = tuple(
    f"{family}/{megabits}mbit/{seed}"
    for family in ("lte-like", "5g-like", "wifi-like")
    for megabits in ("1", "1.5")
    for seed in range(1000, 1006)
)


def reward(outcome: Outcome) -> float:
    """Throughput as a part of BBR's, as far as it is one, less a share of the delay as a part of BBR's; scaled."""
    scenario = outcome.episode.scenario
    mine = recent(outcome.episode.network.flows[LEARNER].record, outcome.end_s)
    [rival] = recent_of_rivals(scenario, outcome.end_s, (RIVAL,))
    throughput_ratio = min(1.0, exp(mine.throughput - rival.throughput))
    propagation_s = scenario.base_rtt_s / 2
    delay_ratio = min(MOST_DELAY_RATIO, (exp(mine.delay) + propagation_s) / (exp(rival.delay) + propagation_s))
    return SCALE * (throughput_ratio - DELAY_WEIGHT * delay_ratio)


ZIXIA_LEAN = replace(
    ZIXIA_DELAY,
    name="zixia-lean",
    parameters={
        **ZIXIA_DELAY.parameters,
        "learning_rate": Falling(1e-3),
        "n_steps": 512,
        "batch_size": 256,
    },
    steps=200_000,
    reward=reward,
    reward_text="0.01 (min(1, throughput / BBR's) - 0.2 min(3, 95th percentile one-way delay / BBR's)) of the last "
    "half second, BBR alone in the same network",
    episode_reward=None,
    scenarios=replace(ZIXIA_DELAY.scenarios, loss_share=0.2, pool=160, added_traces=SLOW),
    notes=(
        "Not the paper's training: no ranking, but throughput and delay as parts of BBR's, of the last half second, "
        "are each decision's reward, in place of eq. 4 and of the shared ranking of eq. 5.",
        "Training has generated links of 1 and 1.5 Mbit/s besides the split's (the paper's low-rate links have 1.4), "
        "and loss by chance in a fifth of its episodes.",
        "Nothing rewards it for losing less.",
        *(note for note in COMMON_NOTES if note is not RANKED_NOTE),
    ),
)
