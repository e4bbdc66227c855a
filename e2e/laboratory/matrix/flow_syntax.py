"""How schemes and flows are written.

Flows: `NAME[*COUNT][@START[-STOP]][:KEY=VALUE]...`, several of them behind commas, or a bare number: so many flows of
the scheme under test, whose name in a list is `self`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from cc.command_line.arguments import number_or_nan
from cc.command_line.nearest import choice
from cc.receiver.presets import DEFAULT_PRESET, PRESETS
from cc.registry import SCHEMES
from cc.simulation.omniscient import OMNISCIENT
from e2e.laboratory.matrix.values import OptionError, split_settings
from e2e.laboratory.plan import INTERVAL_S, OnOff
from e2e.laboratory.request import SELF, FlowTemplate, SchemeChoice

MOST_FLOWS = 64


@dataclass(frozen=True, slots=True)
class Context:
    """What is meant where a flow says nothing."""

    duration_s: float
    preset: str = DEFAULT_PRESET


def parse_scheme(text: str, context: Context) -> SchemeChoice:
    """`nuwa:preset=live`. Raises OptionError."""
    name, settings = split_settings("schemes", text, ["preset"])
    scheme = _known_scheme(name)
    return SchemeChoice(scheme, _preset(scheme, settings.get("preset")) or context.preset)


def parse_flows(text: str, context: Context) -> tuple[FlowTemplate, ...]:
    """`2`, or `self,cubic@10-40:rtt=80`. Raises OptionError."""
    if re.fullmatch("[0-9]+", text):
        flows = _repeated(_parse_flow(SELF, context), int(text), text)
    else:
        flows = [flow for group in text.split(",") for flow in _parse_group(group.strip(), context)]
    if not 1 <= len(flows) <= MOST_FLOWS:
        raise OptionError(f"--flows {text}: give from 1 to {MOST_FLOWS} flows")
    return tuple(flows)


def _parse_group(text: str, context: Context) -> list[FlowTemplate]:
    match = re.fullmatch(r"([^*@:]*)\*([0-9]+)(.*)", text, re.DOTALL)
    if match is None:
        return [_parse_flow(text, context)]
    return _repeated(_parse_flow(match[1] + match[3], context), int(match[2]), text)


def _repeated(flow: FlowTemplate, count: int, text: str) -> list[FlowTemplate]:
    if count > MOST_FLOWS:
        raise OptionError(f"--flows {text}: give from 1 to {MOST_FLOWS} flows")
    return [flow] * count


def _parse_flow(text: str, context: Context) -> FlowTemplate:
    head, settings = split_settings("flows", text, ["preset", "rtt", "source"])
    name, _, times = head.partition("@")
    scheme = name if name == SELF else _known_scheme(name, SELF)
    start_s, stop_s = _parse_times(times, text, context.duration_s) if "@" in head else (0.0, None)
    return FlowTemplate(
        scheme=scheme,
        preset=_preset(scheme, settings.get("preset")),
        start_s=start_s,
        stop_s=stop_s,
        rtt_ms=_parse_rtt_ms(settings.get("rtt"), text),
        source=_parse_source(settings.get("source", "bulk"), text),
    )


def _parse_times(times: str, flow: str, duration_s: float) -> tuple[float, float | None]:
    """`10` or `10-40`: seconds, in whole intervals."""
    start, dash, stop = times.partition("-")
    start_s, stop_s = _seconds(start, flow), _seconds(stop, flow) if dash else None
    end_s = duration_s if stop_s is None else stop_s
    if not start_s < end_s <= duration_s:
        raise OptionError(f"--flows {flow}: a flow begins, then stops, within the run's {duration_s:g} s")
    return start_s, stop_s


def _seconds(text: str, flow: str) -> float:
    value = number_or_nan(text)
    intervals = value / INTERVAL_S
    if not 0 <= value < math.inf or abs(intervals - round(intervals)) > 1e-6:
        raise OptionError(f'--flows {flow}: "{text}" is no time: seconds, at most tenths of them')
    return round(intervals) / round(1 / INTERVAL_S)


def _parse_rtt_ms(text: str | None, flow: str) -> float | None:
    if text is None:
        return None
    value = number_or_nan(text)
    if not 0 < value < math.inf:
        raise OptionError(f"--flows {flow}: rtt {text}: give a number of ms")
    return value


def _parse_source(text: str, flow: str) -> OnOff | None:
    """`bulk`, or `on-off/BYTES/SECONDS`."""
    if text == "bulk":
        return None
    match = re.fullmatch(r"on-off/([0-9]+)/([0-9]+(?:\.[0-9]+)?)", text)
    if match is None or int(match[1]) < 1:
        raise OptionError(f"--flows {flow}: source={text} is neither bulk nor on-off/BYTES/SECONDS")
    return OnOff(int(match[1]), float(match[2]))


def _known_scheme(name: str, *more: str) -> str:
    names = [*(scheme.name for scheme in SCHEMES), OMNISCIENT]
    if name not in names:
        raise OptionError(f'scheme "{name}" is unknown: {choice(name, [*more, *names])}')
    return name


def _preset(scheme: str, preset: str | None) -> str | None:
    """None where none is named."""
    if preset is None:
        return None
    presets = [known.name for known in PRESETS]
    if preset not in presets:
        raise OptionError(f'preset "{preset}" is unknown: {choice(preset, presets)}')
    if scheme != SELF:
        require_driven(scheme, preset)
    return preset


def require_driven(scheme: str, preset: str) -> None:
    """Raises OptionError for a scheme that no receiver drives: it would make nothing of the preset."""
    driven = [known.name for known in SCHEMES if known.control == "receiver"]
    if scheme not in driven:
        raise OptionError(f"preset={preset}: {scheme} has none, only receiver-driven schemes do: {', '.join(driven)}")
