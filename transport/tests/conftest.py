"""What tests of this folder may ask for by name."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from transport.tests.conversation import Conversation, new_reno
from transport.tests.serving import SEGMENT


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A directory with one segment."""
    directory = tmp_path / "film"
    directory.mkdir()
    (directory / "seg.m4s").write_bytes(SEGMENT)
    return directory


@pytest.fixture
def conversation() -> Conversation:
    """A server's connection whose handshake is over."""
    conversation = Conversation(new_reno, rng=random.Random(7))
    conversation.run(1)
    return conversation
