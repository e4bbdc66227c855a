"""Whom a policy is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial

from cc.registry import scheme
from models.policies.policy import known_policies, load_policy
from models.scenarios.episode import Contender, MakeContender


@dataclass(frozen=True, slots=True)
class Rival:
    """A contender with a name."""

    name: str
    """In tables and on cards."""
    make: MakeContender
    """A fresh one for each scenario."""
    policy: str | None = None
    """Of models/policies, which it needs; None for a scheme by hand."""
    scheme_name: str | None = None
    """As in cc.registry; None for one with a maker of its own."""

    @property
    def is_there(self) -> bool:
        """Whether its policy, if it needs one, is shipped."""
        return self.policy is None or self.policy in known_policies()


def by_hand(name: str) -> Rival:
    """A scheme of the registry that asks no policy. Its `make` raises UnknownSchemeError."""
    return Rival(name, lambda: Contender(scheme(name)), scheme_name=name)


def by_policy(name: str) -> Rival:
    """A scheme of the registry with its shipped policy. Its `make` loads that, and raises PolicyError."""
    entry = scheme(name)
    if entry.policy is None:
        raise ValueError(f"scheme {name} asks no policy: take by_hand({name!r})")
    load = cache(partial(load_policy, entry.policy))
    return Rival(name, lambda: Contender(entry, decide=load().runner().decide), entry.policy, name)
