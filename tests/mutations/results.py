"""What can go wrong with results: wins, draws, points, and the rounds that follow."""

from mjconv.ir.tiles import plain
from mutations.game import Broken, Game, Message, Site, add, changed, drop, keys, mutation, without

RESULTS = ("hora", "ryukyoku")
#: The terminals and honours.
ORPHANS = {*"ESWNPFC", *(f"{rank}{suit}" for suit in "mps" for rank in (1, 9))}


def has_deltas(site: Site) -> bool:
    return bool(site.message.get("deltas"))


# Wins.


def bystander(site: Site) -> int:
    return site.rng.choice(site.seats_but(site.actor, site.message["target"]))


@mutation("R040 O006", "hora", where=lambda site: site.by_ron)
def a_win_by_another(site: Site) -> Broken:
    # The ron does not complete the hand of this player: all else stays as it was.
    return Broken(site.changed(actor=bystander(site)), {site.index, site.index + 1}, site.deal)


def honours_of_the_discarder(site: Site) -> list[list[str]]:
    """Return the honours that the discarder holds, and the winner does not."""
    if site.kind(-1) != "dahai" or not site.by_ron:
        return []
    winner = site.hand
    hand = site.game.at(site.index - 1).hands[site.message["target"]]
    others = [tile for tile in hand if tile in "ESWNPFC" and tile not in winner]
    return [others] if others else []


@mutation("R040", "hora", where=honours_of_the_discarder)
def a_ron_on_another_tile(site: Site) -> Broken:
    tile = site.rng.choice(site.chosen)
    log = changed(site.game, site.index - 1, pai=tile, tsumogiri=False)
    for message in log[site.index : site.end]:
        if "pai" in message:
            message["pai"] = tile
    return Broken(log, range(site.index - 1, site.end), site.deal)


def honours_not_held(site: Site) -> list[list[str]]:
    """Return honours for a self-drawn win on another tile: no hand is complete with a lone honour."""
    if site.kind(-1) != "tsumo" or site.by_ron:
        return []
    hand = site.game.at(site.index - 1).hands[site.actor]
    counts = site.game.seen_in_round(site.deal)
    others = [tile for tile in "ESWNPFC" if tile not in hand and counts[tile] < 4]
    return [others] if others and len({plain(own) for own in hand if own in ORPHANS}) < 9 else []


@mutation("R040", "hora", where=honours_not_held)
def a_self_drawn_win_on_another_tile(site: Site) -> Broken:
    tile = site.rng.choice(site.chosen)
    log = changed(site.game, site.index - 1, pai=tile)
    if "pai" in log[site.index]:
        log[site.index]["pai"] = tile
    return Broken(log, {site.index}, site.deal)


def riichi_of_the_only_winner(site: Site) -> list[list[int]]:
    """Return the messages by which the winner declared riichi."""
    if "hora" in (site.kind(1), site.kind(-1)):
        return []
    kinds, log = ("reach", "reach_accepted"), site.game.log
    rest = range(site.deal, site.index)
    declared = [p for p in rest if site.game.kind(p) in kinds and log[p]["actor"] == site.actor]
    return [declared] if declared else []


@mutation("R041 R051 R050 R073 R034 R046 R047", "hora", where=riichi_of_the_only_winner)
def a_win_whose_riichi_is_taken_away(site: Site) -> Broken:
    # The hand may have no yaku, and is worth less.
    place = site.index - len(site.chosen)
    return Broken(without(site.game, *site.chosen), range(place, site.index + 2), site.deal)


def own_draws_discarded(site: Site) -> list[int]:
    """Return earlier draws that the winner by ron discarded at once, and nobody called."""
    if site.kind(-1) != "dahai" or not site.by_ron:
        return []
    if site.game.seen_in_round(site.deal)[plain(site.game.log[site.index - 1]["pai"])] >= 4:
        return []
    found = []
    for place in range(site.deal, site.index - 1):
        drawn, after = site.game.log[place : place + 2]
        own = drawn["type"] == "tsumo" and drawn["actor"] == site.actor
        at_once = after["type"] == "dahai" and after["pai"] == drawn.get("pai") and after.get("tsumogiri")
        if own and at_once and site.game.kind(place + 2) == "tsumo":
            found.append(place)
    return found


@mutation("R042 R043", "hora", where=own_draws_discarded)
def furiten(site: Site) -> Broken:
    # Earlier, the winner drew and discarded the very tile that they win on.
    tile = plain(site.game.log[site.index - 1]["pai"])
    log = changed(site.game, site.chosen, pai=tile)
    log[site.chosen + 1]["pai"] = tile
    return Broken(log, range(site.index, site.end), site.deal)


@mutation("O001 O002 O006", "hora")
def a_win_reported_twice(site: Site) -> Broken:
    return Broken(site.inserted(site.message), {site.index, site.index + 1})


@mutation("O006", "hora", where=lambda site: site.kind(1) == "hora")
def wins_out_of_order(site: Site) -> Broken:
    log, index = site.changed(), site.index
    log[index], log[index + 1] = log[index + 1], log[index]
    return Broken(log, {index, index + 1})


def without_ura(site: Site) -> bool:
    return not site.message.get("ura_markers") and not site.before.riichi[site.actor]


# Points.


@mutation("R050 R053 R057", *RESULTS, where=has_deltas)
def a_wrong_delta(site: Site) -> Broken:
    # One player gains a hundred more than they do.
    deltas = list(site.message["deltas"])
    deltas[site.rng.randrange(len(deltas))] += 100
    return Broken(site.changed(deltas=deltas), {site.index})


@mutation("R051", "hora", where=has_deltas)
def a_win_worth_more(site: Site) -> Broken:
    # Winner and loser agree on more than the hand is worth.
    deltas = list(site.message["deltas"])
    loser = deltas.index(min(deltas))
    deltas[site.actor] += 1100
    deltas[loser] -= 1100
    return Broken(site.changed(deltas=deltas), {site.index})


@mutation("R051", "hora", where=lambda site: has_deltas(site) and site.by_ron)
def who_pays_swapped(site: Site) -> Broken:
    deltas, target, other = list(site.message["deltas"]), site.message["target"], bystander(site)
    deltas[other], deltas[target] = deltas[target], deltas[other]
    return Broken(site.changed(deltas=deltas), {site.index})


@mutation("R053 R054", "ryukyoku", where=lambda site: any(site.message.get("deltas") or ()))
def tenpai_payments_turned(site: Site) -> Broken:
    # At an exhaustive draw who was ready pays.
    return Broken(site.changed(deltas=[-delta for delta in site.message["deltas"]]), {site.index})


# Draws.


def draw(site: Site, reason: str, begin: int) -> Broken:
    """End the round in a draw at a message."""
    log = without(site.game, *range(begin, site.end))
    deltas = [0] * len(site.game.at(begin).hands)
    log.insert(begin, {"type": "ryukyoku", "reason": reason, "deltas": deltas})
    return Broken(log, {begin})


def in_the_middle(site: Site) -> bool:
    return site.kind(-1) == "dahai" and site.index - site.deal > 20 and site.end - site.index > 20


@mutation("R056", "tsumo", where=in_the_middle)
def an_exhaustive_draw_with_tiles_left(site: Site) -> Broken:
    return draw(site, "exhaustive_draw", site.index)


@mutation("R074 R056", "ryukyoku", where=lambda site: site.kind(-1) == "dahai" and site.index - site.deal > 120)
def a_draw_from_an_empty_wall(site: Site) -> Broken:
    actor = (site.game.log[site.index - 1]["actor"] + 1) % len(site.before.hands)
    tile = site.unseen()
    more: list[Message] = [
        {"type": "tsumo", "actor": actor, "pai": tile},
        {"type": "dahai", "actor": actor, "pai": tile, "tsumogiri": True},
    ]
    # After four kans it is the draw of the round that is not as the rules allow.
    return Broken(site.inserted(*more), {site.index, site.index + 1, site.index + 2})


def few_kinds(site: Site) -> bool:
    """Return whether the dealer has less than nine kinds of terminals and honours after the first draw."""
    hand = site.game.at(site.index + 2).hands[site.message["oya"]]
    return len({plain(tile) for tile in hand} & ORPHANS) < 9


@mutation("R056", "start_kyoku", where=few_kinds)
def nine_terminals_that_are_not(site: Site) -> Broken:
    broken = draw(site, "kyushu_kyuhai", site.index + 2)
    return Broken(broken.log, broken.at, site.index)


# The next round.


def is_later(site: Site) -> bool:
    return site.index != site.game.places("start_kyoku")[0]


def is_later_with_scores(site: Site) -> bool:
    return is_later(site) and bool(site.message.get("scores"))


@mutation("R060", "start_kyoku", where=is_later)
def wrong_number(site: Site) -> Broken:
    return Broken(site.changed(kyoku=site.message["kyoku"] % len(site.message["tehais"]) + 1), {site.index})


@mutation("R060", "start_kyoku", where=is_later)
def wrong_wind(site: Site) -> Broken:
    return Broken(site.changed(bakaze="ESWN"["ESWN".index(site.message["bakaze"]) - 1]), {site.index})


@mutation("R064", "start_kyoku", where=is_later_with_scores)
def wrong_scores(site: Site) -> Broken:
    # Two players' points at the deal are not those that the round before left.
    scores = list(site.message["scores"])
    first, second = site.rng.sample(range(len(scores)), 2)
    scores[first] += 1000
    scores[second] -= 1000
    return Broken(site.changed(scores=scores), {site.index})


@mutation("R064 R065", "start_kyoku", where=is_later_with_scores)
def points_from_nowhere(site: Site) -> Broken:
    # One player has more than the round before left, and nobody less.
    scores = list(site.message["scores"])
    scores[site.rng.randrange(len(scores))] += 1000
    return Broken(site.changed(scores=scores), {site.index})


@mutation("R061", "start_kyoku", where=is_later)
def wrong_dealer(site: Site) -> Broken:
    # The deal names another dealer than the one who then plays first.
    oya = (site.message["oya"] + 1) % len(site.message["tehais"])
    return Broken(site.changed(oya=oya), {site.index, site.index + 1})


@mutation("R060", "start_kyoku", where=is_later)
def a_dealer_of_another_house(site: Site) -> Broken:
    # One dealer stays who passes the deal on, or the other way round, with the name of the round that follows.
    return dealt_by_another_house(site.game, site.game.places("start_kyoku").index(site.index))


def dealt_by_another_house(game: Game, number: int) -> Broken:
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


@mutation("R060 R062 R064", "start_kyoku", where=lambda site: site.index in site.game.places("start_kyoku")[1:-1])
def a_round_dropped(site: Site) -> Broken:
    return Broken(without(site.game, *range(site.index, site.end + 1)), {site.index})


@mutation("R060 R062 R064", "start_kyoku", where=lambda site: site.index in site.game.places("start_kyoku")[:-2])
def rounds_swapped(site: Site) -> Broken:
    deals, log = site.game.places("start_kyoku"), site.game.log
    place = deals.index(site.index)
    first, second, third = deals[place : place + 3]
    swapped = [*log[:first], *log[second:third], *log[first:second], *log[third:]]
    return Broken(swapped, {first, first + third - second, third})


@mutation("R067", "end_game")
def wrong_points_at_the_end(site: Site) -> Broken | None:
    deal = site.game.log[site.game.places("start_kyoku")[-1]]
    if not deal.get("scores"):
        return None
    # No payment makes points that are not hundreds.
    scores = list(site.message.get("scores") or deal["scores"])
    scores[0] += 10
    return Broken(site.changed(scores=scores), {site.index})


# The frame of messages.


@mutation("O001 O004 O007", "end_kyoku")
def a_message_after_the_end(site: Site) -> Broken:
    seat = site.rng.randrange(len(site.before.hands))
    return Broken(site.inserted({"type": "tsumo", "actor": seat, "pai": "1p"}), {site.index})


# Mutations of a line: their name, the codes, the kinds of their message, what they do, and where.
add("a win from another", "O003", "hora", keys(lambda site: {"target": bystander(site)}), lambda site: site.by_ron)
add("ura without riichi", "R073", "hora", keys(lambda site: {"ura_markers": [site.unseen()]}), without_ura)
add("a result dropped", "O009", "hora ryukyoku", drop, lambda site: "hora" not in (site.kind(-1), site.kind(1)))
add("wrong honba", "R062", "start_kyoku", keys(lambda site: {"honba": site.message["honba"] + 1}), is_later)
add("wrong sticks", "R063", "start_kyoku", keys(lambda site: {"kyotaku": site.message["kyotaku"] + 1}), is_later)
add("end of a round dropped", "O009 O010", "end_kyoku", drop)
