"""In-game streams: the host's messages are the game, the player's are answers."""

from mjconv.ir import events as ev
from mjconv.ir.stream import host_events, indices_of_host

NONE = ev.Pass()
MINE = ev.Draw(1, "9p")
DISCARD = ev.Discard(1, "9p", tsumogiri=True)
OTHERS = ev.Discard(0, "5m", tsumogiri=False)
PON = ev.Pon(1, 0, "5m", ("5m", "5mr"))
CHI = ev.Chi(1, 0, "5m", ("6m", "7m"))
RON = ev.Win(1, 0)


def test_passes_and_conversation_are_no_part_of_the_game() -> None:
    assert host_events([OTHERS, NONE, ev.Draw(1, "1m"), NONE]) == [OTHERS, ev.Draw(1, "1m")]
    start, hello, error = ev.StartGame(id=1), ev.Hello("mjsonp"), ev.ErrorMessage("no such room")
    assert host_events([hello, ev.Join("a", "b"), error, NONE]) == []
    assert host_events([hello, ev.Join("a", "b"), start, NONE, error]) == [start]
    assert host_events([hello, start, error]) == [start]


def test_the_message_after_an_error_of_the_host_may_be_an_answer() -> None:
    error = ev.ErrorMessage("too late")
    assert host_events([MINE, DISCARD, DISCARD, NONE, error, DISCARD, OTHERS, NONE], 1) == [MINE, DISCARD, OTHERS]


def test_an_answer_that_the_host_repeats_is_heard_once() -> None:
    own: list[ev.Event] = [DISCARD, ev.Riichi(1), ev.Ankan(1, ("E",) * 4), ev.Kakan(1, "9p", ("9p",) * 3)]
    own += [ev.Nukidora(1, "N"), ev.Win(1, 1), ev.Ryukyoku("kyushukyuhai")]
    calls = [PON, CHI, ev.Daiminkan(1, 0, "5m", ("5m", "5m", "5mr")), RON]
    for asked, answer in (*((MINE, each) for each in own), *((OTHERS, each) for each in calls)):
        for seat in (None, 1):
            assert host_events([asked, answer, answer, NONE], seat) == [asked, answer]
            assert host_events([asked, answer, answer], seat) == [asked, answer]


def test_the_host_may_add_to_the_answer_of_a_player() -> None:
    full = ev.Win(1, 0, pai="5m", deltas=(-1000, 1000, 0, 0), yakus=(("reach", 1),))
    assert host_events([OTHERS, ev.Win(1, 0, pai="5m"), full, NONE]) == [OTHERS, full]
    marked = ev.Discard(1, "9p", tsumogiri=True, extras=ev.Extras({"possible_actions": []}))
    assert host_events([MINE, DISCARD, marked, NONE]) == [MINE, marked]


def test_an_answer_that_the_host_overrules_is_not_heard_where_the_seat_is_known() -> None:
    for answer, message in ((CHI, ev.Win(2, 0)), (RON, ev.Win(3, 0)), (PON, CHI)):
        assert host_events([OTHERS, answer, message, NONE], seat=1) == [OTHERS, message]


def test_two_players_who_do_alike_are_not_one_who_is_repeated() -> None:
    rons: list[ev.Event] = [OTHERS, NONE, ev.Win(2, 0), NONE, ev.Win(3, 0), NONE]
    assert host_events(rons, seat=1) == [OTHERS, ev.Win(2, 0), ev.Win(3, 0)]


def test_a_log_without_answers_is_all_the_hosts() -> None:
    log: list[ev.Event] = [MINE, DISCARD, ev.Draw(2, "E"), ev.Discard(2, "E", tsumogiri=True), RON]
    for seat in (None, 1, 2):
        assert host_events(log, seat) == log
    assert host_events([]) == []


def test_dora_and_the_end_of_a_round_are_never_answers() -> None:
    log: list[ev.Event] = [ev.Dora("1m"), ev.Dora("1m"), ev.EndRound(), ev.EndRound(), ev.EndGame()]
    assert host_events(log, seat=1) == log
    assert host_events([*log, NONE], seat=1) == log


def test_the_host_s_message_is_the_second_of_two_that_are_one_object() -> None:
    events = [MINE, DISCARD, DISCARD, NONE, OTHERS, NONE, MINE, DISCARD, DISCARD]
    assert indices_of_host(events, 1) == [0, 2, 4, 6, 8]
    assert [events[index] for index in indices_of_host(events, 1)] == host_events(events, 1)
