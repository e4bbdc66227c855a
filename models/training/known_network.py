"""Owl with more and less of the network known, beside CUBIC and ABC: figure 5 of its paper.

`python -m models.training.known_network` plays the last training's model of seed 1 on the validation scenarios. ABC's
router is where Owl's switch is listened to: a share of the path's switches are routers of ABC's, and where the
bottleneck is none of them, ABC is CUBIC. CUBIC does the same whatever is known.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import get_args

import numpy as np
import onnxruntime

from cc.decision import Decide, DecisionRequest
from cc.link import ChanceLoss, Link, QueueLimit
from cc.network_report import PathView
from cc.queueing.discipline import DropTail
from cc.queueing.registry import make_discipline
from cc.registry import scheme
from cc.simulation.bottleneck import Bottleneck, Carried, ServedBottleneck
from models.card import OBSERVATION
from models.scenarios.episode import Contender, Episode
from models.scenarios.evaluation import Interval, bootstrap
from models.scenarios.scenario import Scenario
from models.scenarios.splits import Split
from models.training.recipes.owl import OWL, reward

KNOWN_RATIOS = (0.0, 0.5, 0.8, 1.0)
OUTPUT = Path(__file__).parents[2] / ".build" / "train"
SCENARIO_SEED = 1


@dataclass(frozen=True, slots=True)
class Result:
    """What a scheme achieved in one scenario."""

    throughput_bits_per_s: float
    rtt_s: float
    utility: float
    """Eq. 4, in shares of the link's mean rate."""


class RoutedEpisode(Episode):
    """With ABC's router at the bottleneck, where that is one of the known switches."""

    def _link(self) -> Link | Bottleneck:
        scenario = self.scenario
        view = PathView(scenario.known_ratio, random.Random(f"{scenario.seed} switches"))
        if view.bottleneck not in view.known:
            return super()._link()
        limit = QueueLimit(packets=scenario.queue_packets)
        queue_rng = random.Random(f"{scenario.seed} queue")
        router: DropTail[Carried] = make_discipline("abc", limit, opportunities_ms=self._trace_ms, rng=queue_rng)
        loss = ChanceLoss(scenario.loss_ratio, random.Random(f"{scenario.seed} loss"))
        return ServedBottleneck(self._trace_ms, router, delay_s=scenario.base_rtt_s / 2, loss=loss)


def play(episode: Episode) -> Result:
    """From beginning to end."""
    whole = episode.run_until(episode.scenario.duration_s)
    delay = whole.queueing_delay()
    rtt_s = whole.base_rtt_s + (0.0 if delay is None else delay.mean_s)
    return Result(8 * whole.throughput_bytes_per_s(), rtt_s, reward(whole))


def results(scenarios: Sequence[Scenario], decide: Decide) -> dict[str, dict[float, list[Result]]]:
    """Of each scheme, by the share that is known; in the scenarios' order."""
    owl, cubic, abc = (scheme(name) for name in ("owl", "cubic", "abc"))
    kinds: dict[str, Callable[[Scenario], Episode]] = {
        "Owl": lambda scenario: Episode(scenario, Contender(owl, decide=decide)),
        "CUBIC": lambda scenario: Episode(scenario, Contender(cubic)),
        "ABC": lambda scenario: RoutedEpisode(scenario, Contender(abc)),
    }
    found: dict[str, dict[float, list[Result]]] = {name: {} for name in kinds}
    for name, make in kinds.items():
        for known_ratio in KNOWN_RATIOS:
            if name == "CUBIC" and known_ratio > 0:
                found[name][known_ratio] = found[name][0.0]
                continue
            played = [play(make(replace(scenario, known_ratio=known_ratio))) for scenario in scenarios]
            found[name][known_ratio] = played
    return found


def table(found: dict[str, dict[float, list[Result]]]) -> str:
    """Markdown; the utility's difference to CUBIC's with its bootstrap interval."""
    lines = [
        "| known | scheme | throughput, Mbit/s | RTT, ms | utility | utility less CUBIC's, 95 % |",
        "| ---: | --- | ---: | ---: | ---: | ---: |",
    ]
    for known_ratio in KNOWN_RATIOS:
        for name, by_ratio in found.items():
            played = by_ratio[known_ratio]
            throughput = fmean(result.throughput_bits_per_s for result in played) / 1e6
            rtt_ms = 1000 * fmean(result.rtt_s for result in played)
            utility = fmean(result.utility for result in played)
            gain = _gain(played, found["CUBIC"][known_ratio])
            lines.append(
                f"| {known_ratio:.0%} | {name} | {throughput:.2f} | {rtt_ms:.1f} | {utility:.4f} | "
                f"{gain.low:+.4f} to {gain.high:+.4f} |"
            )
    return "\n".join(lines)


def _gain(played: Sequence[Result], rivals: Sequence[Result]) -> Interval:
    return bootstrap([ours.utility - theirs.utility for ours, theirs in zip(played, rivals, strict=True)])


def greedy(model: Path) -> Decide:
    """The policy's best action; it has no memory, so that one serves all flows."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.read_bytes(), options, providers=["CPUExecutionProvider"])

    def decide(request: DecisionRequest) -> float:
        (scores,) = session.run(None, {OBSERVATION: np.array([request.observation], np.float32)})
        return int(np.argmax(scores[0]))

    return decide


def main(arguments: Sequence[str]) -> int:
    """0 if all went well, 2 where there is no model."""
    parser = argparse.ArgumentParser(prog="python -m models.training.known_network", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the training (default: 1)")
    parser.add_argument("--split", choices=get_args(Split), default="validation")
    parser.add_argument("--episodes", type=int, default=1, help="of each trace (default: 1)")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="default: .build/train")
    options = parser.parse_args(arguments)
    model = options.output / OWL.name / f"seed-{options.seed}" / f"{OWL.name}.onnx"
    if not model.is_file():
        sys.stderr.write(f"{model} is not there: train it first, npm run train -- --policy owl --seed {options.seed}\n")
        return 2
    scenarios = OWL.scenarios.fixed(options.split, seed=SCENARIO_SEED, episodes_per_trace=options.episodes)
    sys.stdout.write(f"{len(scenarios)} scenarios of {options.split}\n\n{table(results(scenarios, greedy(model)))}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
