"""How often a client does what it does."""

from __future__ import annotations

import asyncio

from e2e.abuse.client.rhythm import at_rate


def test_so_often_a_second_and_others_get_their_turn() -> None:
    async def whole() -> tuple[list[int], float, int]:
        loop, turns = asyncio.get_running_loop(), 0

        def count() -> None:
            nonlocal turns
            turns += 1
            loop.call_soon(count)

        count()
        began_s, numbers = loop.time(), []
        async for number in at_rate(100, for_s=0.1):
            numbers.append(number)
        return numbers, loop.time() - began_s, turns

    numbers, took_s, turns = asyncio.run(whole())
    assert numbers == list(range(10))
    assert took_s > 0.085
    assert turns > 10
