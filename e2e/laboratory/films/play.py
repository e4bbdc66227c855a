"""Plays films over one simulated network: each player a process, all of them and the network in one virtual time.

What a player asks for reaches the server no sooner than the way back takes. So the network may run that far ahead of
the players, who are then told what arrived and when: nobody ever learns of anything too late.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec

from cc.core.receiver_base import Need, ReceiverState
from cc.simulation.downloads import Download, Downloads
from cc.simulation.flow import Flow
from cc.simulation.network import Network
from cc.simulation.way_back import WayBack
from e2e.laboratory.films.messages import Arrival, Estimate, PlayedFilm, Step, StepAnswer
from e2e.laboratory.films.player_process import PlayerProcess

ESTIMATE_INTERVAL_S = 0.1
"""As the page's worker tells of its measurements."""
PROGRESS_INTERVAL_S = 0.05
"""As it tells of a download's progress."""
IDLE_STEP_S = 1.0
LEAST_STEP_S = 0.001
"""Without any delay, too, time must pass: a request is heard of so much late at most."""
PAYLOAD_SHARE = 0.975
"""Of UDP payload: what is left for a stream's bytes of a datagram of 1,350, after QUIC's header, tag and frame."""


@dataclass(slots=True)
class Viewer:
    """A player and the flow that it watches over."""

    process: PlayerProcess
    flow: Flow
    source: Downloads
    way_back: WayBack
    """Of requests."""
    known_bits_per_s: Callable[[float], float] | None = None
    """What the link will carry from a time on: told instead of the receiver's bandwidth."""
    arrived_packets: int = 0
    downloads: dict[int, Download] = field(default_factory=dict)
    """Open ones."""
    payload_bytes: dict[int, int] = field(default_factory=dict)
    told_s: dict[int, float] = field(default_factory=dict)
    """When the player was last told of a download's progress."""
    next_estimate_s: float = 0.0
    told_bits_per_s: list[tuple[float, float]] = field(default_factory=list)
    """The bandwidth that the player was told of, and when."""
    is_over: bool = False
    over_s: float = 0.0
    """When it was heard of last."""


def play(network: Network, viewers: Sequence[Viewer], *, most_s: float) -> list[PlayedFilm]:
    """Until all films have ended, or `most_s` have passed. Raises PlayerError and SchemeError."""
    while not all(viewer.is_over for viewer in viewers) and network.now_s < most_s:
        _step(network, viewers)
    return [viewer.process.played() for viewer in viewers]


def _step(network: Network, viewers: Sequence[Viewer]) -> None:
    active = [viewer for viewer in viewers if not viewer.is_over]
    if len(active) == 1 and not active[0].downloads:
        [viewer] = active
        until_s = network.now_s + IDLE_STEP_S
        answer = viewer.process.step(Step(1000 * until_s, True, [], _estimates(viewer, network.now_s)))
        network.run_until(max(network.now_s, answer.at_ms / 1000))
        _follow(viewer, answer)
        return
    until_s = network.now_s + max(LEAST_STEP_S, min(viewer.way_back.delay_s for viewer in viewers))
    network.run_until(until_s)
    for viewer in active:
        arrivals = _arrivals(viewer, until_s)
        estimates = _estimates(viewer, until_s)
        _follow(viewer, viewer.process.step(Step(1000 * until_s, False, arrivals, estimates)))


def _follow(viewer: Viewer, answer: StepAnswer) -> None:
    """Have the server do what the player wants, once it hears of it."""
    flow, source = viewer.flow, viewer.source
    now_s = answer.at_ms / 1000
    for request in answer.requests:
        download = Download(
            request.id, math.ceil(request.bytes / PAYLOAD_SHARE), viewer.way_back.arrival_s(request.at_ms / 1000)
        )
        source.ask(download)
        viewer.downloads[request.id] = download
        viewer.payload_bytes[request.id] = request.bytes
    for cancel in answer.cancels:
        if viewer.downloads.pop(cancel.id, None) is not None:
            flow.sender.withdraw(source.give_up(cancel.id, backlog_bytes=flow.sender.backlog_bytes))
    flow.expect_data(bool(viewer.downloads))
    told = answer.need
    if told is not None:
        need = Need(told.rate_bytes_per_second, told.buffer_seconds, told.full_buffer_seconds)
        flow.on_need(need, now_s=now_s)
    flow.on_source(now_s=now_s)
    viewer.is_over = answer.is_over
    viewer.over_s = now_s


def _arrivals(viewer: Viewer, until_s: float) -> list[Arrival]:
    """What the player is told of its downloads: their first bytes, now and then their progress, and their ends."""
    flow = viewer.flow
    left_s, sizes_bytes = flow.record.departed(viewer.arrived_packets, until_s - flow.delay_s)
    viewer.arrived_packets += len(left_s)
    touched = viewer.source.on_arrivals([departure_s + flow.delay_s for departure_s in left_s], sizes_bytes)
    told = []
    for download in touched:
        number = download.number
        if number not in viewer.downloads:
            continue  # given up
        at_s = download.last_arrival_s
        if not download.has_arrived and at_s - viewer.told_s.get(number, -math.inf) < PROGRESS_INTERVAL_S:
            continue
        viewer.told_s[number] = at_s
        loaded_bytes = viewer.payload_bytes[number]
        if download.has_arrived:
            del viewer.downloads[number]
        else:
            loaded_bytes = min(loaded_bytes - 1, int(download.arrived_bytes * PAYLOAD_SHARE))
        told.append(Arrival(number, loaded_bytes, 1000 * at_s))
    return told


def _estimates(viewer: Viewer, at_s: float) -> list[Estimate]:
    """Those that are due by now, but one at most: what the receiver knew between is not kept."""
    if at_s < viewer.next_estimate_s:
        return []
    viewer.next_estimate_s = at_s + ESTIMATE_INTERVAL_S
    state = viewer.flow.receiver_state(now_s=at_s)
    if state is None:
        return []
    estimate = _estimate(state, at_s, viewer.flow)
    if viewer.known_bits_per_s is not None:
        estimate = msgspec.structs.replace(estimate, bandwidth_bits_per_second=viewer.known_bits_per_s(at_s))
    if estimate.bandwidth_bits_per_second is not None:
        viewer.told_bits_per_s.append((at_s, estimate.bandwidth_bits_per_second))
    return [estimate]


def _estimate(state: ReceiverState, at_s: float, flow: Flow) -> Estimate:
    rtt = flow.sender.rtt.state
    return Estimate(
        at_ms=1000 * at_s,
        bandwidth_bits_per_second=state.bandwidth_bits_per_s,
        delivered_bits_per_second=state.delivered_bits_per_s or 0.0,
        queueing_delay_seconds=state.queueing_delay_s,
        target_delay_seconds=state.target_delay_s,
        wanted_bits_per_second=state.wanted_bits_per_s,
        is_held=state.is_held,
        window_bytes=state.window_bytes,
        smoothed_rtt_seconds=None if rtt is None else rtt.smoothed_s,
        k=state.k,
    )
