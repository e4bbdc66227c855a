"""Constants of a receiver are the same in both languages: 250 stamps of a vector do not reach all that they decide."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from types import ModuleType

import pytest

from cc.core import nuwa_parameters

RECEIVER = Path(__file__).parents[1] / "receiver"
CONSTANT = re.compile(
    r"^(?:export )?const ([A-Z][A-Z0-9_]*) = ([-\d\[][-\d_.e*/\[\], ]*?)(?: as const)?;", flags=re.MULTILINE
)
"""A number, a product, a quotient or a list of numbers, which Python reads as TypeScript does."""


def twin_of(typescript: Path) -> Path:
    """The module that has the same in Python."""
    return typescript.with_name(typescript.stem.replace("-", "_") + ".py")


TWINS = [path for path in sorted(RECEIVER.glob("*.ts")) if twin_of(path).exists()]
CONSTANTS = [(path, name, text) for path in TWINS for name, text in CONSTANT.findall(path.read_text())]


def python_value(module: ModuleType, name: str) -> object:
    """Of the constant with this name in TypeScript, whose units are words; Kuafu's may be a field."""
    python_name = re.sub("SECONDS?", "S", name)
    for place in (module, nuwa_parameters):
        if hasattr(place, python_name):
            return getattr(place, python_name)
    return getattr(module.CONSTANTS, python_name.lower())


@pytest.mark.parametrize(
    ("path", "name", "text"), CONSTANTS, ids=[f"{path.stem}-{name}" for path, name, _ in CONSTANTS]
)
def test_the_browser_has_the_same_constant(path: Path, name: str, text: str) -> None:
    module = importlib.import_module(f"cc.receiver.{twin_of(path).stem}")
    value = python_value(module, name)
    assert eval(text, {"__builtins__": {}}) == (list(value) if isinstance(value, tuple) else value)
