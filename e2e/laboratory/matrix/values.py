"""Values of options: whatever makes no sense is refused with one sentence that names the option."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from cc.command_line.arguments import number_or_nan
from cc.command_line.nearest import choice
from cc.links.limits import Range

NameT = TypeVar("NameT", bound=str)


class OptionError(ValueError):
    """An option that makes no sense; the message is one sentence that names it."""


def number(option: str, text: str, limits: Range) -> float:
    """A number within the limits. Raises OptionError."""
    value = number_or_nan(text)
    if not limits.min <= value <= limits.max:
        raise OptionError(f"--{option} {text}: give a number from {limits.min:.12g} to {limits.max:.12g}")
    return value


def whole(option: str, text: str, limits: Range) -> int:
    """A whole number within the limits. Raises OptionError."""
    value = number(option, text, limits)
    if not value.is_integer():
        raise OptionError(f"--{option} {text}: give a whole number")
    return int(value)


def one_of(option: str, text: str, names: Sequence[NameT]) -> NameT:
    """One of the names. Raises OptionError, which names the nearest, or all."""
    for name in names:
        if name == text:
            return name
    raise OptionError(f"--{option} {text}: {choice(text, names)}")


def list_of(option: str, text: str) -> list[str]:
    """What stands between the commas; no entry is empty or there twice. Raises OptionError."""
    entries = [entry.strip() for entry in text.split(",")]
    if "" in entries:
        raise OptionError(f"--{option} {text}: an entry is empty")
    for index, entry in enumerate(entries):
        if entry in entries[:index]:
            raise OptionError(f"--{option} {text}: {entry} is there twice")
    return entries


def split_settings(option: str, text: str, keys: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Splits `name:key=value:key=value`; a colon that begins no setting belongs to the name. Raises OptionError."""
    settings: dict[str, str] = {}
    name = text.strip()
    while match := re.fullmatch(r"(.*):([a-z]+)=([^:]*)", name, re.DOTALL):
        name, key, value = match.groups()
        if key not in keys:
            raise OptionError(f'--{option} {text}: "{key}" is no setting here; there is {", ".join(keys)}')
        if key in settings:
            raise OptionError(f"--{option} {text}: {key} is there twice")
        settings[key] = value
    return name, settings
