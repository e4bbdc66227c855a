"""Links to choose a rule's constants on. `film-gain` judges on others; `qoe` goes over one of these."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence

import msgspec

from cc.links.catalogue import LinkCatalogue, trace_directories
from cc.links.traces.capacity import capacity_bits_per_s
from cc.links.traces.rates import generate
from cc.links.traces.registry import TRACES

BIN_MS = 100
GENERATED_SEEDS = 4
"""Links of each family that has randomness in it."""
RECORDED = ("ATT-LTE-driving", "TMobile-LTE-driving", "Verizon-LTE-driving", "Verizon-LTE-short")
SLOW = ("Verizon-EVDO-driving", 3.0)
"""Three times as fast as it was, or the lowest rung would not fit."""
CONSTANT_BITS_PER_S = (2e6, 6e6)


class QuickLink(msgspec.Struct, frozen=True, rename="camel"):
    """A link's rate in bins of 100 ms; `QuickLink` of `e2e/rule-search/quick-film.ts`."""

    family: str
    name: str
    bits_per_second: list[float]


def training_links(*, seed: int) -> list[QuickLink]:
    """All of them. Raises UnknownLinkError where a recorded one is not installed."""
    return [*_generated(seed), *_recorded(), *_constant()]


def _generated(seed: int) -> Iterator[QuickLink]:
    for trace in TRACES:
        for number in range(GENERATED_SEEDS):
            opportunities_ms = generate(
                trace.downlink, random.Random(1000 * seed + number), duration_ms=trace.duration_ms
            )
            yield QuickLink(trace.name, f"{trace.name} {number}", _rates(opportunities_ms))


def _recorded() -> Iterator[QuickLink]:
    catalogue = LinkCatalogue(trace_directories(os.environ, []))
    for name, factor in (*((name, 1.0) for name in RECORDED), SLOW):
        opportunities_ms = catalogue.find(name, may_be_file=False).downlink_ms
        assert opportunities_ms is not None
        family = "recorded LTE" if factor == 1.0 else "slow"
        yield QuickLink(family, name, [factor * rate for rate in _rates(opportunities_ms)])


def _constant() -> Iterator[QuickLink]:
    for bits_per_s in CONSTANT_BITS_PER_S:
        yield QuickLink("constant", f"{bits_per_s / 1e6:g} Mbit/s", [bits_per_s])


def _rates(opportunities_ms: Sequence[int]) -> list[float]:
    return capacity_bits_per_s(opportunities_ms, bin_ms=BIN_MS)
