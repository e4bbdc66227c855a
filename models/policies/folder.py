"""Where the shipped policies lie; imports nothing, so that who only names the folder loads no runtime."""

from __future__ import annotations

from pathlib import Path

POLICIES = Path(__file__).parent
