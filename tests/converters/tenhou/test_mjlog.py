"""Mjlog XML: what it is read as, what it refuses, what is written byte for byte; links with a round."""

import json
from decimal import Decimal
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from msgspec import UNSET, structs

import mjconv
import trips
from corpus_files import CORPUS
from faults import leniently, misread, refused, refused_at
from looped import looped
from mjconv.converters.formats import recognise
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, PlayError, UnsupportedError
from mjconv.ir.losses import Report
from mjconv.ir.match import Annotation, Match, Original, Player, Rules
from moments_made import said
from trips import known, read, write

SAMPLES = sorted((CORPUS / "tenhou").glob("*.[mx]*l*"))
HANCHAN = CORPUS / "tenhou" / "hanchan.mjlog"

HEAD = (
    '<mjloggm ver="2.3"><SHUFFLE seed="" ref=""/><GO type="169" lobby="0"/>'
    '<UN n0="%41" n1="%42" n2="%43" n3="%44" dan="16,0,20,9" rate="2012.30,1500.00,2400.10,1400.00" sx="M,F,M,M"/>'
    '<TAIKYOKU oya="0"/>'
)
INIT = (
    '<INIT seed="0,0,0,1,4,132" ten="250,250,250,250" oya="0" hai0="4,8,12,40,44,49,76,80,84,89,90,92,96"'
    ' hai1="0,1,32,33,36,37,68,69,72,73,108,109,112" hai2="2,5,17,21,34,41,45,64,74,81,120,121,133"'
    ' hai3="3,13,28,46,56,70,75,104,110,116,124,128,134"/>'
)


def one(text: str, report: Report | None = None) -> Match:
    """Return the match of an mjlog."""
    return read(text, "tenhou", report).match


def written(match: Match, *, plain: bool = False) -> str:
    """Return a match as an mjlog."""
    return write([match], "tenhou", plain=plain).data.decode()


def test_the_head_states_players_and_rules() -> None:
    match = one(f"{HEAD}</mjloggm>")
    assert [player.name.shown for player in match.players] == list("ABCD")
    assert [player.rank for player in match.players] == ["七段", "新人", "天鳳", "１級"]
    assert match.players[0].rating == Decimal("2012.30")
    assert match.rules == Rules(reds=(1, 1, 1), open_tanyao=True, length="south", players=4)
    assert match.opening == [ev.StartGame(kyoku_first=0, aka_flag=True)]


def test_the_type_of_a_game_states_its_rules() -> None:
    for bits, rules in (
        (1, Rules(reds=(1, 1, 1), open_tanyao=True, length="east", players=4)),
        (1 | 2 | 4 | 8, Rules(reds=(0, 0, 0), open_tanyao=False, length="south", players=4)),
        (1 | 16, Rules(reds=(0, 1, 1), open_tanyao=True, length="east", players=3)),
    ):
        assert one(f'<mjloggm ver="2.3"><GO type="{bits}" lobby="0"/></mjloggm>').rules == rules, bits


def test_a_round_is_its_events() -> None:
    play = (
        '<T52/><D49/><U100/><E100/><V29/><REACH who="2" step="1"/><F29/>'
        '<REACH who="2" ten="250,250,240,250" step="2"/>'
    )
    ron = (
        '<W85/><G85/><AGARI ba="0,1" hai="4,8,12,40,44,52,76,80,84,85,89,90,92,96" machi="85" ten="30,2000,0"'
        ' yaku="8,1,54,1" doraHai="132" who="0" fromWho="3" sc="250,30,250,0,240,0,250,-20" />'
    )
    [game_round] = one(f"{HEAD}{INIT}{play}{ron}</mjloggm>").rounds
    start = known(game_round.start)
    assert (start.bakaze, start.kyoku, start.honba, start.kyotaku, start.oya) == ("E", 1, 0, 0, 0)
    assert start.dora_marker == "C"
    assert start.tehais[0] == ("2m", "3m", "4m", "2p", "3p", "4p", "2s", "3s", "4s", "5s", "5s", "6s", "7s")
    assert game_round.dice == (2, 5)
    *play, win, end = game_round.events[1:]
    assert said(play) == (
        "tsumo 0 5pr, dahai 0 4p, tsumo 1 8s, dahai 1 8s drawn, tsumo 2 8m, reach 2, dahai 2 8m drawn, "
        "reach_accepted 2, tsumo 3 4s, dahai 3 4s drawn"
    )
    assert play[7] == ev.RiichiAccepted(2, scores=(25000, 25000, 24000, 25000))
    points = {"deltas": (3000, 0, 0, -2000), "scores": (28000, 25000, 24000, 23000), "hora_points": 2000}
    yakus = (("tanyaochu", 1), ("akadora", 1))
    assert [win, end] == [ev.Win(0, 3, "4s", ura_markers=(), yakus=yakus, fu=30, fan=2, **points), ev.EndRound()]


@looped(
    ("attributes", "draw"),
    (
        'ba="0,0" sc="250,15,250,-15,250,15,250,-15" hai0="4" hai2="2"',
        ev.Ryukyoku("exhaustive_draw", UNSET, (True, False) * 2, (1500, -1500) * 2, (26500, 23500) * 2),
    ),
    (
        'type="yao9" ba="0,0" sc="250,0,250,0,250,0,250,0" hai0="4"',
        ev.Ryukyoku("kyushu_kyuhai", deltas=(0,) * 4, scores=(25000,) * 4),
    ),
)
def test_a_draw_has_its_reason_and_who_is_in_tenpai(attributes: str, draw: ev.Ryukyoku) -> None:
    [game_round] = one(f"{HEAD}{INIT}<T52/><RYUUKYOKU {attributes} /></mjloggm>").rounds
    assert game_round.events[2] == draw


def test_a_player_who_leaves_and_comes_back_is_an_annotation() -> None:
    [game_round] = one(f'{HEAD}{INIT}<T52/><BYE who="2" /><D52/><UN n2="%43" /><U100/></mjloggm>').rounds
    assert game_round.annotations == (Annotation(2, "left", 2), Annotation(3, "returned", 2))


def test_a_root_that_ends_in_a_round_or_is_not_closed() -> None:
    was = read(f"{HEAD}{INIT}<T52/></mjloggm>", "tenhou")
    assert was.match.rounds[0].events[-1] == ev.EndRound()
    assert was.match.closing == [ev.EndGame()]
    assert [warning.message for warning in was.warnings] == ["the round has no result"]
    # A root that is not closed ends neither.
    was = read(f"{HEAD}{INIT}<T52/>", "tenhou")
    assert was.match.rounds[0].events[-1] == ev.Draw(0, "5pr")
    assert was.match.closing == []
    assert was.warnings[-1].message == "the game has no end: the file breaks off"


def test_white_space_comments_and_end_tags_change_nothing_anywhere() -> None:
    plain = f"{HEAD}{INIT}<T52/><D52/></mjloggm>"
    spaced = plain.replace("<T52/><D52/>", "\n  <T52 ></T52>\n<!-- a <comment> --><D52 />")
    assert one('<?xml version="1.0" encoding="UTF-8"?>\n' + spaced + "\n") == one(plain)
    assert one(f"{HEAD}{INIT}<T52/></mjloggm >") == one(f"{HEAD}{INIT}<T52/></mjloggm>")


def test_a_lenient_reading_of_a_root_that_text_follows_has_the_whole_match() -> None:
    was = leniently(f"{HEAD}{INIT}<T52/></mjloggm>text", "tenhou")
    assert was.matches == [one(f"{HEAD}{INIT}<T52/></mjloggm>")]
    assert len(was.faults) == 1


def test_owari_counts_at_the_last_result_only() -> None:
    draw = '<RYUUKYOKU type="yao9" ba="0,0" sc="250,0,250,0,250,0,250,0"{} />'
    owari = ' owari="250,1.0,250,2.0,250,-1.0,250,-2.0"'
    text = f"{HEAD}{INIT}{draw.format(owari)}{INIT}{draw.format('')}</mjloggm>"
    was = read(text, "tenhou")
    assert (was.match.final_scores, was.match.closing) == (UNSET, [ev.EndGame()])
    [warning] = was.warnings
    assert warning.message == "owari is at a result that is not the last one of the game. It was ignored"
    assert (warning.round, warning.column) == (0, text.index("250,1.0") + 1)
    assert one(f"{HEAD}{INIT}{draw.format('')}{INIT}{draw.format(owari)}</mjloggm>").final_scores is not UNSET
    assert written(was.match) == text


@looped("via", "mjai", "jmjp", "majsoul")
def test_another_copy_of_a_tile_than_by_the_seed_comes_back(via: str) -> None:
    text = HANCHAN.read_text("utf-8")
    text = f"{text[: text.index('<INIT', text.index('<INIT') + 1)]}</mjloggm>"
    for element in ("<T103/>", "<D115/>"):
        number = int(element[2:-2])
        edited = text.replace(element, f"{element[:2]}{number ^ 1}/>")
        assert written(read(write([one(edited)], via).data, via).match) == edited


def test_attributes_come_back() -> None:
    text = f'{HEAD}{INIT}<T52/><D52/><U100/><DORA hai="14" glow="1" /></mjloggm>'
    was = read(text, "tenhou")
    [warning] = [one for one in was.warnings if "glow" in one.message]
    assert warning.message == "DORA has the unknown attribute glow. It was kept"
    assert warning.column == text.index('1" /></mj') + 1
    assert written(was.match) == text
    text = (
        '<mjloggm ver="2.4" by="x"><SHUFFLE seed="" ref="r"/>'
        '<GO type="169" lobby="7001" title="A &amp; B" rule="0"/>'
        '<UN n0="A" n1="%42" n2="" n3="%44" dan="16,0,99,9" gold="1,2,3,4" rate="1,2,3,4.5" sx="M,F,C,M"/>'
        "</mjloggm>"
    )
    assert written(one(text)) == text


def test_a_wrong_file_is_refused_with_its_place() -> None:
    for wrong, message, at in (
        ("<!DOCTYPE x [<!ENTITY a 'b'>]>" + HEAD, "a document type: an mjlog has none", "<!DOCTYPE"),
        (f"{HEAD}{INIT}<T52/><X1/>", "the element X1 is no draw and no discard", "<X1/>"),
        (f"{HEAD}{INIT}<T136/>", "the element T136 is no draw and no discard", "<T136/>"),
        (f"{HEAD}{INIT}<POINTS/>", "the element POINTS is not known in a round", "<POINTS"),
        (f"{HEAD}{INIT}<T52><D52/>", "the element T52 is not closed: expected />", "<T52>"),
        (f"{HEAD}{INIT}<T52/>text<D52/>", "text between elements: an mjlog has none", "text"),
        (f"{HEAD}{INIT}<T52/", "the element has no end: expected >", "<T52/"),
        (f"{HEAD}{INIT}<T52/><!-- a note", "a comment that does not end: expected -->", "<!--"),
        (f'{HEAD}{INIT}<N who="0" m="65535" />', "the attribute m of N is '65535': expected the number", "65535"),
        (f'{HEAD}{INIT}<N who="4" m="1" />', "who of N is '4': expected a number from 0 to 3", '4" m'),
        (f'{HEAD}{INIT}<N who="0" who="1" m="1" />', "N has the attribute who twice", '0" who'),
        (HEAD.replace("%41", "%FF"), "expected a name in UTF-8, percent-encoded", "%FF"),
        (HEAD.replace('ref=""', 'ref="&x;"'), "&x; is no character", "&x;"),
        (HEAD.replace('ref=""', 'ref="&#0;"'), "&#0; is no character", "&#0;"),
        (f"{HEAD}{INIT.replace('4,8,12', '4,8')}", "expected 13 tiles from 0 to 135", "4,8,40"),
        (f"{HEAD}</mjloggm>{HEAD}", "an mjlog holds one match", "<mjloggm ver"),
        (f"{HEAD}{INIT}<T52/></mjloggm>text", "something follows </mjloggm>", "text"),
        (f"{HEAD}{INIT}<T52/></mjloggm >\0", "something follows </mjloggm>", "\0"),
        (f"{HEAD}{INIT}<T52/></X><D52/></mjloggm>", "an end tag of an element that is not open", "</X>"),
        (f"{HEAD}</GO></mjloggm>", "an end tag of an element that is not open", "</GO>"),
        (f"{HEAD}{INIT}<T52></T52>text<D52/></mjloggm>", "text between elements", "text"),
        ('<mjloggm ver="2.3"><GO type="169"/>"x<UN n0="a"/></mjloggm>', "text between elements", '"x'),
        (f"{HEAD}{INIT}<T{'5' * 5000}/>", "is no element: expected a name and attributes", "<T555"),
        ("<GO/>", 'expected <mjloggm ver="2.3">', "<GO/>"),
    ):
        *place, said = refused_at(wrong, "tenhou")
        assert message in said
        begin = wrong.rindex(at) if at.startswith("<mj") else wrong.index(at)
        assert place == [1, begin + 1], wrong


def test_an_mjlog_is_the_original_of_its_match_unless_it_holds_a_note() -> None:
    text = f"{HEAD}{INIT}<T52/><D52/></mjloggm>\n"
    assert one(text).original == Original("tenhou", text.encode())
    assert one(text.replace("</mj", '<!-- {"v":4} --></mj')).original is not None
    assert one(text.replace("</mj", '<!--mjconv {"v":4,"digest":"0","round":{"set":{}}}--></mj')).original is None


def bare(match: Match) -> Match:
    """Return a match with only what a plain mjai log states."""

    def stated(event: ev.Event) -> ev.Event:
        if isinstance(event, ev.Win):
            return ev.Win(event.actor, event.target, deltas=event.deltas, ura_markers=event.ura_markers)
        if isinstance(event, ev.Ryukyoku):
            return ev.Ryukyoku(deltas=event.deltas)
        return ev.RiichiAccepted(event.actor) if isinstance(event, ev.RiichiAccepted) else event

    unset = {"wall": UNSET, "dice": UNSET}
    rounds = [structs.replace(one, events=list(map(stated, one.events)), **unset) for one in match.rounds]
    return Match([Player(player.name) for player in match.players], rounds, [ev.StartGame()], [ev.EndGame()])


@looped("path", *SAMPLES, ids=lambda path: path.name)
def test_what_a_plain_log_does_not_state_is_worked_out(path: Path) -> None:
    match = one(path.read_text("utf-8"))
    back = one(written(bare(match), plain=True))
    for ours, theirs in zip(back.rounds, match.rounds, strict=True):
        for event, original in zip(ours.events[1:], theirs.events[1:], strict=True):
            assert event.scores if isinstance(event, ev.RiichiAccepted) else event == original
    assert back.final_scores == match.final_scores


def test_values_that_nobody_states_are_invented_by_rule_and_reported() -> None:
    match = bare(one(HANCHAN.read_text("utf-8")))
    done = write([match], "tenhou", plain=True)
    text = done.data.decode()
    assert '<SHUFFLE seed="" ref=""/><GO type="9" lobby="0"/>' in text
    assert 'dan="0,0,0,0" rate="1500.00,1500.00,1500.00,1500.00" sx="M,M,M,M"' in text
    assert '<INIT seed="0,0,0,0,0,' in text
    assumed = {loss.what for loss in done.losses if loss.fate == "assumed"}
    assert {"hora.yakus", "hora.fu", "hora.hora_points", "round.dice", "match.rules"} <= assumed
    assert {"match.lobby", "match.copies"} <= assumed


def test_players_who_leave_before_a_deal_are_written_behind_it_and_restored() -> None:
    match = one(HANCHAN.read_text("utf-8"))
    for game_round in match.rounds:
        game_round.annotations = (Annotation(0, "left", 1), Annotation(0, "returned", 1))
    text = written(match)
    assert text.index("<INIT") < text.index("<BYE") < text.index("<UN n1")
    assert one(text) == match


def test_a_rating_with_more_digits_than_an_mjlog_states_is_in_the_note() -> None:
    match = one(HANCHAN.read_text("utf-8"))
    match.players = [structs.replace(player, rating=Decimal("0.30000000000000004")) for player in match.players]
    text = written(match)
    assert 'rate="1500.00,1500.00,1500.00,1500.00"' in text
    assert one(text) == match


def test_the_root_of_a_match_without_an_end_is_closed() -> None:
    for path in sorted((CORPUS / "mjx").glob("*.json")):
        match = mjconv.read(path)
        match.closing = []
        text = written(match)
        assert ElementTree.fromstring(text).tag == "mjloggm"
        assert one(text) == match


def test_the_lowest_copy_that_is_left_is_written_and_copy_0_of_fives_is_red() -> None:
    first = ("5m", "5mr", "5m", *("1m",) * 4, *("2m",) * 4, "9p", "9p")
    others = [(*tuple(f"{rank}{suit}" for rank in range(1, 10)), "E", "S", "W", "N") for suit in "sss"]
    start = ev.StartRound("E", "P", 1, 0, 0, 0, (25000,) * 4, (first, *others))
    text = written(Match(rounds=[structs.replace(one(HEAD + INIT).rounds[0], events=[start])]), plain=True)
    assert 'hai0="17,16,18,0,1,2,3,4,5,6,7,68,69" hai1="72,' in text


def test_a_red_five_that_only_an_ura_indicator_or_the_wall_shows_makes_a_set_with_red_fives() -> None:
    match = one(HEAD + INIT)
    match.original, match.rules, match.opening = None, UNSET, []
    [dealt] = match.rounds
    win = ev.Win(0, 0, "F", (0,) * 4, ura_markers=("5pr",), yakus=(), fu=30, fan=1, hora_points=0)
    won = structs.replace(dealt, events=[*dealt.events, ev.Draw(0, "F"), win])
    for game_round, kind in ((dealt, 171), (structs.replace(dealt, wall=("5mr",)), 169), (won, 169)):
        match.rounds = [game_round]
        assert f'<GO type="{kind}"' in written(match, plain=True), kind


def test_a_tile_without_a_number_is_refused() -> None:
    for events, message in (
        ([ev.Draw(0, "?")], "mjlog has no hidden tile"),
        ([ev.Draw(0, "10m")], "mjlog has no tile 10m"),
        ([ev.Draw(0, "C"), ev.Discard(0, "C"), ev.Draw(1, "C")], "mjlog has 4 of C, and the round has more"),
    ):
        match = one(HEAD + INIT.replace("133", "135"))
        match.rounds[0].events += [*events, *([ev.Draw(1, "C")] * 3 if "more" in message else [])][:3]
        with pytest.raises(UnsupportedError, match=message):
            written(match)


def test_rounds_without_hands_are_refused() -> None:
    match = Match(rounds=[structs.replace(one(HEAD + INIT).rounds[0], events=[ev.Ryukyoku()])])
    with pytest.raises(UnsupportedError, match="mjlog states every tile, and this round has no hands"):
        written(match)
    match = structs.replace(one(HEAD + INIT), original=None)
    match.rounds[0].events = [structs.replace(match.rounds[0].events[0], tehais=((),) * 4)]
    with pytest.raises(UnsupportedError, match="the deal states a hand of other than 13 tiles"):
        written(match)


@looped("target", "tenhou", "tenhou-json", "tenhou-url", "majiang")
@looped(("key", "name"), ("tehais", "hands"), ("scores", "scores"))
def test_a_deal_for_another_number_of_players_is_refused(key: str, name: str, target: str) -> None:
    match = structs.replace(one(HANCHAN.read_text("utf-8")), original=None)
    deal = match.rounds[0].events[0]
    match.rounds[0].events[0] = structs.replace(deal, **{key: getattr(deal, key)[:3]})
    with pytest.raises(UnsupportedError, match=f"the deal states the {name} of 3 players, but the match has 4"):
        write([match], target)


def test_play_that_cannot_happen_is_refused_with_its_event() -> None:
    match = structs.replace(one(f"{HEAD}{INIT}<T52/><D0/></mjloggm>"), original=None)
    with pytest.raises(PlayError, match="round E1-0, message 3: player 0 does not hold 1m") as refused:
        written(match)
    assert refused.value.at == (0, 0, 2)


def test_a_second_match_is_refused_with_the_name_of_split() -> None:
    match = one(f"{HEAD}</mjloggm>")
    with pytest.raises(UnsupportedError, match="mjconv split"):
        write([match, match], "tenhou")


def test_a_note_is_a_comment_without_two_hyphens() -> None:
    match = one(f"{HEAD}{INIT}<T52/><D52/></mjloggm>")
    match.rounds[0].annotations = (Annotation(2, "comment", value="a --> b"),)
    text = written(match)
    assert text.count("-->") == text.count("<!--mjconv {") == 2
    assert one(text) == match


def test_an_element_with_very_many_attributes_is_refused() -> None:
    many = " ".join(f'a{number}="1"' for number in range(100_000))
    with pytest.raises(InputError, match="GO has more than 64 attributes"):
        one(f'<mjloggm ver="2.3"><GO type="169" {many}/></mjloggm>')


# Links that hold the record of a round.
GAME = (Path(__file__).parents[3] / "corpus" / "tenhou" / "game.json").read_bytes()
PREFIX = "https://tenhou.net/6/#json="


def read_links(data: bytes) -> list[Match]:
    return trips.read(data, "tenhou").matches


def links(matches: list[Match]) -> bytes:
    return write(matches, "tenhou-url").data


def test_each_round_has_a_link_with_the_head_of_the_match() -> None:
    lines = links(read_links(GAME)).decode().splitlines()
    assert all(line.startswith(PREFIX) and " " not in line and '"' not in line for line in lines)
    held = [json.loads(unquote(line.removeprefix(PREFIX))) for line in lines]
    whole = json.loads(GAME)
    assert [[game_round] for game_round in whole.pop("log")] == [one.pop("log") for one in held]
    assert held == [whole] * 5


def test_links_of_a_game_are_one_match_without_notes() -> None:
    matches = read_links(GAME)
    assert read_links(links(matches)) == matches
    matches = read_links(GAME)
    matches[0].rounds[1].dice = (1, 2)
    written = write(matches, "tenhou-url")
    assert written.data == links(read_links(GAME))
    assert [(loss.what, loss.fate) for loss in written.losses] == [("round.dice", "dropped")]


def test_a_link_is_recognised_and_may_be_encoded_otherwise() -> None:
    [line, *_] = links(read_links(GAME)).splitlines(keepends=True)
    found = known(recognise(line))
    assert found.id == "tenhou"
    assert read_links(unquote(line.decode()).encode()) == read_links(line)
    assert read_links(line.strip() + b"&ts=0&tw=2\n") == read_links(line)


def test_errors_in_links_have_their_places() -> None:
    error = refused(b"http://tenhou.net/0/?log=2019050417gm-0029-0000-00000000&tw=1\n", "tenhou")
    assert "mjconv fetches nothing from the network" in error.message
    assert "docs/get-records.md explains how" in error.message
    error = refused(links(read_links(GAME)) + b"http://example.com/\n", "tenhou")
    assert error.message == "expected a link that begins with https://tenhou.net/6/#json="
    assert known(error.place).line == 6
    _, shown = misread(links(read_links(GAME)).replace(b"%5B1,0,0%5D", b"%5B1,-1,0%5D"), "tenhou")
    assert shown.startswith("-1,0%5D")
    # A place in a link counts bytes that are encoded or not.
    for name, encoded in (("東", "%E6%9D%B1"), ("東", "東"), ("é!", "%C3%A9!")):
        _, shown = misread(f'{PREFIX}%7B"name":["{encoded}","","",""],"log":[5]%7D', "tenhou")
        assert shown == "5]%7D", name
    message, shown = misread(f'{PREFIX}%7B"name":["%E6%9D', "tenhou")
    assert (message, shown) == ("the link has a broken character. It may be cut here", "%E6%9D")


def test_rounds_that_do_not_continue_each_other_are_refused() -> None:
    [match] = read_links(GAME)
    match.rounds = match.rounds[::-1]
    with pytest.raises(UnsupportedError, match="it does not continue the round before it"):
        links([match])
    with pytest.raises(UnsupportedError, match="the match has no rounds"):
        links([Match(match.players)])
