"""How Node runs the clone's TypeScript."""

from __future__ import annotations

from cc.command_line.clone import ROOT

NODE = ("node", "--import", (ROOT / "server/setup/typescript.mjs").as_uri())
