"""Hd-TCP: PPO on links with handovers, rewarded for power."""

from __future__ import annotations

from models.recipes.continuous_ppo import PPO
from models.recipes.indigo import reward
from models.recipes.recipe import Falling, Recipe
from models.scenarios.rival import by_hand
from models.scenarios.scenario import Scenario, ScenarioDistribution

HANDOVERS = tuple(f"5g-like/{mean}mbit/{seed}" for mean in (6, 12, 20, 30) for seed in range(1000, 1006))
"""Generated links that stop for each handover, all that are for training."""

PAPER_SETTING = tuple(Scenario("5g-like", rtt_s, queue_packets=150, duration_s=30.0) for rtt_s in (0.030, 0.060))

HD_TCP = Recipe(
    name="hd-tcp",
    source="Cui, Yuan, Ming et al.: Improving the Congestion Control Performance for Mobile Networks in High-Speed "
    "Railway via Deep Reinforcement Learning, IEEE TVT 69(6), 2020; its abstract",
    algorithm="ppo",
    parameters={**PPO, "learning_rate": Falling(5e-4), "ent_coef": 0.01},
    hidden=(64, 64),
    steps=200_000,
    environments=8,
    reward=reward,
    reward_text="log2(utilisation) - log2(RTT / base RTT)",
    scenarios=ScenarioDistribution(duration_s=15.0, practised_traces=HANDOVERS),
    rivals=(by_hand("cubic"), by_hand("bbr")),
    paper_setting=PAPER_SETTING,
    notes=(
        "State, actions, reward, network and algorithm are this project's: the paper's are not public.",
        "It practises on generated 5G alone, whose handovers stop the link for 90 to 350 ms. The paper recorded "
        "trains.",
    ),
)
