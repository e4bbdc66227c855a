"""Damaged models. Their hash refuses all of them; behind it, onnxruntime reads them in a process of its own."""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import IO

from e2e.fuzzing.target import Subject, Target
from models.policies.folder import POLICIES
from models.policies.policy import PolicyError, load_policy

NAMES = ("nuwa-rl", "bbr-fit")
LOADING_LIMIT_S = 5.0
SEEDS = 64
WORST_DAMAGES = 12


class AcceptedError(Exception):
    """A damaged model passed for the one that its card names."""


class ParentError(Exception):
    """The process that loads models stopped answering."""


class Shelf(Subject):
    """An input is where a shipped model is damaged, and how."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="nuwa-fuzz-")
        self._root = Path(self._folder.name)
        self._cards = {name: json.loads((POLICIES / f"{name}.json").read_text("utf-8")) for name in NAMES}
        self._models = {name: (POLICIES / f"{name}.onnx").read_bytes() for name in NAMES}
        self._loader: subprocess.Popen[str] | None = None

    def feed(self, data: bytes) -> bool:
        rng = random.Random(data)
        name = rng.choice(NAMES)
        model = damaged(self._models[name], rng)
        (self._root / f"{name}.onnx").write_bytes(model)
        card = self._cards[name]
        (self._root / f"{name}.json").write_text(json.dumps(card), encoding="utf-8")
        if model != self._models[name]:
            with contextlib.suppress(PolicyError):
                load_policy(name, self._root)
                raise AcceptedError(name)
        card = {**card, "model": {**card["model"], "sha256": sha256(model).hexdigest()}}
        (self._root / f"{name}.json").write_text(json.dumps(card), encoding="utf-8")
        return self._loads(name)

    def close(self) -> None:
        if self._loader is not None:
            self._loader.kill()
            self._loader.communicate()
        self._folder.cleanup()

    def _loads(self, name: str) -> bool:
        """In a child: what kills it is no matter of ours, since onnxruntime is not, as long as it ends in time."""
        if self._loader is None or self._loader.poll() is not None:
            self._loader = subprocess.Popen(
                [sys.executable, "-m", "e2e.fuzzing.model_loader", str(self._root), f"{LOADING_LIMIT_S:g}"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        answer = _ask(self._loader, name)
        if answer == "hung":
            raise ParentError(f"a damaged {name} took more than {LOADING_LIMIT_S:g} s")
        return answer == "loaded"


def _ask(loader: subprocess.Popen[str], name: str) -> str:
    """The child's answer; empty where it died."""
    stdin, stdout = loader.stdin, loader.stdout
    assert stdin is not None
    assert stdout is not None
    with contextlib.suppress(BrokenPipeError):
        _write_line(stdin, name)
    return stdout.readline().strip()


def _write_line(file: IO[str], line: str) -> None:
    file.write(f"{line}\n")
    file.flush()


def damaged(model: bytes, rng: random.Random) -> bytes:
    """Bytes changed, cut out, doubled or left out at the end; more of it near the beginning, where the graph is."""
    data = bytearray(model)
    for _ in range(rng.randint(1, WORST_DAMAGES)):
        at = int(len(data) * rng.random() ** rng.choice((1, 3)))
        how = rng.randrange(5)
        if how <= 1 and data:
            data[min(at, len(data) - 1)] = rng.randrange(256)
        elif how == 2:
            data[at : at + rng.randint(1, 64)] = b""
        elif how == 3:
            data[at:at] = data[at : at + rng.randint(1, 64)]
        elif rng.random() < 0.2:
            del data[at:]
    return bytes(data)


TARGET = Target(
    "models",
    "damaged models: refused by their hash, and, with it set right, loaded without a hang",
    Shelf,
    lambda: [number.to_bytes(8, "big") for number in range(SEEDS)],
    largest_bytes=8,
    is_of_fixed_length=True,
    inputs_each=500,
    hang_s=2 * LOADING_LIMIT_S,
    test_inputs=30,
)
