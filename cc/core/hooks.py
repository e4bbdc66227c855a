"""Hooks that a scheme may leave out: one whose name is mistyped would never be called, and nobody would be told."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache

from cc.core.decision import Learned
from cc.core.network_report import NetworkAware
from cc.core.receiver_base import ReceiverScheme

CALLED_WHERE_THEY_ARE = (Learned, NetworkAware, ReceiverScheme)
"""No base class of the schemes that have their methods."""
ALIKE = 0.85
"""A letter or two of a hook's name, as difflib counts it; methods of schemes' own are less like any."""


@cache
def mistyped_hook(scheme_class: type) -> str | None:
    """A sentence on a method that is no hook, and has nearly the name of one; None where there is none."""
    bases = scheme_class.__mro__
    contract = [base for base in bases if base.__module__.startswith(f"{__package__}.")]
    hooks = _methods((*contract, *CALLED_WHERE_THEY_ARE))
    for name in sorted(_methods(base for base in bases if base not in contract) - hooks):
        for meant in get_close_matches(name, hooks, n=1, cutoff=ALIKE):
            return f"{scheme_class.__name__}.{name} is no hook, and {meant} is: write that, or a name less like it"
    return None


def _methods(classes: Iterable[type]) -> set[str]:
    return {
        name
        for each in classes
        for name, value in vars(each).items()
        if not name.startswith("_") and (callable(value) or isinstance(value, property))
    }
