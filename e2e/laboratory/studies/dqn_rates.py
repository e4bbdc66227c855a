"""DQN v2 beside CUBIC on links of constant rate, alone and in the same network: experiments A and B of its paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.learned.arms import Arm, is_shipped
from e2e.laboratory.learned.groups import Group, row
from e2e.laboratory.learned.lineup import TITLES, policy_arm
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings, joined, not_shipped
from e2e.laboratory.studies.study import Study
from models.evaluation.student import mean_of_groups
from models.scenarios.constant_rates import ALONE_MBIT_PER_S, DURATION_S, RIVAL, SHARED_MBIT_PER_S, link

NAME = "dqn-v2"
TITLE = TITLES[NAME]
HIGHER = Reach("above", 0.0)
LEAST_SHARE = Reach("at least", 45.0)
LARGEST_SHARE = Reach("at most", 55.0)


def measure(bench: Bench) -> Findings:
    """Alone at each rate, and beside CUBIC at one. Raises PolicyError."""
    if not is_shipped(NAME, bench.settings.policies):
        return not_shipped(TITLE, "constant rates")
    return joined(*_alone(bench), _shared(bench))


def _alone(bench: Bench) -> Iterator[Findings]:
    for mbit_per_s in ALONE_MBIT_PER_S:
        scenario = link(mbit_per_s, duration_s=DURATION_S)
        scenarios = [replace(scenario, seed=seed) for seed in range(1, bench.repeats + 1)]
        arms = (policy_arm(NAME), Arm(RIVAL, RIVAL))
        results = bench.play(f"{TITLE}, alone at {mbit_per_s} Mbit/s", NAME, arms, scenarios)
        pairs = zip(results[TITLE], results[RIVAL], strict=True)
        more = [(one.throughput_bits_per_s - other.throughput_bits_per_s) / 1e6 for one, other in pairs]
        gain = mean_of_groups(more, range(len(more)))
        rows = tuple(row(name, played, is_policy=name == TITLE) for name, played in results.items())
        figure = Figure.of_interval(f"{TITLE} less CUBIC, alone at {mbit_per_s} Mbit/s", gain, "Mbit/s", reach=HIGHER)
        yield Findings((figure,), (Group(f"{mbit_per_s} Mbit/s, alone", rows),))


def _shared(bench: Bench) -> Findings:
    scenario = link(SHARED_MBIT_PER_S, duration_s=DURATION_S, rivals=(RIVAL,))
    scenarios = [replace(scenario, seed=seed) for seed in range(1, bench.repeats + 1)]
    arms = (policy_arm(NAME), Arm(RIVAL, RIVAL))
    results = bench.play(f"{TITLE}, beside CUBIC", NAME, arms, scenarios)
    rows = tuple(row(name, played, is_policy=name == TITLE) for name, played in results.items())
    shares = [
        100 * each.throughput_bits_per_s / (each.throughput_bits_per_s + (each.rival_bits_per_s or 0.0))
        for each in results[TITLE]
    ]
    share = mean_of_groups(shares, range(len(shares)), least=0, most=100)
    what = f"{TITLE}'s share beside CUBIC at {SHARED_MBIT_PER_S} Mbit/s"
    return Findings(
        groups=(Group(f"{SHARED_MBIT_PER_S} Mbit/s, beside CUBIC", rows),),
        figures=tuple(Figure.of_interval(what, share, "%", reach=reach) for reach in (LEAST_SHARE, LARGEST_SHARE)),
    )


STUDY = Study(
    "DQN v2 beside CUBIC at constant rates",
    "100 ms, a queue of 100 packets, 300 s, start included; a seed moves the link's clock. The paper has more "
    "throughput than CUBIC's at every rate, and 49:51 in one network.",
    measure,
    is_of_test_links=True,
)
