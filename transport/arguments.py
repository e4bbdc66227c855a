"""Types of command-line arguments; argparse turns their errors into one sentence."""

from __future__ import annotations

import argparse


def port(text: str) -> int:
    """A UDP port, or 0 for a free one."""
    if not text.isdigit() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 0 to 65535")
    return int(text)
