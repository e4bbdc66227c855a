"""Ways to lie about what has arrived. All of them are `e2e.abuse.client.connection.AckForger`s."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cc.core.receiver_base import Stamp


class Forger:
    """One that does not listen to stamps."""

    def on_stamp(self, stamp: Stamp, packet_number: int) -> None:
        """Says nothing to it."""


@dataclass(slots=True)
class AcksAhead(Forger):
    """Acknowledges all up to the largest that arrived, and so many more that have not."""

    ahead_packets: int

    def acknowledged(self, received: Sequence[range], *, now_s: float) -> Sequence[range]:
        """Hides losses, too."""
        return [range(0, received[-1].stop + self.ahead_packets)] if received else []
