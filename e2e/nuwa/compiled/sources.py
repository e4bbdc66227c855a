"""What of cc is compiled, and the name of the build that belongs to it."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from cc.command_line.clone import ROOT, build_folder

COMPILED = ("core", "links", "receiver", "sender", "simulation", "registry.py")
"""Of cc; the rest is the same for both."""
LEFT_OUT = {"tests", "testdata", "__pycache__"}
REFUSED = ("@runtime_checkable", "@dataclass_transform")
"""mypyc cannot compile what is decorated so: such a module stays as it is."""
SLOTS = re.compile(r"(?:, slots=True)|(?:\(slots=True\))")
"""mypyc's classes have slots in any case, and it refuses those of dataclasses."""
CONSTANT = re.compile(r"^([A-Z][A-Z0-9_]*) = (?=[0-9]|math\.inf$)", re.MULTILINE)
"""A number that is named in capitals never changes: mypyc need not look it up each time."""
DEFAULT = re.compile(r": \w+ = ([A-Z][A-Z0-9_]*)\b")
"""But mypyc 2.4 fails over some signatures with such a constant as a default."""
OF_NUMBERS = re.compile(r"^class (?=(?:Ack|AckEvent|DeliveryRate|RttState|SentPacket)[:(])", re.MULTILINE)
"""Made for each packet and ACK, and nothing in them leads back to them: Python's collector need not look for cycles."""
FUTURE = "from __future__ import annotations\n"
TYPES = """
from typing import TYPE_CHECKING, Final
if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
"""


def builds_folder() -> Path:
    """Where builds are kept, each below the name of its sources."""
    return build_folder() / "compiled"


def build_name(cc: Path = ROOT / "cc") -> str:
    """Of the build that belongs to these sources and this Python."""
    digest = sha256()
    for file in source_files(cc):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(cc).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return f"{digest.hexdigest()[:20]}{EXTENSION_SUFFIXES[0].removesuffix('.so').removesuffix('.pyd')}"


def source_files(cc: Path) -> list[Path]:
    """Modules, and the data beside them."""
    return sorted(_files(cc))


def is_compiled(text: str) -> bool:
    """Whether mypyc can compile a module."""
    return not any(word in text for word in REFUSED)


def for_mypyc(text: str) -> str:
    """A module as mypyc takes it."""
    text = SLOTS.sub("", text).replace(FUTURE, FUTURE + TYPES, 1)
    defaults = set(DEFAULT.findall(text))
    text = CONSTANT.sub(lambda found: found[0] if found[1] in defaults else f"{found[1]}: Final = ", text)
    return OF_NUMBERS.sub("@mypyc_attr(acyclic=True)\nclass ", text)


def python_version() -> str:
    """As a build's name in figures says it."""
    return f"{platform.python_implementation()} {platform.python_version()}"


def _files(cc: Path) -> Iterator[Path]:
    for part in COMPILED:
        for file in [cc / part] if (cc / part).is_file() else (cc / part).rglob("*"):
            if file.suffix in {".py", ".json"} and not LEFT_OUT.intersection(file.relative_to(cc).parts):
                yield file
