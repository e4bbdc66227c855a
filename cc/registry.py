"""Every scheme there is, one line each: where its entry stands, as `module:NAME` of this package."""

from __future__ import annotations

from cc.command_line.nearest import did_you_mean
from cc.core.scheme import Scheme
from cc.scheme_file import load_entry, unregistered_file

DEFAULT_SCHEME = "kuafu"

ENTRIES = (
    "receiver.nuwa:SCHEME",
    "receiver.nuwa_rl:SCHEME",
    "receiver.nuwa_rl:GOODPUT",
    "receiver.kuafu:SCHEME",
    "receiver.drwa:SCHEME",
    "sender.cubic:SCHEME",
    "sender.newreno:SCHEME",
    "sender.bic:SCHEME",
    "sender.htcp:SCHEME",
    "sender.highspeed:SCHEME",
    "sender.scalable:SCHEME",
    "sender.hybla:SCHEME",
    "sender.illinois:SCHEME",
    "sender.yeah:SCHEME",
    "sender.veno:SCHEME",
    "sender.westwood:SCHEME",
    "sender.copa.copa:SCHEME",
    "sender.vegas:SCHEME",
    "sender.ledbat:SCHEME",
    "sender.verus.verus:SCHEME",
    "sender.inigo:SCHEME",
    "sender.bbr.bbr:SCHEME",
    "sender.bbr.bbr2:SCHEME",
    "sender.bbr.bbr3:SCHEME",
    "sender.bbr.bbrplus:SCHEME",
    "sender.bbr.bbr_acd:SCHEME",
    "sender.bbr.stateful_bbr:SCHEME",
    "sender.bbr.tsunami:SCHEME",
    "sender.tcp_dstar:SCHEME",
    "sender.bbr.bbr_fit:SCHEME",
    "sender.bbr.eagle:SCHEME",
    "sender.owl:SCHEME",
    "sender.owl:PPO",
    "sender.zixia:SCHEME",
    "sender.zixia:DELAY",
    "sender.zixia:LEAN",
    "sender.indigo:SCHEME",
    "sender.orca:SCHEME",
    "sender.hd_tcp:SCHEME",
    "sender.dqn.v1:SCHEME",
    "sender.dqn.v2:SCHEME",
    "sender.sprout.sprout:SCHEME",
    "sender.sprout.ewma:SCHEME",
    "sender.tao.tao:SCHEME",
    "sender.qtcp.qtcp:SCHEME",
    "sender.abc:SCHEME",
    "sender.dctcp:SCHEME",
    "sender.gcc.gcc:SCHEME",
    "sender.scream:SCHEME",
    "sender.pcc.allegro:SCHEME",
    "sender.pcc.vivace:SCHEME",
    "sender.pcc.proteus:PRIMARY",
    "sender.pcc.proteus:SCHEME",
    "sender.pcc.aurora:SCHEME",
)


def with_names_of_their_own(schemes: tuple[Scheme, ...]) -> tuple[Scheme, ...]:
    """The schemes. Raises ValueError where two have one name: nobody could ask for the second."""
    names = [each.name for each in schemes]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"two schemes are called {twice}: give one of them another name")
    return schemes


SCHEMES = with_names_of_their_own(tuple(load_entry(entry) for entry in ENTRIES))


class UnknownSchemeError(ValueError):
    """No scheme has this name; the message lists those that exist."""


def scheme(name: str) -> Scheme:
    """The scheme of this name. Raises UnknownSchemeError."""
    for candidate in SCHEMES:
        if candidate.name == name:
            return candidate
    known = [candidate.name for candidate in SCHEMES]
    meant = did_you_mean(name, known)
    file = unregistered_file(name, ENTRIES)
    if file is not None:
        meant = f"{file} is there: write its entry into cc/registry.py"
    hint = "" if meant is None else f" ({meant})"
    raise UnknownSchemeError(f"scheme {name!r} is unknown{hint}; known schemes: {', '.join(known)}")
