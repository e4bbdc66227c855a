"""Policies that nobody trained, in the place of others."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

TESTDATA = Path(__file__).parents[1] / "testdata"


def stand_in(kind: str, name: str, folder: Path) -> None:
    """Put the policy `kind` of models/testdata there under another name."""
    card = json.loads((TESTDATA / f"{kind}.json").read_text(encoding="utf-8")) | {"name": name}
    (folder / f"{name}.json").write_text(json.dumps(card), encoding="utf-8")
    shutil.copy(TESTDATA / f"{kind}.onnx", folder / f"{name}.onnx")
