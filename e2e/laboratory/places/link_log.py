"""What one direction of a link logged, in the format of `mm-link --downlink-log`, which the relay writes, too."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from e2e.laboratory.record import RunError, RunFailure

EVENT = re.compile(r"([0-9]+) (?:([#+]) ([0-9]+)|([-d]) ([0-9]+) ([0-9]+))(?: |\Z)")
"""The time, what happened, its size (of drops the packets), and a departure's delay (of drops the size)."""


class LinkLogError(RunError):
    """A log that does not read as mahimahi's."""

    def __init__(self, message: str) -> None:
        super().__init__(RunFailure(message))


@dataclass(slots=True)
class Events:
    """Of one kind, in the order of time."""

    at_ms: list[int] = field(default_factory=list)
    """Since the Unix epoch."""
    wire_bytes: list[float] = field(default_factory=list)
    """As mahimahi counts: UDP payload, 28 of UDP and IP, 4 of TUN."""

    def add(self, at_ms: int, wire_bytes: float) -> None:
        """One more."""
        self.at_ms.append(at_ms)
        self.wire_bytes.append(wire_bytes)


@dataclass(slots=True)
class LinkLog:
    """What happened at the queue."""

    opportunities: Events = field(default_factory=Events)
    """Every one, used or not."""
    arrivals: Events = field(default_factory=Events)
    departures: Events = field(default_factory=Events)
    delays_ms: list[int] = field(default_factory=list)
    """In the queue, of each departure."""
    drops: Events = field(default_factory=Events)


def read_start_s(log: str) -> float:
    """When the trace began, since the Unix epoch. Raises LinkLogError."""
    base = re.search(r"^# base timestamp: ([0-9]+)$", log, re.MULTILINE)
    return (_init_ms(log) + int(base[1] if base else 0)) / 1000


def parse_link_log(text: str) -> LinkLog:
    """Raises LinkLogError. The last line may be cut off: it is left out.

    mahimahi 0.98 as Debian packages it logs no line for a dropped packet; such drops are worked out from arrivals and
    departures.
    """
    init_ms = _init_ms(text)
    log = LinkLog()
    lines = text.split("\n")[:-1]
    for number, line in enumerate(lines, start=1):
        if line and not line.startswith("#"):
            found = EVENT.match(line)
            if found is None:
                raise LinkLogError(f'the link\'s log, line {number}: "{line}" is no event')
            _add_event(log, init_ms, found)
    if not log.drops.at_ms:
        log.drops = _infer_drops(log)
    return log


def _init_ms(log: str) -> int:
    """From when events' times count."""
    match = re.search(r"^# init timestamp: ([0-9]+)$", log, re.MULTILINE)
    if match is None:
        raise LinkLogError("the link's log has no `# init timestamp` line")
    return int(match[1])


def _add_event(log: LinkLog, init_ms: int, found: re.Match[str]) -> None:
    time, one, size, two, first, second = found.groups()
    at_ms = init_ms + int(time)
    match one or two:
        case "#":
            log.opportunities.add(at_ms, int(size))
        case "+":
            log.arrivals.add(at_ms, int(size))
        case "-":
            log.departures.add(at_ms, int(first))
            log.delays_ms.append(int(second))
        case "d":
            packets, wire_bytes = int(first), int(second)
            for _ in range(packets):
                log.drops.add(at_ms, wire_bytes / packets)


def _infer_drops(log: LinkLog) -> Events:
    """The arrivals that never departed, except those that may still have been queued when the log ends.

    A departure's time less its queueing delay is its arrival's time, both whole milliseconds, and the queue is first
    in, first out.
    """
    departures = zip(log.departures.at_ms, log.departures.wire_bytes, log.delays_ms, strict=True)
    left = Counter((at_ms - delay_ms, wire_bytes) for at_ms, wire_bytes, delay_ms in departures)
    decided_before_ms = _last_known_empty_ms(log)
    drops = Events()
    for arrival in zip(log.arrivals.at_ms, log.arrivals.wire_bytes, strict=True):
        if left[arrival] > 0:
            left[arrival] -= 1
        elif arrival[0] < decided_before_ms:
            drops.add(*arrival)
    return drops


def _last_known_empty_ms(log: LinkLog) -> float:
    """Until when every arrival that was not dropped has departed.

    That is so up to the arrival of the last packet served, and up to an opportunity after the last departure: an
    opportunity serves a whole packet, so it found the queue empty.
    """
    last_opportunity_ms = log.opportunities.at_ms[-1] if log.opportunities.at_ms else float("-inf")
    if not log.delays_ms or last_opportunity_ms > log.departures.at_ms[-1]:
        return last_opportunity_ms
    return log.departures.at_ms[-1] - log.delays_ms[-1]
