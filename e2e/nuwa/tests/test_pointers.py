"""Where a source sends its reader to a heading of a page, the page has it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from cc.command_line.clone import ROOT

POINTER = re.compile(r"([\w./-]+/[\w.-]+\.md)`?(?:,? \(?\"([^\"]+)\"|#([\w-]+))")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def pointers(text: str) -> list[tuple[str, str]]:
    """Page and heading, which may go on in the next line of a comment."""
    return [(page, " ".join(quoted.split()) if quoted else anchor) for page, quoted, anchor in POINTER.findall(text)]


def anchor_of(heading: str) -> str:
    """As GitHub makes it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def headings(page: Path) -> set[str]:
    """Of a page, and their anchors."""
    found = HEADING.findall(page.read_text(encoding="utf-8"))
    return {*found, *map(anchor_of, found)}


def test_pointers_are_found_in_both_forms() -> None:
    text = (
        'e2e/A.md ("How late the\nlinks wake") has it; see server/B.md#a-class, and cc/C.md, "Presets"; cc/D.md alone'
    )
    assert pointers(text) == [
        ("e2e/A.md", "How late the links wake"),
        ("server/B.md", "a-class"),
        ("cc/C.md", "Presets"),
    ]


def _sources() -> list[Path]:
    listed = subprocess.run(
        ["git", "grep", "-lE", r"\.md", "--", "*.py", "*.ts", "*.mjs"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return [ROOT / name for name in listed.stdout.splitlines() if Path(name).name != Path(__file__).name]


def test_every_heading_that_a_source_names_exists() -> None:
    dead = [
        f"{source.relative_to(ROOT)}: {page} has no heading {heading!r}"
        for source in _sources()
        for page, heading in pointers(source.read_text(encoding="utf-8"))
        if not (ROOT / page).is_file() or heading not in headings(ROOT / page)
    ]
    assert dead == []
