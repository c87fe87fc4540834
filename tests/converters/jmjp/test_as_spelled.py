"""A text that states more than events and values do comes back as it was: nothing of it is lost in silence."""

from msgspec import structs

import mjconv
from looped import looped
from mjconv.converters.jmjp.notes import KEY
from mjconv.converters.jmjp.text import StrippedText
from mjconv.ir import events as ev
from trips import read, write

from .test_play import DEAL, hands
from .texts import PLAYERS, file, frame, match

POINTS = "pfs[25.0,25.0,25.0,25.0]"
#: Acts after which nobody in riichi has won, and after which somebody has.
DRAW = "(e,9s,tg)"
NO_RIICHI = "(e,9s,rd)(n,rn,)"
AGAINST_RIICHI = "(e,9s,rc[9s])(s,8s,tg)(w,rn,)"
IN_RIICHI = "(e,9s,rc[9s])(s,8s,tg)(e,rn,)"


def uk(dora: str) -> str:
    """Fill a dora field up to its ten tiles."""
    return dora.ljust(20, "#").replace("##", "uk")


def played(acts: str, dora: str) -> str:
    return file(match(frame(hands() + acts + hands(DEAL), kyoutak="0.0", pfs=POINTS, dora=uk(dora))))


def only_points(dora: str) -> str:
    return file(match(frame(kyoutak="0.0", pfs=POINTS, dora=uk(dora), pfe="pfe[26.0,25.0,25.0,24.0]")))


DORA = {
    "ura at a draw": played(DRAW, "2m3m"),
    "ura of a winner without riichi": played(NO_RIICHI, "2m3m"),
    "ura of the loser's riichi": played(AGAINST_RIICHI, "2m3m"),
    "ura in a frame without a flow": only_points("2m3m"),
    "dora of kans in a frame without a flow": only_points("2muk4m5m6m"),
    "ura of a kan that was not made": played(DRAW, "2m3muk4m"),
    "ura beside an unknown dora": played(DRAW, "uk3m"),
    "a red dora": played(DRAW, "0p"),
    "a red ura, won with": played(IN_RIICHI, "2m0p"),
    "red dora of kans": played(IN_RIICHI, "0p2m0s3m"),
    "all at once": played(AGAINST_RIICHI, "uk0m2sukuk7p"),
}
NUMBERS = {
    "numbers of the match": file(match(before=f"tnm[mlg,2018,mlg-reg,007,00]mtp[20181001,,0900,]{PLAYERS}")),
    "rounds of a recorder": file(match(before=f"mtp[,,,]rec[,E1-00E2-01]{PLAYERS}")),
    "point rules": file(match(before=f"mtp[,,,]{PLAYERS}ptr[025.0,30.0,(020.0,-0.0),00.3,3.0]")),
    "points of the match": file(match(after="pme[040.0,-0.0,0.0,1.0]ptn[(01.0,),(,-0.0),(,),(1.0,1.0)]")),
    "a honba": file(match(frame(name="E1-00"))),
    "sticks": file(match(frame(kyoutak="01.0"))),
    "points of a frame": file(match(frame(pfs="pfs[025.0,25.0,-0.0,-00.5]", pfe="pfe[25.0,0025.0,-0.0,0.0]"))),
    "a player": file(match(before='mtp[,,,]ply[0,(snt["A007"],),,,(012.0,-0.0)]' + PLAYERS[len("ply[0,,,,]") :])),
}
TEXTS = DORA | NUMBERS
#: Dora fields that the events state as a whole.
STATED = {dora: played(IN_RIICHI, dora) for dora in ("2m", "2m3m", "uk", "uk3m", "2muk4m", "2m3m4m5m")}


def stripped(data: bytes) -> str:
    return StrippedText.from_bytes(data).stripped


def test_jmjp_comes_back_as_it_was_without_a_loss_also_by_way_of_mjai() -> None:
    for text in (TEXTS | STATED).values():
        again = mjconv.convert(text.encode(), source="jmjp", target="jmjp", plain=True, strict=True)
        assert stripped(again.data) == text
        assert again.losses == [], text
        mjai = mjconv.convert(text.encode(), source="jmjp", target="mjai")
        assert stripped(mjconv.convert(mjai.data, source="mjai", target="jmjp").data) == text


def test_without_notes_the_loss_has_a_name() -> None:
    for text in TEXTS.values():
        losses = mjconv.convert(text.encode(), source="jmjp", target="mjai", plain=True).losses
        assert {loss.fate for loss in losses if loss.what in ("round.extras", "match.extras")} == {"dropped"}, text


@looped("text", *STATED.values(), ids=STATED)
def test_a_dora_field_that_the_events_state_is_kept_in_them_alone(text: str) -> None:
    [game_round] = read(text.encode(), "jmjp").matches[0].rounds
    assert game_round.extras == {}


def test_ura_that_nobody_won_with_do_not_become_ura_of_a_winner() -> None:
    [game_round] = read(played(NO_RIICHI, "2m3m").encode(), "jmjp").matches[0].rounds
    assert [win.ura_markers for win in game_round.select(ev.Win)] == [()]


def test_spellings_do_not_outlive_their_values() -> None:
    match_ = read(TEXTS["numbers of the match"].encode(), "jmjp").matches[0]
    match_.tournament = structs.replace(match_.tournament, number_in_stage=8)
    out = write([match_], "jmjp", plain=True)
    assert b"tnm[mlg,2018,mlg-reg,8,0]" in out.data
    assert [(loss.what, loss.fate) for loss in out.losses] == [("match.extras", "dropped")]
    match_ = read(TEXTS["ura at a draw"].encode(), "jmjp").matches[0]
    match_.rounds[0].events[0] = structs.replace(match_.rounds[0].events[0], dora_marker="9s")
    out = write([match_], "jmjp", plain=True)
    assert b"1s" + b"uk" * 9 in out.data
    assert [(loss.what, loss.fate) for loss in out.losses] == [("round.extras", "dropped")]


USUAL = {
    "round": {"E1-0", "0.0", "pfs[25.0,25.0,25.0,25.0]", "2m" + "uk" * 9},
    "match": {"mtp[,,,]", "ply[0,,,,]", "ply[1,,,,]"},
}


def test_a_spelling_that_states_something_else_is_not_written() -> None:
    """Extras may come from anywhere, as from the note of another file."""
    for own in ("E01-0", "", "00.0],", "2m2m", "ply[1,,,,]", "mtp[,,,]ply[0,,,,]", "// E1-00", "9m" * 10, "E1-1"):
        text = played(DRAW, "2m")
        match_ = read(text.encode(), "jmjp").matches[0]
        match_.extras = {KEY: {"spelled": dict.fromkeys(USUAL["match"], own)}}
        match_.rounds[0].extras = {KEY: {"spelled": dict.fromkeys(USUAL["round"], own)}}
        out = write([match_], "jmjp", plain=True)
        assert stripped(out.data) == text, own
        fates = {(loss.what, loss.fate) for loss in out.losses}
        assert fates == {("round.extras", "dropped"), ("match.extras", "dropped")}
