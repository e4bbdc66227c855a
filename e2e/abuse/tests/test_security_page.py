"""SECURITY.md has a row of measured limits for every attack, or says that it is not measured yet."""

from __future__ import annotations

import re

from cc.command_line.clone import ROOT
from e2e.abuse.registry import NAMES

TABLE = re.compile(r"<!-- tables: npm run bench -- abuse -->.*?<!-- end -->", re.DOTALL)
ROW = re.compile(r"^\| ([a-z0-9-]*[a-z][a-z0-9-]*) +\|", re.MULTILINE)
NOT_MEASURED_YET = re.compile(r"^Not measured yet: (.+)\.$", re.MULTILINE)
CITED = re.compile(r"`npm run bench -- abuse ([a-z0-9 -]+)`")


def test_every_attack_has_a_row_or_is_not_measured_yet() -> None:
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    table, line = TABLE.search(page), NOT_MEASURED_YET.search(page)
    assert table is not None
    assert line is not None, (
        "without 'Not measured yet: none.' below the table `nuwa new attack` has no place for a name"
    )
    measured = {name for name in ROW.findall(table[0]) if name != "attack"}
    unmeasured = set(re.findall(r"`([a-z0-9-]+)`", line[1]))
    assert not measured & unmeasured, "take names that have a row out of 'Not measured yet'"
    advice = "write it below the table ('Not measured yet: `NAME`.'), or npm run bench -- abuse, then -- pages FILE"
    assert measured | unmeasured == set(NAMES), advice


def test_every_attack_that_a_promise_cites_exists() -> None:
    cited = {
        name for names in CITED.findall((ROOT / "SECURITY.md").read_text(encoding="utf-8")) for name in names.split()
    }
    assert cited
    assert cited <= set(NAMES)
