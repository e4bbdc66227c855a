"""Every attack there is, one line each: the module of `e2e.abuse.attacks` whose `ATTACK` it is."""

from __future__ import annotations

from pkgutil import resolve_name

from e2e.abuse.attack import Attack

ENTRIES = (
    "acks_ahead",
    "feedback_huge_window",
)

ATTACKS: tuple[Attack, ...] = tuple(resolve_name(f"e2e.abuse.attacks.{entry}:ATTACK") for entry in ENTRIES)


class UnknownAttackError(ValueError):
    """No attack has this name; the message lists those that exist."""


def attack(name: str) -> Attack:
    """The attack of this name. Raises UnknownAttackError."""
    for candidate in ATTACKS:
        if candidate.name == name:
            return candidate
    known = ", ".join(candidate.name for candidate in ATTACKS)
    raise UnknownAttackError(f"attack {name!r} is unknown; known attacks: {known}")
