"""`python -m cc speed`: how much faster than real time a scheme is simulated, on one core."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from cc.links.link import Link, QueueLimit, constant_rate_opportunities_ms
from cc.receiver.presets import DEFAULT_PRESET, preset
from cc.registry import scheme
from cc.simulation.one_flow import Simulation
from cc.simulation.request import MakeRng

MEGABITS_PER_S = 12.0
DELAY_S = 0.020
QUEUE_PACKETS = 100
PACKET_BYTES = 1350
SIMULATED_S = 60.0
REPETITIONS = 5


@dataclass(frozen=True, slots=True)
class Speed:
    """The median of some runs."""

    real_time_ratio: float
    packets_per_s: float


def speeds(names: Sequence[str], *, clock_s: Callable[[], float], make_rng: MakeRng) -> Iterator[str]:
    """A line for each scheme. Raises UnknownSchemeError."""
    yield f"{MEGABITS_PER_S:g} Mbit/s, {2000 * DELAY_S:g} ms, {SIMULATED_S:g} s, median of {REPETITIONS}"
    for name in names:
        speed = measure_speed(name, clock_s=clock_s, make_rng=make_rng)
        yield f"{name}: {speed.real_time_ratio:.0f} times real time, {speed.packets_per_s:.0f} packets/s"


def measure_speed(
    name: str,
    *,
    clock_s: Callable[[], float],
    make_rng: MakeRng,
    simulated_s: float = SIMULATED_S,
    repetitions: int = REPETITIONS,
) -> Speed:
    """`clock_s`: seconds that the process has computed."""
    ratios, packet_rates = [], []
    for _ in range(repetitions):
        simulation = _simulation(name, make_rng)
        began_s = clock_s()
        simulation.run_until(simulated_s)
        took_s = clock_s() - began_s
        ratios.append(simulated_s / took_s)
        packet_rates.append(simulation.result().packets_sent / took_s)
    return Speed(median(ratios), median(packet_rates))


def _simulation(name: str, make_rng: MakeRng) -> Simulation:
    entry = scheme(name)
    chosen = preset(DEFAULT_PRESET)
    link = Link(
        constant_rate_opportunities_ms(MEGABITS_PER_S), queue=QueueLimit(packets=QUEUE_PACKETS), delay_s=DELAY_S
    )
    return Simulation(
        entry.make_sender(max_datagram_bytes=PACKET_BYTES, rng=make_rng(name)),
        link,
        return_delay_s=DELAY_S,
        receiver=None if entry.make_receiver is None else entry.make_receiver(chosen.parameters),
    )
