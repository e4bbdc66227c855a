"""Who is compared: schemes by hand, Nuwa with a k or a preset of its own, and policies that are shipped."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from cc.receiver.presets import DEFAULT_PRESET
from cc.registry import scheme
from models.policies.policy import Policy, PolicyError, load_policy
from models.recipes import recipe
from models.recipes.nuwa_rl import nuwa_with
from models.scenarios.episode import Contender
from models.scenarios.rival import Rival


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
    action: float | None = None
    """A learned scheme's answer to each request, instead of its policy's."""
    is_routed: bool = False
    """Whether a known bottleneck is a router of ABC's."""
    rival_of: str | None = None
    """The recipe whose rival of this name it is, for one with a maker of its own."""

    @property
    def policy(self) -> str | None:
        """What must be shipped for it; None for a scheme by hand."""
        if self.rival_of is not None:
            return self._rival(self.rival_of).policy
        return None if self.action is not None else scheme(self.scheme).policy

    def contender(self, policies: Path) -> Contender:
        """A fresh one. Raises UnknownSchemeError, and PolicyError for a policy that cannot serve."""
        if self.rival_of is not None:
            return self._rival(self.rival_of).make()
        entry = scheme(self.scheme)
        if self.action is not None:
            return Contender(entry, preset=self.preset, decide=lambda _request: self.action)
        if entry.policy is not None:
            return Contender(entry, preset=self.preset, decide=_policy(entry.policy, policies).runner().decide)
        if self.k is not None:
            entry = replace(entry, make_receiver=nuwa_with(self.k))
        return Contender(entry, preset=self.preset)

    def _rival(self, of: str) -> Rival:
        return next(rival for rival in recipe(of).rivals if rival.name == self.name)


def is_shipped(policy: str, policies: Path) -> bool:
    """Whether it has a card there."""
    return (policies / f"{policy}.json").is_file()


def model_sha256(policy: str, policies: Path) -> str:
    """Of the model that is shipped. Raises PolicyError for one that cannot be read."""
    file = policies / f"{policy}.onnx"
    try:
        return sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        raise PolicyError(f"model {file} cannot be read: {error.strerror}") from error


@cache
def _policy(name: str, policies: Path) -> Policy:
    return load_policy(name, policies)
