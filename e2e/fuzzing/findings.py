"""Inputs that were too much for a target, kept so that they can be fed again."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal

MOST_KEPT = 1000
"""Inputs of one finding, the last ones: a subject may have been fed 100,000."""


class FindingError(ValueError):
    """A file that is no finding; the message names it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A file, and what was seen."""

    target: str
    what: Literal["crash", "hang", "death"]
    error: str
    """The last line of what was raised."""
    file: str


def save(
    folder: Path, target: str, what: Literal["crash", "hang", "death"], inputs: Sequence[bytes], error: str
) -> Finding:
    """Write the inputs, in order, the guilty one last."""
    kept = inputs[-MOST_KEPT:]
    digest = sha256(b"".join(kept) + error.encode()).hexdigest()[:12]
    file = folder / f"{target}-{digest}.json"
    folder.mkdir(parents=True, exist_ok=True)
    content = {"target": target, "what": what, "error": error, "inputs": [b64encode(data).decode() for data in kept]}
    file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    lines = error.strip().splitlines()
    return Finding(target, what, lines[-1] if lines else what, str(file))


def read(file: Path) -> tuple[str, list[bytes]]:
    """A finding's target and inputs. Raises FindingError."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        return str(content["target"]), [b64decode(data) for data in content["inputs"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FindingError(f"{file} holds no inputs ({error!r}): name a file that `bench fuzz` wrote") from error
