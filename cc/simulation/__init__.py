"""Congestion control in virtual time: flows over one emulated bottleneck, much faster than real time."""

from cc.simulation.checked_scheme import SchemeError
from cc.simulation.flow_plan import FlowPlan
from cc.simulation.network import Network
from cc.simulation.one_flow import Simulation, SimulationResult
from cc.simulation.options import SimulationOptions
from cc.simulation.record import DelaySummary
from cc.simulation.sources import Backlog, Bulk, OnOff

__all__ = [
    "Backlog",
    "Bulk",
    "DelaySummary",
    "FlowPlan",
    "Network",
    "OnOff",
    "SchemeError",
    "Simulation",
    "SimulationOptions",
    "SimulationResult",
]
