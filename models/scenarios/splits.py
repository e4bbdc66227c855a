"""Which traces are for training, which for validation and which for tests, once and for all (`splits.json`).

`python -m models.scenarios.splits` prints what the file must hold. What the benches of e2e/ and the papers' tables
compare schemes over is for tests, and so are the recordings of one operator and the family `steps` as a whole.
TMobile-LTE-short is in no split: it is 140 s of TMobile-LTE-driving, on which policies practise.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from models.scenarios.traces import FAMILIES, catalogue, opportunities_ms, trace_hash

Split = Literal["training", "validation", "test"]
SPLITS_FILE = Path(__file__).parent / "splits.json"

_FIRST_SEED: dict[Split, int] = {"training": 1000, "validation": 2000, "test": 3000}
_SEEDS: dict[Split, int] = {"training": 6, "validation": 2, "test": 2}  # of each mean
_MEANS_MBIT_PER_S: dict[Split, dict[str, tuple[float, ...]]] = {
    "training": {"lte-like": (2, 5, 9, 14), "5g-like": (6, 12, 20, 30), "wifi-like": (3, 6, 12, 20)},
    "validation": {"lte-like": (3, 10), "5g-like": (8, 24), "wifi-like": (4, 15)},
    "test": {"lte-like": (5, 12), "5g-like": (10, 20), "wifi-like": (6, 16)},
}
_NAMED: dict[Split, tuple[str, ...]] = {
    "training": (
        *("2mbit", "4mbit", "8mbit", "16mbit", "32mbit"),
        *("TMobile-LTE-driving", "TMobile-LTE-driving.up", "ATT-LTE-driving", "ATT-LTE-driving.up"),
    ),
    "validation": (*("3mbit", "10mbit", "20mbit", "ATT-LTE-driving-2016"),),
    "test": (
        *("lte-like", "5g-like", "wifi-like", "steps", "5mbit", "6mbit", "12mbit", "24mbit", "50mbit"),
        *("Verizon-LTE-short", "Verizon-LTE-driving", "Verizon-LTE-driving.up"),
    ),
}


class OtherTraceError(ValueError):
    """A trace that is here is not the one that is recorded; the message is one sentence that names it."""


@cache
def split_traces(split: Split) -> tuple[str, ...]:
    """The split's traces that can be had here: recorded ones are left out where they are not installed.

    Raises OtherTraceError for a trace that is not the recorded one.
    """
    return tuple(name for name, digest in _recorded(split).items() if _is_at_hand(name, digest))


def missing_traces(split: Split) -> tuple[str, ...]:
    """The split's traces that are not installed here. Raises OtherTraceError."""
    return tuple(sorted(set(_recorded(split)) - set(split_traces(split))))


def splits_json() -> str:
    """What `splits.json` must hold. Raises UnknownTraceError where a recorded trace is not installed."""
    hashes = {split: {name: trace_hash(opportunities_ms(name)) for name in _names(split)} for split in get_args(Split)}
    return json.dumps(hashes, indent=2)


def _recorded(split: Split) -> dict[str, str]:
    """Names and hashes."""
    recorded: dict[str, str] = json.loads(SPLITS_FILE.read_text(encoding="utf-8"))[split]
    return recorded


def _names(split: Split) -> list[str]:
    seeds = range(_FIRST_SEED[split], _FIRST_SEED[split] + _SEEDS[split])
    means = _MEANS_MBIT_PER_S[split]
    generated = [f"{family}/{mean:g}mbit/{seed}" for family in FAMILIES for mean in means[family] for seed in seeds]
    return [*generated, *_NAMED[split]]


def _is_at_hand(name: str, digest: str) -> bool:
    if "/" in name:
        return True  # generated; a test compares the hashes
    if not catalogue().has(name.removesuffix(".up")):
        return False
    found = trace_hash(opportunities_ms(name))
    if found != digest:
        raise OtherTraceError(
            f"trace {name} here has SHA-256 {found}, and {SPLITS_FILE.name} says {digest}: put that of the package "
            "mahimahi-traces in its place, or remove it"
        )
    return True


if __name__ == "__main__":
    sys.stdout.write(splits_json() + "\n")
