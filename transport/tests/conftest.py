"""What tests of this folder may ask for by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from transport.tests.serving import SEGMENT


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A directory with one segment."""
    directory = tmp_path / "film"
    directory.mkdir()
    (directory / "seg.m4s").write_bytes(SEGMENT)
    return directory
