"""Remy's search, over an objective that needs no link."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest

from cc.sender.tao.whiskers import Signals, Split, Tree, Whisker, read_tree, whisker_for
from models.command import main
from models.scenarios.scenario import Scenario
from models.scenarios.splits import OtherTraceError
from models.whiskers import command
from models.whiskers.objective import Played, objective, play
from models.whiskers.search import FIRST, Search, alternatives, leaves, most_used, split_most_used, with_whisker

SCENARIO = Scenario("12mbit", base_rtt_s=0.040, queue_packets=100, duration_s=1.0)
LOW: Signals = (1.0, 1.0, 1.0)
HIGH: Signals = (3.0, 3.0, 3.0)


def likes_two_increments(tree: Tree, _scenarios: Sequence[Scenario]) -> Played:
    """Best are increments of 2 where signals are low, of 5 where they are high."""
    far = abs(whisker_for(tree, LOW).increment - 2) + abs(whisker_for(tree, HIGH).increment - 5)
    return Played(-far, [LOW, HIGH, HIGH])


def test_the_objective_weighs_a_share_of_the_link_and_its_delay_alike() -> None:
    assert objective(0.5, 2.0) == -2.0
    assert objective(1.0, 1.0) == 0.0
    assert objective(0.0, 1.0) == pytest.approx(-9.97, abs=0.01)


def test_search_splits_where_one_whisker_cannot_serve_both() -> None:
    trees = count()
    search = Search([SCENARIO], lambda: next(trees) > 400, lambda _line: None, play_tree=likes_two_increments)
    found = search.run(Whisker(multiple=1.0, increment=1.0, intersend_ms=1.0))
    assert found.objective == pytest.approx(0.0, abs=0.5)
    assert leaves(found.tree) > 1
    assert found.generations > 1


def test_a_search_that_is_over_at_once_keeps_the_tree() -> None:
    found = Search([SCENARIO], lambda: True, lambda _line: None, play_tree=likes_two_increments).run()
    assert (found.tree, found.trees_played, found.generations) == (FIRST, 1, 0)


def test_alternatives_move_one_number_within_its_range() -> None:
    around = list(alternatives(Whisker(multiple=1.2, increment=1.0, intersend_ms=0.05)))
    assert len(around) == 3 + 6 + 3
    assert Whisker(multiple=0.95, increment=1.0, intersend_ms=0.05) in around
    assert all(each.multiple <= 1.2 and each.intersend_ms >= 0.05 for each in around)


def test_the_most_used_whisker_is_split_at_its_medians() -> None:
    tree = split_most_used(FIRST, [LOW, LOW, HIGH, HIGH])
    assert isinstance(tree, Split)
    assert tree.at == (2.0, 2.0, 2.0)
    assert set(tree.children) == {FIRST}
    assert most_used(tree, [LOW, HIGH, HIGH]) == [(7,), (0,)]
    assert split_most_used(FIRST, [LOW, LOW]) is FIRST  # nothing to separate


def test_a_whisker_is_replaced_where_its_path_leads() -> None:
    tree = with_whisker(split_most_used(FIRST, [LOW, HIGH]), (7,), Whisker(0.5, 0.0, 1.0))
    assert whisker_for(tree, HIGH).multiple == 0.5
    assert whisker_for(tree, LOW) == FIRST


def test_a_tree_is_played_and_what_it_was_asked_is_kept() -> None:
    paced = play(Whisker(multiple=1.0, increment=0.0, intersend_ms=2.0), [SCENARIO])
    assert paced.asked
    assert paced.objective == pytest.approx(objective(0.2, 1.0), abs=0.6)  # ten packets each 40 ms, at 12 Mbit/s


def test_the_command_writes_a_tree_that_says_how_it_was_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "play", likes_two_increments)
    monkeypatch.setattr(command, "Search", lambda *arguments: Search(*arguments, play_tree=likes_two_increments))
    file = tmp_path / "made" / "tao.json"
    assert main(["whiskers", "--minutes", "0", "--scenarios", "2", "--seed", "3", "--output", str(file)]) == 0
    made = json.loads(file.read_text(encoding="utf-8"))
    assert read_tree(made["tree"]) == FIRST
    assert made["command"] == "nuwa models whiskers --minutes 0 --scenarios 2 --seed 3"
    assert "1 trees played" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "value", "refusal"),
    [
        ("--minutes", "nan", "'nan' is no number of at least 0"),
        ("--minutes", "-1", "'-1' is no number of at least 0"),
        ("--scenarios", "0", "'0' is no whole number above 0"),
        ("--seed", "-3", "'-3' is no whole number above 0"),
    ],
)
def test_what_leaves_nothing_to_search_is_refused(
    option: str, value: str, refusal: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["whiskers", f"{option}={value}"])
    assert refusal in capsys.readouterr().err


def test_where_no_file_can_be_is_told_before_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "Search", None)
    file = tmp_path / "file"
    file.touch()
    lost = tmp_path / "lost.json"
    lost.symlink_to(tmp_path / "nowhere" / "tao.json")
    for output, why in (
        (tmp_path, f"{tmp_path}: Is a directory"),
        (file / "tao.json", f"{file}: File exists"),
        (lost, f"{lost}: No such file or directory"),
    ):
        assert main(["whiskers", "--output", str(output)]) == 2
        assert capsys.readouterr().err == f"--output {output} cannot be written: {why}\n"


def test_a_search_that_is_stopped_leaves_the_tree_that_was_there_and_no_empty_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "Search", stop)
    (tmp_path / "old.json").write_text("a tree", encoding="utf-8")
    for name in ("old.json", "new.json"):
        with pytest.raises(KeyboardInterrupt):
            main(["whiskers", "--scenarios", "1", "--output", str(tmp_path / name)])
    assert [(file.name, file.read_text(encoding="utf-8")) for file in tmp_path.iterdir()] == [("old.json", "a tree")]


def test_a_trace_that_is_another_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(_split: str) -> tuple[str, ...]:
        raise OtherTraceError("trace 6mbit here is another")

    monkeypatch.setattr("models.scenarios.scenario.split_traces", refuse)
    assert main(["whiskers", "--output", str(tmp_path / "tao.json")]) == 2
    assert capsys.readouterr().err == "trace 6mbit here is another\n"
