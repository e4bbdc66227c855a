"""Every target; the command line, the tests and the table read this list."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from cc.command_line.nearest import choice
from e2e.fuzzing.target import (
    CONTROL_PYTHON,
    CONTROL_TYPESCRIPT,
    DATAGRAMS,
    DOCUMENTS,
    MANIFESTS,
    MODELS,
    TELEMETRY,
    Kind,
    Target,
)


@dataclass(frozen=True, slots=True)
class PythonTarget:
    """A module of `targets`, imported when it is run: an engine that measures coverage has to be there first."""

    module: str
    kind: Kind

    @property
    def name(self) -> str:
        """As on command lines."""
        return self.module.replace("_", "-")


@dataclass(frozen=True, slots=True)
class NodeTarget:
    """A file of `typescript/targets`; fast-check makes its inputs."""

    name: str
    kind: Kind


ENTRIES: tuple[PythonTarget | NodeTarget, ...] = (
    PythonTarget("udp_datagrams", DATAGRAMS),
    PythonTarget("quic_frames", DATAGRAMS),
    PythonTarget("http3_streams", DATAGRAMS),
    PythonTarget("capsules", DATAGRAMS),
    PythonTarget("feedback", CONTROL_PYTHON),
    PythonTarget("stamps", CONTROL_PYTHON),
    PythonTarget("session_paths", CONTROL_PYTHON),
    PythonTarget("request_lines", CONTROL_PYTHON),
    PythonTarget("traces", DOCUMENTS),
    PythonTarget("policy_cards", DOCUMENTS),
    PythonTarget("network_reports", DOCUMENTS),
    PythonTarget("models", MODELS),
    NodeTarget("wire-messages", CONTROL_TYPESCRIPT),
    NodeTarget("browser-stamps", CONTROL_TYPESCRIPT),
    NodeTarget("response-heads", CONTROL_TYPESCRIPT),
    NodeTarget("link-wishes", CONTROL_TYPESCRIPT),
    NodeTarget("telemetry-bodies", TELEMETRY),
    NodeTarget("manifests", MANIFESTS),
    NodeTarget("foreign-manifests", MANIFESTS),
    NodeTarget("addresses", DOCUMENTS),
    NodeTarget("browser-policy-cards", DOCUMENTS),
)


class UnknownTargetError(LookupError):
    """No target has this name; the message is one sentence."""


def names() -> tuple[str, ...]:
    """As on command lines."""
    return tuple(each.name for each in ENTRIES)


def entry(name: str) -> PythonTarget | NodeTarget:
    """Raises UnknownTargetError."""
    for each in ENTRIES:
        if each.name == name:
            return each
    raise UnknownTargetError(f"unknown target {name!r}: {choice(name, names())}")


def target(name: str) -> Target:
    """One in Python. Raises UnknownTargetError."""
    found = entry(name)
    if isinstance(found, NodeTarget):
        raise UnknownTargetError(f"target {name!r} runs in Node")
    loaded: Target = import_module(f"e2e.fuzzing.targets.{found.module}").TARGET
    return loaded
