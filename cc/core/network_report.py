"""What a network tells of itself: packet counts of those switches on a path that somebody listens to.

Source: Sacco, Flocco, Esposito, Marchetto: Owl (its sections and equations are cited below). A controller collects,
once a second, how many packets each switch under its control received and sent; a sender asks it for them (section V).

An emulated path has one link, and so one place where packets wait. `PathView` stands in for the paper's path of
switches: the link's queue is the output of one of ten switches, the nine others have room to spare and send all that
they receive. Which one it is, and which of the ten are known, is drawn once for a run. So a share of 50 % tells of the
congestion in every other run, and of nothing in the others; the paper has its worst results there ("occasionally
misleading values", section VI.A). What is lost by chance behind the queue is in no switch's counts: it was sent, and
never received.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from cc.core.random_source import RandomSource

REPORT_INTERVAL_S = 1.0  # section III.B, figure 7c
SWITCHES_ON_PATH = 10  # so that the shares which the paper compares are whole numbers of switches


@dataclass(frozen=True, slots=True)
class SwitchCounts:
    """What a switch counted in an interval."""

    received_packets: int
    """P_in."""
    sent_packets: int
    """P_out."""


@dataclass(frozen=True, slots=True)
class NetworkReport:
    """An interval of `REPORT_INTERVAL_S`, as far as the path is known."""

    switches_on_path: int
    known: tuple[SwitchCounts, ...]
    """Counts of the switches that are listened to."""

    def __post_init__(self) -> None:
        """Raises ValueError for more known switches than there are, and for negative counts."""
        if not 0 <= len(self.known) <= self.switches_on_path or self.switches_on_path < 1:
            raise ValueError(f"{len(self.known)} known switches are none of {self.switches_on_path} on a path")
        if any(counts.received_packets < 0 or counts.sent_packets < 0 for counts in self.known):
            raise ValueError(f"switches cannot have counted {self.known}")

    @property
    def known_ratio(self) -> float:
        """Share of the path's switches that are listened to, 0 to 1."""
        return len(self.known) / self.switches_on_path

    @property
    def congestion_packets(self) -> int:
        """Partial network knowledge, eq. 2; 0 where no switch is known."""
        return max((abs(counts.received_packets - counts.sent_packets) for counts in self.known), default=0)


@runtime_checkable
class NetworkAware(Protocol):
    """A scheme that listens to the network."""

    def on_network_report(self, report: NetworkReport, *, now_s: float) -> None:
        """The interval that has just ended; it must change neither window nor rate by itself."""


class PathView:
    """The switches of an emulated path, and those of them that are known."""

    def __init__(self, known_ratio: float, rng: RandomSource) -> None:
        """Draws the bottleneck and the known switches. Raises ValueError for a ratio that is none."""
        if not 0 <= known_ratio <= 1:
            raise ValueError(f"ratio of known switches {known_ratio} must lie in [0, 1]")
        self.bottleneck = int(rng.random() * SWITCHES_ON_PATH)
        """Its place on the path, from the sender."""
        drawn = sorted((rng.random(), switch) for switch in range(SWITCHES_ON_PATH))
        known = round(known_ratio * SWITCHES_ON_PATH)
        self.known = tuple(sorted(switch for _, switch in drawn[:known]))
        """Their places."""

    def report(self, *, entered_packets: int, left_packets: int) -> NetworkReport:
        """The report on what entered the link's queue in an interval and what left it."""
        return NetworkReport(
            SWITCHES_ON_PATH,
            tuple(
                SwitchCounts(
                    received_packets=entered_packets if switch <= self.bottleneck else left_packets,
                    sent_packets=entered_packets if switch < self.bottleneck else left_packets,
                )
                for switch in self.known
            ),
        )
