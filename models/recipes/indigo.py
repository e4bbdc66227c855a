"""Indigo: DAgger towards an oracle that knows the link, with a memory of 32 units."""

from __future__ import annotations

import math

from cc.links.link import OPPORTUNITY_BYTES
from cc.sender.indigo import ACTIONS, next_window_packets
from models.recipes.recipe import Falling, Recipe
from models.scenarios.episode import PACKET_BYTES, Episode, Outcome
from models.scenarios.rival import by_hand
from models.scenarios.scenario import Scenario, ScenarioDistribution

LEAST_LOOK_S = 0.05
"""How far ahead the link's rate is averaged, or a round trip where that is longer: links come in bursts."""
GAIN = 1.5
"""Over the product: ACKs come in groups, and a window of exactly the product leaves the link idle between them.

Of 1, 1.25, 1.5 and 2 it has the most power (utilisation over delay) on training scenarios, played by the oracle itself.
"""
LEAST_SHARE = 0.01


def bandwidth_delay_packets(episode: Episode) -> float:
    """Bandwidth-delay product of what the link will carry, in packets, times `GAIN`."""
    base_rtt_s, now_s = episode.scenario.base_rtt_s, episode.network.now_s
    look_s = max(base_rtt_s, LEAST_LOOK_S)
    rate_bytes_per_s = episode.capacity_bytes(now_s, now_s + look_s) / look_s
    return GAIN * rate_bytes_per_s * base_rtt_s / OPPORTUNITY_BYTES


def reward(outcome: Outcome) -> float:
    """The logarithm of power; nothing is learned from it."""
    rtt_ratio = 1 + outcome.mean_queueing_delay_s / outcome.base_rtt_s
    return math.log2(max(outcome.utilisation, LEAST_SHARE)) - math.log2(rtt_ratio)


def expert(episode: Episode) -> float:
    """The action whose window comes nearest to what the oracle wants (the authors' dagger/experts.py)."""
    window_packets = episode.flow.sender.scheme.cwnd_bytes / PACKET_BYTES
    wanted_packets = bandwidth_delay_packets(episode)
    return min(
        range(len(ACTIONS)), key=lambda action: abs(next_window_packets(window_packets, action) - wanted_packets)
    )


PAPER_SETTING = tuple(  # section 5: links of 5 to 200 Mbit/s, and the testbed's cellular ones
    Scenario(trace, base_rtt_s=0.060, queue_packets=200, duration_s=30.0)
    for trace in ("12mbit", "24mbit", "lte-like", "5g-like", "wifi-like")
)

INDIGO = Recipe(
    name="indigo",
    source="Yan, Ma, Hill, Raghavan, Wahby, Levis, Winstein: Pantheon, USENIX ATC 2018, section 5",
    algorithm="dagger",
    parameters={
        "learning_rate": Falling(3e-3),
        "n_steps": 512,
        "chunk": 64,
        "chunks": 32,
        "updates": 20,
        "memory": 4000,
    },
    hidden=(),
    lstm_units=32,
    steps=60_000,
    environments=8,
    reward=reward,
    reward_text="log2(utilisation) - log2(RTT / base RTT); for the comparison: the policy learns the oracle's actions",
    expert=expert,
    scenarios=ScenarioDistribution(duration_s=10.0),
    rivals=(by_hand("cubic"), by_hand("bbr")),
    paper_setting=PAPER_SETTING,
    notes=(
        "Budget: 60,000 decisions a seed, ten minutes of a link, and three seeds. The paper does not count its "
        "decisions; it trains on 24 emulated links of constant rate and on some calibrated to real paths.",
        f"The oracle wants {GAIN:g} times the bandwidth-delay product of what the link will carry in the next "
        f"{1000 * LEAST_LOOK_S:g} ms, or round trip where that is longer. The authors' knows links of constant "
        "rate, and finds the best window by trying around the product.",
        "The memory has 32 units and scores follow from it at once, as in the published network.",
        "The policy draws its own actions while it plays, from the first rollout on.",
        "It loses more than CUBIC does, as the results show: nothing in its state tells of losses, and a window "
        "that it doubles at the wrong time overflows short queues.",
        "Beside the weights that its authors published (`nuwa models import indigo`), over an episode of each test "
        "trace: throughput 1.033 of theirs (95 %: 0.926 to 1.140), p95 queueing delay 0.893 (0.533 to 1.254), losses "
        "1.029 (0.537 to 1.521). `python -m models.evaluation.beside_shipped indigo --folder .build/imported/indigo "
        "--episodes 1` prints it.",
    ),
)
