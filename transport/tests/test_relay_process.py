"""The relay as a process that is spoken to in JSON lines."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from transport.tests.running_relay import LIMIT_S, ROOT, process, udp_socket


def test_as_a_process_it_says_when_it_is_ready_obeys_and_ends_with_its_input(tmp_path: Path) -> None:
    server = udp_socket()
    upstream = f"127.0.0.1:{server.getsockname()[1]}"
    logs = [str(tmp_path / "0"), str(tmp_path / "1")]
    options = ["--link", "24mbit", "--delay", "1", "--queue", "300", "--port", "0", "--port", "0", "--log", *logs]
    with server, process("--upstream", upstream, *options, "--control") as child:
        ready = child.read()
        assert ready["event"] == "ready"
        assert ready["link"]["name"] == "24mbit"
        assert [lane["host"] for lane in ready["lanes"]] == ["127.0.0.1"] * 2
        with udp_socket(("127.0.0.1", ready["lanes"][1]["port"])) as client:
            client.send(b"hello")
            assert server.recvfrom(2048)[0] == b"hello"
        assert child.say('{"command":"link","link":{"name":"none"}}')["event"] == "link"
        assert child.say("{}")["event"] == "refused"
    assert child.process.returncode == 0
    for log in logs:
        lines = Path(log).read_text("ascii").splitlines()
        assert lines[2] == f"# init timestamp: {ready['link']['started_at_ms']}"
        assert sum(line.endswith("# 1504") for line in lines) > 5


def test_a_signal_ends_it_cleanly() -> None:
    with process("--upstream", "127.0.0.1:9") as child:
        assert child.read()["link"]["name"] == "none"
        child.process.terminate()
        assert child.process.wait(LIMIT_S) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--upstream", "nowhere"], "'nowhere' is not an address such as 127.0.0.1:4433"),
        (
            ["--upstream", "127.0.0.1:9", "--link", "lte"],
            "link 'lte' is neither a rate (24mbit), a file, nor one of none",
        ),
        (
            ["--upstream", "127.0.0.1:9", "--delay", "-1"],
            "argument --delay: '-1' is not a number from 0 to 1000 (milliseconds)",
        ),
        (["--upstream", "127.0.0.1:9", "--queue", "0"], "argument --queue: '0' is not a whole number from 1 to 20000"),
        (
            ["--upstream", "127.0.0.1:9", "--queue", "5"],
            "queue_packets 5: link none has no queue; name a link, or leave",
        ),
        (["--upstream", "127.0.0.1:9", "--discipline", "red"], "argument --discipline: invalid choice: 'red'"),
        (["--upstream", "127.0.0.1:9", "--loss", "nan"], "argument --loss: 'nan' is not a number from 0 to 0.5"),
        (["--upstream", "127.0.0.1:9", "--log", "a", "b"], "--log: 2 logs for 1 lanes; give one for each"),
        (
            ["--upstream", "127.0.0.1:9", "--for-each", "--log", "a"],
            "--for-each: a link for each client is neither logged",
        ),
        (["--upstream", "127.0.0.1:9", "--log", "/no/x.log"], "--log: /no/x.log cannot be written (No such file or "),
        (["--upstream", "nowhere.invalid:9"], "--upstream: the server nowhere.invalid is not known"),
        (["--upstream", "127.0.0.1:9", "--host", "192.0.2.1"], ": cannot listen on UDP 192.0.2.1:0"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(arguments: list[str], message: str) -> None:
    command = [sys.executable, "-m", "transport", "relay", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert "[Errno" not in done.stderr


def test_lists_and_traces_need_nothing_but_python_itself() -> None:
    def alone(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-S", "-m", "transport", *arguments]  # -S: without site-packages
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_S, check=False)

    links = alone("links", "--json")
    assert (links.returncode, links.stderr) == (0, "")
    assert "lte-like" in [link["name"] for link in json.loads(links.stdout)]
    assert alone("links", "--trace", "8kbit").stdout == "1504\n"
    refused = alone("links", "--trace", "0mbit")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("python -m transport links: link '0mbit': a link of 0.0 Mbit/s cannot be traced")


def test_the_list_says_what_it_leaves_out_and_refuses_a_folder_that_there_is_not(tmp_path: Path) -> None:
    def links(folder: Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "transport", "links", "--json", "--traces", str(folder)]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_S, check=False)

    (tmp_path / "a+b.down").write_text("1\n", "ascii")
    listed = links(tmp_path)
    assert listed.returncode == 0
    assert "a+b" not in [link["name"] for link in json.loads(listed.stdout)]
    assert f"{tmp_path / 'a+b.down'} is no link's name" in listed.stderr
    refused = links(tmp_path / "nowhere")
    assert refused.returncode == 2
    assert "argument --traces: there is no folder" in refused.stderr


def test_its_last_words_are_what_it_lost_itself_and_how_late_it_was() -> None:
    with process("--upstream", "127.0.0.1:9", "--log-level", "error") as child:
        lane = child.read()["lanes"][0]
        with udp_socket((lane["host"], lane["port"])) as client:
            client.send(b"to nobody")
        child.process.terminate()
        words = child.read()
    lost = ["datagrams_unsent", "datagrams_refused", "datagrams_turned_away"]
    lost += ["datagrams_missed"] * (sys.platform == "linux")
    assert words.pop("event") == "ended"
    assert {name: words[name] for name in lost} == dict.fromkeys(lost, 0)
    assert set(words) <= {*lost, "lateness_p99_s", "lateness_max_s"}
