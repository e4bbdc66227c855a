"""Skeleton of an attack of the abuse suite."""

from __future__ import annotations

from pathlib import Path

from e2e.nuwa.new.skeleton import Name, Skeleton, filled, read, with_line_after_last

REGISTRY = "e2e/abuse/registry.py"


def attack_skeleton(name: Name, root: Path, _of: str | None) -> Skeleton:
    """Its file and its line; the suite's contract tests hold it to the rest."""
    return Skeleton(
        files={f"e2e/abuse/attacks/{name.module}.py": filled("attack.py", name.spellings)},
        edits={REGISTRY: with_line_after_last(read(root, REGISTRY), r'^    "\w+",$', f'    "{name.module}",')},
        advice=f"npm run bench -- abuse {name.name} --small",
    )
