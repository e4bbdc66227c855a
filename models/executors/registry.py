"""Clusters by name: a line for each kind. A kind's packages are imported when it is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from importlib import import_module

from models.executors.workers import ClusterError, UnreachableError, Workers, local_workers


@dataclass(frozen=True, slots=True)
class ClusterKind:
    """What an address looks like, and what opens it."""

    form: str
    """As the help writes it."""
    pattern: str
    module: str
    """Of this folder; its `open_cluster(address, jobs)` is a context of Workers."""


KINDS = (
    ClusterKind("local-ray", r"local-ray", "ray_cluster"),
    ClusterKind("ray://HOST:PORT", r"ray://(\[[0-9a-fA-F:.]+\]|[\w.-]+):[0-9]{1,5}", "ray_cluster"),
)
FORMS = " or ".join(kind.form for kind in KINDS)
HELP = f"have it made by Ray: {FORMS}; without, by processes of this machine"


def cluster_kind(address: str) -> ClusterKind:
    """Raises ClusterError for what is no address."""
    for kind in KINDS:
        if re.fullmatch(kind.pattern, address):
            return kind
    raise ClusterError(f"--cluster {address}: give {FORMS}")


@contextmanager
def open_workers(cluster: str | None, jobs: int, say: Callable[[str], object]) -> Iterator[Workers]:
    """Processes of this machine where no cluster is asked for, or none answers, which `say` is told.

    Raises ClusterError for what is no cluster, and where its package is missing.
    """
    with ExitStack() as stack:
        yield _opened(stack, cluster, jobs, say)


def _opened(stack: ExitStack, cluster: str | None, jobs: int, say: Callable[[str], object]) -> Workers:
    if cluster is None:
        return local_workers(jobs)
    kind = cluster_kind(cluster)
    try:
        module = import_module(f"models.executors.{kind.module}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "models":
            raise
        needs = f"the package {error.name}; in the clone: pip install '.[cluster]'"
        raise ClusterError(f"--cluster {cluster} needs {needs}") from error
    try:
        workers: Workers = stack.enter_context(module.open_cluster(cluster, jobs))
    except UnreachableError as error:
        local = local_workers(jobs)
        say(f"{error}; it is done by {local.where}")
        return replace(local, where=f"{local.where}, because {error}")
    return workers
