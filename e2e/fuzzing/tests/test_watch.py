"""What the watch notices, and what it leaves so that it can be seen again."""

from __future__ import annotations

import random
import time
from pathlib import Path

from e2e.fuzzing.engines.mutation import Mutator
from e2e.fuzzing.engines.watch import Places, Tally, Watch
from e2e.fuzzing.findings import read
from e2e.fuzzing.target import Parser, Subject, Target


class Counting(Subject):
    """Breaks at the third input, whatever it is."""

    def __init__(self) -> None:
        self._count = 0

    def feed(self, data: bytes) -> bool:
        self._count += 1
        if self._count == 3:
            raise IndexError("the third")
        return True


def busy(data: bytes) -> None:
    """Takes its time over one input, every time."""
    until_s = time.thread_time() + (0.5 if data == b"slow" else 0)
    while time.thread_time() < until_s:
        pass


def tally_of(open_subject: type[Subject] | Parser, inputs: list[bytes], folder: Path, hang_s: float = 1.0) -> Tally:
    """Of a run over a target made for it."""
    make = open_subject if isinstance(open_subject, type) else lambda: open_subject
    watch = Watch(Target("made-up", "", make, lambda: [b"x"], hang_s=hang_s), Places(folder))
    for data in inputs:
        watch.feed(data)
    return watch.end()


def test_a_crash_is_kept_with_all_that_led_to_it_and_the_run_goes_on(tmp_path: Path) -> None:
    tally = tally_of(Counting, [b"a", b"b", b"c", b"d", b"e"], tmp_path)
    (finding,) = tally.findings
    assert (finding.what, finding.error) == ("crash", "IndexError: the third")
    assert read(Path(finding.file)) == ("made-up", [b"a", b"b", b"c"])
    assert (tally.inputs, tally.understood) == (5, 4)


def test_an_input_that_takes_too_long_is_a_hang(tmp_path: Path) -> None:
    tally = tally_of(Parser(busy), [b"fast", b"slow", b"fast"], tmp_path, hang_s=0.1)
    (finding,) = tally.findings
    assert finding.what == "hang"
    assert read(Path(finding.file))[1][-1] == b"slow"
    assert tally.inputs == 3


def test_a_refusal_is_no_finding_and_the_same_crash_is_told_once(tmp_path: Path) -> None:
    def parse(data: bytes) -> None:
        raise (ValueError if data == b"refused" else KeyError)(data)

    tally = tally_of(Parser(parse, ValueError), [b"refused", b"x", b"y"], tmp_path)
    assert [finding.what for finding in tally.findings] == ["crash"]
    assert tally.understood == 0


def test_the_same_seed_draws_the_same_inputs_and_another_draws_others() -> None:
    def drawn(seed: int) -> list[bytes]:
        mutator = Mutator(random.Random(seed), [b"hello", b"", b"worlds"], tokens=[b"!"], largest_bytes=32)
        return [mutator.draw() for _ in range(2000)]

    assert drawn(1) == drawn(1) != drawn(2)
    assert max(map(len, drawn(1))) <= 32
    assert len(set(drawn(1))) > 1000


def test_where_the_length_is_fixed_most_inputs_keep_it() -> None:
    mutator = Mutator(random.Random(1), [bytes(34)], largest_bytes=64, is_of_fixed_length=True)
    lengths = [len(mutator.draw()) for _ in range(1000)]
    assert lengths.count(34) > 500
