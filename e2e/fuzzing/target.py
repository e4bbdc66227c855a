"""What is fuzzed: a parser, what it is fed, and how it says no."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

HANG_S = 1.0
"""CPU time of one input; a parser that takes more is said to hang."""


class HungError(BaseException):
    """An input took too long; of BaseException, so that no parser takes it for one of its own."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What several targets count towards."""

    title: str
    goal_inputs: int


DATAGRAMS = Kind("datagrams and frames", 10_000_000)
CONTROL_PYTHON = Kind("control messages, Python", 5_000_000)
CONTROL_TYPESCRIPT = Kind("control messages, TypeScript", 5_000_000)
TELEMETRY = Kind("telemetry bodies", 200_000)
MANIFESTS = Kind("MPDs", 20_000)
MODELS = Kind("models", 10_000)
DOCUMENTS = Kind("traces, cards and other documents", 1_000_000)
KINDS = (
    DATAGRAMS,
    CONTROL_PYTHON,
    CONTROL_TYPESCRIPT,
    TELEMETRY,
    MANIFESTS,
    MODELS,
    DOCUMENTS,
)


class Subject(ABC):
    """What inputs are fed to, one after the other, until it is spent."""

    is_spent = False
    """Whether it takes no more inputs, as a connection that was closed: another takes its place."""

    @abstractmethod
    def feed(self, data: bytes) -> bool:
        """Whether the input was understood; False where it was refused as it should be.

        Whatever is raised is a finding.
        """

    def close(self) -> None:
        """Let go of what is held; overridden where something is."""


class Parser(Subject):
    """A function without a memory, which raises one of its refusals."""

    def __init__(self, parse: Callable[[bytes], object], *refusals: type[Exception]) -> None:
        self._parse = parse
        self._refusals = refusals

    def feed(self, data: bytes) -> bool:
        try:
            self._parse(data)
        except self._refusals:
            return False
        return True


@dataclass(frozen=True, slots=True)
class Target:
    """One parser. `e2e/fuzzing/targets` has a file for each, `registry.py` a line."""

    name: str
    summary: str
    open: Callable[[], Subject]
    samples: Callable[[], Sequence[bytes]]
    """Inputs that are understood, which others are made from; the folder of the corpus has more."""
    tokens: tuple[bytes, ...] = ()
    """Words that mean something to the parser."""
    largest_bytes: int = 1500
    is_of_fixed_length: bool = False
    """Whether inputs of another length than a sample's are refused at once, and few of them are enough."""
    inputs_each: int = 1000
    """After so many inputs another subject takes over."""
    hang_s: float = HANG_S
    end: Callable[[], None] = lambda: None
    """Lets go of what subjects share."""
    test_inputs: int = 2000
    """How many a test feeds it."""
