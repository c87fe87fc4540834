"""The digest of the play of a match, and the splits that it decides."""

import os
from collections import defaultdict
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, structs

from engine import play
from mjconv.archive.play import play_digest
from mjconv.archive.split import split_of, splits_of
from mjconv.converters import formats, hub
from mjconv.converters.interface import Format, WriteOptions
from mjconv.ir import events as ev
from mjconv.ir.errors import MjconvError, UsageError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Name, Player, Round, Text
from mjconv.testing.samples import Game, games, without_original
from trips import known, read, written

#: All ways to write a match that a reader can read again.
TARGETS = [
    (form, flavour)
    for form in formats.FORMATS
    if form.reads and form.writes and form.id != "riichicity"
    for flavour in ("", *form.flavours)
]


def digests_after(match: Match, form: Format, flavour: str, *, plain: bool) -> list[str]:
    """Write a match, and return the digests of the matches that are read; none if the format cannot hold it."""
    options = WriteOptions(flavour, plain)
    try:
        data = hub.written(form, [without_original(match)], Report(), options)
    except MjconvError:
        return []
    return [play_digest(one) for one in hub.read_matches(form, data, Report())]


#: The formats whose plain text holds only results.
RESULTS = ("hk", "club")


def holds_play(form: Format, game: Game, *, plain: bool) -> bool:
    """Return whether the text of a format states the play of a game. Some state only results."""
    return not plain or (form.id not in RESULTS and any(one.is_played for one in game.match.rounds))


@pytest.mark.slow
@pytest.mark.parametrize("plain", [False, True])
def test_a_game_has_one_digest_in_every_format(plain: bool) -> None:
    held: dict[str, int] = defaultdict(int)
    for game in games():
        for form, flavour in TARGETS:
            found = digests_after(game.match, form, flavour, plain=plain)
            if found and holds_play(form, game, plain=plain):
                assert found == [play_digest(game.match)], (game.name, form.id, flavour)
                held[flavour or form.id] += 1
    assert len(held) >= len(TARGETS) - plain * len(RESULTS)
    assert sum(held.values()) > 500


def test_two_records_of_one_real_game_have_one_digest() -> None:
    folder = os.environ.get("MJCONV_REAL_LOGS")
    if folder is None:
        pytest.skip("MJCONV_REAL_LOGS names no folder")
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted(Path(folder, "tenhou").rglob("20*gm-*")):
        form = known(formats.of_file(path.name, path.read_bytes()[:4096]))
        [match] = hub.read_matches(form, path.read_bytes(), Report())
        found[path.stem].add(play_digest(match))
    assert len(found) > 20
    assert all(len(digests) == 1 for digests in found.values())
    assert len(set.union(*found.values())) == len(found)


def test_the_streams_of_the_seats_have_the_digest_of_the_game() -> None:
    match = read(play(4, length="east"), "mjai").match
    for seat in range(4):
        data = written("mjai", [match], Report(), WriteOptions(seat=seat))
        assert b'"?"' in data
        assert play_digest(read(data, "mjai").match) == play_digest(match)


def test_names_times_points_and_comments_do_not_count() -> None:
    match = read(play(4, length="east"), "mjai").match
    rounds = [Round([event for event in one.events if type(event) is not ev.Riichi]) for one in match.rounds]
    bare = structs.replace(match, players=[Player()] * 4, rounds=rounds, opening=[], closing=[])
    assert play_digest(bare) == play_digest(match)


def test_each_discard_counts_and_so_do_the_rounds() -> None:
    match = read(play(4, length="east"), "mjai").match
    known = {play_digest(match)}
    for number, one in enumerate(match.rounds):
        at = next(at for at, event in enumerate(one.events) if type(event) is ev.Discard)
        discard = one.events[at]
        assert type(discard) is ev.Discard
        other = ev.Discard(discard.actor, "E" if discard.pai != "E" else "S")
        events = [*one.events[:at], other, *one.events[at + 1 :]]
        rounds = [*match.rounds[:number], Round(events), *match.rounds[number + 1 :]]
        known.add(play_digest(structs.replace(match, rounds=rounds)))
        known.add(play_digest(structs.replace(match, rounds=match.rounds[:number])))
    assert len(known) == 1 + 2 * len(match.rounds)


def test_short_records_with_the_same_discards_differ_by_their_hands() -> None:
    play = [ev.Draw(0, "E"), ev.Discard(0, "E")]
    deals = [ev.StartRound(tehais=((tile,) * 13,) * 4) for tile in ("1m", "2m")]
    assert len({play_digest(Match(rounds=[Round([start, *play])])) for start in deals}) == 2


def test_records_of_results_alone_differ_by_their_wins() -> None:
    wins = [ev.Win(1, 1, fan=3), ev.Win(1, 2, fan=3), ev.Win(1, 2, fan=4), ev.Win(1, fan=4, liable=3)]
    assert len({play_digest(Match(rounds=[Round([win])])) for win in wins}) == 4
    stated, assumed = ev.Win(1, UNSET, fan=3, liable=2), ev.Win(1, 2, fan=3, liable=2)
    assert play_digest(Match(rounds=[Round([stated])])) == play_digest(Match(rounds=[Round([assumed])]))


def test_records_of_results_alone_differ_by_their_players() -> None:
    drawn = Round([ev.Ryukyoku()])
    families = [[Player(Name(Text(name))) for name in names] for names in (["Ann", "Ben"], ["Cho", "Dee"])]
    assert len({play_digest(Match(players=players, rounds=[drawn])) for players in families}) == 2


def test_records_of_results_alone_differ_by_their_days() -> None:
    """The same four people may end two evenings alike. The date of the match counts for rounds without a date."""
    first, second = date(2024, 1, 20), date(2024, 1, 27)
    results = [ev.Win(1, 2, fan=3)]
    evenings = [Match(rounds=[Round(results)], date=day) for day in (first, second)]
    assert play_digest(evenings[0]) != play_digest(evenings[1])
    assert play_digest(Match(rounds=[Round(results, date=second)], date=first)) == play_digest(evenings[1])
    played = [ev.Draw(0, "5m"), ev.Discard(0, "5m")]
    assert len({play_digest(Match(rounds=[Round(played)], date=day)) for day in (first, second)}) == 1


def test_a_wrong_split_is_refused() -> None:
    for text, reason in (
        ("train", "'train' is no name with a fraction"),
        ("train=", "is no name with a fraction"),
        ("train=0.9,", "'' is no name with a fraction"),
        ("train=1,val=0", "'val=0' is no name with a fraction"),
        ("../x=1", "is no name with a fraction"),
        ("train=1/0", "is no name with a fraction"),
        ("train=-1,val=2", "is no name with a fraction"),
        ("val=0.5,VAL=0.5", "VAL is named twice"),
        ("train=0.95,val=0.06", r"the fractions add up to 1.01; they must add up to 1"),
        ("a=0.1,b=0.2", r"the fractions add up to 0.3; they must add up to 1"),
    ):
        with pytest.raises(UsageError, match=f"--split: .*{reason}"):
            splits_of(text)


def test_fractions_are_exact() -> None:
    assert list(splits_of("a=0.1, b=0.2, c=.7")) == ["a", "b", "c"]
    assert list(splits_of("a=1/3,b=2/3")) == ["a", "b"]


@given(st.binary(min_size=16, max_size=16))
def test_the_digest_alone_decides_the_split(digest: bytes) -> None:
    expected = "train" if digest[0] < 128 else "val" if digest[0] < 192 else "test"
    assert split_of(digest.hex(), "train=0.5,val=0.25,test=0.25") == expected
