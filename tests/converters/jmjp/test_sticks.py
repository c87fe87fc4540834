"""Riichi sticks that a frame does not state are a loss only where the target states them."""

import pytest

from mjconv import convert

from .test_play import HEADS, POINTS, hands
from .texts import PLAYERS


def without_sticks() -> bytes:
    """Two rounds without `kyoutak`; in the first a stick is paid."""
    first = f"frm[E1-0,,,pfs{POINTS},,{hands()}(e,9s,rc[9s])(s,8s,tg){hands()},,]"
    second = f"frm[E2-0,,,pfs[24.0,25.0,25.0,25.0],,{hands()}(e,9s,tg){hands()},,]"
    return f"{HEADS[1]}(mtp[,,,]{PLAYERS}{first}{second})".encode()


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("target", ["jmjp", "jmjp-0"])
def test_sticks_that_are_stated_nowhere_are_no_loss(target: str, *, plain: bool) -> None:
    out = convert(without_sticks(), source="jmjp", target=target, plain=plain, strict=True)
    assert out.losses == []
    assert b"E1-0,,,pfs" in out.data
    assert b"E2-0,,,pfs" in out.data


def test_sticks_that_are_stated_nowhere_are_not_lost_to_a_target_without_sticks() -> None:
    out = convert(without_sticks(), source="jmjp", target="uzje", strict=True)
    plain = convert(without_sticks(), source="jmjp", target="uzje", plain=True)
    for losses in (out.losses, plain.losses):
        assert "start_kyoku.scores" in {loss.what for loss in losses}
        assert "start_kyoku.kyotaku" not in {loss.what for loss in losses}
    back = convert(out.data, source="uzje", target="jmjp", strict=True)
    assert b"E1-0,,,pfs" in back.data


def test_a_target_that_states_the_sticks_assumes_them() -> None:
    losses = convert(without_sticks(), source="jmjp", target="mjai").losses
    assert [(loss.fate, loss.round) for loss in losses if loss.what == "start_kyoku.kyotaku"] == [
        ("assumed", 0),
        ("assumed", 1),
    ]
