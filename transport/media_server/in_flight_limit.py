"""What all connections may have in flight together; apart, so that a command line names it without aioquic."""

from __future__ import annotations

ALL_IN_FLIGHT_LIMIT_BYTES = 12 * 2**20
"""The default: what a process sends in a quarter of a second. Five connections never meet it. More do where their round
trips, queues included, are longer than that."""
