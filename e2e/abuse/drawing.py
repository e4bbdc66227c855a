"""How much a client draws over the link, beside what stock Reno sends to an honest one over the same link."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from statistics import median

from cc.registry import SCHEMES, scheme
from e2e.abuse.attack import Attack, Limit, Sample
from e2e.abuse.client.drawing import Drawing
from e2e.abuse.client.liar import FeedbackForger, Lies
from e2e.abuse.ground import Ground
from e2e.abuse.link import RATE_BITS_PER_S, open_link
from e2e.abuse.serving import Served, server_child
from e2e.laboratory.figures.figure import Reach

DRAWN = Limit("drawn / stock Reno", Reach("at most", 2.0))
EAGER = "bbr"
"""What it draws is bounded least by losses."""
ALL = (EAGER, *(each.name for each in SCHEMES if each.name != EAGER))
SPREAD = ("bbr", "cubic", "newreno", "nuwa", "copa", "ledbat", "gcc", "pcc-vivace")
"""One of each family: all of them take a minute for three."""
LISTENING = tuple(each.name for each in SCHEMES if each.control == "receiver")
"""Schemes that take a receiver's feedback."""
DURATION_S = 10.0
SMALL_DURATION_S = 2.0
STOCK = (sys.executable, "-m", "e2e.browser.bench.stock_aioquic_server", ".", "--host", "127.0.0.1", "--port", "0")
STOCK_REPEATS = 4
"""Side by side, as the arms are that they are compared with; the median counts."""
STOCK_BYTES = 30_000_000
"""More than the link carries; the stock server holds a response in memory."""


async def drawn_by(
    ground: Ground,
    make_lies: Callable[[], Lies],
    *,
    schemes: Sequence[str],
    is_reconnecting: bool = False,
    limit: Limit = DRAWN,
) -> list[Sample]:
    """A sample a scheme. Raises RunError."""
    stock_bytes = await stock_reno_bytes(ground)

    async def ratio(name: str) -> Sample:
        drawing = Drawing(scheme(name), make_lies, is_reconnecting=is_reconnecting)
        return limit.of(await _sent_bytes(ground, ground.media_server(), drawing) / stock_bytes, name)

    return await ground.each([partial(ratio, name) for name in schemes])


def drawing_attack(
    name: str,
    summary: str,
    make_lies: Callable[[Ground], Lies],
    *,
    schemes: Sequence[str] = ALL,
    is_reconnecting: bool = False,
    limit: Limit = DRAWN,
) -> Attack:
    """An attack on congestion control; new lies for each connection. Its small form takes the first scheme."""

    async def measure(ground: Ground) -> Sequence[Sample]:
        return await drawn_by(
            ground,
            lambda: make_lies(ground),
            schemes=schemes[:1] if ground.is_small else schemes,
            is_reconnecting=is_reconnecting,
            limit=limit,
        )

    return Attack(name, summary, (limit,), measure)


def feedback_attack(name: str, summary: str, forge: FeedbackForger) -> Attack:
    """Forged feedback with honest acknowledgements, to the schemes that listen to feedback."""

    def make_lies(ground: Ground) -> Lies:
        return Lies(feedback=forge, rng=ground.rng(name))

    return drawing_attack(name, summary, make_lies, schemes=LISTENING)


async def stock_reno_bytes(ground: Ground) -> float:
    """What aioquic's own server with its Reno sends to an honest client in the same time. Raises RunError.

    In the small form it is what the link carries: two seconds of a busy machine say little of Reno.
    """
    if ground.is_small:
        return link_bytes(ground)

    async def run() -> float:
        stock = server_child("stock server", [*STOCK, "--congestion-control", "reno", "--stop-with-stdin"])
        return await _sent_bytes(ground, stock, Drawing(scheme("newreno"), Lies, length_bytes=STOCK_BYTES))

    async def measure() -> float:
        return median(await ground.each([run] * STOCK_REPEATS))

    return await ground.once(("stock Reno",), measure)


def link_bytes(ground: Ground) -> float:
    """What the link carries in the time that a client draws."""
    return RATE_BITS_PER_S / 8 * _duration_s(ground)


def _duration_s(ground: Ground) -> float:
    return SMALL_DURATION_S if ground.is_small else DURATION_S


async def _sent_bytes(ground: Ground, server: AbstractAsyncContextManager[Served], drawing: Drawing) -> float:
    """What a server sends to the link while somebody draws."""
    folder = Path(tempfile.mkdtemp(dir=ground.folder))
    async with server as served, open_link(served.port, folder) as link:
        began_at_s = time.time()
        await drawing.run(link.port, for_s=_duration_s(ground))
        ended_at_s = time.time()
    return link.sent_bytes(began_at_s, ended_at_s)
