"""`python -m models.evaluation.vectors NAME` prints a policy's answers to recorded states, which bind the browser."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from cc.command_line.arguments import OneSentenceParser, count
from cc.core.decision import DecisionRequest
from cc.registry import scheme
from models.policies.card import OBSERVATION, STATES
from models.policies.folder import POLICIES
from models.policies.policy import Policy, PolicyError, load_policy
from models.scenarios.episode import Contender, Episode
from models.scenarios.scenario import Scenario

TRACES = ("lte-like", "5g-like", "wifi-like", "12mbit")
EPISODE_S = 30.0
DIGITS = 7  # significant ones; a float32 has no more


def vectors(name: str, folder: Path, count: int) -> dict[str, Any]:
    """`count` states of simulated flows, by episode, with the model's numbers and its action. Raises PolicyError."""
    policy = load_policy(name, folder)
    session = onnxruntime.InferenceSession(folder / f"{name}.onnx", providers=["CPUExecutionProvider"])
    episodes = list(_episodes(policy, count))
    return {
        "policy": policy.card.name,
        "sha256": policy.card.sha256,
        "answer": policy.card.output,
        "episodes": [_answered(policy, session, observations) for observations in episodes],
    }


def _episodes(policy: Policy, count: int) -> Iterator[list[list[float]]]:
    """The observations of one flow after another, until there are as many."""
    share = -(-count // len(TRACES))
    for trace in TRACES:
        observations = _observations(policy, Scenario(trace, 0.04, queue_packets=100, duration_s=EPISODE_S), share)
        count -= len(observations)
        yield observations
    if count > 0:
        raise PolicyError(f"policy {policy.card.name} was asked {count} times too few in {EPISODE_S:g} s of each trace")


def _observations(policy: Policy, scenario: Scenario, most: int) -> list[list[float]]:
    runner = policy.runner()
    observations: list[list[float]] = []

    def decide(request: DecisionRequest) -> float | None:
        observations.append([float(f"{value:.{DIGITS}g}") for value in request.observation])
        return runner.decide(request)

    episode = Episode(scenario, Contender(scheme(policy.card.scheme), decide=decide))
    while len(observations) < most and not episode.is_over:
        episode.run_until(min(episode.network.now_s + 1.0, scenario.duration_s))
    return observations[:most]


def _answered(
    policy: Policy, session: onnxruntime.InferenceSession, observations: Sequence[Sequence[float]]
) -> list[dict[str, Any]]:
    """By the model itself, so that its numbers are seen, and by the runner that serves."""
    card = policy.card
    states = {} if card.recurrent_units is None else dict.fromkeys(STATES, card.recurrent_units)
    memory = {state: np.zeros((1, units), np.float32) for state, units in states.items()}
    runner = policy.runner()
    steps = []
    for sequence, observation in enumerate(observations):
        inputs = {OBSERVATION: np.array([observation], np.float32), **memory}
        answer, *following = session.run([card.output, *(f"next_{state}" for state in states)], inputs)
        memory = dict(zip(states, following, strict=True))
        action = runner.decide(DecisionRequest(sequence, tuple(observation)))
        steps.append({"observation": observation, "answer": [float(value) for value in answer[0]], "action": action})
    return steps


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a policy's vectors; 2 where there is no such policy."""
    parser = OneSentenceParser(prog="python -m models.evaluation.vectors", description=__doc__)
    parser.add_argument("name", metavar="NAME", help="a policy")
    parser.add_argument("--folder", type=Path, default=POLICIES, help="where it lies (default: models/policies)")
    parser.add_argument("--count", type=count, default=1000, help="states (default: 1000)")
    chosen = parser.parse_args(arguments)
    try:
        found = vectors(chosen.name, chosen.folder, chosen.count)
    except PolicyError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(as_text(found))
    return 0


def as_text(found: dict[str, Any]) -> str:
    """JSON with one line for each step."""
    episodes = [",\n".join(json.dumps(step) for step in steps) for steps in found["episodes"]]
    head = {name: value for name, value in found.items() if name != "episodes"}
    body = ",\n".join(f"[\n{steps}\n]" for steps in episodes)
    return f'{json.dumps(head)[:-1]}, "episodes": [\n{body}\n]}}\n'


if __name__ == "__main__":
    sys.exit(main())
