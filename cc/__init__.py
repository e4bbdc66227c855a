"""Congestion control, alone: schemes, links, and simulation in virtual time."""

COMPILED: str | None = None
"""By what; None: Python runs the sources. A build has another file in the place of this one."""
