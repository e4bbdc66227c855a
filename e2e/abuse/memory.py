"""What an attacker may make a server keep."""

from __future__ import annotations

from e2e.abuse.attack import Limit
from e2e.laboratory.figures.figure import Reach

A_CONNECTION = Limit("memory of a connection", Reach("at most", 4.0), "MB")
IN_ALL = Limit("memory of all together", Reach("at most", 64.0), "MB")
