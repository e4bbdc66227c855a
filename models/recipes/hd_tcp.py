"""Hd-TCP: PPO on links with handovers, rewarded for power and charged for what the link loses."""

from __future__ import annotations

import math

from models.recipes import indigo
from models.recipes.continuous_ppo import PPO
from models.recipes.recipe import Falling, Recipe
from models.scenarios.episode import Outcome
from models.scenarios.rival import by_hand
from models.scenarios.scenario import Scenario, ScenarioDistribution

HANDOVERS = tuple(f"5g-like/{mean}mbit/{seed}" for mean in (6, 12, 20, 30) for seed in range(1000, 1006))
"""Generated links that stop for each handover, all that are for training."""

LOSS_WEIGHT = 2.0
"""Of doublings: who has half of what it sends lost must double its power twice. Without it, it floods short queues."""


def reward(outcome: Outcome) -> float:
    """The logarithm of power, and that of the share that the link did not lose."""
    kept = max(1.0 - outcome.link_loss_ratio, indigo.LEAST_SHARE)
    return indigo.reward(outcome) + LOSS_WEIGHT * math.log2(kept)


PAPER_SETTING = tuple(Scenario("5g-like", rtt_s, queue_packets=150, duration_s=30.0) for rtt_s in (0.030, 0.060))

HD_TCP = Recipe(
    name="hd-tcp",
    source="Cui, Yuan, Ming et al.: Improving the Congestion Control Performance for Mobile Networks in High-Speed "
    "Railway via Deep Reinforcement Learning, IEEE TVT 69(6), 2020; its abstract",
    algorithm="ppo",
    parameters={**PPO, "learning_rate": Falling(1e-3), "ent_coef": 0.01},
    hidden=(64, 64),
    steps=160_000,
    environments=8,
    reward=reward,
    reward_text="log2(utilisation) - log2(RTT / base RTT) + 2 log2(1 - share that the link lost)",
    scenarios=ScenarioDistribution(duration_s=10.0, practised_traces=HANDOVERS),
    rivals=(by_hand("cubic"), by_hand("bbr")),
    paper_setting=PAPER_SETTING,
    notes=(
        "State, actions, reward, network and algorithm are this project's: the paper's are not public.",
        "The charge for losses is this project's: two seeds that were rewarded for power alone kept the queue full, "
        "and lost more than half of what they sent on the validation scenarios.",
        "It practises on generated 5G alone, whose handovers stop the link for 90 to 350 ms. The paper recorded "
        "trains.",
    ),
)
