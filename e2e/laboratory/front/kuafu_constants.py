"""`python -m e2e.laboratory.front.kuafu_constants`: what each of Kuafu's constants is worth; a search for better ones.

Over training links alone. Each constant is changed by itself, and the front drawn anew; `--search` moves up to four at
a time from where they are, by a generator with a seed, and keeps what wins more pairs and is dominated on fewer links.
"""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace

import numpy as np

from cc.core.nuwa_parameters import NuwaParameters
from cc.links.clock import LinkClocks
from cc.links.defaults import PACKET_BYTES
from cc.links.link import Link, QueueLimit
from cc.receiver.kuafu import Kuafu, KuafuConstants
from cc.receiver.presets import preset
from cc.sender.receiver_driven import ReceiverDriven
from cc.simulation.flow_plan import FlowPlan
from cc.simulation.network import Network
from e2e.laboratory.condition import Condition
from e2e.laboratory.front.command import make_parser
from e2e.laboratory.front.lead import Lead, leads_of
from e2e.laboratory.front.plans import PRESET, conditions_of
from e2e.laboratory.front.runs import LEAST_DELAY_MS, Points, measure
from e2e.laboratory.matrix.trace_window import cut_window_ms
from e2e.laboratory.plan import RunPlan

TRAINING_LINKS = (
    "lte-like/3mbit/101,lte-like/10mbit/102,5g-like/10mbit/201,5g-like/30mbit/202,wifi-like/6mbit/301,"
    "wifi-like/20mbit/302,2mbit,12mbit,steps,Verizon-LTE-short,ATT-LTE-driving,TMobile-LTE-driving,"
    "Verizon-EVDO-driving,Verizon-LTE-driving"
)
RIVALS = "zixia-lean,sprout-ewma,tcp-dstar,copa,vegas,ledbat,bbr,bbr3,cubic,westwood,scream"
FACTORS = (0.5, 2.0)
"""By which each constant is changed by itself."""
STEP = 0.45
"""Standard deviation of the logarithm of a searched constant's change."""
MOST_MOVED = 4
NOT_DOMINATED_WEIGHT = 0.3
"""Beside pairs, which weigh 1."""

Judge = Callable[[KuafuConstants], Lead]


def main(arguments: Sequence[str]) -> int:
    """0 with a line for each that was tried."""
    parser = make_parser("python -m e2e.laboratory.front.kuafu_constants")
    parser.set_defaults(links=TRAINING_LINKS, schemes=RIVALS)
    parser.add_argument("--search", type=float, metavar="S", help="search for so long instead")
    parser.add_argument("--seed", type=int, default=1, help="of the search (%(default)s)")
    options = parser.parse_args(arguments)
    conditions = conditions_of(options)
    rivals = measure(conditions, folder=options.output, jobs=options.jobs, output=sys.stderr).points

    def judge(constants: KuafuConstants) -> Lead:
        return leads_of(with_kuafu(rivals, conditions, constants))[0]

    if options.search is None:
        for what, lead in each_by_itself(judge):
            sys.stdout.write(f"{what}: {describe(lead)}\n")
    else:
        search(judge, random.Random(options.seed), until_s=time.monotonic() + options.search)
    return 0


def each_by_itself(judge: Judge) -> Iterator[tuple[str, Lead]]:
    """The constants as they are, then with one of them changed."""
    yield "as it is", judge(KuafuConstants())
    for name, value in asdict(KuafuConstants()).items():
        for factor in FACTORS:
            yield f"{name} {factor * value:g}", judge(replace(KuafuConstants(), **{name: factor * value}))


def search(judge: Judge, rng: random.Random, *, until_s: float) -> KuafuConstants:
    """The best found; each better one is printed."""
    best = KuafuConstants()
    lead = judge(best)
    while time.monotonic() < until_s:
        tried = moved(best, rng)
        found = judge(tried)
        if worth(found) > worth(lead):
            best, lead = tried, found
            sys.stdout.write(f"{describe(found)} {tried}\n")
    return best


def moved(constants: KuafuConstants, rng: random.Random) -> KuafuConstants:
    """Up to four of them multiplied by what the generator draws."""
    values = asdict(constants)
    names = rng.sample(sorted(values), rng.randint(1, MOST_MOVED))
    return replace(constants, **{name: values[name] * math.exp(rng.gauss(0, STEP)) for name in names})


def worth(lead: Lead) -> float:
    """What the search makes larger."""
    return lead.pairs.value + NOT_DOMINATED_WEIGHT * lead.not_dominated.value


def describe(lead: Lead) -> str:
    """In a line."""
    return (
        f"pairs {lead.pairs.value:.3f}, not dominated {lead.not_dominated.value:.2f}, "
        f"throughput {lead.throughput.value:.3f}, p95 {lead.p95_delay_ms.value:.0f} ms"
    )


def with_kuafu(rivals: Points, conditions: Sequence[Condition], constants: KuafuConstants) -> Points:
    """The rivals' points behind those of Kuafu with these constants."""
    played = [[play(condition, plan, constants) for plan in condition.references] for condition in conditions]
    rates, delays = np.moveaxis(np.array(played), 2, 0)
    return replace(
        rivals,
        schemes=("kuafu", *rivals.schemes),
        is_sender=(False, *rivals.is_sender),
        throughput_bits_per_s=np.concatenate([rates[None], rivals.throughput_bits_per_s]),
        p95_delay_ms=np.concatenate([delays[None], rivals.p95_delay_ms]),
    )


def play(condition: Condition, plan: RunPlan, constants: KuafuConstants) -> tuple[float, float]:
    """Throughput and p95 queueing delay (ms) of one flow in this process."""
    link, start_ms, length_ms = condition.link, plan.link.start_ms, math.ceil(1000 * plan.duration_s)
    rng = random.Random(f"{plan.seed} link")
    bottleneck = Link(
        cut_window_ms(link.downlink_ms, from_ms=start_ms, length_ms=length_ms),
        queue=QueueLimit(packets=plan.link.queue_packets),
        delay_s=plan.link.delay_ms / 1000,
        loss_ratio=plan.link.loss_ratio,
        rng=rng,
    )
    parameters: NuwaParameters = preset(PRESET).parameters
    sender = ReceiverDriven(max_datagram_bytes=PACKET_BYTES, rng=rng)
    network = Network(
        bottleneck,
        [FlowPlan(sender, name="kuafu", receiver=Kuafu(parameters, constants))],
        return_delay_s=plan.link.delay_ms / 1000,
        return_opportunities_ms=cut_window_ms(link.uplink_ms, from_ms=start_ms, length_ms=length_ms),
        clocks=LinkClocks.drawn(random.Random(f"{plan.seed} clock")),
    )
    network.run_until(plan.duration_s)
    record = network.flows[0].record
    delay = record.delays(0.0, plan.duration_s)
    p95_ms = math.nan if delay is None else max(LEAST_DELAY_MS, 1000 * delay.p95_s)
    return 8 * record.wire_bytes(0.0, plan.duration_s) / plan.duration_s, p95_ms


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
