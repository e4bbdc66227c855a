from __future__ import annotations

import io

from e2e.laboratory.runs.progress import Progress, describe_running


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_log_has_a_line_for_each_tenth_and_what_went_wrong() -> None:
    output = io.StringIO()
    with Progress(total=40, done=2, output=output) as progress:
        for _ in range(7):
            progress.begin("a run")
            progress.finish("a run")
        progress.say("failed: bbr")
    assert output.getvalue() == "4 of 40 runs, about 0 s to go\n8 of 40 runs, about 0 s to go\nfailed: bbr\n"


def test_a_terminal_has_a_bar() -> None:
    output = Terminal()
    with Progress(total=4, done=1, output=output) as progress:
        progress.begin("nuwa over 24mbit")
        progress.begin("cubic over 24mbit")
        progress.finish("nuwa over 24mbit")
        assert "1/4" in output.getvalue()
        assert "nuwa over 24mbit and 1 more" in output.getvalue()
    assert "2/4" in output.getvalue()


def test_of_several_runs_under_way_the_first_is_named_and_the_others_are_counted() -> None:
    assert describe_running([]) == ""
    assert describe_running(["nuwa"]) == "nuwa"
    assert describe_running(["nuwa", "cubic", "bbr"]) == "nuwa and 2 more"
