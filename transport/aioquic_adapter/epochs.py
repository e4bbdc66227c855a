"""Packet spaces and keys are looked up by their epoch, some 25 times a datagram."""

from __future__ import annotations

from aioquic.tls import Epoch


def hash_by_identity() -> None:
    """Before any connection begins.

    Enumerations hash in Python. Members are equal only to themselves, so their identity will do.
    """
    Epoch.__hash__ = object.__hash__  # type: ignore[method-assign]
