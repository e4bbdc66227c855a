"""What answers may depend on beside the sources: the interpreter, and packages."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from models.executors.workers import OtherVersionsError

PACKAGES = ("aioquic", "numpy", "onnxruntime", "torch", "stable-baselines3", "sb3-contrib")


@cache
def versions() -> Mapping[str, str]:
    """Of this interpreter, by name; a package that is missing here is left out."""
    found = {"Python": ".".join(platform.python_version_tuple()[:2])}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def require_versions(wanted: Mapping[str, str]) -> None:
    """Raises OtherVersionsError where this worker has others than who hands out the work."""
    here = versions()
    apart = [name for name, number in wanted.items() if here.get(name) != number]
    if apart:
        differences = ", ".join(f"{name} {here.get(name, 'missing')} instead of {wanted[name]}" for name in apart)
        raise OtherVersionsError(f"a worker on {platform.node()} has {differences}: install the same there")
