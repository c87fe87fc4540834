"""Rule sets: each game as a value, the game that a record states or shows, and a game of another package."""

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from random import Random

import pytest
from msgspec import UNSET, structs

import mjconv
from corpus_files import CORPUS, SAMPLE
from looped import looped
from mcr_made import hand, match_of
from mjconv.command.info import lines
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round, Rules
from mjconv.ir.mcr_fan import BY_NUMBER
from mjconv.ir.table import Table
from mjconv.ir.tiles import FLOWERS, TILE_KINDS
from mjconv.ir.vocabulary import YAKU
from mjconv.languages import LANGUAGES
from mjconv.rules import rulesets
from mjconv.rules.rulesets import HONGKONG, MCR, RIICHI, RULE_SETS, UNKNOWN, UZJE, by_id, ruleset_of
from mjconv.rules.succession import starts
from mjconv.summary import FileSummary, summarise
from mjconv.viewer.words import texts

EAST = ev.StartRound("E", kyoku=1, honba=0, kyotaku=0, oya=0, tehais=(("1p",) * 13,) * 4)


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install a package with a rule set: a game of bamboo, whose winner deals next."""
    (tmp_path / "toy_game.py").write_text(
        "from mjconv.rules.rulesets import RuleSet, Term\n"
        "from mjconv.ir.events import Win\n"
        "TILES = frozenset(f'{rank}s' for rank in range(1, 10))\n"
        "def winner(played, oya, seats):\n"
        "    return next((win.actor for win in played.select(Win)), None)\n"
        "def all_equal(tiles, melds):\n"
        "    return len(set(tiles)) == 1\n"
        "def gains(result, rules, seats):\n"
        "    return [3 * result.fan if seat == result.actor else -result.fan for seat in range(seats)]\n"
        "def judge(played, rules, seats):\n"
        "    kept = enumerate(played.events)\n"
        "    return [(at, 'a {toy} breaks') for at, one in kept if getattr(one, 'pai', 0) == '9s']\n"
        "TOY = RuleSet(id='toy', name=Term('Toy', 'トイ', '玩具', '玩具'), unit=Term('pip', '点', '点', '點'),\n"
        "    names=lambda: {'same': Term('All the Same', '同', '同', '同')},\n"
        "    tiles={4: TILES}, next_dealer=winner,\n"
        "    counts_repeats=False, is_complete=all_equal, gains=gains, judge=judge,\n"
        "    checks=frozenset({'R004', 'R060'}))\n"
        "from collections import Counter\n"
        "from mjconv.ir.tiles import FLOWERS, TILE_KINDS\n"
        "from mjconv.rules.decomposition import sets_of\n"
        "def five_sets(tiles, melds):\n"
        "    left, wanted = Counter(tiles), 5 - sum(meld.kind != 'nukidora' for meld in melds)\n"
        "    pairs = [Counter({tile: 2}) for tile in left if left[tile] > 1]\n"
        "    return any(len(sets) == wanted for pair in pairs for sets in sets_of(left - pair))\n"
        "SIXTEEN = RuleSet(id='sixteen', name=Term('Sixteen', '十六', '十六', '十六'), hand=16, reds=False,\n"
        "    tiles={4: {*TILE_KINDS, *FLOWERS}}, aside={4: frozenset(FLOWERS)}, is_complete=five_sets,\n"
        "    gains=gains, checks=frozenset({'R004'}))\n"
        "",
        "utf-8",
    )
    (tmp_path / "toy-1.0.dist-info").mkdir()
    (tmp_path / "toy-1.0.dist-info/METADATA").write_text("Name: toy\nVersion: 1.0\n", "utf-8")
    (tmp_path / "toy-1.0.dist-info/entry_points.txt").write_text(
        "[mjconv.rulesets]\ntoy = toy_game:TOY\nsixteen = toy_game:SIXTEEN\nbroken = toy_game:TILES\n", "utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    for cached in (rulesets._added, texts):
        cached.cache_clear()
    with pytest.warns(RuntimeWarning, match="the rule set 'broken' of an installed package is left out"):
        assert by_id("toy").unit.english == "pip"
    yield
    for cached in (rulesets._added, texts):
        cached.cache_clear()


class TestValues:
    def test_each_game_has_its_id_and_its_unit(self) -> None:
        units = {"riichi": "han", "hongkong": "faan", "mcr": "fan", "uzje": "fan"}
        assert {rules.id: rules.unit.english for rules in RULE_SETS} == units

    def test_the_tiles_of_riichi_and_of_chinese_official(self) -> None:
        assert RIICHI.tiles[4] - RIICHI.tiles[3] == {f"{rank}m" for rank in range(2, 9)}
        assert (RIICHI.aside[3] - RIICHI.aside[4], RIICHI.draws) == ({"N"}, {3: 55, 4: 70})
        assert (len(MCR.tiles[4]), MCR.aside[4], MCR.reds, MCR.dora) == (34 + 8, set(FLOWERS), False, False)
        assert {ev.Riichi, ev.Dora} <= MCR.foreign

    def test_names_are_complete_in_four_languages_and_both_scripts(self) -> None:
        assert set(RIICHI.names()) == set(YAKU)
        assert {fan.id for fan in BY_NUMBER.values()} < set(MCR.names())
        assert all(all(names) for rules in RULE_SETS for names in (rules.name, *rules.names().values()))
        found = [RIICHI.names()[name][2:] for name in ("toitoi", "honroutou", "kokushi_musou")]
        assert found == [("对对和", "對對和"), ("混老头", "混老頭"), ("国士无双", "國士無雙")]

    def test_the_deal_of_chinese_official_always_passes_and_repeats_are_not_counted(self) -> None:
        won = Round([EAST, ev.Win(0, 0, fan=8)])
        drawn = Round([ev.StartRound(), ev.Ryukyoku()])
        match = Match(rounds=[won, drawn, Round([ev.StartRound()])], rules=Rules(game="mcr"))
        deals = [(deal.bakaze, deal.kyoku, deal.oya, deal.honba) for deal in starts(match)]
        assert deals == [("E", 1, 0, 0), ("E", 2, 1, 0), ("E", 3, 2, 0)]
        deals = [(deal.kyoku, deal.oya, deal.honba) for deal in starts(structs.replace(match, rules=UNSET))]
        assert deals == [(1, 0, 0), (1, 0, 1), (1, 0, 2)]

    def test_a_field_of_another_type_is_named(self) -> None:
        for named, message in (
            ({"name": "Toy"}, "name of a RuleSet is 'Toy': expected Term"),
            ({"hand": "16"}, "hand of a RuleSet is '16': expected int"),
            ({"tiles": frozenset("P")}, "tiles of a RuleSet is frozenset({'P'}): expected Mapping"),
            ({"gains": 3}, "gains of a RuleSet is 3: expected a function or None"),
        ):
            with pytest.raises(TypeError, match=re.escape(message)):
                structs.replace(UNKNOWN, **named)


class TestCompleteHands:
    def test_by_game(self) -> None:
        for tiles, games in (
            ("1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C C", "riichi hongkong mcr uzje"),
            ("1m 1m 3m 3m 4p 4p 6p 6p 7s 7s 9s 9s E E", "riichi hongkong mcr uzje"),
            ("1m 1m 1m 1m 4p 4p 6p 6p 7s 7s 9s 9s E E", "mcr uzje"),
            ("1m 9m 1p 9p 1s 9s E S W N P F C C", "riichi hongkong mcr uzje"),
            ("1m 4m 7m 2p 5p 8p 3s 6s 9s E E E C C", "mcr uzje"),
            ("1m 4m 7m 2s 5s 8s 3p 6p 9p 5m 6m 7m 1p 1p", "mcr uzje"),
            ("1m 4m 7m 2p 5p 8p 3s 6s 9s E S W N P", "mcr uzje"),
            ("1m 7m 2p 5p 3s 6s 9s E S W N P F C", "mcr uzje"),
            ("1m 4m 8m 2p 5p 8p 3s 6s 9s E S W N P", ""),
            ("1m 4m 7m 1p 5p 8p 3s 6s 9s E S W N P", ""),
            ("1m 4m 7m 2p 5p 8p 3s 6s 9s E E S C C", ""),
            ("1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C F", ""),
            ("1m 2m 3m 4p 5p 6p 7s 8s 9s E E", ""),
        ):
            found = [rules.id for rules in RULE_SETS if rules.is_complete and rules.is_complete(tiles.split(), [])]
            assert found == games.split(), tiles

    @looped("game", "riichi", "hongkong", "mcr", "uzje", "")
    def test_an_incomplete_winner_is_found_in_every_game(self, game: str) -> None:
        waiting = "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C"
        hands = (tuple(waiting.split()), *(("?",) * 13,) * 3)
        found = {}
        for tile in ("C", "F"):
            play = [structs.replace(EAST, tehais=hands), ev.Draw(0, tile), ev.Win(0, 0), ev.EndRound()]
            match = Match(rounds=[Round(play)], opening=[ev.StartGame()], closing=[ev.EndGame()])
            match.rules = Rules(game=game) if game else UNSET
            found[tile] = {one.code for one in mjconv.check(match)}
        assert found == {"C": set(), "F": {"R040"}}


class TestChoice:
    def test_by_what_it_states_or_shows(self) -> None:
        for rounds, rules, chosen in (
            ([], UNSET, UNKNOWN),
            ([Round([EAST])], UNSET, UNKNOWN),
            ([Round([EAST, ev.Riichi(0)])], UNSET, RIICHI),
            ([Round([EAST]), Round([structs.replace(EAST, dora_marker="1m")])], UNSET, RIICHI),
            ([Round([structs.replace(EAST, dora_marker="?")])], UNSET, UNKNOWN),
            ([Round([structs.replace(EAST, kyotaku=1)])], UNSET, RIICHI),
            ([Round([structs.replace(EAST, honba=1)])], UNSET, UNKNOWN),
            ([Round([ev.Win(0, 1, fan=3, fu=40)])], UNSET, RIICHI),
            ([Round([ev.Win(0, 1, fan=3)])], UNSET, UNKNOWN),
            ([Round([ev.Win(0, 1, fan=3)])], Rules(base=Decimal(1)), HONGKONG),
            ([Round([], rules=Rules(base=Decimal(1)))], UNSET, HONGKONG),
            ([Round([EAST, ev.Riichi(0)])], Rules(game="mcr"), MCR),
            ([Round([EAST])], Rules(game="uzje", base=Decimal(1)), UZJE),
        ):
            assert ruleset_of(Match(rounds=rounds, rules=rules)) == chosen, rounds

    def test_a_round_may_state_a_game_of_its_own(self) -> None:
        match = Match(rounds=[Round(), Round(rules=Rules(game="uzje"))], rules=Rules(game="mcr"))
        assert rulesets.rulesets_of(match) == [MCR, UZJE]
        assert [ruleset_of(match, each) for each in match.rounds] == [MCR, UZJE]

    def test_a_game_that_nobody_knows_has_the_checks_of_all_games(self) -> None:
        fifth = Round([EAST, ev.Draw(0, "9s"), ev.Discard(0, "9s"), ev.Ryukyoku(), ev.EndRound()])
        match = Match(rounds=[fifth], opening=[ev.StartGame()], closing=[ev.EndGame()], rules=Rules(game="?!"))
        assert {finding.code for finding in mjconv.check(match)} == {"R001"}

    @pytest.mark.parametrize("target", ["mjai", "jmjp", "tenhou", "uzje"])
    def test_a_stated_game_that_the_record_shows_is_no_loss_and_no_note(self, target: str, tmp_path: Path) -> None:
        match = mjconv.read(SAMPLE)
        stated = structs.replace(match, rules=Rules(game="riichi"))
        plain, own = tmp_path / "plain", tmp_path / "stated"
        assert mjconv.write(stated, own, format=target) == mjconv.write(match, plain, format=target)
        assert own.read_bytes() == plain.read_bytes()

    def test_a_stated_game_that_the_record_does_not_show_is_in_the_note(self, tmp_path: Path) -> None:
        path = tmp_path / "hand.mjson"
        assert "match.rules" in {loss.what for loss in mjconv.write(match_of(hand(1)), path)}
        assert ruleset_of(mjconv.read(path)) == MCR


@looped(
    ("file", "target", "reason"),
    ("sample/game.mjson", "botzone", "Botzone records games of Chinese Official, and match 1 is riichi"),
    ("sample/game.mjson", "pmn", "PMN records games of Chinese Official, and match 1 is riichi"),
    ("hk/example.hk", "pmn", "PMN records games of Chinese Official, and match 1 is Hong Kong"),
    ("hk/example.hk", "tenhou", "Tenhou records games of riichi, and match 1 is Hong Kong"),
    ("pmn/ron.pmn", "majiang", "majiang records games of riichi, and match 1 is Chinese Official"),
)
def test_formats_refuse_games_that_they_do_not_hold_with_the_reason(file: str, target: str, reason: str) -> None:
    with pytest.raises(mjconv.UnsupportedError, match=reason):
        mjconv.convert((CORPUS / file).read_bytes(), target=target)


@pytest.mark.usefixtures("toy")
class TestToy:
    """A game is added by one value of another package and the functions that it names."""

    def match(self, *rounds: Round) -> Match:
        return Match(rounds=[*rounds], opening=[ev.StartGame()], closing=[ev.EndGame()], rules=Rules(game="toy"))

    def played(self, tile: str, oya: int = 0, winner: int = 0) -> Round:
        hands = tuple([("1s",) * 3 + ("?",) * 10 if seat == winner else ("?",) * 13 for seat in range(4)])
        deal = structs.replace(EAST, oya=oya, kyoku=oya + 1, tehais=hands)
        pons = [ev.Draw(oya, tile), ev.Discard(oya, tile)] if winner != oya else [ev.Draw(oya, tile)]
        return Round([deal, *pons, ev.Win(winner, oya, fan=2), ev.EndRound()])

    def test_its_tiles_and_complete_hands(self) -> None:
        assert [found.message for found in mjconv.check(self.match(self.played("1m")))] == ["1m is no tile of Toy"]
        hands = (("1s",) * 3 + ("2s", "3s") * 4 + ("4s", "5s"), *(("?",) * 13,) * 3)
        mixed = Round([structs.replace(EAST, tehais=hands), ev.Draw(0, "1s"), ev.Win(0, 0), ev.EndRound()])
        assert {"R040"} == {found.code for found in mjconv.check(self.match(mixed))}

    def test_its_winner_deals_next(self) -> None:
        rounds = [self.played("1s", winner=2), Round([ev.StartRound(), ev.Ryukyoku(), ev.EndRound()])]
        assert starts(self.match(*rounds))[1].oya == 2
        wrong = self.match(rounds[0], structs.replace(self.played("1s", oya=1, winner=1)))
        assert "R060" in {found.code for found in mjconv.check(wrong)}

    def test_its_points_follow_from_its_own_payments_and_its_words_are_shown(self) -> None:
        shown = lines(FileSummary("x", "mjai", (summarise(self.match(self.played("1s"))),)))
        assert "seat 0 tsumo 2 pip: seat 0 +6, seat 1 -2, seat 2 -2, seat 3 -2" in "".join(shown)
        assert [texts(tongue)["count.toy"] for tongue in LANGUAGES] == ["pip", "点", "點", "点"]
        assert texts("en")["yaku.same"] == "All the Same"

    @looped(("deltas", "codes"), ((6, -2, -2, -2), []), ((600, -200, -200, -200), []), ((6, -6, 0, 0), ["R083"]))
    def test_its_payments_are_those_of_its_own_rule(self, deltas: tuple[int, ...], codes: list[str]) -> None:
        """Points may be multiplied by a power of ten, as for games with fractions of points."""
        *before, _, end = self.played("1s").events
        right = Round([*before, ev.Win(0, 0, fan=2, deltas=deltas), end])
        assert [found.code for found in mjconv.check(self.match(right)) if found.code != "R040"] == codes

    def test_it_brings_checks_of_its_own(self) -> None:
        [found] = [found for found in mjconv.check(self.match(self.played("9s"))) if found.code == "R082"]
        assert (found.message, found.event, found.severity) == ("a {toy} breaks", 1, "error")

    def test_formats_of_other_games_refuse_it(self, tmp_path: Path) -> None:
        with pytest.raises(mjconv.UnsupportedError, match="Tenhou records games of riichi, and match 1 is Toy"):
            mjconv.write(self.match(self.played("1s")), tmp_path / "toy.mjlog")
        path = tmp_path / "toy.mjson"
        mjconv.write(self.match(self.played("1s")), path)
        assert ruleset_of(mjconv.read(path)).id == "toy"


@pytest.mark.usefixtures("toy")
class TestSixteenTiles:
    """A game of another package whose hands have sixteen tiles, as those of Taiwan."""

    def played(self, seed: int, flowers: tuple[str, ...]) -> Round:
        """Return a round with pons, and a win if a hand is complete. Flowers are drawn first."""
        wall = [*TILE_KINDS] * 4
        Random(seed).shuffle(wall)
        hands = [sorted(wall[16 * seat : 16 * seat + 16]) for seat in range(4)]
        won = ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "1p", "2p", "3p", "4p", "5p", "6p", "C"]
        if seed == 0:
            hands, wall = [won, *[["?"] * 16] * 3], ["C"]
        deal = ev.StartRound("E", UNSET, 1, 0, 0, 0, tehais=tuple(map(tuple, hands)))
        table, events = Table.dealt(deal), [deal]
        left = iter([*flowers, *(wall if seed == 0 else wall[64:])])

        def play(event: ev.Event) -> None:
            table.apply(event)
            events.append(event)

        seat = 0
        while len(events) < 60:
            play(ev.Draw(seat, tile := next(left)))
            while tile in FLOWERS:
                play(ev.Nukidora(seat, tile))
                play(ev.Draw(seat, tile := next(left)))
            if by_id("sixteen").is_complete(table.hands[seat], table.melds[seat]):
                return Round([*events, ev.Win(seat, seat, fan=5, deltas=(15, -5, -5, -5)), ev.EndRound()])
            play(ev.Discard(seat, tile, tsumogiri=True))
            for other in {0, 1, 2, 3} - {seat}:
                if table.hands[other].count(tile) == 2:
                    play(ev.Pon(other, seat, tile, (tile, tile)))
                    play(ev.Discard(other, table.hands[other][0], tsumogiri=False))
                    seat = other
                    break
            seat = (seat + 1) % 4
        return Round([*events, ev.Ryukyoku(), ev.EndRound()])

    def match(self, game: str = "sixteen", flowers: tuple[str, ...] = ()) -> Match:
        rounds = [self.played(seed, flowers) for seed in (0, 1, 2)]
        return Match(rounds=rounds, opening=[ev.StartGame()], closing=[ev.EndGame()], rules=Rules(game=game))

    @pytest.mark.parametrize("flowers", [(), FLOWERS])
    def test_a_game_passes_through_mjai_and_its_referee(self, flowers: tuple[str, ...], tmp_path: Path) -> None:
        """Mjai has no flowers: notes hold them."""
        path = tmp_path / "game.mjson"
        match = self.match(flowers=flowers)
        mjconv.write(match, path, lossy=bool(flowers))
        assert mjconv.read(path) == match
        assert mjconv.validate(path) == []
        kinds = {type(event) for one in match.rounds for event in one.events}
        assert {ev.Pon, ev.Win} <= kinds
        assert (ev.Nukidora in kinds) == bool(flowers)

    def test_hands_of_another_number_are_found(self) -> None:
        assert {found.code for found in mjconv.check(self.match("riichi"))} >= {"R019"}
        deal = structs.replace(EAST, tehais=(("?",) * 13,) * 4)
        short = structs.replace(self.match(), rounds=[Round([deal, ev.Ryukyoku(), ev.EndRound()])])
        found = {found.message for found in mjconv.check(short) if found.code == "R019"}
        winds = enumerate(("east", "south", "west", "north"))
        assert found == {f"{wind} (player {seat}) is dealt 13 tiles, not 16" for seat, wind in winds}


def test_payments_of_hong_kong_are_checked_too() -> None:
    """A record of another format states them, for example of scores that were converted."""
    rules = Rules(base=Decimal(1))
    for points, codes in ((16, []), (1600, []), (8, ["R083"])):
        win = ev.Win(1, 0, fan=3, deltas=(-points, points, 0, 0))
        match = Match([], [Round([win, ev.EndRound()])], [ev.StartGame()], [ev.EndGame()], rules=rules)
        assert [found.code for found in mjconv.check(match)] == codes
