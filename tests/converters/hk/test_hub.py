"""HK through other notations: the same match comes back, and the values are right by the rules."""

import random
from fractions import Fraction

from corpus_files import CORPUS
from hk_scores import score, write_file
from logs import messages
from looped import looped
from mjconv.ir.match import Match
from trips import read, write

FILES = sorted(path for path in (CORPUS / "hk").glob("*.hk") if path.stem != "comments")
#: Of more faan other notations cannot hold the points.
RANDOM = [write_file(random.Random(seed), 150, most=13) for seed in range(12)]
TEXTS = [*(path.read_text("utf-8") for path in FILES), *RANDOM]
texts = looped("text", *TEXTS, ids=[*(path.stem for path in FILES), *map(str, range(len(RANDOM)))], every=2)


def matches_of(text: str) -> list[Match]:
    return read(text.encode(), "hk").matches


@texts
def test_mjai_states_the_points_of_every_round(text: str) -> None:
    """They add up to the scores of the next round, and scaled back to the score table."""
    for match in matches_of(text):
        written = write([match], "mjai")
        scales = [int(loss.detail.removeprefix("written times ")) for loss in written.losses if loss.detail]
        scale = scales.pop() if scales else 1
        assert not scales
        names = [player.name.shown for player in match.players if player.name]
        scores = [0] * 4
        for message in messages(written.data):
            if message["type"] == "start_kyoku":
                assert message["scores"] == scores
            elif "deltas" in message:
                assert sum(message["deltas"]) == 0
                scores = [a + b for a, b in zip(scores, message["deltas"], strict=True)]
        table = score(write([match], "hk", plain=True).data.decode())
        scaled = {name: Fraction(points, scale) for name, points in zip(names, scores, strict=True)}
        assert scaled == {name: played.net for name, played in table.items()}


def test_the_points_of_the_example() -> None:
    data = write(matches_of((CORPUS / "hk" / "example.hk").read_text("utf-8")), "mjai").data
    stated = [message for message in messages(data) if message["type"] in ("hora", "ryukyoku")]
    assert [(*map(message.get, ("actor", "target", "pao")), message["deltas"]) for message in stated] == [
        (1, 1, None, [-4, 12, -4, -4]),
        (3, 0, None, [-16, -8, -8, 32]),
        (None, None, None, [0, 0, 0, 0]),
        # Who discarded is not known: the guarantor is in that place.
        (0, 1, 1, [16, -16, 0, 0]),
        (1, None, None, [384, -1152, 384, 384]),
        (2, 2, 0, [-192, 0, 192, 0]),
    ]
    assert stated[4]["reason"] == "chombo"


def test_points_that_the_notation_cannot_hold_are_scaled_and_the_scale_is_carried() -> None:
    match = matches_of("B=0.5\nR=half\nA B C D\n0 d - -\n")
    for over, what, scale in (("mjai", "hora.deltas", 100), ("jmjp", "round.scores_after", 10_000)):
        written = write(match, over)
        losses = {(loss.what, loss.fate, loss.detail) for loss in written.losses}
        assert (what, "carried", f"written times {scale}") in losses
        assert f'"scale":{scale}'.encode() in written.data
        assert (what, "approximated") in {(loss.what, loss.fate) for loss in write(match, over, plain=True).losses}
    assert b"pfe[10.0,-5.0,-2.5,-2.5]" in write(match, "jmjp").data
    assert b"scale" not in write(matches_of("B=100\nA B C D\n0 d - -\n"), "jmjp").data


def test_jmjp_has_frames_with_points_and_no_flow() -> None:
    text = write(matches_of("B=100\nA B C D\n1 - - -\n- 1 - -\n- - - -\n"), "jmjp", plain=True).data.decode()
    assert "".join(text[text.index("frm") :].splitlines()) == (
        "frm[E1-0,,,pfs[0.0,0.0,0.0,0.0],,,pfe[0.6,-0.2,-0.2,-0.2],]"
        "frm[E1-1,,,pfs[0.6,-0.2,-0.2,-0.2],,,pfe[0.4,0.4,-0.4,-0.4],]"
        "frm[E2-0,,,pfs[0.4,-0.4,-0.4,0.4],,,pfe[0.4,-0.4,-0.4,0.4],])"
    )
