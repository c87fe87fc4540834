"""What can go wrong with results: wins, draws, points, and the rounds that follow."""

from __future__ import annotations

from random import Random

from mjconv.ir.tiles import plain
from mutations.game import KINDS, Broken, Game, Message, changed, inserted, pick, without

RESULTS = ("hora", "ryukyoku")
#: The terminals and honours.
ORPHANS = {*"ESWNPFC", *(f"{rank}{suit}" for suit in "mps" for rank in (1, 9))}


# Wins.


def a_ron_and_another(game: Game, rng: Random) -> tuple[int, int] | None:
    """Pick a ron, and a player who neither wins nor pays."""
    found = [index for index in game.places("hora") if game.log[index]["target"] != game.log[index]["actor"]]
    index = pick(rng, found)
    if index is None:
        return None
    message = game.log[index]
    seats = range(len(game.at(index).hands))
    return index, rng.choice([seat for seat in seats if seat not in (message["actor"], message["target"])])


def a_win_from_another(game: Game, rng: Random) -> Broken | None:
    choice = a_ron_and_another(game, rng)
    if choice is None:
        return None
    index, other = choice
    return Broken(changed(game, index, target=other), {index})


def a_win_by_another(game: Game, rng: Random) -> Broken | None:
    # A ron is given to a player whose hand it does not complete: all else stays as it was.
    choice = a_ron_and_another(game, rng)
    if choice is None:
        return None
    index, other = choice
    return Broken(changed(game, index, actor=other), {index, index + 1}, game.at(index).deal)


def a_ron_on_another_tile(game: Game, rng: Random) -> Broken | None:
    # The discarder discards an honour that nobody waits for, from the hand.
    found = []
    for index in game.places("hora"):
        message = game.log[index]
        if game.kind(index - 1) == "dahai" and message["target"] != message["actor"]:
            hand = game.at(index - 1).hands[message["target"]]
            winner = game.at(index).hands[message["actor"]]
            others = [tile for tile in hand if tile in "ESWNPFC" and tile not in winner]
            if others:
                found.append((index, others))
    choice = pick(rng, found)
    if choice is None:
        return None
    index, others = choice
    tile = rng.choice(others)
    log = changed(game, index - 1, pai=tile, tsumogiri=False)
    for message in log[index : game.end_of_round(index)]:
        if "pai" in message:
            message["pai"] = tile
    return Broken(log, range(index - 1, game.end_of_round(index)), game.at(index).deal)


def a_self_drawn_win_on_another_tile(game: Game, rng: Random) -> Broken | None:
    # The tile drawn is another, whose like the hand has not: no hand is complete with a lone honour.
    found = []
    for index in game.places("hora"):
        message = game.log[index]
        if game.kind(index - 1) == "tsumo" and message["target"] == message["actor"]:
            hand = game.at(index - 1).hands[message["actor"]]
            counts = game.seen_in_round(game.at(index).deal)
            others = [tile for tile in "ESWNPFC" if tile not in hand and counts[tile] < 4]
            if others and len({plain(own) for own in hand if own in ORPHANS}) < 9:
                found.append((index, others))
    choice = pick(rng, found)
    if choice is None:
        return None
    index, others = choice
    tile = rng.choice(others)
    log = changed(game, index - 1, pai=tile)
    if "pai" in log[index]:
        log[index]["pai"] = tile
    return Broken(log, {index}, game.at(index).deal)


def a_win_whose_riichi_is_taken_away(game: Game, rng: Random) -> Broken | None:
    # The winner never declared riichi: the hand may have no yaku, and is worth less.
    found = []
    for index in game.places("hora"):
        actor = game.log[index]["actor"]
        if game.kind(index + 1) == "hora" or game.kind(index - 1) == "hora":
            continue
        rest = range(game.at(index).deal, index)
        declared = [
            p for p in rest if game.kind(p) in ("reach", "reach_accepted") and game.log[p]["actor"] == actor
        ]
        if declared:
            found.append((index, declared))
    choice = pick(rng, found)
    if choice is None:
        return None
    index, declared = choice
    place = index - len(declared)
    return Broken(without(game, *declared), {place, *range(place, index + 2)}, game.at(index).deal)


def furiten(game: Game, rng: Random) -> Broken | None:
    # Earlier, the winner by ron drew and discarded the very tile that they win on.
    found = []
    for index in game.places("hora"):
        message = game.log[index]
        if game.kind(index - 1) != "dahai" or message["actor"] == message["target"]:
            continue
        actor, deal, tile = message["actor"], game.at(index).deal, plain(game.log[index - 1]["pai"])
        if game.seen_in_round(deal)[tile] >= 4:
            continue
        for place in range(deal, index - 1):
            after = game.log[place + 1]
            drawn = game.log[place]
            own = drawn["type"] == "tsumo" and drawn["actor"] == actor
            at_once = after["type"] == "dahai" and after["pai"] == drawn.get("pai") and after.get("tsumogiri")
            if own and at_once and game.kind(place + 2) == "tsumo":
                found.append((index, place, tile))
    choice = pick(rng, found)
    if choice is None:
        return None
    index, place, tile = choice
    log = changed(game, place, pai=tile)
    log[place + 1]["pai"] = tile
    return Broken(log, range(index, game.end_of_round(index)), game.at(index).deal)


def a_win_told_twice(game: Game, rng: Random) -> Broken | None:
    index = pick(rng, game.places("hora"))
    return None if index is None else Broken(inserted(game, index, game.log[index]), {index, index + 1})


def wins_out_of_order(game: Game, rng: Random) -> Broken | None:
    found = [index for index in game.places("hora") if game.kind(index + 1) == "hora"]
    index = pick(rng, found)
    if index is None:
        return None
    log = changed(game, index)
    log[index], log[index + 1] = log[index + 1], log[index]
    return Broken(log, {index, index + 1})


def ura_without_riichi(game: Game, rng: Random) -> Broken | None:
    found = [
        index
        for index in game.places("hora")
        if not game.log[index].get("ura_markers") and not game.at(index).riichi[game.log[index]["actor"]]
    ]
    index = pick(rng, found)
    if index is None:
        return None
    counts = game.seen_in_round(game.at(index).deal)
    tile = rng.choice([kind for kind in KINDS if counts[kind] < 4])
    return Broken(changed(game, index, ura_markers=[tile]), {index})


# Points.


def a_wrong_delta(game: Game, rng: Random) -> Broken | None:
    # One player gains a hundred more than they do.
    index = pick(rng, [place for place in game.places(*RESULTS) if game.log[place].get("deltas")])
    if index is None:
        return None
    deltas = list(game.log[index]["deltas"])
    deltas[rng.randrange(len(deltas))] += 100
    return Broken(changed(game, index, deltas=deltas), {index})


def a_win_worth_more(game: Game, rng: Random) -> Broken | None:
    # Winner and loser agree on more than the hand is worth.
    index = pick(rng, [place for place in game.places("hora") if game.log[place].get("deltas")])
    if index is None:
        return None
    message = game.log[index]
    deltas = list(message["deltas"])
    loser = min(range(len(deltas)), key=lambda seat: deltas[seat])
    deltas[message["actor"]] += 1100
    deltas[loser] -= 1100
    return Broken(changed(game, index, deltas=deltas), {index})


def who_pays_swapped(game: Game, rng: Random) -> Broken | None:
    # By a ron another than the discarder pays.
    found = []
    for index in game.places("hora"):
        message = game.log[index]
        if message.get("deltas") and message["target"] != message["actor"]:
            found.append(index)
    index = pick(rng, found)
    if index is None:
        return None
    message = game.log[index]
    deltas = list(message["deltas"])
    others = [seat for seat in range(len(deltas)) if seat not in (message["actor"], message["target"])]
    other = rng.choice(others)
    deltas[other], deltas[message["target"]] = deltas[message["target"]], deltas[other]
    return Broken(changed(game, index, deltas=deltas), {index})


def tenpai_payments_turned(game: Game, rng: Random) -> Broken | None:
    # At an exhaustive draw who was ready pays.
    found = [place for place in game.places("ryukyoku") if any(game.log[place].get("deltas") or ())]
    index = pick(rng, found)
    if index is None:
        return None
    deltas = [-delta for delta in game.log[index]["deltas"]]
    return Broken(changed(game, index, deltas=deltas), {index})


# Draws.


def an_exhaustive_draw_with_tiles_left(game: Game, rng: Random) -> Broken | None:
    found = []
    for index in game.places("tsumo"):
        deal, end = game.at(index).deal, game.end_of_round(index)
        if game.kind(index - 1) == "dahai" and index - deal > 20 and end - index > 20:
            found.append(index)
    index = pick(rng, found)
    if index is None:
        return None
    end = game.end_of_round(index)
    log = without(game, *range(index, end))
    seats = len(game.at(index).hands)
    log.insert(index, {"type": "ryukyoku", "reason": "exhaustive_draw", "deltas": [0] * seats})
    return Broken(log, {index})


def a_draw_from_an_empty_wall(game: Game, rng: Random) -> Broken | None:
    # Play goes on after the last tile.
    draws = game.places("ryukyoku")
    late = [place for place in draws if game.kind(place - 1) == "dahai" and place - game.at(place).deal > 120]
    index = pick(rng, late)
    if index is None:
        return None
    seats = len(game.at(index).hands)
    actor = (game.log[index - 1]["actor"] + 1) % seats
    counts = game.seen_in_round(game.at(index).deal)
    tile = rng.choice([kind for kind in KINDS if counts[kind] < 4])
    more: list[Message] = [
        {"type": "tsumo", "actor": actor, "pai": tile},
        {"type": "dahai", "actor": actor, "pai": tile, "tsumogiri": True},
    ]
    # After four kans it is the draw of the round that is not as the rules allow.
    return Broken(inserted(game, index, *more), {index, index + 1, index + 2})


def nine_terminals_that_are_not(game: Game, rng: Random) -> Broken | None:
    # The dealer's first draw, and too few kinds of terminals and honours.
    found = []
    for deal in game.places("start_kyoku"):
        hand = game.at(deal + 2).hands[game.log[deal]["oya"]]
        if len({plain(tile) for tile in hand} & ORPHANS) < 9:
            found.append(deal)
    deal = pick(rng, found)
    if deal is None:
        return None
    log = without(game, *range(deal + 2, game.end_of_round(deal)))
    seats = len(game.at(deal + 1).hands)
    log.insert(deal + 2, {"type": "ryukyoku", "reason": "kyushu_kyuhai", "deltas": [0] * seats})
    return Broken(log, {deal + 2}, deal)


def a_result_dropped(game: Game, rng: Random) -> Broken | None:
    # The round ends without one.
    found = [
        place for place in game.places(*RESULTS) if "hora" not in (game.kind(place - 1), game.kind(place + 1))
    ]
    index = pick(rng, found)
    return None if index is None else Broken(without(game, index), {index - 1, index})


# The next round.


def wrong_honba(game: Game, rng: Random) -> Broken | None:
    return _deal(game, rng, lambda deal: {"honba": deal["honba"] + 1})


def wrong_sticks(game: Game, rng: Random) -> Broken | None:
    return _deal(game, rng, lambda deal: {"kyotaku": deal["kyotaku"] + 1})


def wrong_number(game: Game, rng: Random) -> Broken | None:
    return _deal(game, rng, lambda deal: {"kyoku": deal["kyoku"] % len(deal["tehais"]) + 1})


def wrong_wind(game: Game, rng: Random) -> Broken | None:
    return _deal(game, rng, lambda deal: {"bakaze": "ESWN"["ESWN".index(deal["bakaze"]) - 1]})


def wrong_scores(game: Game, rng: Random) -> Broken | None:
    # Two players' points at the deal are not those that the round before left.

    def wrong(deal: Message) -> Message:
        first, second = rng.sample(range(len(deal["scores"])), 2)
        scores = list(deal["scores"])
        scores[first] += 1000
        scores[second] -= 1000
        return {"scores": scores}

    return _deal(game, rng, wrong, needs="scores")


def points_from_nowhere(game: Game, rng: Random) -> Broken | None:
    # One player has more than the round before left, and nobody less.

    def wrong(deal: Message) -> Message:
        scores = list(deal["scores"])
        scores[rng.randrange(len(scores))] += 1000
        return {"scores": scores}

    return _deal(game, rng, wrong, needs="scores")


def wrong_dealer(game: Game, rng: Random) -> Broken | None:
    # The deal names another dealer than the one who then plays first.
    return _deal(game, rng, lambda deal: {"oya": (deal["oya"] + 1) % len(deal["tehais"])}, also=1)


def a_dealer_of_another_house(game: Game, rng: Random) -> Broken | None:
    # One dealer stays who passes the deal on, or the other way round, with the name of the round that follows.
    number = pick(rng, range(1, len(game.places("start_kyoku"))))
    return None if number is None else dealt_by_another_house(game, number)


def dealt_by_another_house(game: Game, number: int) -> Broken:
    """Break the deal of a round that is not the first."""
    place = game.places("start_kyoku")[number]
    before, deal = game.log[game.places("start_kyoku")[number - 1]], game.log[place]
    oya = before["oya"]
    if deal["oya"] != oya:
        keys = {"oya": oya, "kyoku": oya + 1, "bakaze": before["bakaze"], "honba": before["honba"] + 1}
    else:
        seats = len(deal["tehais"])
        wind = "ESWN".index(deal["bakaze"]) + (oya + 1) // seats
        keys = {"oya": (oya + 1) % seats, "kyoku": (oya + 1) % seats + 1, "bakaze": "ESWN"[wind % 4]}
    return Broken(changed(game, place, **keys), {place})


def _deal(game: Game, rng: Random, wrong: object, *, needs: str = "tehais", also: int = 0) -> Broken | None:
    deals = [place for place in game.places("start_kyoku")[1:] if game.log[place].get(needs)]
    index = pick(rng, deals)
    if index is None:
        return None
    keys = wrong(game.log[index])  # type: ignore[operator]
    return Broken(changed(game, index, **keys), range(index, index + 1 + also))


def a_round_dropped(game: Game, rng: Random) -> Broken | None:
    # What follows does not follow.
    deals = game.places("start_kyoku")
    if len(deals) < 3:
        return None
    place = rng.randrange(1, len(deals) - 1)
    return Broken(without(game, *range(deals[place], deals[place + 1])), {deals[place]})


def rounds_swapped(game: Game, rng: Random) -> Broken | None:
    deals = game.places("start_kyoku")
    if len(deals) < 3:
        return None
    place = rng.randrange(len(deals) - 2)
    first, second, third = deals[place : place + 3]
    log = [*game.log[:first], *game.log[second:third], *game.log[first:second], *game.log[third:]]
    return Broken(log, {first, first + third - second, third})


def wrong_points_at_the_end(game: Game, rng: Random) -> Broken | None:
    index = pick(rng, game.places("end_game"))
    deal = game.log[game.places("start_kyoku")[-1]]
    if index is None or not deal.get("scores"):
        return None
    # No payment makes points that are not hundreds.
    scores = list(game.log[index].get("scores") or deal["scores"])
    scores[0] += 10
    return Broken(changed(game, index, scores=scores), {index})


# The frame of messages.


def end_of_a_round_dropped(game: Game, rng: Random) -> Broken | None:
    index = pick(rng, game.places("end_kyoku"))
    return None if index is None else Broken(without(game, index), {index - 1, index})


def a_message_after_the_end(game: Game, rng: Random) -> Broken | None:
    index = pick(rng, game.places("end_kyoku"))
    if index is None:
        return None
    seat = rng.randrange(len(game.at(index).hands))
    return Broken(inserted(game, index, {"type": "tsumo", "actor": seat, "pai": "1p"}), {index})
