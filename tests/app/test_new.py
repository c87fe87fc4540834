"""`mjconv new`: files that are ready to type into."""

import io
import sys
from pathlib import Path

import pytest
from given import Run

import mjconv
from corpus_files import CORPUS
from mjconv.command.new import NewOptions, make_file
from mjconv.converters.jmjp.fill import filled
from mjconv.ir.losses import Report
from trips import known

UMA = "uma 15 0 -15  # points of places: with 20 10 the fourth pays 20"
HANDS = """(e,hnd[1m2m3m4m5m6m2p3p4p7s8s9sew,,])
(s,hnd[1p1p2p5p6p7p8p2s3s4s6swdgd,,])
(w,hnd[1m4m7m3p6p9p1s4s7sewswwwnw,,])
(n,hnd[2m5m8m1p4p7p2s5s8sewrdwdgd,,])
(e,9p,tg)(s,9s,gd)(w,rd,tg)(n,9m,gd)(e,ew,tm)
,,]
frm[,,,,,
"""


def test_a_match_has_its_head_and_its_comments(run: Run) -> None:
    names = "佐藤 一郎,鈴木,Tanaka Jiro,D"
    words = ["--players", names, "--date", "2024-04-06", "--tournament", "杯", "--place", "Club"]
    run("new", "game.jmjp", *words, "--rules", "30,30,15,5").check(0)
    match = mjconv.read("game.jmjp")
    assert [player.name.shown for player in match.players if player.name] == names.split(",")
    assert (str(match.date), match.weekday) == ("2024-04-06", "sat")
    assert (known(match.rules).start, known(match.rules).uma) == (30000, (15000, 5000))
    assert known(match.rounds[0].start).scores == (30000,) * 4
    run("fmt", "--check", "game.jmjp").check(0)
    checked = run("validate", "game.jmjp")
    assert "O009" in checked.err + checked.out.decode()


def test_a_round_typed_into_it_is_filled_and_the_next_one_named(run: Run) -> None:
    run("new", "game.jmjp", "--players", "A,B,C,D")
    text = Path("game.jmjp").read_text("utf-8").replace("// indicators:", "// indicators: 4p")
    head, bracket, _ = text.rpartition(")")
    typed = filled((head + HANDS + bracket).encode(), Report()).decode()
    assert ",pfe[26.5,24.5,24.5,24.5],]" in typed
    assert "frm[E1-1,0.0,,pfs[26.5,24.5,24.5,24.5],," in typed


def test_like_takes_the_head_of_the_last_match(run: Run) -> None:
    old = CORPUS / "grammar" / "calls.jmjp"
    run("new", "game.jmjp", "--like", old)
    before, after = mjconv.read(old), mjconv.read("game.jmjp")
    assert (after.rules, after.place, after.recorders) == (before.rules, before.place, before.recorders)
    assert [player.name for player in after.players] == [player.name for player in before.players]
    assert known(after.tournament).number_in_day == (known(before.tournament).number_in_day or 0) + 1
    assert len(after.rounds) == 1


def test_an_evening_has_its_rules_and_names(run: Run) -> None:
    run("new", "night.hk", "--players", "A,B,C,D", "--date", "2024-04-06").check(0)
    Path("night.hk").write_text(Path("night.hk").read_text("utf-8") + "3 d - -\n", "utf-8")
    match = mjconv.read("night.hk")
    assert str(match.rounds[0].date or match.date) == "2024-04-06"
    run("new", "next.hk", "--like", CORPUS / "hk" / "evenings.hk")
    assert {"B=1", "M=10", "S=spicy"} <= set(Path("next.hk").read_text("utf-8").replace("#", " ").split())
    run("fmt", "--check", "next.hk", "night.hk").check(0)


def test_a_game_of_uzje_is_typed_below_its_head(run: Run) -> None:
    names = ("Ann", "佐藤 花", "Cy", "Dee")
    words = ["--players", ",".join(names), "--date", "2024-04-06", "--tournament", "Cup"]
    run("new", "game.uzje", *words).check(0)
    game = (CORPUS / "uzje" / "short.uzje").read_text("utf-8")
    Path("game.uzje").write_text(Path("game.uzje").read_text("utf-8") + game, "utf-8")
    run("new", "next.uzje", "--like", "game.uzje")
    for name, date, rounds in (("game.uzje", "2024-04-06", 5), ("next.uzje", "UNSET", 0)):
        match = mjconv.read(name)
        assert tuple(player.name.shown for player in match.players if player.name) == names
        assert match.tournament
        assert (str(match.date), len(match.rounds)) == (date, rounds)
        assert mjconv.validate(name) == []
    run("fmt", "--check", "game.uzje", "next.uzje").check(0)


def test_a_text_is_a_family_s_evening_or_like_an_older_one(run: Run) -> None:
    for name, words, part in (
        ("family.txt", ("--players", "A,B,C,D"), "R=full"),
        ("club.txt", ("--like", CORPUS / "club" / "family.club"), UMA),
    ):
        run("new", name, *words).check(0)
        assert part in Path(name).read_text("utf-8")


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def test_a_terminal_asks_for_the_players(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = Terminal(io.BytesIO(b"Sato Ichiro\nSuzuki\n\nTanaka\n"))
    asked = Terminal(io.BytesIO(), write_through=True)
    monkeypatch.setattr(sys, "stdin", typed)
    monkeypatch.setattr(sys, "stderr", asked)
    make_file(NewOptions(file="game.jmjp"))
    names = [player.name.shown if player.name else "" for player in mjconv.read("game.jmjp").players]
    assert names == ["Sato Ichiro", "Suzuki", "", "Tanaka"]
    assert asked.buffer.getvalue().count(b"Player, ") == 4  # type: ignore[attr-defined]


def test_an_evening_has_players_without_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Terminal(io.BytesIO(), write_through=True)
    monkeypatch.setattr(sys, "stdin", Terminal(io.BytesIO(b"Ann\nBen\nCho\nDee\n")))
    monkeypatch.setattr(sys, "stderr", asked)
    make_file(NewOptions(file="may.club"))
    assert asked.buffer.getvalue() == b"Player 1: Player 2: Player 3: Player 4: "  # type: ignore[attr-defined]
    assert "\nAnn, Ben, Cho, Dee\n" in Path("may.club").read_text("utf-8")
