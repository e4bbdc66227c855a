"""Skeletons in cc: a sender scheme, a family of traces."""

from __future__ import annotations

import hashlib
import random
import re
import sys
import tempfile
from collections.abc import Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import get_args

from cc.core.scheme import Family
from cc.links.traces.formats.mahimahi import format_trace
from cc.links.traces.generated import Direction, GeneratedTrace
from cc.links.traces.registry import TRACES
from cc.registry import SCHEMES
from cc.simulation.omniscient import OMNISCIENT
from e2e.laboratory.request import SELF
from e2e.nuwa.new.skeleton import NAMES, Name, Skeleton, filled, read, with_line_after_last, with_name_in_union

SCHEME_FAMILY: Family = "Loss-based"
SCHEME_SUMMARY = "One packet more each round trip, three quarters of the window after a loss."
SCHEME_SOURCE = "none yet"
RESERVED_SCHEMES = (OMNISCIENT, SELF)
"""Which commands take for the oracle, and for the scheme under test."""


def scheme_skeleton(name: Name, root: Path, _of: str | None) -> Skeleton:
    """A sender scheme: its file, its line in the registry, its row in README.md, its test."""
    values = {**name.spellings, "family": SCHEME_FAMILY, "summary": SCHEME_SUMMARY, "source": SCHEME_SOURCE}
    row = scheme_row(values["name"], values["title"], SCHEME_FAMILY, SCHEME_SUMMARY, SCHEME_SOURCE)
    return Skeleton(
        files={
            f"cc/sender/{name.module}.py": filled("scheme.py", values),
            f"cc/tests/test_{name.module}.py": filled("test_scheme.py", values),
        },
        edits=registered(root, name, f"sender.{name.module}:SCHEME", row),
        advice=f"npm run nuwa -- simulate {name.name} cubic; npm test -- cc {name.module} registry contract",
        taken=taken_scheme(name, values["title"]),
    )


def trace_skeleton(name: Name, root: Path, _of: str | None) -> Skeleton:
    """A family of traces: its file with the hashes, its line in the registry, its row in README.md, its test."""
    unknown_yet = {"summary": "", "downlink_sha256": "", "uplink_sha256": ""}
    trace: GeneratedTrace = module_of(filled("trace.py", {**name.spellings, **unknown_yet}), name.module).TRACE
    values = {**name.spellings, "summary": _trace_summary(trace)}
    hashes = {f"{direction}_sha256": _sha256(trace, direction) for direction in get_args(Direction)}
    row = f"| `{name.name}` | `{name.module}.py` | two levels that alternate, around 6 Mbit/s | {trace.seed}, 60 s |"
    registry, readme = "cc/links/traces/registry.py", "cc/README.md"
    is_taken = any(each.name == name.name for each in TRACES)
    return Skeleton(
        files={
            f"cc/links/traces/{name.module}.py": filled("trace.py", {**values, **hashes}),
            f"cc/tests/test_{name.module}.py": filled("test_trace.py", values),
        },
        edits={
            registry: with_line_after_last(read(root, registry), r'^    "\w+:TRACE",$', f'    "{name.module}:TRACE",'),
            readme: with_line_after_last(read(root, readme), rf"^\| `{re.escape(TRACES[-1].name)}` \|", row),
        },
        advice=f"npm run nuwa -- trace show {name.name}; npm test -- cc {name.module} traces",
        taken=f"a trace is called {name.name} already: choose another name" if is_taken else None,
    )


def taken_scheme(name: Name, title: str) -> str | None:
    """Why a scheme cannot be called so; None if it can."""
    if name.name in RESERVED_SCHEMES:
        return f"{name.name} means something else where schemes are named: choose another name"
    for each in SCHEMES:
        if name.name == each.name or title == each.title:
            return f"a scheme is called {each.name} ({each.title}) already: choose another name"
    return None


def registered(root: Path, name: Name, entry: str, row: str) -> Mapping[str, str]:
    """The registry with the entry, README.md with what `python -m cc --table` then prints, and the library's names."""
    registry, readme = "cc/registry.py", "cc/README.md"
    return {
        registry: with_line_after_last(
            read(root, registry), r'^    "(sender|receiver)\.[\w.]+:\w+",$', f'    "{entry}",'
        ),
        readme: with_line_after_last(read(root, readme), rf"^\| `{re.escape(SCHEMES[-1].name)}` \|", row),
        NAMES: with_name_in_union(read(root, NAMES), "SchemeName", name.name),
    }


def scheme_row(name: str, title: str, family: Family, summary: str, source: str) -> str:
    """As `python -m cc --table` prints it."""
    return f"| `{name}` | {title} | {family} | {summary} | {source} |"


def module_of(source: str, module: str) -> ModuleType:
    """What a file would be that is not written yet."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{module}.py"
        file.write_text(source, encoding="utf-8")
        spec = spec_from_file_location(f"skeleton_of_{module}", file)
        assert spec is not None
        assert spec.loader is not None
        made = module_from_spec(spec)
        sys.modules[spec.name] = made  # dataclasses look their module up
        try:
            spec.loader.exec_module(made)
        finally:
            del sys.modules[spec.name]
    return made


def _trace_summary(trace: GeneratedTrace) -> str:
    """With the levels that it has: what is scaled to a mean is known when it is made."""
    rates = trace.downlink.rates_bits_per_s(random.Random(trace.seed), duration_ms=trace.duration_ms)
    high, low = max(rates) / 1e6, min(rates) / 1e6
    return f"Alternates between {high:.1f} and {low:.1f} Mbit/s, every 3 s or so; repeats after a minute."


def _sha256(trace: GeneratedTrace, direction: Direction) -> str:
    text = format_trace(trace.opportunities_ms(direction, random.Random(trace.seed)))
    return hashlib.sha256(text.encode("ascii")).hexdigest()
