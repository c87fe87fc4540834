"""House rules that a record does not state: found where they explain all rounds, and reported once."""

from collections import Counter
from typing import Any

import pytest
from msgspec import UNSET, structs

import mjconv
from corpus_files import CORPUS
from judged import dealt, riichi, turn
from looped import looped
from mjconv import check, validate
from mjconv.ir import events as ev
from mjconv.ir.match import House, Match, Round, Rules
from mjconv.referee.findings import Finding
from mjconv.rules.house import USUAL, house_of
from mjconv.rules.succession import starts
from trips import read, write

#: Ready for 5s and 8s: with 8s and the red five a pinfu and tanyao of 4 han 30 fu in riichi, of 3 han without.
HAND = "2m 3m 4m 5p 6p 7p 2s 3s 4s 5sr 5s 6s 7s"
OTHERS = ev.Draw(0, "W"), ev.Discard(0, "W", tsumogiri=True)
#: With 8s 13 han in double riichi: ippatsu, pinfu, tanyao, ryanpeikou, a red five, two dora and two ura dora.
RICH = "2m 2m 3m 3m 4m 4m 6s 6s 7s 7s 8s 5sr 5s"


def won(points: int, *, hand: str = HAND, honba: int = 0, number: int = 1, **said: Any) -> Round:
    """Return a round in which the dealer wins on a discard, without riichi."""
    deal = dealt({0: hand}, dora_marker="1m", honba=honba, kyoku=number, scores=UNSET)
    win = ev.Win(0, target=1, deltas=(points, -points, 0, 0), **said)
    return Round([deal, *OTHERS, *turn(1, "8s", "?"), win, ev.EndRound()])


def match_of(*rounds: Round, rules: Rules | None = None) -> Match:
    """Return a match whose rounds do not follow each other: only each by itself is judged."""
    spaced = [one for each in rounds for one in (each, Round())]
    return Match(opening=[ev.StartGame()], rounds=spaced, closing=[ev.EndGame()], rules=rules or UNSET)


def found(match: Match, house: House | None = None) -> list[Finding]:
    return [one for one in check(match, house=house) if one.code.startswith("R")]


def codes(match: Match, house: House | None = None) -> list[str]:
    return [one.code for one in found(match, house)]


#: The value of the hand is 11600 points, and 12000 by kiriage mangan.
USUAL_WIN, KIRIAGE_WIN = won(11600), won(12000)


def valued(points: int, *others: tuple[str, int]) -> Round:
    return won(points, yakus=(("pinfu", 1), ("tanyaochu", 1), ("dora", 1), *others), fan=6)


def test_a_house_that_explains_all_rounds_is_reported_once() -> None:
    for words, *rounds in (
        ("kiriage mangan", KIRIAGE_WIN),
        ("kiriage mangan", KIRIAGE_WIN, KIRIAGE_WIN, won(12000, hora_points=12000)),
        ("1500 points a honba", won(13100, honba=1)),
        ("1500 points a honba", won(14600, honba=2), won(13100, honba=1)),
        ("600 points a honba", won(12200, honba=1), won(12800, honba=2)),
        ("0 points a honba", won(11600, honba=1), won(11600, honba=2)),
        ("kiriage mangan, 1500 points a honba", won(13500, honba=1)),
        ("wareme", won(23200), won(23200)),
        ("wareme", won(23200), USUAL_WIN, won(23500, honba=1)),
        ("yaku that mjconv does not know", valued(18000, ("akadora", 1), ("x:1", 2))),
    ):
        findings = found(match_of(*rounds))
        assert [(one.code, one.severity, one.message) for one in findings] == [("R052", "note", f"plays {words}")]


def test_points_that_no_house_explains_are_an_error() -> None:
    for expected, *rounds in (
        # One win by kiriage mangan and one without: no house plays both.
        ("R051", USUAL_WIN, KIRIAGE_WIN),
        ("R047", USUAL_WIN, won(11600, hora_points=12000)),
        ("R047", won(11600, hora_points=12000)),
        ("R051", won(12000, hora_points=11600)),
        ("R051", won(13100, honba=1), won(12200, honba=2)),
        *(("R051", one) for one in (won(12800, honba=1), won(12200, honba=1), won(23200), won(11500))),
        ("R051 R051", won(34800), won(34800)),
        ("R051 R052", KIRIAGE_WIN, won(11500)),
        ("R046 R051", valued(18000, ("x:1", 9))),
    ):
        assert " ".join(codes(match_of(*rounds))) == expected


def test_a_house_that_is_stated_is_not_guessed() -> None:
    honba = won(13100, honba=1)
    own = structs.replace(KIRIAGE_WIN, rules=Rules(kiriage=True))
    for match, house, expected in (
        *((match_of(KIRIAGE_WIN, rules=Rules(kiriage=on)), None, ["R051"] * (not on)) for on in (True, False)),
        *((match_of(honba, rules=Rules(honba=each)), None, ["R051"] * (each != 1500)) for each in (1500, 300)),
        # A house given by hand goes before the record.
        (match_of(KIRIAGE_WIN, rules=Rules(kiriage=True)), House(kiriage=False), ["R051"]),
        (match_of(KIRIAGE_WIN), House(kiriage=True), []),
        (match_of(USUAL_WIN), House(kiriage=True), ["R051"]),
        # A round may have a house of its own.
        (match_of(own, USUAL_WIN), None, []),
    ):
        assert codes(match, house) == expected


def test_an_open_tanyao_is_no_yaku_where_the_record_states_so() -> None:
    deal = dealt({0: "2m 3m 4m 5p 6p 7p 2s 4s 5s 5s 6s 7s 9m"}, dora_marker="1m", scores=UNSET)
    play = (*turn(0, "W"), *turn(1, "?"), *turn(2, "?"), *turn(3, "3s", "?"))
    called = (ev.Chi(0, 3, "3s", ("2s", "4s")), ev.Discard(0, "9m"), *turn(1, "8s", "?"), ev.Win(0, target=1))
    match = match_of(Round([deal, *play, *called, ev.EndRound()]))
    assert codes(match) == []
    assert codes(structs.replace(match, rules=Rules(open_tanyao=False))) == ["R041"]


def kan(*, late: bool) -> Round:
    deal = dealt({0: "1m 1m 1m 1m 2p 3p 4p 6s 7s 8s 5s 5s 9p"}, scores=UNSET)
    drawn, dora = ev.Draw(0, "9s"), ev.Dora("E")
    turned = (drawn, dora) if late else (dora, drawn)
    made = ev.Draw(0, "W"), ev.Ankan(0, ("1m",) * 4)
    return Round([deal, *made, *turned, ev.Discard(0, "W"), *turn(1, "C", "?")])


def test_indicators_that_are_always_turned_late_are_a_house() -> None:
    [note] = found(match_of(kan(late=True), kan(late=True)))
    assert note.message == "plays late dora indicators of concealed kans"
    assert codes(match_of(kan(late=True), kan(late=False))) == ["R071"]


def test_two_red_fives_of_circles_are_a_house_in_two_rounds() -> None:
    two = Round([dealt({0: "5pr 5pr 1m 2m 3m 4m 6m 7m 8m 9m E S W"}, scores=UNSET), *turn(0, "W")])
    assert [one.message for one in found(match_of(two, two))] == ["plays two red fives of circles"]
    assert codes(match_of(two)) == ["R002"]
    assert codes(match_of(two, two), House(reds=(1, 1, 1))) == ["R002", "R002"]


def test_thirteen_han_count_as_twelve_in_some_houses() -> None:
    deal = dealt({0: RICH}, dora_marker="1m", scores=UNSET, bakaze="E")
    play = (*riichi(0, "E"), *turn(1, "8s", "?"))
    for points, expected in ((48000, []), (36000, ["R052"]), (24000, ["R051"])):
        win = ev.Win(0, target=1, deltas=(points + 1000, -points, 0, 0), ura_markers=("4s",))
        assert codes(match_of(Round([deal, *play, win, ev.EndRound()]))) == expected


def test_houses_of_records_and_of_formats() -> None:
    rules = Rules(kiriage=True, honba=1500, wareme=True, local_yaku=True, reds=(1, 2, 1), counted_yakuman=False)
    match = match_of(KIRIAGE_WIN, rules=rules)
    match.rounds[1:] = []
    for form in ("mjai", "jmjp", "majiang", "tenhou-json"):
        assert read(write([match], form).data, form).matches[0].rules == rules, form
    # A format has a house of its own.
    match = match_of(kan(late=True))
    match.rounds[1:] = []
    data = write([match], "majiang", plain=True).data
    assert codes(match) == ["R052"]
    assert [one.code for one in validate(data, format="majiang") if one.code.startswith("R")] == []


def deal(name: str, *, oya: int | None = None) -> ev.StartRound:
    """Return the deal of a round by its name, such as ``E1-0``, of hidden hands."""
    number = int(name[1])
    dealer = number - 1 if oya is None else oya
    return dealt({}, bakaze=name[0], kyoku=number, honba=int(name[3:]), oya=dealer, scores=UNSET)


def succession(text: str, rules: Rules | None = None) -> Match:
    """Return a match of results, as in ``E1-0 noten, E2-1 3``: a draw of a noten dealer, then a win of seat 3."""
    rounds = []
    for name, result in (part.split() for part in text.split(", ")):
        dealer = int(name[1]) - 1
        drawn = ev.Ryukyoku("fanpai", tenpais=tuple((seat == dealer) == (result == "tenpai") for seat in range(4)))
        broken = ev.Ryukyoku("kyushukyuhai")
        end = {"noten": drawn, "tenpai": drawn, "broken": broken}.get(result) or ev.Win(int(result))
        rounds.append(Round([deal(name), end, ev.EndRound()]))
    return Match(opening=[ev.StartGame()], rounds=rounds, closing=[ev.EndGame()], rules=rules or UNSET)


AFTER_DRAWS = "E1-0 noten, E1-1 3, E2-0 1, E2-1 0"
AFTER_WINS = "E1-0 tenpai, E2-1 1, E2-2 tenpai, E3-3 0"
NEVER = "E1-0 0, E2-0 tenpai, E3-1 broken, E3-2 1"
USUAL_PLAY = "E1-0 tenpai, E1-1 noten, E2-2 1, E2-3 broken, E2-4 0"


def test_the_next_dealer_is_a_house() -> None:
    for play, *words in (
        (USUAL_PLAY,),
        (NEVER, "plays no renchan"),
        (AFTER_DRAWS, "plays renchan after every draw"),
        (AFTER_WINS, "plays renchan after wins alone"),
    ):
        assert [one.message for one in found(succession(play))] == words


def test_one_wrong_dealer_is_no_house() -> None:
    for play in (
        # One dealer stays, and the round after is that of the dealer who should have followed.
        *("E1-0 noten, E1-1 3, E3-0 1", "E1-0 tenpai, E2-1 3, E2-0 0", "E1-0 0, E2-0 2, E2-0 1"),
        # Nothing follows the last deal that would show a house.
        *("E1-0 noten, E1-1 3", "E1-0 0, E1-1 0, E2-0 2"),
        # The game plays the usual rule in another round.
        *("E1-0 noten, E2-1 noten, E2-2 3, E3-0 1", "E1-0 noten, E1-1 3, E2-0 noten, E3-1 0"),
        *("E1-0 tenpai, E1-1 tenpai, E2-2 0, E3-0 0", "E1-0 0, E1-1 0, E2-0 2, E3-0 1"),
        # A broken off round is played again in every house.
        "E1-0 broken, E2-1 0, E3-0 1, E4-0 2",
    ):
        assert codes(succession(play)) == ["R060"], play
    # The game plays the usual rule in another round, and no house explains all dealers.
    assert codes(succession("E1-0 noten, E1-1 noten, E1-2 1, E2-0 noten, E3-1 0")) == ["R060"] * 2
    assert codes(succession("E1-0 noten, E1-1 noten, E1-2 1, E2-0 tenpai, E3-1 0, E4-0 2")) == ["R060"] * 3


def test_another_dealer_of_one_round_is_no_house() -> None:
    match = succession("E1-0 tenpai, E2-1 1, E2-2 0, E3-0 1")
    assert codes(match) == ["R052"]
    match.rounds[1].events[1:1] = [ev.Draw(0, "W"), ev.Discard(0, "W", tsumogiri=True)]
    assert "R060" in codes(match)
    match = succession(USUAL_PLAY)
    match.rounds[1].events[0] = deal("E1-1", oya=1)
    assert codes(match) == ["R061"]


def test_a_renchan_that_is_stated_is_the_only_one() -> None:
    cases: list[tuple[str, Any]] = [(AFTER_DRAWS, "draw"), (AFTER_WINS, "win"), (NEVER, "never")]
    for play, renchan in cases:
        assert codes(succession(play, Rules(game="riichi", renchan=renchan))) == []
        assert "R060" in codes(succession(USUAL_PLAY, Rules(game="riichi", renchan=renchan)))
        assert "R060" in codes(succession(play, Rules(game="riichi", renchan="tenpai")))
        assert codes(succession(play, Rules(renchan="tenpai")), House(renchan=renchan)) == []


def test_a_deal_that_is_not_stated_follows_by_the_stated_renchan() -> None:
    match = succession("E1-0 0, E2-0 1", Rules(game="riichi", renchan="never"))
    match.rounds[1].events[0] = ev.StartRound()
    assert starts(match)[1].oya == 1


@pytest.mark.filterwarnings("ignore::mjconv.MjconvWarning")
@looped("folder", "grammar", "majiang", "majsoul", "mjx", "riichicity", "sample", "tenhou")
def test_the_library_and_the_command_find_the_same(folder: str) -> None:
    for path in (CORPUS / folder).iterdir():
        of_command = Counter((one.match, one.code) for one in validate(str(path)) if one.code[0] in "OR")
        matches = enumerate(mjconv.read_all(path))
        assert Counter((number, one.code) for number, match in matches for one in check(match)) == of_command, path


def test_the_house_of_a_format_does_not_count_for_equality() -> None:
    match = match_of(kan(late=True))
    match.rounds[1:] = []
    back = read(write([match], "majiang", plain=True).data, "majiang").matches[0]
    assert back.house == House(late_dora=True, fifth_wait=True)
    assert codes(back) == []
    assert structs.replace(back, house=House()) == back
    assert codes(structs.replace(back, house=House())) == ["R052"]


def test_the_option_takes_every_rule() -> None:
    said = house_of("honba=1500,no-counted-yakuman,wareme,local-yaku,reds=121,renchan=win")
    rules = {"honba": 1500, "counted_yakuman": False, "wareme": True, "local_yaku": True, "reds": (1, 2, 1)}
    assert said == House(**rules, renchan="win")
    assert all(getattr(USUAL, name) is not UNSET for name in House.__struct_fields__)
