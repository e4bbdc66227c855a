"""What `nuwa simulate` says next is taken by `nuwa bench`, and means the same cells."""

from __future__ import annotations

import math
import shlex

from hypothesis import given
from hypothesis import strategies as st

from cc.links.limits import LIMITS, Range
from cc.links.queueing.registry import DISCIPLINES
from cc.receiver.presets import PRESETS
from cc.registry import SCHEMES
from cc.simulation.omniscient import OMNISCIENT
from e2e.laboratory.matrix.options import parse_options
from e2e.laboratory.request import SELF
from models.simulation.command import simulate_parser
from models.simulation.next_step import SHARED_OPTIONS, bench_command


def number(limits: Range) -> st.SearchStrategy[str]:
    fractions = st.floats(limits.min, limits.max).map(repr)
    return fractions | st.integers(math.ceil(limits.min), int(limits.max)).map(str)


LINKS = ("lte-like", "2mbit", "800kbit", "1.5MBIT")
NAMES = st.lists(st.sampled_from([*(scheme.name for scheme in SCHEMES), OMNISCIENT]), min_size=1, max_size=4)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "link": st.sampled_from(LINKS),
        "seconds": number(Range(0.01, 86_400)),
        "delay": number(LIMITS.delay_ms),
        "queue": st.integers(1, int(LIMITS.queue_packets.max)).map(str),
        "discipline": st.sampled_from(list(DISCIPLINES)),
        "loss": number(LIMITS.loss_ratio),
        "preset": st.sampled_from([preset.name for preset in PRESETS]),
    },
)


@given(names=NAMES, options=OPTIONS, is_together=st.booleans())
def test_what_is_said_next_is_the_same_cell_in_the_words_of_bench(
    names: list[str], options: dict[str, str], is_together: bool
) -> None:
    parser = simulate_parser("nuwa simulate")
    told = [word for name, value in options.items() for word in (f"--{name}", value)]
    simulated = parser.parse_args([*names, *told, *(["--together"] if is_together else [])])
    command = bench_command(simulated, {name: parser.get_default(name) for name in SHARED_OPTIONS})
    if command is None:
        has_none_to_compare = set(names) == {OMNISCIENT} and (not is_together or len(names) == 1)
        assert has_none_to_compare or not 1 <= simulated.seconds <= 3600 or simulated.delay % 1 != 0
        return
    program, kind, *arguments = shlex.split(command)
    assert (program, kind) == ("nuwa", "bench")
    asked = parse_options(arguments)
    (link,) = asked.links
    assert (link.trace, link.delay_ms, link.queue_packets) == (simulated.link, simulated.delay, simulated.queue)
    assert (link.discipline, link.loss_ratio) == (simulated.discipline, simulated.loss)
    assert (asked.duration_s, asked.preset) == (simulated.seconds, simulated.preset)
    together = [flow.scheme for flow in asked.flows]
    if is_together and len(names) > 1:
        assert (together, asked.schemes) == (names, ())
    else:
        alone = [choice.scheme for choice in asked.schemes]
        assert (together, alone) == ([SELF], [name for name in dict.fromkeys(names) if name != OMNISCIENT])
