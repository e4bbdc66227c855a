"""What a window ought to be, for who knows the link: the teacher of policies that learn by imitation."""

from __future__ import annotations

from cc.links.link import OPPORTUNITY_BYTES
from models.scenarios.episode import Episode

LEAST_LOOK_S = 0.05
"""How far ahead the link's rate is averaged, or a round trip where that is longer: links come in bursts."""
GAIN = 1.5
"""Over the product: ACKs come in groups, and a window of exactly the product leaves the link idle between them.

Of 1, 1.25, 1.5 and 2 it has the most power (utilisation over delay) on training scenarios, played by the oracle itself.
"""


def bandwidth_delay_packets(episode: Episode) -> float:
    """Bandwidth-delay product of what the link will carry, in packets, times `GAIN`."""
    base_rtt_s, now_s = episode.scenario.base_rtt_s, episode.network.now_s
    look_s = max(base_rtt_s, LEAST_LOOK_S)
    rate_bytes_per_s = episode.capacity_bytes(now_s, now_s + look_s) / look_s
    return GAIN * rate_bytes_per_s * base_rtt_s / OPPORTUNITY_BYTES
