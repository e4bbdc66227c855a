"""Numbers and folders on command lines, as argparse's `type`: what makes no sense is refused with one sentence."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from pathlib import Path

MOST_SEED = 2**32 - 1  # NumPy's


def count(text: str) -> int:
    """A whole number above 0."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)


def generator_seed(text: str) -> int:
    """A count that random generators take as their seed."""
    number = count(text)
    if number > MOST_SEED:
        raise argparse.ArgumentTypeError(f"{text!r} is above {MOST_SEED}, the largest seed")
    return number


def existing_folder(text: str) -> Path:
    """One that is there."""
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {text!r}")
    return Path(text)


def at_least(least: float) -> Callable[[str], float]:
    """A number that is no less than this, and finite."""

    def amount(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not least <= number < math.inf:
            raise argparse.ArgumentTypeError(f"{text!r} is no number of at least {least:g}")
        return number

    return amount
