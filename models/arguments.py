"""Numbers on command lines, as argparse's `type`: what makes no sense is refused with one sentence."""

from __future__ import annotations

import argparse
import math


def count(text: str) -> int:
    """A whole number above 0."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)


def positive(text: str) -> float:
    """A number above 0, and finite."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
    return number
