import datetime
from decimal import Decimal
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from looped import looped
from mjconv.converters.jmjp.head import write_info, write_points, write_text
from mjconv.converters.jmjp.parser import parse
from mjconv.converters.jmjp.spelling import CODES, Field, codes_of
from mjconv.converters.jmjp.text import StrippedText, read_string
from mjconv.ir.match import Match, Name, Player, Recorder, RoundId, Rules, Text, Tournament, TournamentPoints
from strategies import any_text

from .texts import VERSIONS, file

MAJORS = st.sampled_from(sorted(VERSIONS))


def read_back(before: list[str], after: list[str], major: int) -> Match:
    """Read the pieces as a person would lay them out: one a line."""
    text = file("(\n" + "\n".join([*before, *after]) + "\n)\n", major=major)
    return parse(StrippedText.from_bytes(text.encode())).matches[0].info


def maybe(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.just(UNSET) | values


def struct(kind: type[Any], **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(kind, **{name: maybe(values) for name, values in fields.items()})


def matches(*, spellable: bool, major: int = 1) -> st.SearchStrategy[Match]:
    """Give matches with metadata: all that the version can spell, or much that it cannot."""
    strings = st.text(st.sampled_from('ab"\\/ \n\t東[](),')) | any_text()
    if spellable:
        strings = strings.filter(lambda text: not text.endswith("\\") if major else '"' not in text)
    points = st.integers(-10_000_000, 10_000_000).map(lambda tenths: tenths * 100)
    if not spellable:
        points |= st.integers() | st.integers(-2000, 2000)
    numbers = st.integers(0, 10**9 - 1) if spellable else st.integers()

    def texts(field: Field | None = None) -> st.SearchStrategy[Text]:
        plain = struct(Text, native=strings, roman=strings)
        if spellable:
            plain = plain.filter(lambda text: text != Text())
        codes = codes_of(field) if spellable and field else [] if spellable else [*CODES, "unknown", ""]
        return plain | st.builds(Text, code=st.sampled_from(codes)) if codes else plain

    tour_points = struct(TournamentPoints, personal=points, team=points)
    names = struct(Name, last=texts(), first=texts())
    ids = st.builds(RoundId, st.sampled_from("ESWN"), st.integers(1, 4), st.integers(0, 9999))
    if not spellable:
        ids |= st.builds(RoundId, st.sampled_from("EX"), st.integers(-1, 6), st.integers(-1, 20000))
    teams = {"team": texts("plyer_team"), "affiliation": texts("plyer_affil")}
    players = st.lists(struct(Player, name=names, **teams, points_before=tour_points), min_size=4, max_size=4)
    uma = st.tuples(points, points)
    four = st.tuples(points, points, points, points)
    values = {"start": points, "returning": points, "uma": uma, "honba": points}
    rules = struct(Rules, **values, tenpai=points, base=st.just(Decimal("0.5")))
    if spellable:
        rules = st.builds(Rules, **values, tenpai=points if major else st.just(UNSET))
        players = players.filter(lambda four: any(player != Player() for player in four))
    minutes = st.times().map(lambda time: time.replace(second=0, microsecond=0))
    year = st.integers(0, 9999) if spellable else st.integers()
    counted = {"name": texts("tour_name"), "year": year, "number_in_stage": numbers, "number_in_day": numbers}
    of_ids = st.lists(ids, min_size=int(spellable), max_size=3).map(tuple)
    return st.builds(
        Match,
        players=st.just([]) | players,
        tournament=maybe(struct(Tournament, **counted, stage=texts("tour_stage"))),
        date=maybe(st.dates()),
        weekday=maybe(st.sampled_from(["sun", "mon", "tue", "wed", "thu", "fri", "sat"])),
        time=maybe(minutes if spellable else st.times()),
        place=maybe(texts("match_place")),
        recorders=st.lists(struct(Recorder, name=names, rounds=st.just("all") | of_ids), max_size=3),
        rules=maybe(rules),
        final_scores=maybe(four),
        points_after=maybe(st.tuples(tour_points, tour_points, tour_points, tour_points)),
    )


@given(MAJORS, matches(spellable=False))
def test_a_text_reads_back_as_the_match_that_the_writer_states(major: int, match: Match) -> None:
    before, after, spelled = write_info(match, major)
    assert read_back(before, after, major) == spelled


@given(st.data(), MAJORS)
def test_what_a_version_can_spell_comes_back_whole(data: st.DataObject, major: int) -> None:
    match = data.draw(matches(spellable=True, major=major))
    before, after, spelled = write_info(match, major)
    assert read_back(before, after, major) == spelled == match


@given(MAJORS, st.text(st.sampled_from('a"\\ \n')) | any_text())
def test_strings_come_back_or_are_not_spelled(major: int, text: str) -> None:
    spelling = write_text(Text(native=text), major)
    assert (spelling is None) == (text.endswith("\\") if major else '"' in text)
    if spelling is not None:
        assert read_string(spelling.removeprefix("snt[").removesuffix("]"), major) == text


def test_a_match_in_full_is_one_piece_a_line() -> None:
    named = Player(Name(Text("石橋", "Ishibashi"), Text("伸洋")))
    rounds = RoundId("E", 1, 0), RoundId("S", 2, 3)
    match = Match(
        players=[Player(), named, Player(team=Text(code="mlg-prt")), Player()],
        tournament=Tournament(Text(code="mlg"), 2018, Text(roman="Finals"), 12, 1),
        date=datetime.date(2018, 10, 1),
        weekday="mon",
        time=datetime.time(19, 5),
        place=Text(code="mlg-std"),
        recorders=[Recorder(Name(first=Text(roman="X")), "all"), Recorder(rounds=rounds)],
        rules=Rules(25000, 30000, (30000, 10000), honba=300, tenpai=3000),
        final_scores=(62300, -5700, -1500, -55100),
        points_after=(TournamentPoints(62300), TournamentPoints(-5700, 100), *[TournamentPoints()] * 2),
    )
    before, after, spelled = write_info(match, 1)
    assert before == [
        *('tnm[mlg,2018,srm["Finals"],12,1]', "mtp[20181001,mon,1905,mlg-std]", 'rec[(,srm["X"]),all]'),
        *("rec[,E1-0S2-3]", "ply[0,,,,]", 'ply[1,(snt["石橋"]srm["Ishibashi"],snt["伸洋"]),,,]'),
        *("ply[2,,mlg-prt,,]", "ply[3,,,,]", "ptr[25.0,30.0,(30.0,10.0),0.3,3.0]"),
    ]
    assert after == ["pme[62.3,-5.7,-1.5,-55.1]", "ptn[(62.3,),(-5.7,0.1),(,),(,)]"]
    assert spelled == match


def test_a_match_of_which_nothing_is_known_still_has_its_time_and_place_and_players() -> None:
    assert write_info(Match(), 1) == (["mtp[,,,]", *(f"ply[{player},,,,]" for player in range(4))], [], Match())


@looped("field", "start", "returning", "uma", "honba", "tenpai")
def test_point_rules_are_left_out_whole_when_one_is_missing(field: str) -> None:
    rules = msgspec.structs.replace(Rules(25000, 30000, (30000, 10000), honba=300, tenpai=3000), **{field: UNSET})
    before, _, spelled = write_info(Match(rules=rules), 1)
    assert before[-1] == "ply[3,,,,]"
    assert spelled == Match()


def test_what_cannot_be_spelled_is_left_out() -> None:
    studio = Text("Mリーグスタジオ", code="mlg-std")
    texts = Text("a\\"), Text("a", "b\\"), Text(), Text(code="mlg"), studio, Text("\ud800")
    for match in (
        Match(date=UNSET, time=datetime.time(19, 0, 1)),
        *(Match(place=text) for text in texts),
        *(Match(final_scores=scores) for scores in ((10050, 0, 0, 0), (0, 0, 0), (2_000_000_000, 0, 0, 0))),
        Match(points_after=(TournamentPoints(),) * 3),
        Match(rules=Rules(base=Decimal(1), max_faan=13)),
        Match(rules=Rules(25000, 30000, (30000, 10050), honba=300, tenpai=3000)),
        Match(extras={"mjai": {"uri": "x"}}),
    ):
        assert write_info(match, 1)[2] == Match()


def test_only_the_field_that_cannot_be_spelled_is_left_out() -> None:
    name, left, none = Name(Text("a\\"), Text("b")), Name(first=Text("b")), Text(code="none")
    match = Match(
        players=[Player(name, none, none, TournamentPoints(150, 200))] * 4,
        tournament=Tournament(Text(code="jpml"), 20180, Text(code="fin"), -1, 10**9),
        recorders=[Recorder(name, (RoundId("E", 1, 0), RoundId("E", 1, 10000)))],
        points_after=(TournamentPoints(150, 200),) * 4,
    )
    assert write_info(match, 1)[2] == Match(
        players=[Player(left, affiliation=none, points_before=TournamentPoints(team=200))] * 4,
        tournament=Tournament(stage=Text(code="fin")),
        recorders=[Recorder(left)],
        points_after=(TournamentPoints(team=200),) * 4,
    )


@looped(
    ("points", "spelling"),
    (25000, "25.0"),
    (0, "0.0"),
    (-100, "-0.1"),
    (-1500, "-1.5"),
    (10**9, "1000000.0"),
    (50, None),
    (10**9 + 100, None),
)
def test_points(points: int, spelling: str | None) -> None:
    assert write_points(points) == spelling


def test_every_code_has_a_field_and_a_meaning_in_a_script() -> None:
    for code in CODES:
        assert CODES[code].fields
        assert CODES[code].native or CODES[code].roman
