"""Every generated trace there is, one line each: where its entry stands, as `module:NAME` of this package."""

from __future__ import annotations

from pkgutil import resolve_name

from cc.links.traces.generated import GeneratedTrace

ENTRIES = (
    "lte_like:TRACE",
    "nr_like:TRACE",
    "wifi_like:TRACE",
    "steps:TRACE",
)

TRACES: tuple[GeneratedTrace, ...] = tuple(resolve_name(f"{__package__}.{entry}") for entry in ENTRIES)
