"""Every target lives through some inputs; hours of it are `nuwa bench fuzz`."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from cc.command_line.clone import ROOT
from e2e.fuzzing import journal
from e2e.fuzzing.engines import mutate
from e2e.fuzzing.engines.watch import Order, Places
from e2e.fuzzing.registry import ENTRIES, NodeTarget, PythonTarget, target
from e2e.fuzzing.runs import NODE_CHILD

NODE_INPUTS = 2000
SEED = int(os.environ.get("NUWA_FUZZ_SEED", "1"))


@pytest.mark.parametrize("name", [each.name for each in ENTRIES if isinstance(each, PythonTarget)])
def test_nothing_breaks_it(name: str, tmp_path: Path) -> None:
    tally = mutate.run(target(name), Order(SEED, target(name).test_inputs), Places(tmp_path))
    assert tally.findings == [], f"seed {SEED}: {[Path(each.file).read_text() for each in tally.findings]}"
    assert tally.inputs == target(name).test_inputs
    assert tally.understood > 0, "samples are refused: nothing behind the first check was reached"


def test_nothing_breaks_those_in_node(tmp_path: Path) -> None:
    names = [each.name for each in ENTRIES if isinstance(each, NodeTarget)]
    fed = tmp_path / "journal"
    options = ["--seed", f"{SEED}", "--inputs", f"{NODE_INPUTS}", "--findings", str(tmp_path), "--journal", str(fed)]
    done = subprocess.run([*NODE_CHILD, *names, *options], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for name, line in zip(names, done.stdout.splitlines(), strict=True):
        tally = json.loads(line)
        assert (tally["inputs"], tally["findings"]) == (NODE_INPUTS, []), f"{name}, seed {SEED}"
        assert tally["understood"] > 0, f"{name}: samples are refused"
    assert len(journal.read(fed)) == NODE_INPUTS, "a process that died would not leave what it was fed"
