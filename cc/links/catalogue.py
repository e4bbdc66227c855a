"""The links that can be asked for: by name generated ones and mahimahi's recorded ones, rates, files of any format."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from cc.command_line.clone import build_folder
from cc.command_line.nearest import did_you_mean
from cc.links.link import constant_rate_opportunities_ms
from cc.links.recorded import RecordedTraces, describe_trace, recorded_traces
from cc.links.trace_file import read_trace_file
from cc.links.traces.conversion import as_opportunities
from cc.links.traces.formats.base import ColumnsError, TraceError
from cc.links.traces.generated import Direction, GeneratedTrace
from cc.links.traces.registry import TRACES
from cc.links.traces.trace import TraceOperationError

TRACES_VARIABLE = "NUWA_TRACES"
KNOWN_DIRECTORIES = (
    Path("/usr/share/mahimahi/traces"),  # of the package mahimahi-traces
    build_folder() / "mahimahi" / "traces",  # where e2e's set-up keeps it on a system that no longer has the package
    Path("/opt/nuwa-stream/mahimahi/traces"),  # the same, where the clone lies out of an ordinary user's reach
)
WHERE_RECORDED_ONES_ARE = (
    "recorded links are not here: npm run prepare-machine fetches them (mahimahi-traces; root on Debian or Ubuntu), or "
    f"name their folder in {TRACES_VARIABLE}"
)
MBIT_PER_S_OF_UNIT = {"kbit": 1e-3, "mbit": 1.0, "gbit": 1e3}
FASTEST_MBIT_PER_S = 10_000.0
NO_LINK = "none"
NO_LINK_TITLE = "No emulated link"


class UnknownLinkError(ValueError):
    """No link has this name, or its trace cannot be read; the message is one sentence."""


@dataclass(frozen=True)
class LinkTraces:
    """A link's name, and the delivery opportunities of both directions in ms; null for no emulation."""

    name: str
    title: str
    downlink_ms: Sequence[int] | None
    uplink_ms: Sequence[int] | None


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """What `python -m transport links` tells of a link."""

    name: str
    title: str
    summary: str
    source: Literal["generated", "mahimahi"]


class LinkCatalogue:
    """Looks links up by name, rate or file."""

    def __init__(self, directories: Sequence[Path]) -> None:
        self._directories = tuple(directories)

    def entries(self) -> list[CatalogueEntry]:
        """Everything that has a name."""
        return self.entries_and_notes()[0]

    def entries_and_notes(self) -> tuple[list[CatalogueEntry], list[str]]:
        """The same, and a sentence for each file in the folders that is no link, though its name's end says so."""
        entries = [CatalogueEntry(trace.name, trace.title, trace.summary, "generated") for trace in TRACES]
        notes = list(self._traces_in_folders.notes)
        for name, file in self._recorded.items():
            try:
                summary = describe_trace(file)
            except ValueError as error:
                notes.append(str(error))
            else:
                entries.append(CatalogueEntry(name, title_of(name), summary, "mahimahi"))
        return entries, notes

    def find(self, link: str, *, may_be_file: bool) -> LinkTraces:
        """The traces of a catalogue name, of a rate such as `24mbit`, of `none`, or of a file if that is allowed.

        Raises UnknownLinkError.
        """
        if link == NO_LINK:
            return LinkTraces(link, NO_LINK_TITLE, None, None)
        rate_megabits = parse_rate(link)
        if rate_megabits is not None:
            return _constant(link.lower(), rate_megabits)
        for trace in TRACES:
            if trace.name == link:
                return _generated(trace)
        file = self._recorded.get(link)
        if file is None and may_be_file and os.path.isfile(link):  # no Path, which raises for a name too long
            file = Path(link)
        if file is None:
            raise UnknownLinkError(self._explain_unknown(link, may_be_file=may_be_file))
        return _read_pair(link if file == self._recorded.get(link) else file.name.removesuffix(".down"), file)

    def has(self, link: str) -> bool:
        """Whether it is a name or a rate, and so never taken for a file."""
        return _is_made(link) or link in self._recorded

    @cached_property
    def _traces_in_folders(self) -> RecordedTraces:
        return recorded_traces(self._directories, is_taken=_is_made)

    @property
    def _recorded(self) -> dict[str, Path]:
        return self._traces_in_folders.files

    def _explain_unknown(self, link: str, *, may_be_file: bool) -> str:
        names = [NO_LINK, *(trace.name for trace in TRACES), *self._recorded]
        kinds = "a rate (24mbit), a file, nor" if may_be_file else "a rate (24mbit) nor"
        meant = did_you_mean(link, names)
        sentence = f"link {link!r} is neither {kinds} one of {', '.join(names)}"
        if meant is not None:
            return f"{sentence}; {meant}"
        return sentence if self._recorded else f"{sentence}; {WHERE_RECORDED_ONES_ARE}"


def trace_directories(environment: Mapping[str, str], further: Sequence[Path] = ()) -> list[Path]:
    """Where recorded traces are looked for: options, then the variable NUWA_TRACES, then the known places."""
    named = [Path(part) for part in environment.get(TRACES_VARIABLE, "").split(os.pathsep) if part]
    return [*further, *named, *KNOWN_DIRECTORIES]


def _is_made(link: str) -> bool:
    """Whether the name means a link that needs no file."""
    return link == NO_LINK or parse_rate(link) is not None or any(trace.name == link for trace in TRACES)


def parse_rate(text: str) -> float | None:
    """Megabits per second of `24mbit`, `800kbit`, `1.5mbit`; None if the text is not a rate."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(kbit|mbit|gbit)", text.lower(), re.ASCII)
    return float(match[1]) * MBIT_PER_S_OF_UNIT[match[2]] if match else None


def opportunities_of(trace: GeneratedTrace, direction: Direction) -> list[int]:
    """A generated trace, always the same."""
    return trace.opportunities_ms(direction, random.Random(trace.seed))


def _generated(trace: GeneratedTrace) -> LinkTraces:
    return LinkTraces(trace.name, trace.title, opportunities_of(trace, "downlink"), opportunities_of(trace, "uplink"))


def _constant(name: str, mbit_per_s: float) -> LinkTraces:
    if mbit_per_s > FASTEST_MBIT_PER_S:
        raise UnknownLinkError(f"link {name!r} is too fast to emulate; take at most 10gbit, or none")
    try:
        opportunities_ms = constant_rate_opportunities_ms(mbit_per_s)
    except ValueError as error:
        raise UnknownLinkError(f"link {name!r}: {error}") from error
    return LinkTraces(name, f"{mbit_per_s:g} Mbit/s", opportunities_ms, opportunities_ms)


def _read_pair(name: str, file: Path) -> LinkTraces:
    """`FILE.up` beside `FILE.down` is the uplink; any other file serves both directions."""
    downlink_ms = _read(file)
    uplink_file = file.with_suffix(".up")
    is_pair = file.suffix == ".down" and uplink_file.is_file()
    return LinkTraces(name, title_of(name), downlink_ms, _read(uplink_file) if is_pair else downlink_ms)


def _read(file: Path) -> Sequence[int]:
    try:
        return as_opportunities(read_trace_file(file).trace).times_ms
    except OSError as error:
        raise UnknownLinkError(f"trace {file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UnknownLinkError(f"trace {file} is no text: byte {error.start} is not ASCII, nor UTF-8") from error
    except ColumnsError as error:
        raise UnknownLinkError(f"trace {file}: {error} (nuwa trace convert takes these options)") from error
    except (TraceError, TraceOperationError) as error:
        raise UnknownLinkError(f"trace {file}: {error}") from error


def title_of(name: str) -> str:
    """`Verizon-LTE-short` is Verizon LTE, short."""
    *network, last = name.split("-")
    where = [last] if not last.isdigit() or not network else [network.pop(), last]
    return f"{' '.join(network)}, {' '.join(where)}" if network else name
