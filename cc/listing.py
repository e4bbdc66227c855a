"""The registry as JSON, for every part that is not Python, and as README's table."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from cc.command_line.arguments import OneSentenceParser
from cc.core.nuwa_parameters import ParameterName
from cc.receiver.presets import DEFAULT_PRESET, PRESETS
from cc.registry import DEFAULT_SCHEME, SCHEMES

PRESET_NAMES: dict[ParameterName, str] = {"target_delay_s": "target_delay_ms", "rho_s": "rho_ms"}
"""Preset names of parameters that presets have in other units."""


def registry_json() -> str:
    """Schemes, presets and defaults, as the server and the page read them."""
    registry = {
        "schemes": [
            {
                "name": scheme.name,
                "title": scheme.title,
                "control": scheme.control,
                "family": scheme.family,
                "summary": scheme.summary,
                "source": scheme.source,
                "policy": scheme.policy,
                "reads": [PRESET_NAMES.get(name, name) for name in scheme.reads],
            }
            for scheme in SCHEMES
        ],
        "presets": [
            {
                "name": preset.name,
                "title": preset.title,
                "target_delay_ms": round(preset.target_delay_s * 1000, 6),
                "rho_ms": round(preset.rho_s * 1000, 6),
                "k": preset.k,
                "catches_up": preset.catches_up,
                "follows_need": preset.follows_need,
                "as_in_paper": preset.as_in_paper,
                "summary": preset.summary,
            }
            for preset in PRESETS
        ],
        "defaults": {"scheme": DEFAULT_SCHEME, "preset": DEFAULT_PRESET},
    }
    return json.dumps(registry, indent=2)


def scheme_table() -> str:
    """The schemes as a Markdown table."""
    rows = [
        f"| `{scheme.name}` | {scheme.title} | {scheme.family} | {scheme.summary} | {scheme.source} |"
        for scheme in SCHEMES
    ]
    return "\n".join(["| name | title | family | what it does | source |", "| --- | --- | --- | --- | --- |", *rows])


def main(arguments: Sequence[str], *, prog: str) -> int:
    """Print what was asked for; exits with 2 for arguments that are not known."""
    options = _parser(prog).parse_args(arguments)
    sys.stdout.write((scheme_table() if options.table else registry_json()) + "\n")
    return 0


def _parser(prog: str) -> OneSentenceParser:
    parser = OneSentenceParser(
        prog=prog,
        description="Congestion control: the registry of schemes and presets, as JSON.",
        allow_abbrev=False,
    )
    parser.add_argument("--table", action="store_true", help="the schemes as README.md's table instead")
    return parser
