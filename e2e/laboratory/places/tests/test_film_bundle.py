from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from cc.command_line.clone import ROOT
from e2e.laboratory.places.cell_bundle import Decisions, Qoe, Stall, read_cell_bundle
from e2e.laboratory.places.film_bundle import read_film_bundle
from e2e.laboratory.places.tests.cell_metrics import cell_metrics
from e2e.laboratory.plan import Estimator, PlayerPlan, RunPlan
from e2e.laboratory.record import RunError
from e2e.laboratory.result import PlayerResult
from e2e.laboratory.tests.samples import sample_plan

INIT_MS = 1_795_255_475_000
SILENT = {"scheme": "owl", "isLoaded": False, "decisions": 9, "answered": 0, "late": 9, "failed": 0}


def plan(estimator: Estimator = "receiver") -> RunPlan:
    return replace(sample_plan(duration_s=0.5), place="browser", player=PlayerPlan("nuwa", estimator))


def leave_bundle(folder: Path, decisions: list[dict[str, object]]) -> None:
    """A film of two segments in a second, over a link with an opportunity every 10 ms and a packet in every other."""
    metrics = cell_metrics(
        window={"fromMs": INIT_MS + 1000, "toMs": INIT_MS + 2000},
        serverCpuSeconds=0.25,
        receiverEstimate={"ofPayloadCapacity": 0.1, "ofLinkCapacity": 0.2, "seconds": 1},
        playback={
            "startupSeconds": 0.4,
            "stalls": [{"startedAtMs": 1, "seconds": 0.5, "leastBufferSeconds": 0.0}],
            "rebufferSeconds": 0.5,
            "playedSeconds": 8.0,
        },
        segmentMegabitsPerSecond=[1.0, 3.0],
        switches=1,
        qoe={"total": 3.0, "perSegment": 1.5},
    )
    (folder / "bundle.json").write_text(json.dumps({"metrics": metrics, "decisions": decisions}))
    (folder / "segments.csv").write_text("mediaType,index,bytes\nvideo,0,1000\nvideo,1,3000\n")
    lines = [f"# init timestamp: {INIT_MS}"]
    for at_ms in range(1000, 2000, 10):
        lines += [f"{at_ms} # 1504", *([f"{at_ms} - 1232 4"] if at_ms % 20 == 0 else [])]
    (folder / "link.log.gz").write_bytes(gzip.compress("\n".join([*lines, ""]).encode()))


def test_what_a_cell_leaves_is_read() -> None:
    bundle = read_cell_bundle(ROOT / "e2e/browser/cell/testdata")  # metrics.test.ts there writes the same
    film = bundle.metrics
    assert film.window.length_s == 2
    assert (film.playback.startup_seconds, film.playback.played_seconds) == (0.2, 1.3)
    assert film.playback.stalls == [Stall(1_795_255_475_700, 0.5, 0.25)]
    assert (film.segment_megabits_per_second, film.switches) == ([1, 2], 1)
    assert film.qoe is not None
    assert film.qoe == Qoe(film.qoe.per_segment, 3, 2.15, 1)
    assert film.qoe.per_segment == pytest.approx(-0.075)
    assert film.host_lateness is not None
    assert film.receiver_estimate is not None
    assert film.host_lateness.median_ms == 2
    assert film.receiver_estimate.of_payload_capacity == pytest.approx(0.05)
    assert (film.server_cpu_seconds, film.dashjs_estimate) == (0.25, None)
    assert bundle.decisions == [Decisions("owl", is_loaded=True, decisions=9, answered=8, late=1, failed=0)]


def test_a_bundle_is_read_into_a_result(tmp_path: Path) -> None:
    leave_bundle(tmp_path, [])
    result = read_film_bundle(plan(), tmp_path)
    assert result.player == PlayerResult(1.5, 8.0, 0.4, 1, 0.5, 2e6, 1, 0.1)
    assert (result.link.capacity_bits_per_s, result.link.throughput_bits_per_s) == (1_203_200, 492_800)
    (flow,) = result.flows
    assert (flow.goodput_bits_per_s, flow.packets_lost) == (32_000, 0)
    assert result.intervals.flows[0].queueing_delay_mean_ms == (4, 4, 4, 4, 4)
    assert result.server_cpu_share == 0.25


def test_an_estimator_that_estimated_nothing_has_no_error(tmp_path: Path) -> None:
    leave_bundle(tmp_path, [])
    player = read_film_bundle(plan("dashjs"), tmp_path).player
    assert player is not None
    assert player.estimate_error_ratio is None


def test_a_film_whose_senders_policy_never_answered_fails(tmp_path: Path) -> None:
    leave_bundle(tmp_path, [SILENT])
    with pytest.raises(RunError, match="owl answered 0 of 9 decisions: its policy is missing"):
        read_film_bundle(plan(), tmp_path)
