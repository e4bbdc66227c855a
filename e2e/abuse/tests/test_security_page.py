"""SECURITY.md has a row of measured limits for every attack that its promises cite, and for every other one."""

from __future__ import annotations

import re

from cc.command_line.clone import ROOT
from e2e.abuse.registry import NAMES

TABLE = re.compile(r"<!-- tables: npm run bench -- abuse -->.*?<!-- end -->", re.DOTALL)
ROW = re.compile(r"^\| ([a-z0-9-]*[a-z][a-z0-9-]*) +\|", re.MULTILINE)
CITED = re.compile(r"`npm run bench -- abuse ([a-z0-9 -]+)`")


def test_every_attack_has_a_row() -> None:
    table = TABLE.search((ROOT / "SECURITY.md").read_text(encoding="utf-8"))
    assert table is not None
    measured = {name for name in ROW.findall(table[0]) if name != "attack"}
    assert measured == set(NAMES), "npm run bench -- abuse, then npm run bench -- pages FILE"


def test_every_attack_that_a_promise_cites_exists() -> None:
    cited = {
        name for names in CITED.findall((ROOT / "SECURITY.md").read_text(encoding="utf-8")) for name in names.split()
    }
    assert cited
    assert cited <= set(NAMES)
