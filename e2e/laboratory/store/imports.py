"""Which files of ours a Python module runs with: its own, and those that it imports, directly or through others."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from importlib.util import resolve_name
from pathlib import Path


def files_behind(modules: Iterable[Path], root: Path, *, is_known: Callable[[Path], bool]) -> set[Path]:
    """All below `root`, imports within functions included; files that are known are neither named nor followed."""
    found: set[Path] = set()
    waiting = list(modules)
    while waiting:
        file = waiting.pop()
        if file not in found and not is_known(file):
            found.add(file)
            waiting.extend(_imported(file, root))
    return found


def _imported(file: Path, root: Path) -> Iterator[Path]:
    package = ".".join(file.relative_to(root).parent.parts)
    for node in ast.walk(ast.parse(file.read_bytes(), file)):
        if isinstance(node, ast.Import):
            for each in node.names:
                yield from _files_of(each.name, root)
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package)
            for each in node.names:
                yield from _files_of(f"{module}.{each.name}", root)


def _files_of(name: str, root: Path) -> Iterator[Path]:
    """Of a module and of the packages around it; what is none, such as a function's name, has no file."""
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        path = root.joinpath(*parts[:end])
        yield from filter(Path.is_file, (path / "__init__.py", path.with_suffix(".py")))
