"""Every target lives through some inputs; hours of it are `nuwa bench fuzz`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from e2e.fuzzing.engines import mutate
from e2e.fuzzing.registry import ENTRIES, PythonTarget, target

SEED = int(os.environ.get("NUWA_FUZZ_SEED", "1"))


@pytest.mark.parametrize("name", [each.name for each in ENTRIES if isinstance(each, PythonTarget)])
def test_nothing_breaks_it(name: str, tmp_path: Path) -> None:
    tally = mutate.run(target(name), seed=SEED, inputs=target(name).test_inputs, seconds=None, findings=tmp_path)
    assert tally.findings == [], f"seed {SEED}: {[Path(each.file).read_text() for each in tally.findings]}"
    assert tally.inputs == target(name).test_inputs
    assert tally.understood > 0, "samples are refused: nothing behind the first check was reached"
