"""What is served is replaced by a link to a secret, by whoever may write in the film's folder alone."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import threading
from collections.abc import Iterator, Sequence
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
FOLDER = "linked"
ASKING_S = 5.0
SMALL_ASKING_S = 1.0


async def measure(ground: Ground) -> Sequence[Sample]:
    """Over HTTP and over WebTransport; the file is read before it is replaced, too. A folder comes and goes."""
    film = ground.folder / "film"
    film.mkdir(exist_ok=True)
    secret, file = ground.folder / "secret", film / FILE
    secret.write_bytes(SECRET)
    try:
        return [
            TOLD.of(await _over_http(ground, file, secret), "HTTP"),
            TOLD.of(await _over_quic(ground, file, secret)),
            TOLD.of(await _while_a_folder_swaps(ground, film / FOLDER), "HTTP, a folder"),
        ]
    finally:
        file.unlink(missing_ok=True)
        shutil.rmtree(film / FOLDER, ignore_errors=True)


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


async def _while_a_folder_swaps(ground: Ground, folder: Path) -> float:
    """Answers that tell, of a folder that is now itself and now a link to one with a secret of the same name."""
    elsewhere = ground.folder / "elsewhere"
    for place, content in ((folder, HONEST), (elsewhere, SECRET)):
        place.mkdir(exist_ok=True)
        (place / FILE).write_bytes(content)
    told, loop = 0, asyncio.get_running_loop()
    async with ground.web_server() as server:
        _, before = await get(server.port, f"/media/{FOLDER}/{FILE}")
        with _swapping(folder, elsewhere):
            end_s = loop.time() + (SMALL_ASKING_S if ground.is_small else ASKING_S)
            while loop.time() < end_s:
                _, after = await get(server.port, f"/media/{FOLDER}/{FILE}")
                told += SECRET in after
    return told + _told(before, b"")


@contextlib.contextmanager
def _swapping(folder: Path, elsewhere: Path) -> Iterator[None]:
    """Beside the block; the folder is itself again at its end."""
    aside, is_over = folder.with_name("aside"), threading.Event()

    def swap() -> None:
        while not is_over.is_set():
            folder.rename(aside)
            folder.symlink_to(elsewhere)
            folder.unlink()
            aside.rename(folder)

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        yield
    finally:
        is_over.set()
        swapper.join()


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
    summary="Replaces a segment that is served, or its folder, by a link to what lies elsewhere, and asks for it.",
    limits=(TOLD,),
    measure=measure,
)
