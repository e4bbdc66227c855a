"""What becomes of a newcomer."""

from __future__ import annotations

import enum


class Verdict(enum.Enum):
    """On the first packet of a connection that would be."""

    ACCEPT = "accepted"
    RETRY = "sent back for a token"  # RFC 9000 section 8.1.2
    DROP = "dropped"
