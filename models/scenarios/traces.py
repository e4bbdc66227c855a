"""Traces by name: `lte-like/5mbit/1003` is generated (family, mean, seed), all else is a link of the catalogue.

`TMobile-LTE-driving.up` is a recorded link's uplink. Whatever a name means, it always means the same opportunities.
"""

from __future__ import annotations

import math
import os
import random
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256

from cc.links.catalogue import LinkCatalogue, UnknownLinkError, trace_directories
from cc.links.traces.generated import Family
from cc.links.traces.lte_like import LteLike
from cc.links.traces.nr_like import NrLike
from cc.links.traces.rates import generate
from cc.links.traces.wifi_like import WifiLike

GENERATED_MS = 60_000
FAMILIES: dict[str, Callable[[float], Family]] = {"lte-like": LteLike, "5g-like": NrLike, "wifi-like": WifiLike}
UPLINK = ".up"


class UnknownTraceError(ValueError):
    """No trace has this name here; the message is one sentence that names those there are."""


def catalogue() -> LinkCatalogue:
    """Links with names, among them the recorded ones that are installed."""
    return LinkCatalogue(trace_directories(os.environ))


@cache
def opportunities_ms(name: str) -> tuple[int, ...]:
    """Delivery opportunities of 1504 bytes; the last is the trace's end. Raises UnknownTraceError."""
    if "/" in name:
        return _generated(name)
    try:
        link = catalogue().find(name.removesuffix(UPLINK), may_be_file=False)
    except UnknownLinkError as error:
        raise UnknownTraceError(f"trace {name!r}: {error}; families: {', '.join(FAMILIES)}") from error
    times_ms = link.uplink_ms if name.endswith(UPLINK) else link.downlink_ms
    if times_ms is None:
        raise UnknownTraceError(f"trace {name!r} is no link that could be emulated")
    return tuple(times_ms)


def trace_hash(times_ms: Sequence[int]) -> str:
    """SHA-256 of the trace as mahimahi would have it, one time a line."""
    return sha256("".join(f"{time_ms}\n" for time_ms in times_ms).encode()).hexdigest()


def family_of(name: str) -> str:
    """What a trace is like: a generated family, `rate`, or the recorded link's operator and technology."""
    if "/" in name:
        return name.split("/", maxsplit=1)[0]
    if name.endswith("mbit"):
        return "rate"
    return "-".join(name.split("-")[:2])


def rotated(times_ms: Sequence[int], offset_ms: int) -> list[int]:
    """The trace begun `offset_ms` later; where no opportunity ends it then, with one more."""
    period_ms = times_ms[-1]
    offset_ms %= period_ms
    moved = [(time_ms - offset_ms - 1) % period_ms + 1 for time_ms in times_ms]
    moved.sort()
    if moved[-1] != period_ms:
        moved.append(period_ms)  # the last opportunity is the end
    return moved


def _generated(name: str) -> tuple[int, ...]:
    family, _, rest = name.partition("/")
    mean, _, seed = rest.partition("/")
    if family not in FAMILIES or not mean.endswith("mbit") or not seed.isdecimal():
        known = ", ".join(FAMILIES)
        raise UnknownTraceError(f"trace {name!r} is no FAMILY/MEANmbit/SEED; known families: {known}")
    mbit_per_s = _positive(mean.removesuffix("mbit"))
    if mbit_per_s is None:
        raise UnknownTraceError(
            f"trace {name!r} has no mean above 0: a number of Mbit/s is right, as in lte-like/5mbit/3"
        )
    process = FAMILIES[family](mbit_per_s * 1e6)
    return tuple(generate(process, random.Random(int(seed)), duration_ms=GENERATED_MS))


def _positive(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 < number < math.inf else None
