"""What to run next after `nuwa simulate`: one seed shows nothing for sure."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from cc.simulation.omniscient import OMNISCIENT

BENCH_SECONDS = (1.0, 3600.0)
"""What `nuwa bench` takes as `--seconds`."""
SHARED_OPTIONS = ("seconds", "delay", "queue", "discipline", "loss", "preset")
"""Of both commands, with one meaning."""


def bench_command(options: argparse.Namespace, defaults: Mapping[str, object]) -> str | None:
    """The same cells with more seeds. None where `nuwa bench` has no words for them.

    Every report of it has the omniscient sender alone, which is named where it shares the link.
    """
    if Path(options.link).exists() or options.traces or options.policies is not None:
        return None
    least_s, most_s = BENCH_SECONDS
    if not least_s <= options.seconds <= most_s or not options.delay.is_integer():
        return None
    names = options.schemes
    if options.together and len(names) > 1:
        who = f"--flows {','.join(names)}"
    elif alone := [name for name in dict.fromkeys(names) if name != OMNISCIENT]:
        who = f"--schemes {','.join(alone)}"
    else:
        return None
    values = {name: getattr(options, name) for name in SHARED_OPTIONS}
    told = "".join(f" --{name} {_exactly(value)}" for name, value in values.items() if value != defaults[name])
    return f"nuwa bench {who} --links {options.link}{told} --seeds 5"


def _exactly(value: object) -> str:
    return f"{value:.0f}" if isinstance(value, float) and value.is_integer() else f"{value}"
