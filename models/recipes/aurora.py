"""Aurora: PPO with layers of 32 and 16, rewarded for throughput less latency and loss."""

from __future__ import annotations

from models.recipes.continuous_ppo import PPO
from models.recipes.recipe import Falling, Recipe
from models.scenarios.episode import Outcome
from models.scenarios.rival import by_hand
from models.scenarios.scenario import Scenario, ScenarioDistribution

PACKET_BYTES = 1500  # BYTES_PER_PACKET of the authors' simulator
THROUGHPUT_WEIGHT, LATENCY_WEIGHT, LOSS_WEIGHT = 10.0, 1000.0, 2000.0
SCALE = 1e-4
"""Of all alike: a decision's reward should be about 1."""


def reward(outcome: Outcome) -> float:
    """10 throughput - 1000 latency - 2000 loss, scaled; throughput in packets a second, latency in seconds."""
    latency_s = outcome.base_rtt_s + outcome.mean_queueing_delay_s
    packets_per_s = outcome.throughput_bytes_per_s() / PACKET_BYTES
    return SCALE * (THROUGHPUT_WEIGHT * packets_per_s - LATENCY_WEIGHT * latency_s - LOSS_WEIGHT * outcome.loss_ratio)


VIVACE = by_hand("pcc-vivace")

AUTHORS_RTTS_S = (0.100, 1.000)
"""50 to 500 ms each way (network_sim.py)."""
AUTHORS_LOSS_RATIO = 0.05
"""The most; each link has a ratio between it and 0."""

PRACTICE = ScenarioDistribution(
    base_rtt_s=(0.020, AUTHORS_RTTS_S[1]),  # from the laboratory's round trips on
    queue_packets=(2.0, 2981.0),
    loss_ratio=(1e-3, AUTHORS_LOSS_RATIO),
    loss_share=1.0,
    duration_s=60.0,  # about the 400 decisions of theirs
    traces=("2mbit", "4mbit"),
    pool=300,
)
"""Links of 170 and 330 packets a second; the authors' simulator has constant links of 100 to 500."""

PAPER_SETTING = tuple(  # ends and middle of the authors' round trips, and of their losses none and the mean
    Scenario(trace, base_rtt_s=rtt_s, queue_packets=100, duration_s=60.0, loss_ratio=loss_ratio)
    for trace in ("3mbit", "6mbit")  # 250 and 500 packets a second
    for rtt_s in (AUTHORS_RTTS_S[0], 0.316, AUTHORS_RTTS_S[1])
    for loss_ratio in (0.0, AUTHORS_LOSS_RATIO / 2)
)

AURORA = Recipe(
    name="aurora",
    source="Jay, Rotman, Godfrey, Schapira, Tamar: A Deep Reinforcement Learning Perspective on Internet Congestion "
    "Control, ICML 2019",
    algorithm="ppo",
    parameters={
        **PPO,
        "learning_rate": Falling(1e-3),
        "policy_kwargs": {"log_std_init": -1.0},
    },
    hidden=(32, 16),
    steps=160_000,
    environments=8,
    reward=reward,
    reward_text="0.0001 (10 throughput in packets of 1500 bytes a second - 1000 RTT in s - 2000 loss ratio)",
    scenarios=ScenarioDistribution(queue_bdp=(0.5, 16.0), duration_s=15.0),
    practice=PRACTICE,
    reference=VIVACE,
    rivals=(VIVACE, by_hand("bbr"), by_hand("cubic")),
    paper_setting=PAPER_SETTING,
    notes=(
        "Budget: 160,000 decisions a seed and three seeds. The authors' script (stable_solve.py) takes 3,936,000.",
        "Layers, history, state, action and the reward's weights are the authors'. Learning rate, rollouts and noise "
        "are ours. In training, Vivace's reward in the same scenario at the same time is taken off.",
        "It practises on constant links of 170 and 330 packets a second, with round trips of 20 ms to 1 s, queues of "
        "10 to 2981 packets and losses of 0.1 to 5 %; the authors' simulator has 100 to 500 packets a second, 100 ms "
        "to 1 s, 2 to 2981 packets and 0 to 5 %.",
        "Round trips and losses are drawn evenly by their logarithm; the authors draw them evenly. It is judged on "
        "the laboratory's links, of 10 to 120 ms, as all are.",
        "On links that vary, the same reward taught it to flood them, since a packet of throughput is worth more "
        "there than all that is lost for it: on the validation scenarios such seeds lost half of what they sent and "
        "more. None of those is shipped.",
    ),
)
