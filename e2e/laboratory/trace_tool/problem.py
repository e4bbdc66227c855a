"""What the one who typed the command can mend."""

from __future__ import annotations

EXIT_INVALID = 1


class TraceToolError(Exception):
    """One sentence; about a file it begins with `FILE:LINE:`."""
