"""What somebody meant who mistyped a name."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """`did you mean cubic?`; None where no known name is alike."""
    nearest = get_close_matches(name, list(known), n=1)
    return f"did you mean {nearest[0]}?" if nearest else None


def choice(name: str, known: Iterable[str]) -> str:
    """The nearest known name, or all where none is alike."""
    names = list(known)
    return did_you_mean(name, names) or f"choose one of {', '.join(names)}"
