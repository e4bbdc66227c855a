"""The page says what each option of `serve` does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from transport.media_server.serve_command import main

PAGE = Path(__file__).parents[1] / "README.md"


def test_the_page_has_each_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    options = re.findall(r"^  (--[a-z0-9-]+)", capsys.readouterr().out, re.MULTILINE)
    section = PAGE.read_text(encoding="utf-8").partition("## What does `serve` do?")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `--")]
    told = re.findall(r"--[a-z0-9-]+", " ".join(row.split(" | ")[0] for row in rows))
    assert set(options) == set(told)
