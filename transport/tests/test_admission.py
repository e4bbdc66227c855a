"""Who may come in, held against a plain model, whatever comes in whatever order."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from transport.aioquic_adapter.verdict import Verdict
from transport.media_server.admission.admission import Admission, Departure, Reason
from transport.media_server.admission.limits import DEFAULT_LIMITS, AdmissionLimits, RoomLimits
from transport.media_server.admission.prefixes import household_of, prefix_of

SMALL = AdmissionLimits(
    half_open=RoomLimits(total=8, per_prefix=3),
    without_session=RoomLimits(total=8, per_prefix=3),
    sessions=RoomLimits(total=6, per_prefix=2),
    plain=RoomLimits(total=2, per_prefix=1),
    half_open_before_retry=4,
    unproven_per_s=2.0,
    unproven_burst=5,
    proven_per_s_and_prefix=2.0,
    proven_burst_per_prefix=4,
)


@pytest.mark.parametrize(
    ("host", "prefix"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
    ],
)
def test_an_address_stands_for_itself_or_its_64(host: str, prefix: str) -> None:
    assert prefix_of(host) == prefix


@pytest.mark.parametrize(
    ("prefix", "household"),
    [("192.0.2.7", "192.0.2.7"), ("2001:db8:1:234::/64", "2001:db8:1:200::/56"), ("::/64", "::/56")],
)
def test_a_household_of_ipv6_is_a_56(prefix: str, household: str) -> None:
    assert household_of(prefix) == household


def test_a_household_gets_half_of_the_places_and_wears_out_itself() -> None:
    admission: Admission[int] = Admission(DEFAULT_LIMITS)
    half = DEFAULT_LIMITS.sessions.total // 2

    def come(number: int, prefix: str, *, now_s: float) -> bool:
        if admission.judge(prefix, is_proven=True, now_s=now_s) is not Verdict.ACCEPT:
            return False
        admission.admit(number, prefix, now_s=now_s)
        admission.on_handshake_done(number, now_s=now_s)
        return admission.open_session(number, now_s=now_s)

    let_in = [come(number, f"2001:db8:0:{number % 256:x}::/64", now_s=0.0) for number in range(1000)]
    assert let_in == [True] * half + [False] * (1000 - half)
    assert admission.without_session == 0  # handshakes of a household are bounded, too
    assert come(1000, "2001:db8:0:100::/64", now_s=0.0)
    assert come(1001, "192.0.2.1", now_s=0.0)
    waits = [come(number, f"2001:db8:0:{number % 256:x}::/64", now_s=1.0 + number) for number in range(2000, 2300)]
    assert not any(waits)
    assert admission.without_session == half
    assert come(3000, "192.0.2.1", now_s=3000.0)


def test_a_few_newcomers_see_no_retry_and_a_wave_does() -> None:
    admission: Admission[int] = Admission(DEFAULT_LIMITS)
    verdicts = []
    for number in range(600):
        prefix = f"192.0.2.{number % 250}"
        verdicts.append(admission.judge(prefix, is_proven=False, now_s=0.0))
        if verdicts[-1] is Verdict.ACCEPT:
            assert admission.admit(number, prefix, now_s=0.0) is None
    assert verdicts == [Verdict.ACCEPT] * 32 + [Verdict.RETRY] * 568


def test_seventeen_a_second_that_never_go_on_hold_no_more_than_a_handshakes_time() -> None:
    admission: Admission[int] = Admission(DEFAULT_LIMITS)
    for number in range(17 * 60):
        now_s = number / 17
        for departure in admission.overdue(now_s=now_s):
            assert departure.reason is Reason.SLOW_HANDSHAKE
            admission.leave(departure.connection)
        if admission.judge("192.0.2.1", is_proven=False, now_s=now_s) is Verdict.ACCEPT:
            admission.admit(number, "192.0.2.1", now_s=now_s)
        assert admission.half_open <= 32
        assert admission.judge("192.0.2.1", is_proven=True, now_s=now_s) is Verdict.ACCEPT


def test_viewers_behind_one_address_may_return_all_at_once() -> None:
    admission: Admission[int] = Admission(DEFAULT_LIMITS)
    for viewer in range(64):
        is_early = viewer < 32  # the others come back with a token
        verdict = admission.judge("192.0.2.1", is_proven=False, now_s=0.0)
        assert verdict is (Verdict.ACCEPT if is_early else Verdict.RETRY)
        assert is_early or admission.judge("192.0.2.1", is_proven=True, now_s=0.0) is Verdict.ACCEPT
        assert admission.admit(viewer, "192.0.2.1", now_s=0.0) is None
    for viewer in range(64):
        assert admission.on_handshake_done(viewer, now_s=0.1) is None
        assert admission.open_session(viewer, now_s=0.1)
    admission.admit(64, "192.0.2.1", now_s=0.2)
    admission.on_handshake_done(64, now_s=0.2)
    assert not admission.open_session(64, now_s=0.2)
    assert (admission.sessions, admission.without_session) == (64, 1)


def test_asking_for_sessions_that_are_not_granted_gains_no_time() -> None:
    admission: Admission[int] = Admission(SMALL)
    for number in range(3):
        admission.admit(number, "192.0.2.1", now_s=0.0)
        admission.on_handshake_done(number, now_s=0.0)
        assert admission.open_session(number, now_s=4.0) is (number < 2)
    assert admission.overdue(now_s=5.0) == [Departure(2, Reason.NO_SESSION)]


def in_sessions(*prefixes: str) -> Admission[int]:
    """A session for each, numbered from 0, and then one that waits for its own."""
    admission: Admission[int] = Admission(SMALL)
    for number, prefix in enumerate(prefixes):
        admission.admit(number, prefix, now_s=0.0)
        admission.on_handshake_done(number, now_s=0.0)
        assert number == len(prefixes) - 1 or admission.open_session(number, now_s=0.0)
    return admission


@pytest.mark.parametrize(
    ("prefixes", "idle_since_s", "leaving"),
    [
        ("aabbcd", [0, 0, 0, 0, 0], None),  # there is a place
        ("aabbccd", [7, 6, 5, 4, 3, 2], 5),
        ("aabbccd", [7, 6, 5, None, None, 10.1], 2),  # the last for less than 30 s
        ("aabbccd", [None] * 6, None),
        ("aabbcda", [9, 8, 1, 1, 1, 1], 1),  # of its own address, which has its share
        ("aabbcda", [None, None, 1, 1, 1, 1], None),
        ("aabbcde", [None, 5, 6, 7, 1, 1], 1),  # of the addresses with the most
    ],
)
def test_who_idles_longest_leaves_for_a_newcomer_without_a_place(
    prefixes: str, idle_since_s: list[float | None], leaving: int | None
) -> None:
    admission, newcomer = in_sessions(*prefixes), len(prefixes) - 1
    found = admission.idle_one_for(newcomer, idle_since_s=idle_since_s.__getitem__, now_s=40.0)
    assert found == leaving
    if found is not None:
        admission.leave(found)
    assert admission.open_session(newcomer, now_s=40.0) == (found is not None or len(prefixes) <= 6)


@pytest.mark.parametrize(("idle_since_s", "leaving"), [([5, 9, 8, 7, 6], 4), ([5, None, None, None, None], None)])
def test_where_a_household_has_its_share_one_of_it_leaves(
    idle_since_s: list[float | None], leaving: int | None
) -> None:
    admission = in_sessions("a", *(f"2001:db8:0:{number}::/64" for number in range(5)))
    assert admission.idle_one_for(5, idle_since_s=idle_since_s.__getitem__, now_s=40.0) == leaving


def test_plain_gets_push_out_none_but_those_whose_places_they_share() -> None:
    admission = in_sessions(*"aab")
    admission.leave(0)
    admission.admit(3, "c", now_s=0.0)
    admission.on_handshake_done(3, now_s=0.0)
    admission.on_handshake_done(2, now_s=0.0)
    assert admission.open_session(2, is_plain=True, now_s=0.0)
    assert admission.open_session(3, is_plain=True, now_s=0.0)
    admission.admit(4, "d", now_s=0.0)
    admission.on_handshake_done(4, now_s=0.0)
    idle_since_s = {1: 0.0, 2: 9.0, 3: 8.0}
    assert admission.idle_one_for(4, idle_since_s=idle_since_s.get, now_s=40.0) is None
    assert admission.idle_one_for(4, is_plain=True, idle_since_s=idle_since_s.get, now_s=40.0) == 3


def test_a_flood_of_proven_newcomers_pushes_out_its_own_and_nobody_else() -> None:
    admission: Admission[str] = Admission(DEFAULT_LIMITS)
    admission.admit("honest", "198.51.100.1", now_s=0.0)
    for number in range(1000):
        left = admission.admit(f"flood {number}", f"192.0.2.{number % 5}", now_s=0.001 * number)
        assert left is None or left.connection != "honest"
    assert admission.half_open == 256
    assert admission.on_handshake_done("honest", now_s=1.0) is None
    assert admission.open_session("honest", now_s=1.0)


def test_the_readme_has_the_numbers() -> None:
    limits = DEFAULT_LIMITS
    rows = [
        f"| half-open handshakes, {limits.handshake_s:g} s each "
        f"| {limits.half_open.total} | {limits.half_open.per_prefix} |",
        f"| connections without a session, {limits.session_s:g} s each "
        f"| {limits.without_session.total} | {limits.without_session.per_prefix} |",
        f"| sessions | {limits.sessions.total} | {limits.sessions.per_prefix} |",
        f"| of their places, for plain GETs | {limits.plain.total} | {limits.plain.per_prefix} |",
        f"| newcomers without a token, while {limits.half_open_before_retry} are half-open at most "
        f"| {limits.unproven_burst}, then {limits.unproven_per_s:g} a second | |",
        f"| newcomers with a token "
        f"| | {limits.proven_burst_per_prefix}, then {limits.proven_per_s_and_prefix:g} a second |",
        "| stateless resets, words about tokens and versions "
        f"| {limits.resets_burst}, then {limits.resets_per_s:g} a second | |",
    ]
    page = (Path(__file__).parents[1] / "README.md").read_text()
    assert [row for row in rows if row not in page] == []


@dataclass
class Known:
    """What the model knows of a connection."""

    prefix: str
    room: str
    since_s: float
    is_plain: bool = False


ALL_PREFIXES = ("a", "b", "c", *(f"2001:db8:0:{number}::/64" for number in range(4)))
PREFIXES = st.sampled_from(ALL_PREFIXES)


class AdmissionMachine(RuleBasedStateMachine):
    """Newcomers, handshakes, sessions and ends in any order."""

    connections = Bundle("connections")

    def __init__(self) -> None:
        super().__init__()
        self.admission: Admission[int] = Admission(SMALL)
        self.known: dict[int, Known] = {}
        self.now_s = 0.0
        self.next_number = 0

    def count(self, room: str, prefix: str | None = None) -> int:
        """How many are there by the model."""
        return sum(known.room == room and prefix in (None, known.prefix) for known in self.known.values())

    def count_household(self, room: str, prefix: str) -> int:
        """How many of its household are there by the model."""
        return sum(
            known.room == room and household_of(known.prefix) == household_of(prefix) for known in self.known.values()
        )

    def count_plain(self, prefix: str | None = None) -> int:
        """How many sessions' places plain GETs have by the model."""
        sessions = (known for known in self.known.values() if known.room == "session")
        return sum(known.is_plain and prefix in (None, known.prefix) for known in sessions)

    def depart(self, departure: Departure[int] | None, *, room: str, newcomer: int) -> None:
        """Whoever leaves for a newcomer is the oldest of its prefix, in the room that the newcomer enters."""
        limits = {"half-open": SMALL.half_open, "without": SMALL.without_session}[room]
        prefix = self.known[newcomer].prefix
        others = {number: known for number, known in self.known.items() if known.room == room and number != newcomer}
        own = sum(known.prefix == prefix for known in others.values())
        own_household = sum(household_of(known.prefix) == household_of(prefix) for known in others.values())
        is_full = own >= limits.per_prefix or len(others) >= limits.total
        assert (departure is not None) == (is_full or own_household >= limits.per_household)
        if departure is None:
            return
        assert departure.reason is Reason.ROOM_NEEDED
        gone = self.known.pop(departure.connection)
        assert gone.room == room
        if own >= limits.per_prefix:
            assert gone.prefix == prefix
        elif own_household >= limits.per_household:
            assert household_of(gone.prefix) == household_of(prefix)
        assert all(gone.since_s <= known.since_s for known in others.values() if known.prefix == gone.prefix)

    @rule(seconds=st.floats(min_value=0.0, max_value=6.0))
    def time_passes(self, seconds: float) -> None:
        """Exactly those whose time is over are told to go, and the deadline says when to ask."""
        self.now_s += seconds
        deadline_s = self.admission.next_deadline_s()
        overdue = self.admission.overdue(now_s=self.now_s)
        assert bool(overdue) == (deadline_s is not None and deadline_s <= self.now_s)
        expected = {n for n, known in self.known.items() if known.room != "session" and known.since_s + 5 <= self.now_s}
        assert {departure.connection for departure in overdue} == expected
        for departure in overdue:
            self.admission.leave(departure.connection)
            del self.known[departure.connection]
        assert self.admission.overdue(now_s=self.now_s) == []

    @rule(target=connections, prefix=PREFIXES, is_proven=st.booleans())
    def newcomer(self, prefix: str, is_proven: bool) -> int:
        """Comes in, or not; one that is not proven pushes nobody out."""
        number, self.next_number = self.next_number, self.next_number + 1
        verdict = self.admission.judge(prefix, is_proven=is_proven, now_s=self.now_s)
        assert verdict is not (Verdict.RETRY if is_proven else Verdict.DROP)
        if verdict is Verdict.ACCEPT:
            assert is_proven or self.count("half-open") < SMALL.half_open_before_retry
            self.known[number] = Known(prefix, "half-open", self.now_s)
            departure = self.admission.admit(number, prefix, now_s=self.now_s)
            assert is_proven or departure is None
            self.depart(departure, room="half-open", newcomer=number)
        return number

    @rule(number=connections)
    def handshake_done(self, number: int) -> None:
        """Counts for those that are half-open."""
        known = self.known.get(number)
        departure = self.admission.on_handshake_done(number, now_s=self.now_s)
        if known is None or known.room != "half-open":
            assert departure is None
            return
        known.room, known.since_s = "without", self.now_s
        self.depart(departure, room="without", newcomer=number)

    @rule(number=connections, is_plain=st.booleans())
    def session_opens(self, number: int, is_plain: bool) -> None:
        """Where there is a place; those who wait never take one, and plain GETs no more than their share."""
        known = self.known.get(number)
        has_place = (
            known is not None
            and known.room == "without"
            and self.count("session") < SMALL.sessions.total
            and self.count("session", known.prefix) < SMALL.sessions.per_prefix
            and self.count_household("session", known.prefix) < SMALL.sessions.per_household
        )
        if known is not None and is_plain:
            has_place &= self.count_plain() < SMALL.plain.total
            has_place &= self.count_plain(known.prefix) < SMALL.plain.per_prefix
        assert self.admission.open_session(number, is_plain=is_plain, now_s=self.now_s) == has_place
        if has_place and known is not None:
            known.room, known.is_plain = "session", is_plain

    @rule(number=connections)
    def session_ends(self, number: int) -> None:
        """Its connection waits for its end among those without one."""
        known = self.known.get(number)
        departure = self.admission.end_session(number, now_s=self.now_s)
        if known is None or known.room != "session":
            assert departure is None
            return
        known.room, known.since_s = "without", self.now_s
        self.depart(departure, room="without", newcomer=number)

    @rule(number=consumes(connections))
    def gone(self, number: int) -> None:
        """At any time, also twice."""
        self.admission.leave(number)
        self.known.pop(number, None)

    @invariant()
    def counts_are_exact_and_within_limits(self) -> None:
        """Of each room, of each prefix."""
        assert self.admission.plain == self.count_plain() <= SMALL.plain.total
        counted = (self.admission.half_open, self.admission.without_session, self.admission.sessions)
        assert counted == (self.count("half-open"), self.count("without"), self.count("session"))
        for room, limits in (
            ("half-open", SMALL.half_open),
            ("without", SMALL.without_session),
            ("session", SMALL.sessions),
        ):
            assert self.count(room) <= limits.total
            assert all(self.count(room, prefix) <= limits.per_prefix for prefix in ALL_PREFIXES)
            assert all(self.count_household(room, prefix) <= limits.per_household for prefix in ALL_PREFIXES)


AdmissionMachine.TestCase.settings = settings(derandomize=True, max_examples=40, stateful_step_count=60)
TestAdmissionMachine = AdmissionMachine.TestCase
