"""Congestion control, alone: schemes, links, and simulation in virtual time."""

COMPILED: str | None = None
"""The compiler; None: Python runs the sources. A build has another file in the place of this one."""
