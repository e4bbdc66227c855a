"""Skeletons in TypeScript: a rule of the player, a fault of the browser tests."""

from __future__ import annotations

import re
from pathlib import Path

from e2e.nuwa.new.skeleton import (
    NAMES,
    Name,
    Skeleton,
    filled,
    read,
    with_last_row,
    with_line_after_last,
    with_name_in_union,
    with_sorted_line,
)

OWN_RULES = "player/src/rules/own.ts"
RULES = "player/src/rules/registry.ts"
FAULTS = "e2e/browser/faults/registry.ts"
FAULTS_PAGE = "e2e/browser/faults/README.md"
FILM_IN_FAULT = "bytes within 5 s, stalls up to 1 s, ends over WebTransport"
"""What templates/fault.ts.template expects, in the page's words."""


def rule_skeleton(name: Name, root: Path, _of: str | None) -> Skeleton:
    """A rule: its file, its line, its test."""
    values = name.spellings
    registry = read(root, OWN_RULES)
    imported = f'import {{ {values["camel"]} }} from "./{name.name}.ts";'
    choices = read(root, RULES)
    is_taken = re.search(rf'(name|title): "({re.escape(name.name)}|{re.escape(values["title"])})"', choices)
    return Skeleton(
        files={
            f"player/src/rules/{name.name}.ts": filled("rule.ts", values),
            f"player/src/rules/{name.name}.test.ts": with_sorted_line(
                filled("rule.test.ts", values), r'^import .* from "\./', imported
            ),
        },
        edits={
            OWN_RULES: with_sorted_line(
                registry, r"^export \{ \w+ \} from ", f'export {{ {values["camel"]} }} from "./{name.name}.ts";'
            ),
            NAMES: with_name_in_union(read(root, NAMES), "RuleName", name.name),
        },
        advice=(
            "npx vitest run player/src/rules; "
            f"npm run bench -- films --schemes nuwa --rules {name.name},nuwa --estimators receiver --links lte-like"
        ),
        taken=f"a rule is called {name.name} already: choose another name" if is_taken else None,
    )


def fault_skeleton(name: Name, root: Path, _of: str | None) -> Skeleton:
    """A fault: its file, its line, its row; scenarios/faults.test.ts holds the film to what it expects."""
    values = name.spellings
    camel = values["camel"]
    registry = read(root, FAULTS)
    imported = with_sorted_line(
        registry, r'^import \{ \w+ \} from "\./', f'import {{ {camel} }} from "./{name.name}.ts";'
    )
    row = (name.name, f"{values['words']}: UDP gone for seconds", FILM_IN_FAULT, "tests and the command")
    return Skeleton(
        files={f"e2e/browser/faults/{name.name}.ts": filled("fault.ts", values)},
        edits={
            FAULTS: with_line_after_last(imported, r"^  [a-z]\w*,$", f"  {camel},"),
            FAULTS_PAGE: with_last_row(read(root, FAULTS_PAGE), row),
        },
        advice=f"npm run bench -- faults --repeats 1 --seed 1 {name.name}",
    )
