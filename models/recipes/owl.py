"""Owl: DQN with layers of 512 and 256 for the utility of eq. 4, over networks of which more or less is known."""

from __future__ import annotations

from cc.sender.owl import utility
from models.recipes.recipe import Recipe
from models.scenarios.episode import Outcome
from models.scenarios.rival import by_hand
from models.scenarios.scenario import Scenario, ScenarioDistribution

KNOWN_RATIOS = (0.0, 0.2, 0.5, 0.8, 1.0)


def reward(outcome: Outcome) -> float:
    """Eq. 4, in shares of what the link carries on average in the whole episode."""
    return utility(outcome.throughput_bytes_per_s(), outcome.lost_bytes_per_s) / outcome.episode.mean_bytes_per_s


PAPER_SETTING = (  # section VI: LTE, 100 s, four fifths known; it names neither delay nor queue
    Scenario("lte-like", base_rtt_s=0.040, queue_packets=100, duration_s=100.0, known_ratio=0.8),
)

CUBIC = by_hand("cubic")

EQ_4_NOTES = (
    "Eq. 4's loss ratio is what was lost over that and what was delivered, which makes the utility 0.3 times the "
    "delivered rate less 0.7 times the lost rate. Nothing in it speaks of delay. A loss counts when the link "
    "loses the packet: a sender declares it up to a second after the decision that made it.",
    "The paper has no unit for throughput: here it is a share of the link's mean rate in the episode.",
    "In training, CUBIC's reward in the same scenario at the same time is taken off: rewards differ more between "
    "scenarios than between actions. Training goes over 300 scenarios again and again.",
    "One policy for all shares of known switches: 0, 20, 50, 80 or 100 % is drawn for each episode.",
    "The paper learns during the run; this policy is trained before it.",
    "The ceiling on the window (three times what the last round trip delivered) is later than the shipped policy's "
    "training; its results are with it.",
)
"""True of all that train with this reward over these networks."""

OWL = Recipe(
    name="owl",
    source="Sacco, Flocco, Esposito, Marchetto: Owl, Congestion Control with Partially Invisible Networks via "
    "Reinforcement Learning",
    algorithm="dqn",
    parameters={
        "learning_rate": 3e-4,
        "buffer_size": 200_000,
        "learning_starts": 10_000,
        "batch_size": 256,
        "gamma": 0.99,
        "n_steps": 20,
        "train_freq": 2,
        "gradient_steps": 1,
        "target_update_interval": 2_500,
        "exploration_fraction": 0.1,
        "exploration_initial_eps": 1.0,
        "exploration_final_eps": 0.02,
    },
    hidden=(512, 256),
    activation="relu",
    steps=400_000,
    reward=reward,
    online_value=utility,
    reward_text="throughput - 0.7 throughput / (1 - loss ratio) (eq. 4), throughput as a share of the link's mean rate",
    scenarios=ScenarioDistribution(known_ratios=KNOWN_RATIOS, pool=300),
    reference=CUBIC,
    rivals=(CUBIC,),
    to_beat=("cubic",),
    paper_setting=PAPER_SETTING,
    notes=(
        *EQ_4_NOTES,
        "The paper gives the layers, the history and the action set, and no other parameter of DQN: learning rate, "
        "discount, memory and exploration are ours. Exploration is epsilon-greedy, as in the DQN that the paper cites; "
        "its algorithm 2 has a softmax without a temperature. The served policy takes the best action.",
        "A step of a few packets shows a round trip or more later: values look twenty decisions ahead before they lean "
        "on themselves (n-step returns), and the discount is a second's.",
        "In training the window is about a hundred packets, where an action of one packet moves its feature by a "
        "thousandth of the range, the largest by a hundredth: steps are hard to make out.",
        "Budget: 400,000 decisions a seed and three seeds. The paper's learns while it runs, and no number is told.",
        "Tried, in validation, where CUBIC has 0.240 and this policy 0.221: values that lean on themselves after one "
        "decision (0.003 after 1,000,000 decisions), after twenty (0.193 after 300,000), the same with losses that "
        "count when the link loses (0.211), and three seeds with the ceiling and a learning rate that falls (0.216, "
        "0.203, 0.202).",
        "Trained by PPO and shown what changed, it is ahead of CUBIC (Owl, PPO).",
        "Learning on during a minute, anew in each run (`python -m models.training.online`), brought 0.2458 where "
        "serving alone had 0.2391 and CUBIC 0.2683: two validation links, a run of each.",
        "Not tried here: a policy for each path, as the paper's has. A trial of 165 s on one LTE path earned 0.2805 "
        "there, where CUBIC has 0.2763 and this policy 0.2668.",
    ),
)
