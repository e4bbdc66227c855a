"""Nuwa-RL, goodput: the same scheme, rewarded for goodput less delay, beside the fixed k that gives most of it."""

from __future__ import annotations

from dataclasses import replace

from models.recipes.nuwa_rl import NUWA_RL, fixed_k
from models.scenarios.episode import Outcome
from models.scenarios.rival import by_hand

DELAY_WEIGHT_PER_S = 2.0


def reward(outcome: Outcome) -> float:
    """Goodput as a share of the link, less the mean queueing delay: 10 ms are worth 2 % of the link."""
    return outcome.utilisation * (1 - outcome.loss_ratio) - DELAY_WEIGHT_PER_S * outcome.mean_queueing_delay_s


BEST_FIXED_K = fixed_k(9.0)

NUWA_RL_GOODPUT = replace(
    NUWA_RL,
    name="nuwa-rl-goodput",
    parameters={**NUWA_RL.parameters, "gae_lambda": 0.98},
    reward=reward,
    reward_text="utilisation (1 - loss ratio) - 2 mean queueing delay in s",
    reference=BEST_FIXED_K,
    rivals=(BEST_FIXED_K, by_hand("nuwa")),
    notes=(
        "Not the paper's reward: eq. 13's power of 0.4 makes the first per cent of loss outweigh much throughput. Here "
        "goodput and delay count by themselves.",
        "In training, the reward of k = 9 in the same scenario at the same time is taken off. Training goes over the "
        "same scenarios again and again.",
        "Memory, layer, learning rate and discount are Nuwa-RL's; advantages look further ahead (gae_lambda).",
        "It trains and is measured with the preset on-demand, and has Nuwa-RL's state, interval and action "
        "(cc/receiver/nuwa_rl.py).",
    ),
)
