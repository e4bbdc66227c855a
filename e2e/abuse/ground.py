"""Where an attack takes place: what it may start, how much of it, and with which random numbers."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from e2e.abuse.serving import Served, media_server, web_server

T = TypeVar("T")
Key = tuple[object, ...]


@dataclass(slots=True)
class Ground:
    """What attacks of one run share."""

    folder: Path
    """Empty at first, and gone after the run."""
    seed: int = 1
    is_small: bool = False
    """Whether seconds must do, as in the tests; the limits stay."""
    jobs: int = 1
    """Arms that run at the same time."""
    on_progress: Callable[[int, int], None] = lambda done, of: None
    """Told how many of an attack's arms are done."""
    _kept: dict[Key, asyncio.Future[object]] = field(default_factory=dict)

    def rng(self, *words: object) -> random.Random:
        """The same for the same seed and words."""
        return random.Random(f"{self.seed} {' '.join(map(str, words))}")

    def media_server(self, *options: str) -> AbstractAsyncContextManager[Served]:
        """`nuwa serve` with more options. Raises ChildError."""
        return media_server(self._film(), *options)

    def web_server(self, *options: str) -> AbstractAsyncContextManager[Served]:
        """The product as `npm start` runs it, with more options. Raises ChildError."""
        return web_server(self._film(), *options)

    async def each(self, arms: Sequence[Callable[[], Awaitable[T]]]) -> list[T]:
        """Run all, `jobs` at a time; their results in order. The first error ends the others."""
        free, done = asyncio.Semaphore(self.jobs), 0

        async def run(arm: Callable[[], Awaitable[T]]) -> T:
            nonlocal done
            async with free:
                result = await arm()
            done += 1
            self.on_progress(done, len(arms))
            return result

        self.on_progress(0, len(arms))
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(run(arm)) for arm in arms]
        return [task.result() for task in tasks]

    async def once(self, key: Key, measure: Callable[[], Awaitable[T]]) -> T:
        """What several attacks compare with is measured by the first that asks."""
        if key not in self._kept:
            self._kept[key] = asyncio.ensure_future(measure())
        try:
            found: T = await self._kept[key]  # type: ignore[assignment]
        except BaseException:
            self._kept.pop(key, None)  # the next one that asks tries again
            raise
        return found

    def _film(self) -> Path:
        """Not a film: attacks ask for `generated/N`, and for one small file."""
        film = self.folder / "film"
        film.mkdir(exist_ok=True)
        (film / "manifest.mpd").write_text("<MPD/>\n", encoding="ascii")
        return film
