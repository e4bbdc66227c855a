"""Links over which receivers' vectors are recorded, as traces."""

from __future__ import annotations

import random

from cc.links.link import constant_rate_opportunities_ms

SLOW_PACKET_MS = 48
"""0.25 Mbit/s."""


def jumping_rate_ms(seed: int) -> list[int]:
    """A link whose rate jumps between about 2 and 24 Mbit/s."""
    rng = random.Random(seed)
    steps_ms: list[int] = []
    time_ms = 0
    for _ in range(4000):
        time_ms += rng.choice((0, 0, 1, 1, 2, 6))
        steps_ms.append(time_ms)
    return steps_ms


def falling_rate_ms() -> list[int]:
    """24, 6 and 48 Mbit/s, 400 ms each."""
    phases = [[time for time in constant_rate_opportunities_ms(rate) if time <= 400] for rate in (24, 6, 48)]
    return [400 * index + time for index, phase in enumerate(phases) for time in phase]


def pausing_ms() -> list[int]:
    """6 Mbit/s for 0.3 s of each second."""
    return [time for time in constant_rate_opportunities_ms(6) if time <= 300 or time >= 1000]


def becoming_slow_ms() -> list[int]:
    """6 Mbit/s for half a second, then so little that a packet takes longer than stamps may be apart."""
    fast_ms = [time for time in constant_rate_opportunities_ms(6) if time <= 500]
    return [*fast_ms, *range(500 + SLOW_PACKET_MS, 60_000, SLOW_PACKET_MS)]


def with_an_outage_ms(mbit_per_s: float, *, before_s: int, lasts_s: float) -> list[int]:
    """A steady link that carries nothing once in each cycle."""
    second_ms = constant_rate_opportunities_ms(mbit_per_s)
    before_ms = [time + cycle * second_ms[-1] for cycle in range(before_s) for time in second_ms]
    return [*before_ms, *(round(1000 * lasts_s) + before_ms[-1] + time for time in second_ms)]
