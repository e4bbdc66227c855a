"""A link's traces, for every place the same."""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from cc.links.catalogue import LinkCatalogue, UnknownLinkError, parse_rate, trace_directories
from cc.links.link import OPPORTUNITY_BYTES
from cc.links.traces.formats.mahimahi import format_trace
from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.request import LinkChoice
from models.scenarios.traces import FAMILIES, UnknownTraceError, family_of, opportunities_ms

_PERIOD_MS = 10_000
"""Of a constant rate's trace: long, so that a whole number of opportunities comes within 602 bit/s of any rate."""


def load_link(choice: LinkChoice, directories: Sequence[Path] = ()) -> LoadedLink:
    """Finds the traces, recorded ones in these directories, too; or makes one, of `FAMILY/MEANmbit/SEED`.

    Raises UnknownLinkError.
    """
    if choice.trace.split("/", maxsplit=1)[0] in FAMILIES and "/" in choice.trace and not Path(choice.trace).exists():
        return _generated(choice)
    mbit_per_s = parse_rate(choice.trace)
    if mbit_per_s is not None:
        name = choice.trace.lower()
        downlink_ms = uplink_ms = _constant_rate_ms(name, mbit_per_s)
    else:
        catalogue = LinkCatalogue(trace_directories(os.environ, directories))
        traces = catalogue.find(choice.trace, may_be_file=True)
        if traces.downlink_ms is None or traces.uplink_ms is None:
            raise UnknownLinkError(f"link {choice.trace} has no trace")
        name = Path(traces.name).name
        downlink_ms, uplink_ms = tuple(traces.downlink_ms), tuple(traces.uplink_ms)
    return made_link(choice, name, downlink_ms, uplink_ms)


def family(link: str) -> str:
    """What it is like: a generated family, `rate`, a recorded link's kind, or the folder of a user's file."""
    if parse_rate(link) is not None:
        return "rate"
    if link.split("/", maxsplit=1)[0] not in FAMILIES and Path(link).is_file():
        return Path(link).resolve().parent.name
    return family_of(link)


def families_of(links: Mapping[str, LoadedLink]) -> dict[str, str]:
    """What each of a matrix's links is like, by their names there."""
    return {name: family(link.choice.trace) for name, link in links.items()}


def made_link(choice: LinkChoice, name: str, downlink_ms: tuple[int, ...], uplink_ms: tuple[int, ...]) -> LoadedLink:
    """A link of these opportunities."""
    return LoadedLink(choice, name, downlink_ms, uplink_ms, _sha256(downlink_ms), _sha256(uplink_ms))


def _generated(choice: LinkChoice) -> LoadedLink:
    try:
        times_ms = opportunities_ms(choice.trace)
    except UnknownTraceError as error:
        raise UnknownLinkError(str(error)) from error
    return made_link(choice, choice.trace, times_ms, times_ms)


def _constant_rate_ms(name: str, mbit_per_s: float) -> tuple[int, ...]:
    """Evenly spread opportunities, each at the end of its share of the period: the last one ends the period."""
    count = round(mbit_per_s * 1e6 * _PERIOD_MS / 1000 / (8 * OPPORTUNITY_BYTES))
    if count < 1:
        raise UnknownLinkError(f"link {name!r} is too slow: take at least 2kbit")
    return tuple(math.ceil(index * _PERIOD_MS / count) for index in range(1, count + 1))


def _sha256(opportunities_ms: Sequence[int]) -> str:
    return hashlib.sha256(format_trace(opportunities_ms).encode()).hexdigest()
