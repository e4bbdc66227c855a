"""Records cc/receiver/testdata/: stamps that reached a receiver over the simulated link, and its windows.

`python -m cc.tests.record_receiver_vectors [SCHEME...]` writes the files of these schemes anew, or of all, and
`schemes.json`: which file each scheme of the registry has. A variant has its original's.
"""

from __future__ import annotations

import dataclasses
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from cc.command_line.arguments import OneSentenceParser
from cc.core.base import Phase
from cc.core.nuwa_parameters import NuwaParameters
from cc.core.receiver_base import Feedback, Need, ReceiverScheme, ReceiverState, Stamp
from cc.core.scheme import Scheme
from cc.links.link import Link, QueueLimit, constant_rate_opportunities_ms
from cc.receiver.window_receiver import WindowReceiver
from cc.registry import SCHEMES
from cc.sender.receiver_driven import ReceiverDriven
from cc.simulation import Simulation
from cc.tests.answering_recorder import answered_steps, space_of
from cc.tests.clock_faults import ClockFault, SteppedClocks
from cc.tests.contested_cases import contested_cases
from cc.tests.late_host import LateHost
from cc.tests.longer_path_case import longer_path_case
from cc.tests.receiver_steps import STAMPS_PER_CASE, MakeReceiver, step_of
from cc.tests.recorded_links import (
    becoming_slow_ms,
    falling_rate_ms,
    jumping_rate_ms,
    pausing_ms,
    with_an_outage_ms,
)

TESTDATA = Path(__file__).parents[1] / "receiver" / "testdata"

SEED = 20240607
PAPERS_SCHEME = "nuwa"
CONTESTING_SCHEME = "kuafu"
"""Which tells a queue of others from its own."""
NEEDING = "a player's buffer fills, the link slows down, and the player is gone"
SEEKING = "a player's buffer fills, and a seek empties it"
LONGER_STEPPED = "a path becomes longer, and then the receiver's clock steps ahead by 0.4 s"
SLOW_MBITS = 2.0
"""So slow that few stamps cover many seconds."""
FAULT_AT_S = 3.0
OUTAGE_S = 5.0
LONGEST_LATE_S = 0.05
ON_DEMAND = NuwaParameters(target_delay_s=0.060, rho_s=0.030, k=7.0)
INTERACTIVE = NuwaParameters(target_delay_s=0.013, rho_s=0.010, k=2.0)
FOLLOWING = dataclasses.replace(ON_DEMAND, follows_need=True)
CATCHING_UP = NuwaParameters(target_delay_s=0.060, rho_s=0.060, k=7.0, catches_up=True)
AS_IN_PAPER = NuwaParameters(target_delay_s=0.120, rho_s=0.060, k=7.0, as_in_paper=True)
NO_FAULT = ClockFault(at_s=0.0)
FAULTS = {
    "the receiver's clock steps ahead by 2 s": ClockFault(FAULT_AT_S, receiver_step_s=2.0),
    "the receiver's clock steps back by 2 s": ClockFault(FAULT_AT_S, receiver_step_s=-2.0),
    "the sender's clock leaps ahead by 2 s": ClockFault(FAULT_AT_S, sender_step_s=2.0),
    "the sender and its clock stand still for 10 s": ClockFault(FAULT_AT_S, sender_freeze_s=10.0),
}


class Recorder:
    """A receiver that writes down what another was told and what it answered."""

    def __init__(self, receiver: WindowReceiver) -> None:
        self.receiver = receiver
        self.steps: list[dict[str, object]] = []

    def on_stamp(self, stamp: Stamp, *, received_time_s: float, late_s: float = 0.0) -> None:
        """Record a step after the stamp."""
        self.receiver.on_stamp(stamp, received_time_s=received_time_s, late_s=late_s)
        if len(self.steps) < STAMPS_PER_CASE:
            late = {"late_s": late_s} if late_s > 0 else {}
            self.steps.append({**step_of(self.receiver, stamp, received_time_s), **late})

    def expect_data(self, is_expecting: bool) -> None:
        """Passed on."""
        self.receiver.expect_data(is_expecting)

    def on_need(self, need: Need, *, now_s: float) -> None:
        """Passed on."""
        self.receiver.on_need(need, now_s=now_s)

    def start_epoch(self, *, now_s: float) -> None:
        """Passed on."""
        self.receiver.start_epoch(now_s=now_s)

    def feedback(self, *, now_s: float) -> Feedback | None:
        """Passed on."""
        return self.receiver.feedback(now_s=now_s)

    def state(self, *, now_s: float) -> ReceiverState:
        """Passed on."""
        return self.receiver.state(now_s=now_s)


def simulated_case(
    make_receiver: MakeReceiver,
    name: str,
    parameters: NuwaParameters,
    opportunities_ms: list[int],
    *,
    loss_ratio: float = 0.0,
    queue_packets: int = 300,
    fault: ClockFault = NO_FAULT,
    longest_late_s: float = 0.0,
) -> dict[str, object]:
    """The receiver over a simulated link."""
    recorder = Recorder(make_receiver(parameters))
    link = Link(
        opportunities_ms,
        queue=QueueLimit(packets=queue_packets),
        delay_s=0.020,
        loss_ratio=loss_ratio,
        rng=random.Random(SEED),
    )
    sender = ReceiverDriven(max_datagram_bytes=1200, rng=random.Random(1))
    host: ReceiverScheme = SteppedClocks(recorder, fault)
    if longest_late_s > 0:
        host = LateHost(recorder, longest_s=longest_late_s, seed=SEED)
    simulation = Simulation(sender, link, return_delay_s=0.020, receiver=host)
    while len(recorder.steps) < STAMPS_PER_CASE:
        simulation.run_until(simulation.now_s + 0.5)
    return {"name": name, "parameters": dataclasses.asdict(parameters), "steps": recorder.steps}


def drained_case(
    make_receiver: MakeReceiver, name: str, parameters: NuwaParameters, *, follows: bool = False
) -> dict[str, object]:
    """Stamps made up so that the queue never empties, some lost, one epoch changed, some application-limited.

    `follows`: the sender's window is the one last asked for, in a drain too; otherwise it shrinks evenly.
    """
    rng = random.Random(SEED)
    receiver = make_receiver(parameters)
    steps: list[dict[str, object]] = []
    packets_sent = 0
    asked_bytes = 240_000
    for sequence in range(STAMPS_PER_CASE + 100):
        packets_sent += rng.randint(1, 200)
        if rng.random() < 0.15:
            continue  # lost
        stamp = Stamp(
            sequence=sequence,
            epoch=1 if sequence >= 150 else 0,
            phase=Phase.SLOW_START if sequence < 3 else Phase.AVOIDANCE,
            send_time_s=1000.0 + sequence * 0.07,
            bytes_sent=packets_sent * 1200,
            packets_sent=packets_sent,
            smoothed_rtt_s=0.075,
            min_rtt_s=0.040,
            cwnd_bytes=asked_bytes if follows else 240_000 - 400 * sequence,
            max_datagram_bytes=1200,
            is_app_limited=rng.random() < 0.1,
        )
        queue_s = 0.0 if sequence == 0 else 0.010 + rng.random() * 0.050
        received_time_s = stamp.send_time_s * 1.0001 - 870.0 + 0.020 + queue_s  # 100 ppm of drift
        receiver.on_stamp(stamp, received_time_s=received_time_s)
        asked_bytes = receiver.state(now_s=received_time_s).window_bytes or asked_bytes
        steps.append(step_of(receiver, stamp, received_time_s))
    return {"name": name, "parameters": dataclasses.asdict(parameters), "steps": steps}


def told_case(make_receiver: MakeReceiver, name: str, parameters: NuwaParameters) -> dict[str, object]:
    """The receiver slept for a minute behind its clock's back, and is told so before the stamp in the middle."""
    receiver = make_receiver(parameters)
    steps: list[dict[str, object]] = []
    for sequence in range(STAMPS_PER_CASE):
        told = sequence == STAMPS_PER_CASE // 2
        stamp = Stamp(
            sequence=sequence,
            epoch=0,
            phase=Phase.AVOIDANCE,
            send_time_s=50.0 + 0.01 * sequence + (60.0 if sequence >= STAMPS_PER_CASE // 2 else 0.0),
            bytes_sent=12_000 * sequence,
            packets_sent=10 * sequence,
            smoothed_rtt_s=0.075,
            min_rtt_s=0.040,
            cwnd_bytes=84_000,
            max_datagram_bytes=1200,
            is_app_limited=False,
        )
        received_time_s = 7.0 + 0.01 * sequence + 0.0005 * abs(sequence % 80 - 40)  # a queue of up to 20 ms
        if told:
            receiver.start_epoch(now_s=received_time_s)
        receiver.on_stamp(stamp, received_time_s=received_time_s)
        steps.append({**step_of(receiver, stamp, received_time_s), "told": told})
    return {"name": name, "parameters": dataclasses.asdict(parameters), "steps": steps}


def moved_case(make_receiver: MakeReceiver, name: str, parameters: NuwaParameters) -> dict[str, object]:
    """The peer moves to an address whose path is 100 ms longer, behind the same queue."""
    receiver = make_receiver(parameters)
    steps: list[dict[str, object]] = []
    moved = STAMPS_PER_CASE // 2
    for sequence in range(STAMPS_PER_CASE):
        path_s = 0.040 if sequence < moved else 0.140
        queue_s = 0.0005 * abs(sequence % 80 - 40)
        is_measured = not moved <= sequence < moved + 3
        stamp = Stamp(
            sequence=sequence,
            epoch=0 if sequence < moved else 1,
            phase=Phase.SLOW_START if moved <= sequence < moved + 30 else Phase.AVOIDANCE,
            send_time_s=50.0 + 0.01 * sequence,
            bytes_sent=12_000 * sequence,
            packets_sent=10 * sequence,
            smoothed_rtt_s=path_s + queue_s if is_measured else None,
            min_rtt_s=path_s if is_measured else None,
            cwnd_bytes=84_000,
            max_datagram_bytes=1200,
            is_app_limited=False,
        )
        received_time_s = 7.0 + 0.01 * sequence + path_s / 2 + queue_s
        receiver.on_stamp(stamp, received_time_s=received_time_s)
        steps.append(step_of(receiver, stamp, received_time_s))
    return {"name": name, "parameters": dataclasses.asdict(parameters), "steps": steps}


def needing_case(make_receiver: MakeReceiver, name: str, *, seeks: bool = False) -> dict[str, object]:
    """A player's buffer fills; then the link slows down below what is wanted, and the player is gone.

    `seeks`: instead the player has no buffer at last, over the link as it was.
    Half a second in slow start, with a buffer that is short; the sender follows what is asked for.
    """
    receiver = make_receiver(FOLLOWING)
    steps: list[dict[str, object]] = []
    rtt_s, packets_sent, queue_bytes, window_bytes = 0.040, 0, 0.0, 24_000
    for sequence in range(STAMPS_PER_CASE + 100):
        at_s = 0.02 * sequence
        link_bytes = 0.02 * (3_000_000 if seeks or at_s < 3.0 else 600_000)
        queue_s = queue_bytes / (link_bytes / 0.02)
        told = Need(
            rate_bytes_per_s=None if 1.0 <= at_s < 1.2 else 500_000.0,
            buffer_s=0.0 if seeks and at_s >= 4.0 else min(20.0, 10.0 * max(0.0, at_s - 0.3)),
            full_buffer_s=16.0,
        )
        need = {"need": dataclasses.asdict(told)} if sequence % 10 == 0 and (seeks or at_s < 4.5) else {}
        received_time_s = 70.0 + at_s + rtt_s / 2 + queue_s
        if need:
            receiver.on_need(told, now_s=received_time_s)
        stamp = Stamp(
            sequence=sequence,
            epoch=0,
            phase=Phase.SLOW_START if at_s < 0.5 else Phase.AVOIDANCE,
            send_time_s=50.0 + at_s,
            bytes_sent=1200 * packets_sent,
            packets_sent=packets_sent,
            smoothed_rtt_s=rtt_s + queue_s,
            min_rtt_s=rtt_s,
            cwnd_bytes=window_bytes,
            max_datagram_bytes=1200,
            is_app_limited=False,
        )
        receiver.on_stamp(stamp, received_time_s=received_time_s)
        asked_bytes = receiver.state(now_s=received_time_s).window_bytes or window_bytes
        window_bytes = round(1.15 * window_bytes) if stamp.phase is Phase.SLOW_START else asked_bytes
        sent_packets = round(window_bytes * 0.02 / (rtt_s + queue_s) / 1200)
        packets_sent += sent_packets
        queue_bytes = max(0.0, queue_bytes + 1200 * sent_packets - link_bytes)
        steps.append({**step_of(receiver, stamp, received_time_s), **need})
    return {"name": name, "parameters": dataclasses.asdict(FOLLOWING), "steps": steps}


def record(make_receiver: MakeReceiver) -> list[dict[str, object]]:
    """The cases that every scheme has."""
    steps_ms = jumping_rate_ms(SEED)
    return [
        simulated_case(make_receiver, "24 Mbit/s from the start", ON_DEMAND, constant_rate_opportunities_ms(24)),
        simulated_case(make_receiver, "a rate that jumps", INTERACTIVE, steps_ms),
        simulated_case(
            make_receiver, "losses and a short queue", ON_DEMAND, steps_ms, loss_ratio=0.01, queue_packets=40
        ),
        simulated_case(make_receiver, "a host that is late", INTERACTIVE, steps_ms, longest_late_s=LONGEST_LATE_S),
        told_case(make_receiver, "the receiver is told that it slept", ON_DEMAND),
        moved_case(make_receiver, "the peer moves to a longer path", ON_DEMAND),
        longer_path_case(make_receiver, "a path becomes longer, then shorter", ON_DEMAND),
        drained_case(make_receiver, "drift, lost stamps, a new epoch and a drain", ON_DEMAND),
        drained_case(make_receiver, "a drain that the sender follows", ON_DEMAND, follows=True),
    ]


def record_faults(make_receiver: MakeReceiver) -> list[dict[str, object]]:
    """Clocks that step, an outage that must not be taken for it, and a slow link: how all receivers measure."""
    slow_ms = constant_rate_opportunities_ms(SLOW_MBITS)
    outage_ms = with_an_outage_ms(SLOW_MBITS, before_s=round(FAULT_AT_S), lasts_s=OUTAGE_S)
    return [
        *(simulated_case(make_receiver, name, ON_DEMAND, slow_ms, fault=fault) for name, fault in FAULTS.items()),
        simulated_case(make_receiver, "an outage of 5 s before a deep queue", ON_DEMAND, outage_ms, queue_packets=1000),
        simulated_case(make_receiver, "a link that becomes slow", ON_DEMAND, becoming_slow_ms()),
        longer_path_case(make_receiver, LONGER_STEPPED, ON_DEMAND, steps_clock=True),
    ]


def record_answers(make_receiver: MakeReceiver) -> list[dict[str, object]]:
    """What a learned receiver makes of answers; without any it is held to another scheme's vectors."""
    return [
        {
            "name": name,
            "parameters": dataclasses.asdict(parameters),
            "policy_space": space_of(make_receiver(parameters)),
            "steps": answered_steps(make_receiver(parameters), step_of, seed=SEED),
        }
        for name, parameters in (("answers, a moderate queue", ON_DEMAND), ("answers, a short queue", INTERACTIVE))
    ]


def cases_of(entry: Scheme) -> list[dict[str, object]]:
    """What the scheme's file holds."""
    make = receiver_maker(entry)
    if entry.policy is not None:
        return record_answers(make)
    if entry.name == CONTESTING_SCHEME:
        pausing = simulated_case(make, "a link that pauses", ON_DEMAND, pausing_ms())
        return [*record(make), *contested_cases(make), pausing, needing_case(make, NEEDING)]
    if entry.name != PAPERS_SCHEME:
        return record(make)
    caught_up = simulated_case(make, "a rate that falls and rises, caught up with", CATCHING_UP, falling_rate_ms())
    needed = [needing_case(make, NEEDING), needing_case(make, SEEKING, seeks=True)]
    as_in_paper = [
        simulated_case(make, "the paper's law alone, a rate that falls and rises", AS_IN_PAPER, falling_rate_ms()),
        drained_case(make, "the paper's law alone, a queue that always stands", AS_IN_PAPER),
    ]
    return [*record_faults(make), caught_up, *needed, *as_in_paper, *record(make)]


def receiver_maker(entry: Scheme) -> MakeReceiver:
    """What makes the scheme's receiver. Raises TypeError for a scheme whose receiver asks for no windows."""

    def make(parameters: NuwaParameters) -> WindowReceiver:
        receiver = entry.make_receiver(parameters) if entry.make_receiver is not None else None
        if not isinstance(receiver, WindowReceiver):
            raise TypeError(f"{entry.name} has no receiver that asks for windows")
        return receiver

    return make


def vectors_text(entry: Scheme) -> str:
    """The scheme's file: a line a stamp."""
    text = json.dumps(cases_of(entry), separators=(",", ":"))
    return text.replace('{"stamp"', '\n{"stamp"') + "\n"


def vectors_file(entry: Scheme) -> Path:
    """Where the scheme's vectors lie."""
    return TESTDATA / f"{entry.name}.json"


RECEIVER_DRIVEN = list(
    {entry.make_receiver: entry for entry in reversed(SCHEMES) if entry.make_receiver is not None}.values()
)[::-1]
"""One for each receiver: variants have the same with another policy."""

SCHEMES_FILE = TESTDATA / "schemes.json"
"""By receiver-driven scheme, whose vectors are its."""


def vectors_of_schemes() -> dict[str, str]:
    """All of the registry's that have a receiver, to which the browser's registry is held."""
    recorded = {entry.make_receiver: entry.name for entry in RECEIVER_DRIVEN}
    return {entry.name: recorded[entry.make_receiver] for entry in SCHEMES if entry.make_receiver is not None}


def main(arguments: Sequence[str]) -> int:
    """2 for a scheme that there is not."""
    parser = OneSentenceParser(prog="python -m cc.tests.record_receiver_vectors", description=__doc__)
    known = list(vectors_of_schemes())
    parser.add_argument("schemes", nargs="*", metavar="SCHEME", help=f"of {', '.join(known)}; all unless named")
    chosen = parser.parse_args(arguments).schemes or known
    if unknown := [name for name in chosen if name not in known]:
        parser.error(f"{unknown[0]} has no receiver that is recorded: there are {', '.join(known)}")
    SCHEMES_FILE.write_text(json.dumps(vectors_of_schemes(), indent=2) + "\n")
    sys.stdout.write(f"wrote {SCHEMES_FILE}\n")
    for entry in (each for each in RECEIVER_DRIVEN if each.name in chosen):
        vectors_file(entry).write_text(vectors_text(entry))
        sys.stdout.write(f"wrote {vectors_file(entry)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
