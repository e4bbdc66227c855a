"""A film plays in a real browser while liars draw from the same media server: honest sessions must not feel them."""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from cc.registry import scheme
from e2e.abuse.attack import Attack, AttackError, Limit, Sample
from e2e.abuse.attacks.forged_feedback import flood, huge_window, random_bits
from e2e.abuse.client.acks import AcksAhead, Forger, HidesBetrayedLosses, HidesLosses
from e2e.abuse.client.drawing import Drawing
from e2e.abuse.client.liar import Lies
from e2e.abuse.ground import Ground
from e2e.abuse.link import open_link
from e2e.laboratory.figures.figure import Reach
from e2e.laboratory.places.child import Child
from e2e.laboratory.typescript import NODE

STALLED = Limit("the film stalled", Reach("at most", 0.0), "s")
PLAYED = Limit("the film advanced, of the time", Reach("at least", 0.95))
OVER_QUIC = Limit("the film still comes over WebTransport", Reach("at least", 1.0))
WATCHED_S = 40.0
SMALL_WATCHED_S = 12.0
START_LIMIT_S = 600.0
"""The first run packages a film and builds the player."""
PROGRAM = (*NODE[1:], "e2e/browser/abuse/film-beside.ts")
LIARS: Sequence[tuple[str, Callable[[Ground], Lies]]] = (
    ("bbr", lambda ground: Lies(acks=HidesLosses())),
    ("bbr", lambda ground: Lies(acks=HidesBetrayedLosses())),
    ("cubic", lambda ground: Lies(acks=AcksAhead(2), ack_interval_s=0.002)),
    ("newreno", lambda ground: Lies(acks=Forger(), ack_interval_s=0.002)),
    ("nuwa", lambda ground: Lies(feedback=huge_window)),
    ("nuwa", lambda ground: Lies(feedback=flood)),
    ("nuwa", lambda ground: Lies(feedback=random_bits, rng=ground.rng("film-beside"))),
)


async def measure(ground: Ground) -> Sequence[Sample]:
    """The film is on loopback, the liars behind the emulated link."""
    node = shutil.which("node")
    if node is None:
        raise AttackError("a film in a browser needs node, and there is none on the PATH")
    watched_s = SMALL_WATCHED_S if ground.is_small else WATCHED_S
    async with await Child.start("film", [node, *PROGRAM, f"{watched_s:g}"]) as film:
        playing = json.loads(await film.next_line(START_LIMIT_S))
        folder = Path(tempfile.mkdtemp(dir=ground.folder))
        liars_link = open_link(playing["port"], folder, may_lose_beside=True)  # what they draw is not what is measured
        async with liars_link as link, asyncio.TaskGroup() as group:
            watched = group.create_task(film.next_line(watched_s + START_LIMIT_S))
            for name, make_lies in LIARS:
                lying = Drawing(scheme(name), partial(make_lies, ground), is_reconnecting=True, has_to_open=False)
                group.create_task(lying.run(link.port, for_s=watched_s))
    outcome = json.loads(watched.result())
    return [
        STALLED.of(outcome["stalledSeconds"]),
        PLAYED.of(outcome["playedSeconds"] / watched_s),
        OVER_QUIC.of(float(outcome["endPath"] == "webtransport")),
    ]


ATTACK = Attack(
    name="film-beside",
    summary=f"{len(LIARS)} liars, who reconnect, draw from the media server that a browser plays a film from.",
    limits=(STALLED, PLAYED, OVER_QUIC),
    measure=measure,
)
