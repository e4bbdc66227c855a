"""How Node runs the clone's TypeScript."""

from __future__ import annotations

from pathlib import Path

from cc.command_line.clone import ROOT

NODE = ("node", "--import", (ROOT / "server/setup/typescript.mjs").as_uri())


def compiled(program: Path) -> tuple[str, ...]:
    """How it runs a program that is started often, which it compiles once."""
    return ("node", str(ROOT / "server/setup/run-compiled.mjs"), program.relative_to(ROOT).as_posix())
