"""Which sizes a path is asked about, on paths that carry some of them."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transport.aioquic_adapter.size_search import (
    BASE_BYTES,
    CANDIDATES_BYTES,
    MOST_BYTES,
    PROBES_PER_SIZE,
    SEARCH_AGAIN_S,
    SizeSearch,
)


def search_path(search: SizeSearch, *, path_bytes: int, now_s: float, loss: float = 0.0, seed: int = 1) -> list[int]:
    """Until nothing is due; the sizes that were asked."""
    chance = random.Random(seed)
    asked = []
    while (size_bytes := search.due_bytes(now_s=now_s)) is not None:
        asked.append(size_bytes)
        search.on_sent()
        assert search.due_bytes(now_s=now_s) is None  # one at a time
        if size_bytes <= path_bytes and chance.random() >= loss:
            search.on_arrived(size_bytes)
        else:
            search.on_lost(size_bytes)
    return asked


def test_ethernet_takes_one_probe() -> None:
    search = SizeSearch(MOST_BYTES)
    assert search_path(search, path_bytes=1472, now_s=0.0) == [1472]
    assert (search.size_bytes, search.is_done) == (1472, True)


def test_a_tunnel_soon_has_its_size_and_larger_ones_are_tried_three_times() -> None:
    search = SizeSearch(MOST_BYTES)
    asked = search_path(search, path_bytes=1392, now_s=0.0)
    assert asked[:3] == [1472, 1452, 1372]
    assert {size: asked.count(size) for size in asked} == {1472: 3, 1452: 3, 1372: 1}
    assert search.size_bytes == 1372


def test_the_search_begins_again_after_ten_minutes() -> None:
    search = SizeSearch(MOST_BYTES)
    search_path(search, path_bytes=1300, now_s=5.0)
    assert search.size_bytes == 1280
    assert search.due_bytes(now_s=4.0 + SEARCH_AGAIN_S) is None
    search_path(search, path_bytes=1472, now_s=5.0 + SEARCH_AGAIN_S)
    assert search.size_bytes == 1472
    assert search.due_bytes(now_s=1e9) is None  # nothing is larger


@pytest.mark.parametrize(("most_bytes", "first_bytes"), [(1200, None), (1201, 1201), (1350, 1350), (1472, 1472)])
def test_nothing_larger_than_both_ends_take_is_asked(most_bytes: int, first_bytes: int | None) -> None:
    assert SizeSearch(most_bytes).due_bytes(now_s=0.0) == first_bytes


@given(
    most_bytes=st.integers(BASE_BYTES, MOST_BYTES),
    path_bytes=st.integers(BASE_BYTES, 1500),
    loss=st.sampled_from([0.0, 0.3, 0.9]),
    seed=st.integers(0, 1000),
)
def test_every_search_ends_at_a_size_that_arrived(most_bytes: int, path_bytes: int, loss: float, seed: int) -> None:
    search = SizeSearch(most_bytes)
    asked = search_path(search, path_bytes=path_bytes, now_s=0.0, loss=loss, seed=seed)
    assert BASE_BYTES <= search.size_bytes <= min(most_bytes, max(path_bytes, BASE_BYTES))
    assert len(asked) <= PROBES_PER_SIZE * (len(CANDIDATES_BYTES) + 1)
    assert search.is_done
    if loss == 0.0:
        carried = [size for size in (*CANDIDATES_BYTES, most_bytes, BASE_BYTES) if size <= min(most_bytes, path_bytes)]
        assert search.size_bytes == max(carried)
