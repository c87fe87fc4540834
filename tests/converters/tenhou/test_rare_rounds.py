"""Rounds that seldom happen, as Tenhou writes them: kans in a row, robbed kans, several winners, liability, draws.

The values of each result were worked out by hand. The reader reads them, an unchanged round comes back byte for
byte, and the rules of riichi determine the same values from the play alone.
"""

import json
import re
from typing import Any

from msgspec import UNSET, structs
from test_mjlog import HEAD

import trips
from looped import looped
from mjconv.converters.shared import note_json
from mjconv.converters.tenhou.xml_scanner import tokens_in
from mjconv.ir import events as ev
from mjconv.ir.match import Match
from mjconv.ir.message_names import reason_of

KANS_AND_RINSHAN = (
    '<INIT seed="0,0,0,0,0,50" ten="250,250,250,250" oya="0" hai0="0,1,2,3,70,71,79,83,87,95,99,134,135" '
    'hai1="4,5,6,7,47,51,55,59,69,106,107,118,119" hai2="8,9,10,11,58,63,67,73,74,75,98,105,127" '
    'hai3="15,19,23,27,31,35,39,43,82,90,91,130,131"/>'
    '<T123/><D123/><U115/><E69/><N who="0" m="26121" /><D99/><U114/><E114/><V113/><F113/><W112/><G112/>'
    '<T68/><N who="0" m="0" /><DORA hai="46" /><T97/><N who="0" m="26129" /><T103/>'
    '<AGARI ba="0,0" hai="79,83,87,95,97,103,134,135" m="0,26129" machi="103" ten="80,3900,0" yaku="4,1" '
    'doraHai="50,46" who="0" fromWho="0" sc="250,39,250,-13,250,-13,250,-13" />'
)
TWO_KAKANS_IN_A_TURN = (
    '<INIT seed="0,0,0,0,0,44" ten="250,250,250,250" oya="0" '
    'hai0="7,11,14,15,26,27,70,71,74,75,95,127,131" hai1="40,41,42,43,69,73,83,87,91,94,118,119,135" '
    'hai2="29,30,31,45,46,47,51,55,93,99,103,110,111" hai3="3,6,10,13,19,23,59,63,67,98,102,114,115"/>'
    '<T123/><D123/><U117/><E73/><N who="0" m="27657" /><D127/><U134/><E69/><N who="0" m="26121" /><D131/>'
    '<U130/><E130/><V129/><F129/><W126/><G126/><T68/><N who="0" m="26129" /><T72/><N who="0" m="27665" />'
    '<DORA hai="50" /><T90/><DORA hai="2" /><D90/><U107/><E107/>'
    '<AGARI ba="0,0" hai="3,6,10,13,19,23,59,63,67,98,102,107,114,115" machi="107" ten="30,2000,0" '
    'yaku="7,1,52,1" doraHai="44,50,2" who="3" fromWho="1" sc="250,0,250,-20,250,0,250,20" />'
)
FOUR_KANS = (
    '<INIT seed="0,0,0,0,0,133" ten="250,250,250,250" oya="0" hai0="0,1,2,3,40,41,42,43,91,95,99,134,135" '
    'hai1="21,22,23,55,63,67,71,80,81,82,83,130,131" hai2="18,19,39,47,54,66,98,106,107,111,122,123,127" '
    'hai3="15,27,38,46,53,59,65,96,97,105,115,119,126"/>'
    '<T35/><N who="0" m="0" /><DORA hai="114" /><T31/><N who="0" m="10240" /><DORA hai="118" /><T30/>'
    '<D35/><U121/><N who="1" m="20480" /><DORA hai="129" /><U14/><E121/><V20/><F20/>'
    '<N who="1" m="5121" /><U7/><DORA hai="125" /><E7/>'
    '<RYUUKYOKU type="kan4" ba="0,0" sc="250,0,250,0,250,0,250,0" />'
)
ROBBED_KAKAN = (
    '<INIT seed="0,0,0,0,0,24" ten="250,250,250,250" oya="0" '
    'hai0="18,19,23,27,31,43,47,51,106,107,111,127,131" '
    'hai1="37,38,39,42,83,87,91,95,105,115,118,119,135" hai2="3,7,11,15,17,22,63,67,71,99,103,122,123" '
    'hai3="9,10,25,26,30,46,50,55,90,94,109,110,130"/>'
    '<T134/><D134/><U133/><E105/><N who="0" m="39945" /><D127/><U126/><E126/><V125/><F125/><W129/><G129/>'
    '<T104/><N who="0" m="39953" />'
    '<AGARI ba="0,0" hai="3,7,11,15,17,22,63,67,71,99,103,104,122,123" machi="104" ten="30,2000,0" '
    'yaku="3,1,7,1" doraHai="24" who="2" fromWho="0" sc="250,-20,250,0,250,20,250,0" />'
)
ROBBED_AFTER_AN_ANKAN = (
    '<INIT seed="0,0,0,0,0,24" ten="250,250,250,250" oya="0" '
    'hai0="23,27,31,43,51,72,73,74,75,106,107,127,131" hai1="37,38,39,42,83,87,91,95,105,115,118,119,135" '
    'hai2="3,7,11,15,19,22,63,67,71,99,103,122,123" hai3="9,10,25,26,30,47,50,55,90,94,110,111,130"/>'
    '<T134/><D134/><U133/><E105/><N who="0" m="39945" /><D127/><U126/><E126/><V125/><F125/><W129/><G129/>'
    '<T54/><N who="0" m="18432" /><DORA hai="62" /><T104/><N who="0" m="39953" />'
    '<AGARI ba="0,0" hai="3,7,11,15,19,22,63,67,71,99,103,104,122,123" machi="104" ten="30,3900,0" '
    'yaku="3,1,7,1,52,1" doraHai="24,62" who="2" fromWho="0" sc="250,-39,250,0,250,39,250,0" />'
)
DOUBLE_RON = (
    '<INIT seed="0,2,1,0,0,130" ten="250,250,250,250" oya="0" '
    'hai0="11,30,31,38,39,70,71,79,87,111,127,131,135" '
    'hai1="41,42,43,83,86,91,95,107,110,115,118,119,134" hai2="3,7,10,15,19,23,63,67,69,99,103,122,123" '
    'hai3="4,5,6,8,9,40,47,51,55,59,62,98,102"/>'
    "<T133/><D133/><U75/><E75/><V114/><F114/><W113/><G113/><T109/><D109/><U126/><E126/><V117/><F117/>"
    '<W121/><REACH who="3" step="1"/><G121/><REACH who="3" ten="250,250,250,240" step="2"/><T125/><D125/>'
    "<U129/><E107/>"
    '<AGARI ba="2,2" hai="3,7,10,15,19,23,63,67,69,99,103,107,122,123" machi="107" ten="30,1000,0" '
    'yaku="7,1" doraHai="130" who="2" fromWho="1" sc="250,0,250,-16,250,36,240,0" />'
    '<AGARI ba="2,0" hai="4,5,6,8,9,40,47,51,55,59,62,98,102,107" machi="107" ten="40,2600,0" '
    'yaku="1,1,2,1,53,0" doraHai="130" doraHaiUra="124" who="3" fromWho="1" '
    'sc="250,0,234,-26,286,0,240,26" />'
)
TRIPLE_RON = (
    '<INIT seed="0,1,0,0,0,39" ten="250,250,250,250" oya="0" '
    'hai0="19,23,27,55,59,63,83,87,91,99,103,130,131" hai1="41,42,43,82,86,90,95,107,111,115,118,119,135" '
    'hai2="3,7,11,15,18,22,62,67,71,98,102,122,123" hai3="4,5,6,8,9,10,30,31,40,47,51,97,101"/>'
    "<T134/><D134/><U127/><E107/>"
    '<RYUUKYOKU type="ron3" ba="1,0" sc="250,0,250,0,250,0,250,0" '
    'hai0="19,23,27,55,59,63,83,87,91,99,103,130,131" hai2="3,7,11,15,18,22,62,67,71,98,102,122,123" '
    'hai3="4,5,6,8,9,10,30,31,40,47,51,97,101" />'
)
LIABILITY_TSUMO = (
    '<INIT seed="0,1,0,0,0,35" ten="250,250,250,250" oya="0" '
    'hai0="3,7,11,15,39,71,91,126,127,130,131,134,135" hai1="40,41,42,43,83,87,90,95,111,115,118,119,125" '
    'hai2="10,14,23,31,54,55,94,98,99,110,122,123,133" '
    'hai3="29,30,38,47,53,63,75,79,105,106,107,109,129"/>'
    '<T121/><D121/><U117/><E125/><N who="0" m="47625" /><D3/><U114/><E114/><V116/><F116/><W113/><G129/>'
    '<N who="0" m="49163" /><D39/><U120/><E120/><V104/><F133/><N who="0" m="50698" /><D71/><U67/><E67/>'
    "<V66/><F66/><W65/><G65/><T89/>"
    '<AGARI ba="1,0" hai="7,11,15,89,91" m="50698,49163,47625" machi="89" ten="40,48000,5" yakuman="39" '
    'doraHai="35" who="0" fromWho="0" paoWho="2" sc="250,483,250,0,250,-483,250,0" />'
)
LIABILITY_RON = (
    '<INIT seed="0,1,0,0,0,35" ten="250,250,250,250" oya="0" '
    'hai0="3,7,11,15,39,71,91,126,127,130,131,134,135" hai1="40,41,42,43,83,87,90,95,111,115,118,119,125" '
    'hai2="10,14,23,31,54,55,94,98,99,110,122,123,133" '
    'hai3="29,30,38,47,53,63,75,79,105,106,107,109,129"/>'
    '<T121/><D121/><U117/><E125/><N who="0" m="47625" /><D3/><U114/><E114/><V116/><F116/><W113/><G129/>'
    '<N who="0" m="49163" /><D39/><U120/><E120/><V104/><F133/><N who="0" m="50698" /><D71/><U67/><E67/>'
    "<V66/><F66/><W89/><G89/>"
    '<AGARI ba="1,0" hai="7,11,15,89,91" m="50698,49163,47625" machi="89" ten="40,48000,5" yakuman="39" '
    'doraHai="35" who="0" fromWho="3" paoWho="2" sc="250,483,250,0,250,-243,250,-240" />'
)
NAGASHI_MANGAN = (
    '<INIT seed="0,0,0,0,0,129" ten="250,250,250,250" oya="0" '
    'hai0="7,11,15,19,23,27,47,51,55,98,99,110,111" hai1="3,35,39,71,75,107,109,115,119,123,127,131,135" '
    'hai2="6,10,14,22,31,46,50,54,97,102,103,108,134" hai3="18,42,43,53,82,83,87,91,95,96,101,126,130"/>'
    "<T41/><D41/><U34/><E34/><V106/><F103/><W79/><G79/><T30/><D30/><U122/><E122/><V45/><F45/><W86/><G86/>"
    '<RYUUKYOKU type="nm" ba="0,0" sc="250,-40,250,80,250,-20,250,-20" '
    'hai0="7,11,15,19,23,27,47,51,55,98,99,110,111" hai1="3,35,39,71,75,107,109,115,119,123,127,131,135" '
    "/>"
)
FOUR_WINDS = (
    '<INIT seed="0,0,0,0,0,130" ten="250,250,250,250" oya="0" '
    'hai0="7,11,15,19,23,27,47,51,55,98,99,111,127" hai1="2,3,35,39,46,71,75,107,110,115,119,131,135" '
    'hai2="6,10,14,22,31,45,50,54,97,102,103,109,134" hai3="18,42,43,53,82,83,87,91,95,96,101,108,126"/>'
    "<T41/><D111/><U34/><E110/><V106/><F109/><W79/><G108/>"
    '<RYUUKYOKU type="kaze4" ba="0,0" sc="250,0,250,0,250,0,250,0" />'
)
FOUR_RIICHI = (
    '<INIT seed="0,0,0,0,0,131" ten="250,250,250,250" oya="0" '
    'hai0="7,11,15,19,23,27,47,51,55,98,99,110,111" hai1="18,22,26,39,43,46,74,75,106,107,117,118,119" '
    'hai2="6,10,14,45,50,54,94,95,97,103,121,122,123" hai3="9,13,17,41,42,83,87,91,93,96,102,126,127"/>'
    '<T38/><REACH who="0" step="1"/><D38/><REACH who="0" ten="240,250,250,250" step="2"/><U3/>'
    '<REACH who="1" step="1"/><E3/><REACH who="1" ten="240,240,250,250" step="2"/><V79/>'
    '<REACH who="2" step="1"/><F79/><REACH who="2" ten="240,240,240,250" step="2"/><W71/>'
    '<REACH who="3" step="1"/><G71/><REACH who="3" ten="240,240,240,240" step="2"/>'
    '<RYUUKYOKU type="reach4" ba="0,4" sc="240,0,240,0,240,0,240,0" '
    'hai0="7,11,15,19,23,27,47,51,55,98,99,110,111" hai1="18,22,26,39,43,46,74,75,106,107,117,118,119" '
    'hai2="6,10,14,45,50,54,94,95,97,103,121,122,123" hai3="9,13,17,41,42,83,87,91,93,96,102,126,127" />'
)
RIICHI_TILE_RONNED = (
    '<INIT seed="0,0,0,0,0,134" ten="250,250,250,250" oya="0" '
    'hai0="11,30,31,38,39,70,71,79,87,111,127,131,135" hai1="10,15,42,43,47,51,55,91,95,99,107,118,119" '
    'hai2="3,7,9,14,19,23,63,67,69,98,103,122,123" hai3="18,40,41,54,82,83,86,90,94,97,102,126,130"/>'
    '<T110/><D110/><U117/><REACH who="1" step="1"/><E107/>'
    '<AGARI ba="0,0" hai="3,7,9,14,19,23,63,67,69,98,103,107,122,123" machi="107" ten="30,1000,0" '
    'yaku="7,1" doraHai="134" who="2" fromWho="1" sc="250,0,250,-10,250,10,250,0" />'
)
RIICHI_TILE_CALLED = (
    '<INIT seed="0,0,0,0,0,132" ten="250,250,250,250" oya="0" '
    'hai0="11,30,31,38,39,70,71,79,87,111,127,131,135" hai1="10,15,42,43,47,51,55,91,95,99,107,118,119" '
    'hai2="7,9,14,23,29,46,50,54,98,102,103,110,134" hai3="19,40,41,53,83,86,90,94,105,106,126,130,133"/>'
    '<T109/><D109/><U117/><REACH who="1" step="1"/><E107/><REACH who="1" ten="250,240,250,250" step="2"/>'
    '<N who="3" m="40970" /><G133/><T35/><D35/><U3/><E3/>'
    '<RYUUKYOKU ba="0,1" sc="250,-10,240,30,250,-10,250,-10" '
    'hai1="10,15,42,43,47,51,55,91,95,99,117,118,119" />'
)


def whole(game_round: str) -> str:
    return f"{HEAD}{game_round}</mjloggm>"


ROUNDS = (
    *(KANS_AND_RINSHAN, TWO_KAKANS_IN_A_TURN, FOUR_KANS, ROBBED_KAKAN, ROBBED_AFTER_AN_ANKAN, DOUBLE_RON),
    *(TRIPLE_RON, LIABILITY_TSUMO, LIABILITY_RON, NAGASHI_MANGAN, FOUR_WINDS, FOUR_RIICHI),
    *(RIICHI_TILE_RONNED, RIICHI_TILE_CALLED),
)
each_round = looped("text", *map(whole, ROUNDS))


def read(text: str, form: str = "tenhou") -> Match:
    """Return the match of a text, which has no warnings."""
    was = trips.read(text, form)
    assert not was.warnings
    return was.match


def written(match: Match, form: str = "tenhou", *, plain: bool = False) -> str:
    """Return a match as text."""
    return trips.write([match], form, plain=plain).data.decode()


def events_of(text: str, *kinds: type[Any]) -> list[Any]:
    """Return the events of a round that are of these kinds."""
    [game_round] = read(f"{HEAD}{text}</mjloggm>").rounds
    return [event for event in game_round.events if type(event) in kinds]


def test_kans_turn_their_dora_in_order() -> None:
    ankan, turns = ["ankan", "dora", "tsumo"], ["dahai", "tsumo", "dahai"]
    last = ["tsumo", "dora", "dahai", "ryukyoku", "end_kyoku"]
    for text, names in (
        # The dora of an ankan is turned at once. That of the kakan is not: its replacement wins.
        (KANS_AND_RINSHAN, [*ankan, "kakan", "tsumo", "hora", "end_kyoku"]),
        # The dora of the first kakan is turned after the second, that of the second after its replacement.
        (TWO_KAKANS_IN_A_TURN, ["kakan", "tsumo", "kakan", "dora", "tsumo", "dora", *turns, "hora", "end_kyoku"]),
        (FOUR_KANS, [*ankan, *ankan, "dahai", "tsumo", *ankan, "dahai", "tsumo", "dahai", "daiminkan", *last]),
        # A kakan that is robbed turns no dora.
        (ROBBED_KAKAN, ["kakan", "hora", "end_kyoku"]),
        (ROBBED_AFTER_AN_ANKAN, [*ankan, "kakan", "hora", "end_kyoku"]),
    ):
        [game_round] = read(f"{HEAD}{text}</mjloggm>").rounds
        found = [ev.name_of(event) for event in game_round.events]
        first = next(index for index, name in enumerate(found) if name in ("ankan", "kakan"))
        assert found[first:] == names, text


def test_a_win_has_the_values_worked_out_by_hand() -> None:
    robbed = ("chankan", 1), ("pinfu", 1)
    second = (3, 1, "9s", (("reach", 1), ("ippatsu", 1), ("uradora", 0)), 40, 2600, (0, -2600, 0, 2600))
    for text, wins in (
        # An ankan of 1m 32, a kakan of 9p 16, dragons 2, self-draw 2: 72, so 80 fu. A dealer's 640 times two.
        (KANS_AND_RINSHAN, [(0, 0, "8s", (("rinshankaiho", 1),), 80, 3900, (3900, -1300, -1300, -1300))]),
        # The indicator of the second kakan, 1m, points at the 2m of the winner.
        (TWO_KAKANS_IN_A_TURN, [(3, 1, "9s", (("pinfu", 1), ("dora", 1)), 30, 2000, (0, -2000, 0, 2000))]),
        (ROBBED_KAKAN, [(2, 0, "9s", robbed, 30, 2000, (-2000, 0, 2000, 0))]),
        # The indicator of the ankan, 7p, points at the 8p of the winner.
        (ROBBED_AFTER_AN_ANKAN, [(2, 0, "9s", (*robbed, ("dora", 1)), 30, 3900, (-3900, 0, 3900, 0))]),
        # The first winner in turn takes two honba and two sticks: 1000, 600 and 2000.
        (DOUBLE_RON, [(2, 1, "9s", (("pinfu", 1),), 30, 1000, (0, -1600, 3600, 0)), second]),
        # The player who gave the third dragon pays the self-draw and the honba alone.
        (LIABILITY_TSUMO, [(0, 0, "5s", (("daisangen", 13),), 40, 48000, (48300, 0, -48300, 0))]),
        # Of a ron, the two pay half each, and the liable player the honba.
        (LIABILITY_RON, [(0, 3, "5s", (("daisangen", 13),), 40, 48000, (48300, 0, -24300, -24000))]),
        # Nobody paid for the riichi: 25000 less 1000.
        (RIICHI_TILE_RONNED, [(2, 1, "9s", (("pinfu", 1),), 30, 1000, (0, -1000, 1000, 0))]),
    ):
        found = events_of(text, ev.Win)
        stated = ("actor", "target", "pai", "yakus", "fu", "hora_points", "deltas")
        assert [tuple(getattr(win, key) for key in stated) for win in found] == wins, text
        assert [win.fan for win in found] == [sum(han for _, han in yakus) for *_, yakus, _, _, _ in wins], text
        # Only the yakuman of dragons has a liable player.
        assert {win.liable for win in found} == {2 if text in (LIABILITY_TSUMO, LIABILITY_RON) else UNSET}, text


def drawn(reason: str, tenpai: str, deltas: tuple[int, ...], scores: tuple[int, ...]) -> ev.Ryukyoku:
    return ev.Ryukyoku(reason, UNSET, tuple(seat in tenpai for seat in "0123"), deltas, scores)


@looped(
    ("text", "draw"),
    *(
        (text, ev.Ryukyoku(reason, deltas=(0,) * 4, scores=(25000,) * 4))
        for text, reason in ((FOUR_KANS, "four_kans"), (TRIPLE_RON, "triple_ron"), (FOUR_WINDS, "four_winds"))
    ),
    (FOUR_RIICHI, ev.Ryukyoku("four_riichi", deltas=(0,) * 4, scores=(24000,) * 4)),
    # A mangan by self-draw: the dealer pays 4000, each other player 2000.
    (NAGASHI_MANGAN, drawn("nagashi_mangan", "0 1", (-4000, 8000, -2000, -2000), (21000, 33000, 23000, 23000))),
    # The player in riichi has paid the stick.
    (RIICHI_TILE_CALLED, drawn("exhaustive_draw", "1", (-1000, 3000, -1000, -1000), (24000, 27000, 24000, 24000))),
)
def test_a_draw_has_the_values_worked_out_by_hand(text: str, draw: ev.Ryukyoku) -> None:
    [found] = events_of(text, ev.Ryukyoku)
    assert structs.replace(found, reason=reason_of(found.reason)) == draw


def test_three_winners_are_blocked() -> None:
    match = read(f"{HEAD}{TRIPLE_RON}</mjloggm>")
    assert match.rounds[0].blocked == (0, 2, 3)
    # The words of tenhou.net/6 name no seats: the three are all but the discarder.
    as_json = trips.write([match], "tenhou-json", plain=True)
    assert "round.blocked" not in [loss.what for loss in as_json.losses]
    assert trips.read(as_json.data, "tenhou-json").match.rounds[0].blocked == (0, 2, 3)


def test_hands_that_a_draw_does_not_show_are_named() -> None:
    two_of_three = TRIPLE_RON.replace(' hai0="19,23,27,55,59,63,83,87,91,99,103,130,131" hai2', " hai2")
    two_of_four = re.sub(r' hai[02]="[0-9,]*"(?=[^<]*$)', "", FOUR_RIICHI)
    for text, hands, right in ((two_of_three, [2, 3], [0, 2, 3]), (two_of_four, [1, 3], [0, 1, 2, 3])):
        [warning] = trips.read(f"{HEAD}{text}</mjloggm>", "tenhou").warnings
        expected = f"RYUUKYOKU shows the hands of players {hands}, but by its type those of {right} are shown"
        assert warning.message == expected
    for text in (re.sub(r' hai[0-3]="[0-9,]*"(?=[^<]*$)', "", FOUR_RIICHI), TRIPLE_RON, FOUR_RIICHI):
        assert trips.read(f"{HEAD}{text}</mjloggm>", "tenhou").warnings == []


def test_without_the_seats_of_three_rons_all_but_the_discarder_show_their_hands() -> None:
    match = read(f"{HEAD}{TRIPLE_RON}</mjloggm>")
    unstated = structs.replace(match, original=None, rounds=[structs.replace(match.rounds[0], blocked=())])
    for form in ("tenhou", "tenhou-json", "majsoul", "majiang", "mjx"):
        result = trips.write([unstated], form, plain=True)
        assert ("round.blocked", "assumed") in [(loss.what, loss.fate) for loss in result.losses], form
        assert trips.read(result.data, form).match.rounds[0].blocked == (0, 2, 3), form


def test_a_riichi_is_accepted_unless_its_discard_is_won() -> None:
    assert events_of(RIICHI_TILE_RONNED, ev.RiichiAccepted) == []
    called = ev.RiichiAccepted(1, scores=(25000, 24000, 25000, 25000))
    assert events_of(RIICHI_TILE_CALLED, ev.RiichiAccepted) == [called]
    accepted = events_of(FOUR_RIICHI, ev.RiichiAccepted)
    assert [(event.actor, event.scores[event.actor]) for event in accepted] == [(seat, 24000) for seat in range(4)]


@each_round
def test_a_round_is_written_byte_for_byte(text: str) -> None:
    assert written(read(text)) == text


@each_round
def test_a_round_without_its_original_is_written_again(text: str) -> None:
    match = structs.replace(read(text), original=None)
    assert read(written(match)) == match
    assert read(written(match, plain=True)).rounds == match.rounds


def without_values(event: ev.Event) -> ev.Event:
    """Return an event without the values that the rules of riichi determine."""
    if isinstance(event, ev.Win):
        valued = ("deltas", "scores", "yakus", "fu", "fan", "hora_points", "liable")
        return structs.replace(event, **dict.fromkeys(valued, UNSET))
    if isinstance(event, ev.Ryukyoku):
        return structs.replace(event, deltas=UNSET, scores=UNSET, tenpais=UNSET)
    if isinstance(event, ev.RiichiAccepted):
        return ev.RiichiAccepted(event.actor)
    return event


@each_round
def test_the_rules_determine_the_same_values(text: str) -> None:
    match = read(text)
    rounds = [structs.replace(one, events=list(map(without_values, one.events))) for one in match.rounds]
    # Ura dora of no han are listed only if the record states them.
    expected = read(text.replace(",53,0", ""))
    assert read(written(structs.replace(match, rounds=rounds), plain=True)).rounds == expected.rounds


@each_round
def test_a_round_without_its_riichi_accepted_is_the_same(text: str) -> None:
    match = read(text)
    played = [[event for event in one.events if type(event) is not ev.RiichiAccepted] for one in match.rounds]
    rounds = [structs.replace(one, events=found) for one, found in zip(match.rounds, played, strict=True)]
    assert read(written(structs.replace(match, rounds=rounds), plain=True)).rounds == match.rounds


def noted(text: str, event: int, *unset: str) -> str:
    """Return an mjlog of one round with a note by which its source does not state keys of an event."""
    begin, end = text.index("<INIT"), text.index("</mjloggm>")
    digest = note_json.digest(tokens_in(text[begin:end]))
    edit = json.dumps({"v": 4, "digest": digest, "round": {"events": [{"at": event, "unset": unset}]}})
    return f"{text[:end]}<!--mjconv {edit}-->{text[end:]}"


def test_a_note_may_unset_values_that_the_rules_determine() -> None:
    text = written(read(whole(ROBBED_KAKAN)), plain=True)
    [game_round] = read(text).rounds
    at = len(game_round.events) - 2
    [found] = read(noted(text, at, "yakus", "fu", "fan", "hora_points")).rounds
    win = found.events[at]
    assert isinstance(win, ev.Win)
    assert (win.yakus, win.fu, win.fan, win.hora_points) == (UNSET,) * 4
    assert win.deltas == (-2000, 0, 2000, 0)


def test_a_note_that_unsets_other_values_contradicts_the_text() -> None:
    ten = 'ten="30,2000,0"'
    for stated, other in (
        ('yaku="3,1,7,1"', 'yaku="3,1,8,1"'),
        (ten, 'ten="40,2000,0"'),
        (ten, 'ten="30,2600,0"'),
    ):
        usual = written(read(whole(ROBBED_KAKAN)), plain=True)
        text = usual.replace(stated, other)
        assert text != usual, stated
        [game_round] = read(text).rounds
        at = len(game_round.events) - 2
        was = trips.read(noted(text, at, "yakus", "fu", "fan", "hora_points"), "tenhou")
        assert was.match.rounds == [game_round], stated
        assert ["contradicts the text" in warning.message for warning in was.warnings] == [True], stated
