"""Settings of receiver-driven control for kinds of application, read from receiver/presets.json as TypeScript does."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from cc.core.nuwa_parameters import NuwaParameters

PRESETS_FILE = Path(__file__).with_name("presets.json")
DEFAULT_PRESET = "on-demand"


class UnknownPresetError(ValueError):
    """No preset has this name; the message lists those that exist."""


@dataclass(frozen=True, slots=True)
class Preset:
    """T_d, rho and k (Nuwa's equations 4 to 6), and whether it catches up (`catch_up`) and follows a need (`need`)."""

    name: str
    title: str
    target_delay_s: float
    rho_s: float
    k: float
    catches_up: bool
    follows_need: bool
    as_in_paper: bool
    summary: str

    @property
    def parameters(self) -> NuwaParameters:
        """What a receiver is made with."""
        return NuwaParameters(
            target_delay_s=self.target_delay_s,
            rho_s=self.rho_s,
            k=self.k,
            catches_up=self.catches_up,
            follows_need=self.follows_need,
            as_in_paper=self.as_in_paper,
        )


def _read_presets() -> tuple[Preset, ...]:
    return tuple(
        Preset(
            name=entry["name"],
            title=entry["title"],
            target_delay_s=entry["target_delay_ms"] / 1000,
            rho_s=entry["rho_ms"] / 1000,
            k=float(entry["k"]),
            catches_up=entry["catches_up"],
            follows_need=entry["follows_need"],
            as_in_paper=entry["as_in_paper"],
            summary=entry["summary"],
        )
        for entry in json.loads(PRESETS_FILE.read_text(encoding="utf-8"))
    )


PRESETS = _read_presets()


def preset(name: str) -> Preset:
    """The preset of this name. Raises UnknownPresetError."""
    for candidate in PRESETS:
        if candidate.name == name:
            return candidate
    known = ", ".join(candidate.name for candidate in PRESETS)
    raise UnknownPresetError(f"preset {name!r} is unknown; known presets: {known}")
