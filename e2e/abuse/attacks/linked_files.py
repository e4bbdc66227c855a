"""A file that is served is replaced by a link to a secret, by whoever may write in the film's folder alone."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

from cc.registry import scheme
from e2e.abuse.attack import Attack, AttackError, Limit, Sample
from e2e.abuse.client.liar import Lies, open_liar
from e2e.abuse.ground import Ground
from e2e.abuse.newcomer import get
from e2e.laboratory.figures.figure import Reach

TOLD = Limit("answers that tell the secret", Reach("at most", 0.0))
SECRET = b"the secret"
HONEST = b"a segment"
FILE = "seg-linked.m4s"


async def measure(ground: Ground) -> Sequence[Sample]:
    """Over HTTP and over WebTransport; the file is read before it is replaced, too."""
    film = ground.folder / "film"
    film.mkdir(exist_ok=True)
    secret, file = ground.folder / "secret", film / FILE
    secret.write_bytes(SECRET)
    try:
        return [
            TOLD.of(await _over_http(ground, file, secret), "HTTP"),
            TOLD.of(await _over_quic(ground, file, secret)),
        ]
    finally:
        file.unlink(missing_ok=True)


async def _over_http(ground: Ground, file: Path, secret: Path) -> float:
    _put_file(file)
    async with ground.web_server() as server:
        _, before = await get(server.port, f"/media/{FILE}")
        _put_link(file, secret)
        _, after = await get(server.port, f"/media/{FILE}")
    return _told(before, after)


async def _over_quic(ground: Ground, file: Path, secret: Path) -> float:
    _put_file(file)
    before, after = bytearray(), bytearray()
    async with ground.media_server() as server, open_liar(server.port, scheme("newreno"), Lies()) as client:
        await client.download(FILE, on_data=before.extend)
        _put_link(file, secret)
        with contextlib.suppress(ConnectionError):  # refused, as it should be
            await client.download(FILE, on_data=after.extend)
    return _told(bytes(before), bytes(after))


def _put_file(file: Path) -> None:
    file.unlink(missing_ok=True)
    file.write_bytes(HONEST)


def _put_link(file: Path, target: Path) -> None:
    file.unlink()
    file.symlink_to(target)


def _told(before: bytes, after: bytes) -> float:
    if HONEST not in before:
        raise AttackError(f"{FILE} was not served as it was put there: {before[:100]!r}")
    return float(SECRET in after)


ATTACK = Attack(
    name="linked-files",
    summary="Replaces a segment that is served by a link to a file elsewhere, and asks for it.",
    against="product",
    limits=(TOLD,),
    measure=measure,
)
