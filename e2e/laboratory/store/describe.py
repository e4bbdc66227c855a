"""What bundle.json holds of a matrix that was made."""

from __future__ import annotations

import os
import platform
import shlex
import statistics
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

import cc
from cc.registry import scheme
from e2e.laboratory.bundle import (
    BUSY_SERVER_SHARE,
    LATE_HOST_MS,
    Bundle,
    FailedRun,
    HostLateness,
    Machine,
    ServerLoad,
    UsedTrace,
    Versions,
)
from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.decisions import LEARNED
from e2e.laboratory.origin import commit, has_local_changes, processor
from e2e.laboratory.plan import Place
from e2e.laboratory.record import FinishedRun
from e2e.laboratory.request import MatrixRequest
from e2e.laboratory.store.columns import TABLES, kinds
from models.policies.card import CardError, read_card
from models.policies.folder import POLICIES

PACKAGES = ("aioquic", "nuwa-stream", "numpy", "onnxruntime")
"""Those on which figures may depend."""


def describe(
    request: MatrixRequest,
    links: Iterable[LoadedLink],
    runs: Sequence[FinishedRun],
    sources: Mapping[Place, str],
    *,
    mahimahi: str | None,
    made_by: str,
) -> Bundle:
    """`sources`: hash of the programs by place; `mahimahi`: its version; `made_by`: what carried the runs out."""
    failures = failures_of(runs)
    return Bundle(
        command=command_line(),
        written_at=written_now(),
        versions=versions_of(mahimahi),
        sources={str(place): digest for place, digest in sources.items()},
        policies=policies_of(flow.scheme for run in runs for flow in run.record.plan.arm.flows),
        request=request,
        seeds=tuple(range(1, request.seeds + 1)),
        links=used_traces(links),
        machine=this_machine(),
        made_by=made_by,
        finished=len(runs) - len(failures),
        failed=len(failures),
        failures=failures,
        server_load=_server_load(runs),
        host_lateness=_host_lateness(runs),
        tables=kinds(TABLES),
    )


def command_line() -> str:
    """That this process was started by."""
    return shlex.join(["python", *sys.orig_argv[1:]])


def written_now() -> str:
    """The time, as bundles have it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def used_traces(links: Iterable[LoadedLink]) -> tuple[UsedTrace, ...]:
    """By their hashes."""
    return tuple(UsedTrace(link.name, link.downlink_sha256, link.uplink_sha256, link.downlink_ms[-1]) for link in links)


def write_bundle(directory: Path, bundle: object) -> None:
    """Beside the rows."""
    text = msgspec.json.format(msgspec.json.encode(bundle), indent=2)
    (directory / "bundle.json").write_bytes(text + b"\n")


def failures_of(runs: Iterable[FinishedRun]) -> tuple[FailedRun, ...]:
    """In the order of the runs."""
    known = ((run.key, run.record.failure) for run in runs)
    return tuple(
        FailedRun(key, failure.scheme, failure.message, failure.state) for key, failure in known if failure is not None
    )


def policies_of(schemes: Iterable[str]) -> dict[str, str]:
    """SHA-256 of what learned ones go by, by the policy's name."""
    found: dict[str, str] = {}
    for name in sorted(LEARNED.intersection(schemes)):
        policy = scheme(name).policy
        assert policy is not None
        try:
            found[policy] = read_card(POLICIES / f"{policy}.json").sha256
        except CardError:
            continue  # its runs failed, and say why
    return found


def _server_load(runs: Iterable[FinishedRun]) -> ServerLoad | None:
    results = ((run.key, run.record.result) for run in runs)
    shares = {key: result.server_cpu_share for key, result in results if result is not None}
    known = {key: share for key, share in shares.items() if share is not None}
    if not known:
        return None
    busy = tuple(key for key, share in known.items() if share > BUSY_SERVER_SHARE)
    return ServerLoad(statistics.median(known.values()), max(known.values()), busy)


def _host_lateness(runs: Iterable[FinishedRun]) -> HostLateness | None:
    results = ((run.key, run.record.result) for run in runs)
    known = {
        key: max(result.server_lateness_p99_ms or 0.0, result.receiver_lateness_p99_ms or 0.0)
        for key, result in results
        if result is not None
        and (result.server_lateness_p99_ms is not None or result.receiver_lateness_p99_ms is not None)
    }
    if not known:
        return None
    return HostLateness(max(known.values()), tuple(key for key, late_ms in known.items() if late_ms > LATE_HOST_MS))


def versions_of(mahimahi: str | None) -> Versions:
    """Of the clone, of Python and of the packages on which figures may depend."""
    return Versions(
        commit=commit(),
        has_local_changes=has_local_changes(),
        python=platform.python_version(),
        packages=dict(_package_versions()),
        mahimahi=mahimahi,
        system=f"{platform.system()} {platform.release()}",
    )


def _package_versions() -> Iterator[tuple[str, str]]:
    if cc.COMPILED is not None:
        yield "cc", cc.COMPILED
    for name in PACKAGES:
        try:
            yield name, version(name)
        except PackageNotFoundError:
            continue


def this_machine() -> Machine:
    """Where this process runs."""
    return Machine(processor(), os.cpu_count() or 1, _memory_bytes())


def _memory_bytes() -> int | None:
    if sys.platform == "win32":
        return None
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
