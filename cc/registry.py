"""Every scheme there is: command lines, menus, contract tests, experiments and the README's table read this list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from cc.core.base import SenderScheme
from cc.core.random_source import RandomSource
from cc.core.receiver_base import ReceiverScheme
from cc.receiver.drwa import Drwa
from cc.receiver.nuwa import Nuwa, NuwaParameters
from cc.receiver.nuwa_rl import NuwaRl
from cc.sender.abc import Abc
from cc.sender.bbr.bbr import Bbr
from cc.sender.bbr.bbr2 import Bbr2
from cc.sender.bbr.bbr3 import Bbr3
from cc.sender.bbr.bbr_acd import BbrAcd
from cc.sender.bbr.bbr_fit import BbrFit
from cc.sender.bbr.bbrplus import BbrPlus
from cc.sender.bbr.stateful_bbr import StatefulBbr
from cc.sender.bbr.tsunami import Tsunami
from cc.sender.copa.copa import Copa
from cc.sender.cubic import Cubic
from cc.sender.dqn.v1 import DqnV1
from cc.sender.dqn.v2 import DqnV2
from cc.sender.gcc.gcc import Gcc
from cc.sender.inigo import Inigo
from cc.sender.ledbat import Ledbat
from cc.sender.newreno import NewReno
from cc.sender.owl import Owl
from cc.sender.pcc.allegro import PccAllegro
from cc.sender.pcc.proteus import Proteus
from cc.sender.pcc.vivace import PccVivace
from cc.sender.receiver_driven import ReceiverDriven
from cc.sender.scream import Scream
from cc.sender.sprout_ewma import SproutEwma
from cc.sender.tcp_dstar import TcpDstar
from cc.sender.vegas import Vegas
from cc.sender.verus.verus import Verus
from cc.sender.westwood import Westwood
from cc.sender.zixia import Zixia

DEFAULT_SCHEME = "nuwa"


class UnknownSchemeError(ValueError):
    """No scheme has this name; the message lists those that exist."""


class MakeSender(Protocol):
    """Makes a connection's scheme."""

    def __call__(self, *, max_datagram_bytes: int, rng: RandomSource) -> SenderScheme:
        """`max_datagram_bytes`: the size of a full packet; `rng`: the connection's own generator."""


@dataclass(frozen=True, slots=True)
class Scheme:
    """One line of the registry."""

    name: str
    """As in session paths and on command lines: lower case, digits, hyphens."""
    title: str
    control: Literal["sender", "receiver"]
    """Who works out the window in congestion avoidance."""
    summary: str
    source: str
    make_sender: MakeSender
    """Usually the class itself."""
    make_receiver: Callable[[NuwaParameters], ReceiverScheme] | None = None
    """None where the receiver only measures."""
    policy: str | None = None
    """The policy in models/policies that answers its requests; None for a scheme that asks nothing."""

    @property
    def sender_policy(self) -> str | None:
        """The policy that the sender's half asks; None where nobody asks, or the receiver's half does."""
        return self.policy if self.control == "sender" else None


SCHEMES: tuple[Scheme, ...] = (
    Scheme(
        name="nuwa",
        title="Nuwa",
        control="receiver",
        summary="The receiver holds its one-way queueing delay at a target and tells the sender its window.",
        source="Jiang, Gong, Jin: receiver-side congestion control, section IV",
        make_sender=ReceiverDriven,
        make_receiver=Nuwa,
    ),
    Scheme(
        name="nuwa-rl",
        title="Nuwa-RL",
        control="receiver",
        summary="Nuwa whose aggressiveness k a learned policy moves ten times a second.",
        source="Jiang, Gong, Jin: receiver-side congestion control, section V",
        make_sender=ReceiverDriven,
        make_receiver=NuwaRl,
        policy="nuwa-rl",
    ),
    Scheme(
        name="nuwa-rl-goodput",
        title="Nuwa-RL, goodput",
        control="receiver",
        summary="Nuwa-RL with a policy that was rewarded for goodput less delay; not the paper's.",
        source="Jiang, Gong, Jin: receiver-side congestion control, section V; rewarded otherwise",
        make_sender=ReceiverDriven,
        make_receiver=NuwaRl,
        policy="nuwa-rl-goodput",
    ),
    Scheme(
        name="drwa",
        title="DRWA",
        control="receiver",
        summary="The receiver bounds the window so that the round trip stays below three times the shortest.",
        source="Jiang, Wang, Lee, Rhee: Tackling Bufferbloat in 3G/4G Networks, IMC 2012",
        make_sender=ReceiverDriven,
        make_receiver=lambda _parameters: Drwa(),
    ),
    Scheme(
        name="cubic",
        title="CUBIC",
        control="sender",
        summary="Window follows a cubic curve around the size at the last loss; leaves slow start when delay rises.",
        source="RFC 9438, RFC 9406",
        make_sender=Cubic,
    ),
    Scheme(
        name="newreno",
        title="NewReno",
        control="sender",
        summary="One packet more each round trip, half the window after a loss.",
        source="RFC 9002 section 7",
        make_sender=NewReno,
    ),
    Scheme(
        name="copa",
        title="Copa",
        control="sender",
        summary="Window towards the rate 1/(0.5 queueing delay); fills the queue only against flows that do.",
        source="Arun, Balakrishnan: Copa, NSDI 2018",
        make_sender=Copa,
    ),
    Scheme(
        name="vegas",
        title="Vegas",
        control="sender",
        summary="Keeps two to four packets in the queue, by the RTT above the smallest; one packet each round trip.",
        source="Brakmo, Peterson: TCP Vegas, IEEE JSAC 13(8), 1995",
        make_sender=Vegas,
    ),
    Scheme(
        name="westwood",
        title="Westwood+",
        control="sender",
        summary="NewReno that falls, after a loss, to what the measured bandwidth needs.",
        source="Grieco, Mascolo: Westwood+, ACM CCR 34(2), 2004",
        make_sender=Westwood,
    ),
    Scheme(
        name="ledbat",
        title="LEDBAT",
        control="sender",
        summary="For the background: keeps its queueing delay at 100 ms, and leaves the link to those that want more.",
        source="RFC 6817",
        make_sender=Ledbat,
    ),
    Scheme(
        name="verus",
        title="Verus",
        control="sender",
        summary="Learns which window makes which delay; moves the delay it aims at every 5 ms, up to six RTTs.",
        source="Zaki et al., Verus, SIGCOMM 2015",
        make_sender=Verus,
    ),
    Scheme(
        name="inigo",
        title="TCP Inigo",
        control="sender",
        summary="As DCTCP, with RTTs above 1.17 times the smallest for marks: keeps that much queue.",
        source="Shewmaker, systemslab/tcp_inigo",
        make_sender=Inigo,
    ),
    Scheme(
        name="bbr",
        title="BBR v1",
        control="sender",
        summary="Paces at the bandwidth it measures; probes for more of it, and for the round trip without a queue.",
        source="draft-cardwell-iccrg-bbr-congestion-control-00",
        make_sender=Bbr,
    ),
    Scheme(
        name="bbr2",
        title="BBR v2",
        control="sender",
        summary="BBR v3 with the gains of its predecessor; a probe for bandwidth ends as soon as a queue builds.",
        source="google/bbr v2alpha, tcp_bbr2.c",
        make_sender=Bbr2,
    ),
    Scheme(
        name="bbr3",
        title="BBR v3",
        control="sender",
        summary="BBR that probes every two to three seconds, leaves headroom and answers losses above 2 %.",
        source="draft-ietf-ccwg-bbr-06",
        make_sender=Bbr3,
    ),
    Scheme(
        name="bbrplus",
        title="BBRPlus",
        control="sender",
        summary="BBR v1 that probes every two to eight round trips at random, and drains until the queue is gone.",
        source="cx9208/bbrplus, tcp_bbrplus.c",
        make_sender=BbrPlus,
    ),
    Scheme(
        name="bbr-acd",
        title="BBR-ACD",
        control="sender",
        summary="BBR v1 that halves its window on a loss while round trips are long or steady: then it is congestion.",
        source="Mahmud, Kim, Lubna et al.: BBR-ACD, Electronics 9(1), 2020",
        make_sender=BbrAcd,
    ),
    Scheme(
        name="stateful-bbr",
        title="Stateful-BBR",
        control="sender",
        summary="BBR v1 that starts at the bandwidth which the last connection found, where its record is handed over.",
        source="Guo, Liu, Yang et al.: Stateful-BBR, IWQoS 2021",
        make_sender=StatefulBbr,
    ),
    Scheme(
        name="tsunami",
        title="Tsunami",
        control="sender",
        summary="BBR v1 that probes at 1.5 times the bandwidth and cruises at 9/8 of it.",
        source="KozakaiAya/TCP_BBR, tcp_tsunami.c",
        make_sender=Tsunami,
    ),
    Scheme(
        name="tcp-dstar",
        title="TCP D*",
        control="sender",
        summary="Holds the window at one bandwidth-delay product, as BBR means to, and raises it a little to probe.",
        source="Lynn, Ghosal: TCP D*, arXiv 2012.14996",
        make_sender=TcpDstar,
    ),
    Scheme(
        name="bbr-fit",
        title="BBR-FIT",
        control="sender",
        summary="BBR v1 whose pacing gain, while it cruises, a learned policy moves once a round trip.",
        source="Xie, Jiang, Jin, Chen: BBR-FIT",
        make_sender=BbrFit,
        policy="bbr-fit",
    ),
    Scheme(
        name="owl",
        title="Owl",
        control="sender",
        summary="A learned policy moves the window by up to ten packets, knowing also what some switches count.",
        source="Sacco, Flocco, Esposito, Marchetto: Owl",
        make_sender=Owl,
        policy="owl",
    ),
    Scheme(
        name="owl-ppo",
        title="Owl, PPO",
        control="sender",
        summary="Owl with a policy that PPO trained, and that is shown what changed; not the paper's.",
        source="Sacco, Flocco, Esposito, Marchetto: Owl, Partially Invisible Networks; trained otherwise",
        make_sender=Owl,
        policy="owl-ppo",
    ),
    Scheme(
        name="zixia",
        title="ZiXia",
        control="sender",
        summary="A learned policy multiplies the window every 10 ms; rewarded for its rank among other schemes.",
        source="ZiXia: an adjusted ranking reward, Dual-PPO",
        make_sender=Zixia,
        policy="zixia",
    ),
    Scheme(
        name="zixia-delay",
        title="ZiXia_delay",
        control="sender",
        summary="ZiXia with a policy that is content to beat half of the others in throughput, and seeks low delay.",
        source="ZiXia: an adjusted ranking reward, Dual-PPO, eq. 6",
        make_sender=Zixia,
        policy="zixia-delay",
    ),
    Scheme(
        name="zixia-lean",
        title="ZiXia, lean",
        control="sender",
        summary="ZiXia with a policy that was rewarded for use, short queues and few losses; not the paper's.",
        source="ZiXia: an adjusted ranking reward; trained otherwise",
        make_sender=Zixia,
        policy="zixia-lean",
    ),
    Scheme(
        name="dqn-v1",
        title="DQN v1",
        control="sender",
        summary="CUBIC's cuts, and a learned step of the window each round trip, by window, RTT and throughput.",
        source="Seo, Cho: Fairness Enhancement of TCP Congestion Control Using Reinforcement Learning, its [6]",
        make_sender=DqnV1,
        policy="dqn-v1",
    ),
    Scheme(
        name="dqn-v2",
        title="DQN v2",
        control="sender",
        summary="DQN v1 that leaves the throughput out, with a network that had dropout in training.",
        source="Seo, Cho: Fairness Enhancement of TCP Congestion Control Using Reinforcement Learning",
        make_sender=DqnV2,
        policy="dqn-v2",
    ),
    Scheme(
        name="sprout-ewma",
        title="Sprout-EWMA",
        control="sender",
        summary="Keeps in flight what a moving average of the delivery rate should carry within 100 ms.",
        source="Winstein, Sivaraman, Balakrishnan: Sprout, NSDI 2013, the EWMA variant",
        make_sender=SproutEwma,
    ),
    Scheme(
        name="abc",
        title="ABC",
        control="sender",
        summary="Follows the accelerates and brakes of an ABC router; CUBIC where nothing marks.",
        source="Goyal et al., ABC, NSDI 2020",
        make_sender=Abc,
    ),
    Scheme(
        name="gcc",
        title="GCC",
        control="sender",
        summary="Rate for real-time video: up until delays grow, then 85 % of what arrives.",
        source="draft-ietf-rmcat-gcc-02",
        make_sender=Gcc,
    ),
    Scheme(
        name="scream",
        title="SCReAM",
        control="sender",
        summary="A self-clocked window that lets 100 ms of queue stand; the window alone, without media queues.",
        source="RFC 8298",
        make_sender=Scream,
    ),
    Scheme(
        name="pcc-allegro",
        title="PCC Allegro",
        control="sender",
        summary="Tries rates in randomised trials, and moves to what loses less than 5 % and carries more.",
        source="Dong et al., PCC, NSDI 2015",
        make_sender=PccAllegro,
    ),
    Scheme(
        name="pcc-vivace",
        title="PCC Vivace",
        control="sender",
        summary="Tries rates, and climbs the gradient of a utility of rate, RTT gradient and loss.",
        source="Dong et al., PCC Vivace, NSDI 2018",
        make_sender=PccVivace,
    ),
    Scheme(
        name="proteus",
        title="PCC Proteus-S",
        control="sender",
        summary="A scavenger: PCC Vivace that also flees from round-trip times which fluctuate.",
        source="Meng et al., PCC Proteus, SIGCOMM 2020",
        make_sender=Proteus,
    ),
)


def scheme(name: str) -> Scheme:
    """The scheme of this name. Raises UnknownSchemeError."""
    for candidate in SCHEMES:
        if candidate.name == name:
            return candidate
    known = ", ".join(candidate.name for candidate in SCHEMES)
    raise UnknownSchemeError(f"scheme {name!r} is unknown; known schemes: {known}")
