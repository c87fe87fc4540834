"""Bots as processes: protocols, times, hostile output, and ends. Nothing of a bot is left running."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest
from bots import PASSES, TSUMOGIRI, python, shell, short_match

import mjconv
from looped import looped
from mjconv.ir import events as ev
from mjconv.reviewer.play import Review, review
from mjconv.reviewer.streams import LONGEST

DISCARD = '{"type":"dahai","actor":0,"pai":"C","tsumogiri":true}'


def gone(process: int) -> bool:
    """Return whether a process has ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.01)


@pytest.mark.parametrize("protocol", ["lines", "batch"])
def test_a_bot_answers_in_each_protocol(protocol: mjconv.reviewer.bot.Protocol, tmp_path: Path) -> None:
    with mjconv.Bot(python(tmp_path, TSUMOGIRI, "{seat}"), protocol=protocol) as bot:
        found = [review(short_match(2), seat, bot) for seat in (0, 1)]
    assert [[(row.round, row.event, row.answered) for row in one.rows] for one in found] == [
        [(number, 2, DISCARD) for number in (0, 1)],
        [(number, 4, DISCARD.replace("0", "1")) for number in (0, 1)],
    ]
    assert [one.agreement for one in found] == [0.0, 1.0]


def test_lines_are_all_messages_and_batches_end_before_decisions_and_rounds(tmp_path: Path) -> None:
    script = PASSES.replace("do ", f"do printf '%s\\n' \"$line\" >>{tmp_path}/seen; ")
    for protocol, sizes in (("lines", [1] * 7), ("batch", [1, 2, 3, 1])):
        (tmp_path / "seen").write_text("")
        with mjconv.Bot(shell(script), protocol=protocol) as bot:
            review(short_match(), 0, bot)
            seen = [json.loads(line) for line in (tmp_path / "seen").read_bytes().splitlines()]
        batches = [one if protocol == "batch" else [one] for one in seen]
        assert list(map(len, batches)) == sizes
        types = [message["type"] for batch in batches for message in batch]
        assert types == ["start_game", "start_kyoku", *["tsumo", "dahai"] * 2, "end_game"]
        assert batches[0][0]["id"] == 0
        assert batches[1][0].get("tehais", [["1m"]])[1:] in ([], [["?"] * 13] * 3)


def reviewed(command: str) -> tuple[Review, str]:
    with mjconv.Bot(command, timeout=5) as bot:
        found = review(short_match(), 0, bot)
    return found, found.lost[0].reason if found.lost else found.rows[-1].problem or ""


#: The answer to the first message.
FIRST = """read -r line; echo '{"type":"none"}';"""
DEEP = f"""while read -r line; do printf '%s\\n' '{"[" * 5000}'; done"""
TWICE = """while read -r line; do printf '%s\\n' '{"type":"none"}' x; done"""
GREETING = f"sleep 0.05; echo hello; {PASSES.replace('do ', 'do sleep 0.05; ')}"
DEAF = """read -r l; exec <&-; echo '{"type":"none"}'; sleep 9"""


def answering(answer: str) -> str:
    """Return the script of a bot that gives this answer to all messages but the first."""
    return f"{FIRST} while read -r line; do echo '{answer}'; done"


OTHER_SEAT = answering('{"type":"reach","actor":3}')

#: What hostile bots do, the fault and a part of the problem, and whether the game is lost.
HOSTILE = {
    "garbage": (answering("garbage"), "broken", "not JSON", False),
    "no message": (answering("[1]"), "broken", "a JSON object", False),
    "null": (answering("null"), "broken", "a JSON object: 'null'", False),
    "nan": (answering("[NaN]"), "broken", "not JSON (NaN is not JSON: ", False),
    "no tile": (answering('{"type":"dahai","actor":0,"pai":"0z"}'), "broken", "no message of mjai", False),
    "no answer": (answering('{"type":"end_kyoku"}'), "broken", "end_kyoku is no answer", False),
    "another seat": (OTHER_SEAT, "broken", "answers for seat 3, but its seat is 0", False),
    "unasked": (answering('{"type":"hora","actor":0,"target":1,"pai":"E"}'), "illegal", "", False),
    "deep": (f"{FIRST} {DEEP}", "broken", "not JSON (arrays and objects are nested more than 200 deep): ", False),
    "bytes": (f"{FIRST} while read -r line; do printf '\\377\\200\\n'; done", "broken", "is not UTF-8", False),
    "illegal": (PASSES, "illegal", "none is not among the choices: dahai", False),
    "two answers": (TWICE, "broken", "nothing asked for: 'x\\n'", True),
    "a greeting": (GREETING, "broken", "'hello", True),
    "endless lines": (f"{FIRST} exec yes '{{}}'", "broken", "nothing asked for", True),
    "an endless line": ("read -r line; while :; do printf xxxxxxxxxxx; done", "broken", "65,536 bytes", True),
    "a gigabyte": ("read -r l; head -c 1000000000 /dev/zero; sleep 9", "broken", "65,536 bytes", True),
    "ends": (FIRST + "exit 3", "broken", "the bot ended with status 3", True),
    "dies": ("read -r line; kill -9 $$", "broken", "the bot was killed by signal 9", True),
    "closes its output": ("read -r line; exec >&-; sleep 9", "broken", "closed its input or output", True),
    "closes its input": (DEAF, "broken", "closed its input or output", True),
}


@looped("name", *HOSTILE)
def test_whatever_a_bot_writes_is_a_fault_with_its_reason(name: str) -> None:
    script, fault, problem, lost = HOSTILE[name]
    found, text = reviewed(shell(script))
    assert problem in text
    assert [row.fault for row in found.rows[-1:]] in ([fault], [] if lost else None)
    assert bool(found.lost) == lost
    assert all(len(row.problem or "") < 300 for row in found.rows)


def test_a_bot_that_is_late_loses_its_game_alone() -> None:
    with mjconv.Bot(shell(f"{FIRST} {FIRST} read -r line; sleep 9"), timeout=0.05) as bot:
        found = [review(short_match(), 0, bot) for _ in range(2)]
    faults = [(row.fault, row.problem, row.same) for one in found for row in one.rows]
    assert faults == [("late", "no answer in 0.05 seconds", False)] * 2
    assert [lost.reason for one in found for lost in one.lost] == ["no answer in 0.05 seconds"] * 2


def test_the_time_for_an_answer_may_be_years() -> None:
    with mjconv.Bot("cat", timeout=1e9) as bot:
        bot.begin(0)
        assert bot.ask([b"{}"])[0] == b"{}"


def test_a_bot_that_reads_nothing_is_late_too() -> None:
    with mjconv.Bot(shell("""read -r a; echo '{"type":"none"}'; sleep 9"""), timeout=0.2) as bot:
        bot.begin(0)
        bot.ask([b"{}"])
        with pytest.raises(mjconv.MjconvError, match=r"no answer in 0\.2 seconds"):
            bot.ask([b"x" * (1 << 20)])


def test_an_answer_may_be_as_long_as_the_limit() -> None:
    with mjconv.Bot(shell(f"read -r a; head -c {LONGEST - 1} /dev/zero; echo; sleep 9")) as bot:
        bot.begin(0)
        assert len(bot.ask([b"{}"])[0]) == LONGEST - 1


def test_the_end_of_standard_error_is_kept_and_a_lost_game_has_it() -> None:
    script = "i=0; while [ $i -lt 9000 ]; do echo line $i >&2; i=$((i+1)); done; read -r line; exit 1"
    found, problem = reviewed(shell(script))
    assert problem == "the bot ended with status 1"
    assert found.errors.endswith("line 8999\n")
    assert len(found.errors) == 1 << 13


def test_a_process_plays_games_of_its_seat_and_a_silent_end_starts_another(tmp_path: Path) -> None:
    script = f"echo $$ >>{tmp_path}/started; {PASSES}"
    for command, seats, started in (
        (shell(script), (0, 1, 1), 1),
        (shell(f": {{seat}}; {script}"), (0, 1, 1), 2),
        (shell(f"n=0; {script.replace('do echo', 'do n=$((n+1)); [ $n -lt 7 ] && echo')}"), (0, 1, 1), 3),
    ):
        (tmp_path / "started").write_text("")
        with mjconv.Bot(command) as bot:
            for seat in seats:
                assert not review(short_match(), seat, bot).lost
        assert len((tmp_path / "started").read_text().split()) == started


#: Starts a bot that forks, and waits.
HOST = """
import sys
from mjconv import Bot

bot = Bot(sys.argv[1])
bot.begin(0)
bot.ask([b"{}"])
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("killed", ["host", "bot", "guard"])
def test_nothing_of_a_bot_is_left_whatever_is_killed(killed: str, number: int, tmp_path: Path) -> None:
    script = f"echo $$ >{tmp_path}/bot; trap '' TERM INT; sleep 60 & echo $! >{tmp_path}/child; {PASSES}"
    host = subprocess.Popen(
        [sys.executable, "-c", HOST, shell(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert host.stdout is not None
    assert host.stdout.readline() == b"ready\n"
    bot, child = (int((tmp_path / name).read_text()) for name in ("bot", "child"))
    children = Path(f"/proc/{bot}/task/{bot}/children").read_text().split()
    [guard] = [int(each) for each in children if int(each) != child]
    os.kill({"host": host.pid, "bot": bot, "guard": guard}[killed], number)
    # Then the host ends too, as it does at the end of its work.
    host.communicate()
    wait_until(lambda: gone(bot) and gone(child) and gone(guard))


CLIENT = r"""
import json, socket, sys

seat, port = None, int(sys.argv[1])
with socket.create_connection(("127.0.0.1", port)) as connection:
    for line in connection.makefile("r"):
        message = json.loads(line)
        answer = {"type": "none"}
        if message["type"] == "hello":
            assert message["protocol"] == "mjsonp"
            answer = {"type": "join", "name": "client", "room": "default"}
        elif message["type"] == "start_game":
            seat = message["id"]
        elif message["type"] == "end_game":
            break
        elif message["type"] == "tsumo" and message["actor"] == seat:
            assert message["possible_actions"] == []
            answer = {"type": "dahai", "actor": seat, "pai": message["pai"], "tsumogiri": True}
        connection.sendall((json.dumps(answer) + "\n").encode())
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def test_a_client_of_the_original_protocol_connects_for_each_game(tmp_path: Path) -> None:
    port = free_port()
    with mjconv.Bot(python(tmp_path, CLIENT, str(port)), listen=f"127.0.0.1:{port}") as bot:
        found = [review(short_match(), seat, bot) for seat in (1, 0)]
    assert [one.lost for one in found] == [[], []]
    assert [[row.answered for row in one.rows] for one in found] == [[DISCARD.replace("0", "1")], [DISCARD]]


def test_a_client_may_be_started_by_somebody_else(tmp_path: Path) -> None:
    port = free_port()
    words = python(tmp_path, CLIENT, str(port)).split()
    with mjconv.Bot(listen=f"127.0.0.1:{port}") as bot:
        thread = Thread(target=subprocess.run, args=(words,))
        thread.start()
        assert [row.same for row in review(short_match(), 1, bot).rows] == [True]
        thread.join()


def test_a_client_that_ends_or_sends_another_message_loses_the_game() -> None:
    port = free_port()
    for script, problem in (
        ("exit 2", "the bot ended with status 2 before it connected"),
        (f"exec 3<>/dev/tcp/127.0.0.1/{port}; read -r l <&3; echo '{{}}' >&3; sleep 9", "no join: '{}'"),
        (f"exec 3<>/dev/tcp/127.0.0.1/{port}; read -r l <&3; exit 0", "the bot ended with status 0"),
    ):
        command = shell(script).replace("sh", "bash", 1)
        with mjconv.Bot(command, listen=f"127.0.0.1:{port}") as bot:
            [lost] = review(short_match(), 0, bot).lost
        assert problem in lost.reason


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"command": "no-such-program"}, "there is no program 'no-such-program'"),
        ({"command": "sh '"}, "a quote too many"),
        ({"command": None}, "a bot needs a command"),
        ({"command": "sh", "protocol": "line"}, "did you mean 'lines'"),
        ({"command": "sh", "listen": "11600"}, "such as 127.0.0.1:11600"),
        ({"command": "sh", "listen": "127.0.0.1:99999"}, "cannot listen at"),
        ({"command": "sh", "listen": "127.0.0.1:1", "protocol": "batch"}, "leave the protocol batch out"),
    ],
)
def test_wrong_values_are_refused(given: dict[str, str], problem: str) -> None:
    with pytest.raises(mjconv.UsageError, match=problem):
        mjconv.Bot(**given)


def test_a_second_answer_after_a_dora_does_not_count() -> None:
    match = short_match()
    match.rounds[0].events.insert(2, ev.Dora("1m"))
    discards = """while read -r line; do case "$line" in
        *'"tsumo","actor":0'*|*'"dora","'*) echo '{"type":"dahai","actor":0,"pai":"C","tsumogiri":true}';;
        *) echo '{"type":"none"}';;
    esac; done"""
    with mjconv.Bot(shell(discards)) as bot:
        [row] = mjconv.review(match, 0, bot).rows
    assert (row.event, row.fault, row.same) == (2, None, False)
