"""Orca: a policy over CUBIC, rewarded for throughput less loss, by a delay beyond a margin."""

from __future__ import annotations

from cc.sender.orca import LOSS_WEIGHT, delay_metric
from models.recipes.continuous_ppo import PPO
from models.recipes.recipe import Falling, Recipe
from models.scenarios.episode import Outcome
from models.scenarios.rival import by_hand
from models.scenarios.scenario import Scenario, ScenarioDistribution


def reward(outcome: Outcome) -> float:
    """(throughput - 5 lost) / the link's rate, times the delay metric; 0 where the link carries nothing."""
    capacity = outcome.capacity_bytes_per_s
    if capacity <= 0:
        return 0.0
    gain = min(1.0, outcome.throughput_bytes_per_s() / capacity) - LOSS_WEIGHT * outcome.lost_bytes_per_s / capacity
    return max(gain, -1.0) * delay_metric(outcome.base_rtt_s, outcome.base_rtt_s + outcome.mean_queueing_delay_s)


CUBIC = by_hand("cubic")

PAPER_SETTING = tuple(  # emulated links of constant rate, and cellular traces, over 20 ms each way
    Scenario(trace, base_rtt_s=0.040, queue_packets=packets, duration_s=30.0)
    for trace, packets in (("12mbit", 160), ("24mbit", 320), ("lte-like", 150), ("5g-like", 150))
)

ORCA = Recipe(
    name="orca",
    source="Abbasloo, Yen, Chao: Classic Meets Modern, A Pragmatic Learning-Based Congestion Control for the Internet, "
    "SIGCOMM 2020",
    algorithm="ppo",
    parameters={
        **PPO,
        "learning_rate": Falling(5e-4),
        "policy_kwargs": {"log_std_init": -2.0},  # a standard deviation of 1 would double the window each 20 ms
    },
    hidden=(256, 256),
    steps=150_000,
    environments=8,
    reward=reward,
    reward_text="(throughput - 5 lost bytes a second) / the link's rate, no less than -1, times min(1, 1.25 base RTT / "
    "RTT)",
    scenarios=ScenarioDistribution(duration_s=15.0),
    rivals=(CUBIC, by_hand("bbr")),
    paper_setting=PAPER_SETTING,
    notes=(
        "Budget: 150,000 decisions a seed and three seeds. The authors' README names no number.",
        "State, history, action, layers and the reward's form are the authors'. They learn by TD3, with many "
        "actors side by side and for hours; this is PPO, with eight environments.",
        "The policy is asked once slow start was left, as the authors' is; until then there is CUBIC alone.",
        "Throughput and loss are the link's truth over its own rate; theirs are the sender's, over the largest "
        "throughput yet.",
    ),
)
