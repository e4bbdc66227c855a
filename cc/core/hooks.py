"""Hooks that a scheme may leave out: one whose name is mistyped would never be called, and nobody would be told."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from cc.core.decision import Learned
from cc.core.network_report import NetworkAware
from cc.core.receiver_base import ReceiverScheme

CALLED_WHERE_THEY_ARE = (Learned, NetworkAware, ReceiverScheme)
"""No base class of the schemes that have their methods."""


@cache
def mistyped_hook(scheme_class: type) -> str | None:
    """A sentence on a method that is no hook, and has nearly the name of one; None where there is none."""
    bases = scheme_class.__mro__
    contract = [base for base in bases if base.__module__.startswith(f"{__package__}.")]
    hooks = _methods((*contract, *CALLED_WHERE_THEY_ARE))
    for name in sorted(_methods(base for base in bases if base not in contract) - hooks):
        for meant in sorted(hooks):
            if "_" in meant and _is_slip(name, meant):  # of one word, as `phase`, a plural is no slip
                return f"{scheme_class.__name__}.{name} is no hook, and {meant} is: write that, or a name less like it"
    return None


def _is_slip(name: str, meant: str) -> bool:
    """Whether a letter is wrong, missing or too many, or two have changed places; case and underscores do not count."""
    shorter, longer = sorted((_letters(name), _letters(meant)), key=len)
    same = next((at for at, letter in enumerate(shorter) if letter != longer[at]), len(shorter))
    here, there = shorter[same:], longer[same:]
    return (
        here == there
        or here == there[1:]
        or (len(here) == len(there) and here[1:] == there[1:])
        or (here[1::-1] == there[:2] and here[2:] == there[2:])
    )


def _letters(name: str) -> str:
    return name.replace("_", "").lower()


def _methods(classes: Iterable[type]) -> set[str]:
    return {
        name
        for each in classes
        for name, value in vars(each).items()
        if not name.startswith("_") and (callable(value) or isinstance(value, property))
    }
