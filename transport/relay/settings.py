"""How a link is emulated: what is asked for, checked, and what is told of it."""

from __future__ import annotations

from dataclasses import dataclass

from cc.links.catalogue import NO_LINK, LinkCatalogue, LinkTraces
from cc.links.limits import LIMITS, Range
from cc.links.link import QueueLimit
from cc.links.queueing.registry import DISCIPLINES, DROPTAIL, MARKING_DISCIPLINES
from cc.links.traces.capacity import capacity_bits_per_s
from transport.relay.queues import QueueKind
from transport.udp.marking import CAN_MARK

BIN_MS = 500
LARGEST_QUEUE_BYTES = 2**30
FIELDS = frozenset({"name", "delay_ms", "queue_packets", "queue_bytes", "loss_ratio", "discipline"})


class LinkSettingsError(ValueError):
    """A link that cannot be emulated; the message is one sentence that names the field and its value."""


@dataclass(frozen=True, slots=True)
class LinkSettings:
    """mm-delay each way, mm-link with a queue for the downlink, mm-loss behind it."""

    name: str
    delay_ms: float
    queue_packets: int | None = None
    queue_bytes: int | None = None
    loss_ratio: float = 0.0
    discipline: str = DROPTAIL

    def __post_init__(self) -> None:
        """Raises LinkSettingsError."""
        _check("delay_ms", self.delay_ms, LIMITS.delay_ms)
        _check("loss_ratio", self.loss_ratio, LIMITS.loss_ratio)
        _check_whole("queue_packets", self.queue_packets, LIMITS.queue_packets)
        _check_whole("queue_bytes", self.queue_bytes, Range(1, LARGEST_QUEUE_BYTES))
        _check_discipline(self.discipline)
        if self.name == NO_LINK:
            self._check_has_no_queue()

    def _check_has_no_queue(self) -> None:
        discipline = None if self.discipline == DROPTAIL else self.discipline
        queue = {"queue_packets": self.queue_packets, "queue_bytes": self.queue_bytes, "discipline": discipline}
        for field, value in queue.items():
            if value is not None:
                raise LinkSettingsError(f"{field} {value!r}: link {NO_LINK} has no queue; name a link, or leave it out")

    @property
    def is_nothing(self) -> bool:
        """Whether everything passes at once."""
        return self.name == NO_LINK and self.delay_ms == 0 and self.loss_ratio == 0

    @property
    def queue(self) -> QueueKind:
        """Of the downlink."""
        return QueueKind(self.discipline, QueueLimit(packets=self.queue_packets, wire_bytes=self.queue_bytes))


def settings_from_json(value: object) -> LinkSettings:
    """Raises LinkSettingsError for anything but an object of `FIELDS` in which `name` and `delay_ms` are."""
    if not isinstance(value, dict):
        raise LinkSettingsError(f"link {value!r} is not an object")
    unknown = sorted(str(key) for key in value if key not in FIELDS)
    if unknown:
        raise LinkSettingsError(f"link has an unknown field {unknown[0]!r}; known fields: {', '.join(sorted(FIELDS))}")
    name = value.get("name")
    if not isinstance(name, str):
        raise LinkSettingsError(f"link's name {name!r} is not a text")
    return LinkSettings(
        name=name,
        delay_ms=value.get("delay_ms", 0),
        queue_packets=value.get("queue_packets"),
        queue_bytes=value.get("queue_bytes"),
        loss_ratio=value.get("loss_ratio", 0),
        discipline=value.get("discipline", DROPTAIL),
    )


@dataclass(frozen=True)
class PreparedLink:
    """Settings with their traces: all that takes time is done."""

    settings: LinkSettings
    traces: LinkTraces
    capacity: dict[str, object] | None
    """What the downlink's trace carries, in bins, as `as_json` tells it."""


def prepare_link(settings: LinkSettings, catalogue: LinkCatalogue, *, may_be_file: bool = False) -> PreparedLink:
    """Read or make the traces that the settings name; a second for the longest recorded ones.

    Raises UnknownLinkError.
    """
    traces = catalogue.find(settings.name, may_be_file=may_be_file)
    if traces.downlink_ms is None:
        return PreparedLink(settings, traces, None)
    bits_per_s = [round(rate) for rate in capacity_bits_per_s(traces.downlink_ms, bin_ms=BIN_MS)]
    capacity = {"bin_ms": BIN_MS, "period_ms": traces.downlink_ms[-1], "bits_per_s": bits_per_s}
    return PreparedLink(settings, traces, capacity)


class EmulatedLink:
    """A link since its trace's time 0."""

    def __init__(self, link: PreparedLink, *, started_s: float, started_at_ms: int) -> None:
        """`started_s` is on the relay's own clock, `started_at_ms` counts since the epoch."""
        self.settings = link.settings
        self.traces = link.traces
        self.started_s = started_s
        self.started_at_ms = started_at_ms
        self._capacity = link.capacity

    def as_json(self) -> dict[str, object]:
        """What the ready line and the answers say."""
        settings = self.settings
        return {
            "name": self.traces.name,
            "title": self.traces.title,
            "delay_ms": settings.delay_ms,
            "queue_packets": settings.queue_packets,
            "queue_bytes": settings.queue_bytes,
            "loss_ratio": settings.loss_ratio,
            "discipline": settings.discipline,
            "started_at_ms": self.started_at_ms,
            "capacity": self._capacity,
        }


def _check(field: str, value: object, limits: Range) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not limits.min <= value <= limits.max:
        raise LinkSettingsError(f"{field} {value!r} is not a number from {limits.min:g} to {limits.max:g}")


def _check_whole(field: str, value: object, limits: Range) -> None:
    if value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool) or not limits.min <= value <= limits.max:
        raise LinkSettingsError(
            f"{field} {value!r} is not a whole number from {limits.min} to {limits.max}, nor null for no limit"
        )


def _check_discipline(discipline: object) -> None:
    if discipline not in DISCIPLINES:
        raise LinkSettingsError(f"discipline {discipline!r} is not one of {', '.join(DISCIPLINES)}")
    if discipline in MARKING_DISCIPLINES and not CAN_MARK:
        others = ", ".join(name for name in DISCIPLINES if name not in MARKING_DISCIPLINES)
        raise LinkSettingsError(
            f"discipline {discipline!r} needs a system that marks each datagram, which of all only Linux does here; "
            f"take one of {others}"
        )
