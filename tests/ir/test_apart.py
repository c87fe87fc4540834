"""The messages of an in-game stream: the host's are the game, and the player's are answers."""

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.answers import apart, events_before, overruled, together
from mjconv.ir.match import Answer, Round

NONE = ev.Pass()
MINE = ev.Draw(1, "9p")
DISCARD = ev.Discard(1, "9p", tsumogiri=True)
OTHERS = ev.Discard(0, "5m", tsumogiri=False)
PON = ev.Pon(1, 0, "5m", ("5m", "5mr"))
CHI = ev.Chi(1, 0, "5m", ("6m", "7m"))
RON = ev.Win(1, 0)


def host_events(messages: list[ev.Event], seat: int | None = None) -> list[ev.Event]:
    """Return the events among messages, whose order the answers keep."""
    events, answers = apart(messages, seat)
    assert together(Round(events, answers=answers)) == messages
    return events


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
        assert host_events([asked, answer, answer], 1) == [asked, answer]
        # Nothing shows that this is a stream.
        assert host_events([asked, answer, answer]) == [asked, answer, answer]


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
    events, answers = apart([MINE, DISCARD, DISCARD, NONE, OTHERS, NONE, MINE, DISCARD, DISCARD], 1)
    assert events == [MINE, DISCARD, OTHERS, MINE, DISCARD]
    assert answers == (Answer(1, DISCARD, 1), Answer(2, NONE, 1), Answer(3, NONE, 1), Answer(4, DISCARD, 1))
    assert [events_before(answers, place) for place in range(10)] == [0, 1, 1, 2, 2, 3, 3, 4, 4, 5]


def test_an_answer_has_the_seat_of_its_action_and_else_of_the_stream() -> None:
    messages: list[ev.Event] = [ev.Hello(), ev.Join(), MINE, *[ev.Ryukyoku()] * 2, NONE, OTHERS, RON, RON, NONE]
    for seat, own in ((None, UNSET), (1, 1)):
        _, answers = apart(messages, seat)
        assert [(type(answer.message), answer.seat) for answer in answers] == [
            (ev.Hello, UNSET), (ev.Join, own), (ev.Ryukyoku, own), (ev.Pass, own), (ev.Win, 1), (ev.Pass, own)
        ]  # fmt: skip


def test_messages_that_hide_nothing_are_no_stream_without_conversation() -> None:
    open_deal = ev.StartRound(oya=1, tehais=(("1m",) * 13,) * 4)
    assert host_events([open_deal, MINE, DISCARD, DISCARD], 1) == [open_deal, MINE, DISCARD, DISCARD]
    assert host_events([open_deal, MINE, DISCARD, DISCARD, NONE], 1) == [open_deal, MINE, DISCARD]


def test_an_answer_is_overruled_if_no_event_repeats_it_before_the_play_goes_on() -> None:
    dora, accepted, other = ev.Dora("1m"), ev.RiichiAccepted(0), ev.Win(2, 0)
    for events, repeated in (
        ([OTHERS, PON], True),
        ([OTHERS, dora, accepted, PON], True),
        ([OTHERS, PON, PON], True),
        ([OTHERS, CHI, PON], False),
        ([OTHERS], False),
    ):
        assert overruled(Round(events, answers=(Answer(1, PON, 1),))) == ([] if repeated else [0])
    assert overruled(Round([OTHERS, other, RON], answers=(Answer(1, RON, 1),))) == []
    assert overruled(Round([OTHERS, RON], answers=(Answer(1, NONE, 1), Answer(1, PON, 1)))) == [1]
