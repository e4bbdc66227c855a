"""The folder of what is built, trained and measured: in the clone, or below the current folder of who has none."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The clone, or where the package is installed; nothing is written there."""
BUILD = ".build"


def is_clone(root: Path = ROOT) -> bool:
    """Whether these are the sources themselves, not an installed copy (that may lie in somebody else's clone)."""
    return (root / "pyproject.toml").is_file()


def build_folder() -> Path:
    """The clone's `.build`; that of the current folder where the package is installed."""
    return (ROOT if is_clone() else Path.cwd()) / BUILD
