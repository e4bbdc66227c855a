"""BBR-FIT: eq. 3 rewards throughput, latency and loss with 0.2, 0.6 and 0.2; PPO, as the paper has it."""

from __future__ import annotations

from models.scenarios.episode import Outcome
from models.scenarios.scenario import Scenario, ScenarioDistribution
from models.training.recipe import Recipe

THROUGHPUT_WEIGHT = 0.2  # alpha, section III.B.3
LATENCY_WEIGHT = 0.6  # beta
LOSS_WEIGHT = 0.2  # gamma


def reward(outcome: Outcome) -> float:
    """Eq. 3; throughput as a share of the link, latency as the share of a round trip that is spent in the queue."""
    delay = outcome.queueing_delay()
    queueing_s = 0.0 if delay is None else delay.mean_s
    latency = queueing_s / (queueing_s + outcome.base_rtt_s)
    return THROUGHPUT_WEIGHT * outcome.utilisation - LATENCY_WEIGHT * latency - LOSS_WEIGHT * outcome.loss_ratio


PAPER_SETTING = (
    tuple(  # table II: 40 ms, a buffer of one bandwidth-delay product, 100 s; section IV.A.2: 4G, 5G, 24M, wifi
        Scenario(trace, base_rtt_s=0.040, queue_packets=packets, duration_s=100.0)
        for trace, packets in (("lte-like", 17), ("5g-like", 33), ("24mbit", 80), ("wifi-like", 20))
    )
)

BBR_FIT = Recipe(
    name="bbr-fit",
    scheme_name="bbr-fit",
    source="Xie, Jiang, Jin, Chen: BBR-FIT, An Intelligent BBR based on the Reinforcement Learning",
    algorithm="ppo",
    parameters={
        "learning_rate": 3e-4,
        "n_steps": 512,
        "batch_size": 256,
        "n_epochs": 10,
        "gamma": 0.95,
        "gae_lambda": 0.95,
        "clip_range": 0.2,
        "ent_coef": 0.0,
    },
    hidden=(64, 32),
    steps=400_000,
    reward=reward,
    reward_text="0.2 utilisation - 0.6 queueing delay / (queueing delay + base RTT) - 0.2 loss ratio (eq. 3)",
    scenarios=ScenarioDistribution(),
    rival="bbr",
    paper_setting=PAPER_SETTING,
    notes=(
        "The paper gives no units to eq. 3: throughput is a share of the link's capacity, latency the share of the "
        "round trip spent in the queue, so that all three terms lie between 0 and 1.",
    ),
)
