"""Links to choose a rule's constants on. `film-gain` judges on others; `qoe` goes over one of these."""

from __future__ import annotations

import os
from collections.abc import Iterator

from cc.links.catalogue import LinkCatalogue, trace_directories
from cc.links.defaults import DEEP_QUEUE_PACKETS, DELAY_MS
from cc.links.queueing.registry import DROPTAIL
from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.matrix.links import load_link, made_link
from e2e.laboratory.request import LinkChoice
from models.scenarios.traces import FAMILIES

MEANS_MBIT_PER_S = (2.5, 5, 9, 15)
"""One link of each family has each."""
SEEDS_APART = 10_000
"""Of generated links: no two searches have one in common, nor has `film-gain` with any."""
RECORDED = ("ATT-LTE-driving", "TMobile-LTE-driving", "Verizon-LTE-driving", "Verizon-LTE-short")
SLOW = ("Verizon-EVDO-driving", 3)
"""Three times as fast as it was, or the lowest rung would not fit."""
CONSTANT = ("1.2mbit", "4mbit")


def training_links(*, seed: int) -> tuple[LoadedLink, ...]:
    """All of them. Raises UnknownLinkError where a recorded one is not installed."""
    return (*generated_links(seed=seed), *map(_named, (*RECORDED, *CONSTANT)), _slow())


def generated_links(*, seed: int) -> Iterator[LoadedLink]:
    """Others with each seed."""
    for family in FAMILIES:
        for number, mean_mbit_per_s in enumerate(MEANS_MBIT_PER_S):
            yield _named(f"{family}/{mean_mbit_per_s}mbit/{SEEDS_APART * seed + number}")


def _named(name: str) -> LoadedLink:
    return load_link(link_choice(name))


def _slow() -> LoadedLink:
    name, times = SLOW
    found = LinkCatalogue(trace_directories(os.environ)).find(name, may_be_file=False)
    assert found.downlink_ms is not None
    assert found.uplink_ms is not None
    downlink_ms = tuple(time_ms for time_ms in found.downlink_ms for _ in range(times))
    uplink_ms = tuple(time_ms for time_ms in found.uplink_ms for _ in range(times))
    return made_link(link_choice(name), name, downlink_ms, uplink_ms)


def link_choice(trace: str) -> LinkChoice:
    """With the queue and delay of `film-gain`."""
    return LinkChoice(trace, DELAY_MS, DEEP_QUEUE_PACKETS, DROPTAIL, loss_ratio=0.0)
