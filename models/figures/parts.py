"""The parts of the figures: a file and a line each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from models.figures import bbr_fit_links, dqn_rates, front, known_network, low_rates, rewards, shipped
from models.figures.player import Figures
from models.figures.report import PartReport


@dataclass(frozen=True, slots=True)
class Part:
    """One subject."""

    name: str
    """On the command line."""
    title: str
    text: str
    """How it is measured, for whoever has only the page."""
    report: Callable[[Figures], PartReport]
    is_of_test_links: bool = False
    """Whether it plays links of its own, which are for tests, whatever the split."""


PARTS = (
    Part(
        "rewards",
        "Each policy by its own reward",
        "Every policy and its rivals meet the same episodes over traces that no training saw. Differences of rewards "
        "are those of the pairs; their intervals resample traces, and have to lie above zero. Nuwa-RL has to beat the "
        "k of Nuwa's that was best on training traces; presets with other target delays are shown beside it, and may "
        "have more.",
        rewards.report,
    ),
    Part(
        "bbr-fit-links",
        "BBR-FIT beside BBR over its paper's links",
        "40 ms, a queue of one bandwidth-delay product, 100 s, each seed begun elsewhere in the trace. Latency is the "
        "base round trip and the mean queueing delay. The paper's table III has 1.40 and 0.95.",
        bbr_fit_links.report,
        is_of_test_links=True,
    ),
    Part(
        "low-rates",
        "ZiXia on links of 1.4 Mbit/s",
        "Six generated traces of 1.4 Mbit/s on average, 40 ms, a queue of 100 packets, 30 s. Delay is one way: half "
        "the base round trip and the mean queueing delay. The paper's table III has 1.01 and 0.13.",
        low_rates.report,
        is_of_test_links=True,
    ),
    Part(
        "dqn-rates",
        "DQN v2 beside CUBIC at constant rates",
        "100 ms, a queue of 100 packets, 300 s, start included; a seed moves the link's clock. The paper has more "
        "throughput than CUBIC's at every rate, and 49:51 in one network.",
        dqn_rates.report,
        is_of_test_links=True,
    ),
    Part(
        "known-network",
        "Owl with more and less of the network known",
        "The test traces with 0, 50, 80 and 100 % of the path's switches known. ABC has a router where the bottleneck "
        "is one of these, and is CUBIC elsewhere. The paper's figure 5.",
        known_network.report,
    ),
    Part(
        "front",
        "Nuwa-RL beside Nuwa with a k throughout",
        "Of the episodes in which rewards are compared, those over 4G (generated and recorded LTE) and 5G (generated). "
        "A front joins the k that no other k beats in both measures; outside of it is more throughput at the same "
        "delay, or less delay than any k has. The paper has k = 2 and 7 beside Nuwa-RL (figure 16); the front of all k "
        "that are played is stricter, and marked in the tables. Delays are geometric means: an outage in one episode "
        "of forty would decide about arithmetic ones.",
        front.report,
    ),
    Part(
        "models",
        "The models",
        "Size of the file that is shipped.",
        shipped.report,
    ),
)
