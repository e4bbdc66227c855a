"""Cards of policies, which anybody may put beside a model."""

from __future__ import annotations

import tempfile
from pathlib import Path

from e2e.fuzzing.target import Subject, Target
from models.policies.card import CardError, read_card
from models.policies.folder import POLICIES


class Folder(Subject):
    """A card as a file, which is how it comes."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="nuwa-fuzz-")
        self._file = Path(self._folder.name) / "policy.json"

    def feed(self, data: bytes) -> bool:
        self._file.write_bytes(data)
        try:
            card = read_card(self._file)
        except CardError:
            return False
        card.as_json()
        return True

    def close(self) -> None:
        self._folder.cleanup()


TARGET = Target(
    "policy-cards",
    "cards of policies",
    Folder,
    lambda: [file.read_bytes() for file in sorted(POLICIES.glob("*.json")) if not file.name.endswith(".vectors.json")],
    tokens=(b"null", b"[]", b"{}", b"1e999", b"-1", b"true", b'""', b"NaN", b'"kind"', b'"amount"', b"9" * 400),
    largest_bytes=20_000,
)
