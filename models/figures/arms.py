"""Who is compared: schemes by hand, Nuwa with a k or a preset of its own, and policies that are shipped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from cc.presets import DEFAULT_PRESET
from cc.receiver.nuwa import Nuwa, NuwaParameters
from cc.registry import scheme
from models.policy import Policy, load_policy
from models.scenarios.episode import Contender


@dataclass(frozen=True, slots=True)
class Arm:
    """A contender by name, so that other processes can make it."""

    name: str
    """In tables."""
    scheme: str
    """As in cc.registry; a learned one has its shipped policy."""
    preset: str = DEFAULT_PRESET
    """Nuwa's."""
    k: float | None = None
    """Nuwa's, throughout; None: the preset's, or what a policy makes of it."""
    is_routed: bool = False
    """Whether a known bottleneck is a router of ABC's."""

    @property
    def policy(self) -> str | None:
        """What must be shipped for it; None for a scheme by hand."""
        return scheme(self.scheme).policy

    def contender(self, policies: Path) -> Contender:
        """A fresh one. Raises UnknownSchemeError, and PolicyError for a policy that cannot serve."""
        entry = scheme(self.scheme)
        if entry.policy is not None:
            return Contender(entry, preset=self.preset, decide=_policy(entry.policy, policies).runner().decide)
        if self.k is not None:
            entry = replace(entry, make_receiver=_nuwa_with(self.k))
        return Contender(entry, preset=self.preset)


def is_shipped(policy: str, policies: Path) -> bool:
    """Whether it has a card there."""
    return (policies / f"{policy}.json").is_file()


def model_sha256(policy: str, policies: Path) -> str:
    """Of the model that is shipped."""
    return sha256((policies / f"{policy}.onnx").read_bytes()).hexdigest()


@cache
def _policy(name: str, policies: Path) -> Policy:
    return load_policy(name, policies)


def _nuwa_with(k: float) -> Callable[[NuwaParameters], Nuwa]:
    def make_receiver(parameters: NuwaParameters) -> Nuwa:
        return Nuwa(replace(parameters, k=k))

    return make_receiver
