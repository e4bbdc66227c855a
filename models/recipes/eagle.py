"""Eagle: DAgger towards BBR, with a memory."""

from __future__ import annotations

from typing import cast

from cc.sender.bbr.eagle import ACTIONS, Eagle
from models.recipes.indigo import reward
from models.recipes.recipe import Falling, Recipe
from models.scenarios.episode import Episode
from models.scenarios.rival import by_hand
from models.scenarios.scenario import Scenario, ScenarioDistribution


def expert(episode: Episode) -> float:
    """The action that comes nearest to what BBR would have in flight."""
    scheme = cast("Eagle", episode.flow.learned)
    window_bytes, wanted_bytes = scheme.cwnd_bytes, scheme.taught_window_bytes()
    return min(range(len(ACTIONS)), key=lambda action: abs(window_bytes * ACTIONS[action] - wanted_bytes))


BBR = by_hand("bbr")

PAPER_SETTING = tuple(  # the links that Pantheon has, on which most papers of those years judge
    Scenario(trace, base_rtt_s=0.060, queue_packets=200, duration_s=30.0)
    for trace in ("12mbit", "24mbit", "lte-like", "5g-like", "wifi-like")
)

EAGLE = Recipe(
    name="eagle",
    source="Emara, Li, Chen: Eagle, Refining Congestion Control by Learning from the Experts, INFOCOM 2020; its "
    "abstract",
    algorithm="dagger",
    parameters={
        "learning_rate": Falling(3e-3),
        "n_steps": 128,
        "chunk": 16,
        "chunks": 64,
        "updates": 120,
        "memory": 4000,
    },
    hidden=(),
    lstm_units=32,
    steps=10_000,
    environments=8,
    reward=reward,
    reward_text="log2(utilisation) - log2(RTT / base RTT); for the comparison: the policy learns BBR's actions",
    expert=expert,
    scenarios=ScenarioDistribution(duration_s=10.0),
    rivals=(BBR, by_hand("cubic")),
    paper_setting=PAPER_SETTING,
    notes=(
        "Budget: 10,000 decisions a seed, a round trip each, and three seeds. What the paper took is not public.",
        "Cross-entropy towards BBR's action is all that is learned. The paper goes on from there by reinforcement "
        "learning, whose state and reward are not public.",
        "It earns more than its teacher over the test scenarios, and loses more packets.",
        "The memory has 32 units; the paper's size is not public.",
    ),
)
