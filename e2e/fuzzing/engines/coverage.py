"""The engine that follows coverage: atheris, which is libFuzzer over Python's bytecode.

It has to be imported before what it instruments, and ends the process that it runs in.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec

from e2e.fuzzing.engines.watch import WARM_SHARE, Order, Places, Tally, Watch

INSTRUMENTED = (
    *("transport", "aioquic.h3", "aioquic.quic", "aioquic.tls"),
    *("cc.core", "cc.links", "cc.receiver", "cc.sender", "models.policies"),
)
"""Packages whose coverage is followed: those of every target's parser."""


def is_there() -> bool:
    """Whether atheris is installed; there are builds of it for Linux on x86-64."""
    return find_spec("atheris") is not None


def run(name: str, order: Order, places: Places, *, on_end: Callable[[Tally], None]) -> None:
    """Feed a target what covers more of it, and keep that in the corpus. Never returns: the process ends.

    What breaks the target is noted, and the run goes on.
    """
    import atheris  # noqa: PLC0415 - it is not on every machine

    with atheris.instrument_imports(include=list(INSTRUMENTED)):
        from e2e.fuzzing.corpus import FOUND, inputs_of  # noqa: PLC0415 - instrumented from here on
        from e2e.fuzzing.registry import target  # noqa: PLC0415 - as above

        chosen = target(name)
    corpus = FOUND / name
    corpus.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(inputs_of(chosen)):
        (corpus / f"sample-{number}").write_bytes(data)
    watch = Watch(chosen, places)
    began_s = time.monotonic()

    def feed(data: bytes) -> None:
        watch.feed(data)
        share = order.done_share(watch.tally.inputs, began_s=began_s)
        if share >= WARM_SHARE:
            watch.warm()
        if share >= 1 or watch.is_over:
            on_end(watch.end())
            os._exit(0)

    # -handle_*=0 and -timeout=0: the watch is the one that looks
    options = [
        "-timeout=0",
        "-rss_limit_mb=0",
        f"-max_len={chosen.largest_bytes}",
        f"-seed={order.seed}",
        "-verbosity=0",
    ]
    atheris.Setup([sys.argv[0], *options, str(corpus)], feed)
    atheris.Fuzz()
