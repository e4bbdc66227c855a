"""Types of command-line arguments, for every Python folder; argparse turns their errors into one sentence.

Pure functions of a text, but for `existing_folder` and `file_to_write`.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

from cc.command_line.nearest import did_you_mean

EXIT_USAGE = 2
MOST_PORT = 65_535
MOST_SEED = 2**32 - 1  # NumPy's
MOST_SECONDS = 86_400.0  # a day
INVALID_CHOICE = re.compile(r"(invalid choice: '([^']*)') \((choose from (.*))\)$")
"""As argparse says it; from Python 3.12 on the names are not quoted."""
ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?")


class OneSentenceParser(argparse.ArgumentParser):
    """Says what is wrong in one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        said = INVALID_CHOICE.sub(_with_the_nearest, message)
        self.exit(EXIT_USAGE, f"{self.prog}: {said}; see {self.prog} --help\n")

    def add_text(self, name: str, metavar: str, default: str | None, text: str) -> None:
        """An option whose value stays text, which somebody else reads; its help tells the default."""
        said = text if default is None else f"{text} ({default})"
        self.add_argument(name, metavar=metavar, default=default, help=said)


def _with_the_nearest(invalid: re.Match[str]) -> str:
    nearest = did_you_mean(invalid[2], (name.strip("' ") for name in invalid[4].split(",")))
    return invalid[0] if nearest is None else f"{invalid[1]}: {nearest} ({invalid[3]})"


def port(text: str) -> int:
    """A UDP port, or 0 for a free one."""
    if not re.fullmatch("[0-9]{1,5}", text) or int(text) > MOST_PORT:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 0 to {MOST_PORT}")
    return int(text)


def origin(text: str) -> str:
    """A page's origin as browsers write it."""
    match = ORIGIN.fullmatch(text)
    if match is None or not 1 <= int(match[1] or 1) <= MOST_PORT:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not an origin as browsers write it: give scheme, host and perhaps a port in lower case and "
            "nothing behind, as in http://localhost:8080"
        )
    return text


def http_url(text: str) -> str:
    """An address to ask over HTTP."""
    try:
        address = urlsplit(text)
        is_address = address.scheme == "http" and bool(address.hostname) and address.port != 0
    except ValueError:  # a port that is no number, brackets that do not close
        is_address = False
    if not is_address:
        raise argparse.ArgumentTypeError(f"{text!r} is not an address such as http://127.0.0.1:8090/lanes/0")
    return text


def number_within(low: float, high: float, unit: str) -> Callable[[str], float]:
    """A type for numbers from `low` to `high`."""

    def read(text: str) -> float:
        value = number_or_nan(text)
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number from {low:g} to {high:g} ({unit})")
        return value

    return read


def at_least(least: float) -> Callable[[str], float]:
    """A type for finite numbers from `least` on."""

    def read(text: str) -> float:
        value = number_or_nan(text)
        if not least <= value < math.inf:
            raise argparse.ArgumentTypeError(f"{text!r} is no number of at least {least:g}")
        return value

    return read


def seconds_up_to(largest_s: float) -> Callable[[str], float]:
    """A type for times above 0."""

    def read(text: str) -> float:
        value = number_or_nan(text)
        if not 0 < value <= largest_s:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from above 0 to {largest_s:.0f}")
        return value

    return read


def whole_within(low: int, high: int, unit: str) -> Callable[[str], int]:
    """A type for whole numbers from `low` to `high`."""

    def read(text: str) -> int:
        if not re.fullmatch("[0-9]{1,12}", text) or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {low} to {high} ({unit})")
        return int(text)

    return read


def count(text: str) -> int:
    """A whole number above 0."""
    if not re.fullmatch("[0-9]{1,18}", text) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)


def generator_seed(text: str) -> int:
    """A count that random generators take as their seed."""
    number = count(text)
    if number > MOST_SEED:
        raise argparse.ArgumentTypeError(f"{text!r} is above {MOST_SEED}, the largest seed")
    return number


def file_to_write(*suffixes: str) -> Callable[[str], Path]:
    """Argparse's type of a file that ends so, in a folder that exists."""

    def parse(text: str) -> Path:
        file = Path(text)
        if file.is_dir() or not file.absolute().parent.is_dir():
            raise argparse.ArgumentTypeError(f"{text!r} is no file in a folder that exists")
        if file.suffix not in suffixes:
            raise argparse.ArgumentTypeError(f"{text!r} is no {' or '.join(f'FILE{suffix}' for suffix in suffixes)}")
        return file

    return parse


def existing_folder(text: str) -> Path:
    """A folder that exists, from the root: processes that are told of it may have been started elsewhere."""
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {text!r}")
    return Path(text).absolute()


def number_or_nan(text: str) -> float:
    """NaN, which no comparison accepts, for what is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan
