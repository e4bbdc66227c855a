"""Skeleton of an attack of the abuse suite."""

from __future__ import annotations

import re
from pathlib import Path

from e2e.nuwa.new.skeleton import Name, NewError, Skeleton, filled, read, with_line_after_last

REGISTRY = "e2e/abuse/registry.py"
SECURITY = "SECURITY.md"
NOT_MEASURED_YET = re.compile(r"^Not measured yet: (?P<names>none|`.+`)\.$", re.MULTILINE)
"""The attacks that its table has no row of: that takes a run of all attacks."""


def attack_skeleton(name: Name, root: Path, _of: str | None) -> Skeleton:
    """Its file, its line, and its name among those that are not measured yet."""
    registry = read(root, REGISTRY)
    is_there = re.search(rf'[":]{name.module}",$', registry, re.MULTILINE)
    return Skeleton(
        files={f"e2e/abuse/attacks/{name.module}.py": filled("attack.py", name.spellings)},
        edits={
            REGISTRY: with_line_after_last(registry, r'^    "\w+",$', f'    "{name.module}",'),
            SECURITY: _with_unmeasured(read(root, SECURITY), name.name),
        },
        advice=f"npm run bench -- abuse {name.name} --small",
        taken=f"there is an attack {name.name} already: choose another name" if is_there else None,
    )


def _with_unmeasured(text: str, name: str) -> str:
    found = NOT_MEASURED_YET.search(text)
    if found is None:
        raise NewError(f"{SECURITY} has no line 'Not measured yet: ...' that {name!r} would be put into")
    before = "" if found["names"] == "none" else f"{found['names']}, "
    return f"{text[: found.start()]}Not measured yet: {before}`{name}`.{text[found.end() :]}"
