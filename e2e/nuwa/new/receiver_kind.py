"""Skeleton of a receiver-driven scheme: its half in both languages, and the vectors that hold them together."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from cc.core.scheme import Family, Scheme
from e2e.nuwa.new.cc_kinds import module_of, registered, scheme_row, taken_scheme
from e2e.nuwa.new.skeleton import (
    Name,
    Skeleton,
    filled,
    read,
    with_line_after_last,
    with_sorted_line,
)

FAMILY: Family = "Receiver-driven"
SUMMARY = "The receiver asks for a packet more each round trip, or for an eighth less while a queue stands."
SOURCE = "none yet"
BROWSERS_REGISTRY = "cc/receiver/registry.ts"
VECTORS = "cc/receiver/testdata"


def receiver_skeleton(name: Name, root: Path, _of: str | None) -> Skeleton:
    """Both halves' files, the test, the vectors, and lines in the registries of both languages."""
    from cc.tests.record_receiver_vectors import vectors_text  # noqa: PLC0415 - a simulation, for this kind alone

    values = {**name.spellings, "family": FAMILY, "summary": SUMMARY, "source": SOURCE}
    source = filled("receiver.py", values)
    entry: Scheme = module_of(source, name.module).SCHEME
    row = scheme_row(name.name, values["title"], FAMILY, SUMMARY, SOURCE)
    return Skeleton(
        files={
            f"cc/receiver/{name.module}.py": source,
            f"cc/receiver/{name.name}.ts": filled("receiver.ts", values),
            f"cc/tests/test_{name.module}.py": filled("test_receiver.py", values),
            f"{VECTORS}/{name.name}.json": vectors_text(entry),
        },
        edits={
            BROWSERS_REGISTRY: _listed(read(root, BROWSERS_REGISTRY), values),
            **with_vectors(root, name.name, whose=name.name),
            **registered(root, name, f"receiver.{name.module}:SCHEME", row),
        },
        advice=f"npm run nuwa -- simulate {name.name} kuafu; npm test -- cc {name.module} vectors registry contract; "
        f"after a change .venv/bin/python -m cc.tests.record_receiver_vectors {name.name}",
        taken=taken_scheme(name, values["title"]),
    )


def with_vectors(root: Path, name: str, *, whose: str) -> Mapping[str, str]:
    """The list of whose vectors a scheme is held to, with one more: a variant of a policy is held to its original's."""
    path = f"{VECTORS}/schemes.json"
    listed = json.loads(read(root, path))
    return {path: json.dumps({**listed, name: listed.get(whose, whose)}, indent=2) + "\n"}


def _listed(text: str, values: dict[str, str]) -> str:
    """The browser's registry with the import and the line."""
    line = f'import {{ {values["class_name"]} }} from "./{values["name"]}.ts";'
    imported = with_sorted_line(text, r'^import (type )?\{ .* \} from "\./', line)
    key = f'"{values["name"]}"' if "-" in values["name"] else values["name"]
    return with_line_after_last(imported, r'^  "?[a-z0-9-]+"?: .*,$', f"  {key}: () => new {values['class_name']}(),")
