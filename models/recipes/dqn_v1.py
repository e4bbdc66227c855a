"""DQN v1: a network of ReLUs alone, and all that v2 has in common with it."""

from __future__ import annotations

from models.recipes.recipe import ClassByName, Falling, Recipe
from models.scenarios.constant_rates import ALONE_MBIT_PER_S, DURATION_S, link
from models.scenarios.episode import Outcome
from models.scenarios.rival import by_hand
from models.scenarios.scenario import ScenarioDistribution

SOURCE = "Seo, Cho: Fairness Enhancement of TCP Congestion Control Using Reinforcement Learning"
EPSILON = 0.015  # eq. 5
THRESHOLD, WINDOW = 0, 1  # of the features of both


def reward(outcome: Outcome) -> float:
    """Eq. 6 with the fair share for Throughput_DQN, "the maximum throughput that will not cause congestion".

    More than that earns nothing.
    """
    return min(1.0, outcome.utilisation * (1 + len(outcome.episode.scenario.rivals)))


def online_value(delivered: float, _lost: float) -> float:
    """Eq. 6, with the largest rate of late for the limit throughput."""
    return delivered


PRACTISED_MBIT_PER_S = (2, 4, 8, 16, 32, 45, 64, 90, 120)
"""Links of one rate each, as the paper's, but none of the rates that the paper, or a test, has."""

SCENARIOS = ScenarioDistribution(
    practised_traces=tuple(f"{mbit_per_s}mbit" for mbit_per_s in PRACTISED_MBIT_PER_S),
    base_rtt_s=(0.020, 0.150),
    queue_bdp=(0.1, 2.0),  # the paper's links have 0.1 to 2.4 with NS-3's queue
    loss_share=0.0,
    rival_sets=((), (), ("cubic",)),
    duration_s=30.0,
    pool=150,
)

NOTES = (
    "The paper gives neither layers nor learning rate, discount, replay buffer or steps: two layers of 64 (ReLU, as it "
    "says), Adam with 5e-4 that falls to 0 (two segments more of a thousand are little to tell apart), a discount of "
    "0.95 (twenty round trips), and the rest near that of Stable-Baselines3.",
    "Epsilon is 0.015 from beginning to end (eq. 5), after 10,000 steps at random that fill the replay buffer.",
    "Stable-Baselines3's DQN has Huber's loss where eq. 2 has the square: for errors below 1 they are the same.",
    "Round trips that probe for the limit throughput go into the replay buffer, too; figure 3 leaves them out.",
    "Eq. 6 with the limit throughput that the scheme knows rewards whoever stays at a limit that is too low as much as "
    "whoever fills the link, and so it learned to stay: in training the limit is the fair share of the link's "
    "capacity, and more than that earns nothing.",
    "The paper learns on the link that it serves; here the policy is learned beforehand on constant links of 2 to "
    "120 Mbit/s, a third of them shared with CUBIC, and serves without learning on.",
    "The first layer adds the difference of the logarithms of window and threshold, which are both of the state.",
    "What the paper leaves open of state machine, limit throughput and heuristic is in cc/sender/dqn/base.py.",
)

DQN_V1 = Recipe(
    name="dqn-v1",
    source=f"{SOURCE}, its [6]",
    algorithm="dqn",
    parameters={
        "learning_rate": Falling(5e-4),
        "buffer_size": 200_000,
        "learning_starts": 10_000,
        "batch_size": 256,
        "gamma": 0.95,
        "train_freq": 1,
        "gradient_steps": 1,
        "target_update_interval": 1_000,
        "exploration_fraction": 1.0,
        "exploration_initial_eps": EPSILON,
        "exploration_final_eps": EPSILON,
        "policy_kwargs": {
            "features_extractor_class": ClassByName("models.training.contrasts:Contrasts"),
            "features_extractor_kwargs": {"pairs": ((WINDOW, THRESHOLD),)},
        },
    },
    hidden=(64, 64),
    activation="relu",  # section III.A
    steps=200_000,
    reward=reward,
    online_value=online_value,
    reward_text="min(1, throughput / fair share) (eq. 6, with the link's truth for the limit throughput)",
    scenarios=SCENARIOS,
    rivals=(by_hand("cubic"),),
    to_beat=("cubic",),
    paper_setting=tuple(link(mbit_per_s, duration_s=DURATION_S) for mbit_per_s in ALONE_MBIT_PER_S),
    notes=(
        *NOTES,
        "Of v1 the paper tells the state, the activation and what it has in common with v2; its own paper was not at "
        "hand, so the state machine is v2's.",
    ),
)
