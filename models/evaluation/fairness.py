"""A scheme alone and beside CUBIC on links of constant rate: experiments A and B of Seo and Cho (DQN v1 and v2).

.venv/bin/python -m models.evaluation.fairness dqn-v2 --folder .build/train/dqn-v2/seed-1 --seconds 60
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from cc.command_line.arguments import OneSentenceParser, at_least, count, whole_within
from cc.links.catalogue import FASTEST_MBIT_PER_S
from cc.registry import UnknownSchemeError, scheme
from models.policies.folder import POLICIES
from models.policies.policy import PolicyError, load_policy
from models.scenarios.constant_rates import (
    ALONE_MBIT_PER_S,
    BASE_RTT_S,
    DURATION_S,
    RIVAL,
    SHARED_MBIT_PER_S,
    link,
)
from models.scenarios.episode import Contender, Episode
from models.scenarios.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Alone:
    """What a scheme achieved by itself."""

    bits_per_s: float
    """On the wire."""
    rtt_s: float
    """Base round trip and mean queueing delay."""
    packets_lost: int


def alone(contender: Contender, scenario: Scenario) -> Alone:
    """Experiment A, start included."""
    episode = Episode(scenario, contender)
    outcome = episode.run_until(scenario.duration_s)
    delay = outcome.queueing_delay()
    rtt_s = scenario.base_rtt_s + (0.0 if delay is None else delay.mean_s)
    return Alone(8 * outcome.throughput_bytes_per_s(), rtt_s, episode.flow.sender.packets_lost)


def share(contender: Contender, scenario: Scenario) -> float:
    """Experiment B: the part of what both carried that was the contender's, from 0 to 1."""
    outcome = Episode(scenario, contender).run_until(scenario.duration_s)
    mine, its = (outcome.throughput_bytes_per_s(flow) for flow in range(2))
    return mine / (mine + its)


def contenders(name: str, folder: Path) -> Callable[[], Contender]:
    """Makes a fresh one each time. Raises UnknownSchemeError, and PolicyError for a policy that cannot serve."""
    entry = scheme(name)
    if entry.policy is None:
        return lambda: Contender(entry)
    policy = load_policy(entry.policy, folder)
    return lambda: Contender(entry, decide=policy.runner().decide)


def main(arguments: list[str]) -> int:
    """0 if all went well, 2 for a scheme or policy that there is not."""
    options = _parser().parse_args(arguments)
    try:
        make = {name: contenders(name, options.folder) for name in dict.fromkeys((options.scheme, RIVAL))}
    except (UnknownSchemeError, PolicyError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    for mbit_per_s in options.rates:
        for name, make_contender in make.items():
            found = alone(make_contender(), link(mbit_per_s, duration_s=options.seconds))
            sys.stdout.write(
                f"{mbit_per_s:4} Mbit/s  {name:8} {found.bits_per_s / 1e6:7.2f} Mbit/s  "
                f"RTT {1000 * found.rtt_s:5.1f} ms  {found.packets_lost} lost\n"
            )
            sys.stdout.flush()
    shared = link(SHARED_MBIT_PER_S, duration_s=options.seconds, rivals=(RIVAL,))
    for name, make_contender in make.items():
        shares = [share(make_contender(), replace(shared, seed=seed)) for seed in range(1, options.seeds + 1)]
        listed = ", ".join(f"{100 * each:.1f}" for each in shares)
        sys.stdout.write(f"{SHARED_MBIT_PER_S:4} Mbit/s  {name:8} has {listed} % beside {RIVAL}\n")
        sys.stdout.flush()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = OneSentenceParser(prog="python -m models.evaluation.fairness", description=__doc__)
    parser.add_argument("scheme", help="as cc/registry.py lists them")
    parser.add_argument("--folder", type=Path, default=POLICIES, help="where its policy lies, where it has one")
    rate = whole_within(1, int(FASTEST_MBIT_PER_S), "Mbit/s")
    parser.add_argument("--rates", type=rate, nargs="*", default=ALONE_MBIT_PER_S, help="Mbit/s to be alone at")
    least = f"of each run, at least a round trip of {BASE_RTT_S:g} (default: {DURATION_S:g})"
    parser.add_argument("--seconds", type=at_least(BASE_RTT_S), default=DURATION_S, help=least)
    parser.add_argument("--seeds", type=count, default=3, help="runs beside the rival; a seed moves the link's clock")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
