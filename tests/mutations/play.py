"""What can go wrong in play: draws, discards, calls, kans, riichi."""

from __future__ import annotations

from random import Random

from engine import is_far
from mjconv.ir.tiles import plain
from mutations.game import CALLS, KINDS, REDS, Broken, Game, changed, inserted, pick, without

# Draws and discards.


def discard_of_a_tile_not_held(game: Game, rng: Random) -> Broken | None:
    index = pick(rng, game.places("dahai"))
    if index is None:
        return None
    hand = game.at(index).hands[game.log[index]["actor"]]
    tile = rng.choice([kind for kind in KINDS if kind not in hand])
    return Broken(changed(game, index, pai=tile), {index})


def another_tile_of_the_hand_discarded(game: Game, rng: Random) -> Broken | None:
    index = pick(rng, game.places("dahai"))
    if index is None:
        return None
    hand, own = game.at(index).hands[game.log[index]["actor"]], game.log[index]["pai"]
    tile = pick(rng, [other for other in hand if other != own])
    if tile is None:
        return None
    end = game.end_of_round(index)
    return Broken(changed(game, index, pai=tile, tsumogiri=False), range(index, end + 1), game.at(index).deal)


def a_draw_dropped(game: Game, rng: Random) -> Broken | None:
    index = pick(rng, game.places("tsumo"))
    return None if index is None else Broken(without(game, index), {index})


def a_discard_dropped(game: Game, rng: Random) -> Broken | None:
    index = pick(rng, game.places("dahai"))
    return None if index is None else Broken(without(game, index), {index})


def a_draw_doubled(game: Game, rng: Random) -> Broken | None:
    index = pick(rng, game.places("tsumo"))
    return None if index is None else Broken(inserted(game, index, game.log[index]), {index + 1})


def a_discard_doubled(game: Game, rng: Random) -> Broken | None:
    index = pick(rng, game.places("dahai"))
    return None if index is None else Broken(inserted(game, index, game.log[index]), {index + 1})


def a_draw_by_another(game: Game, rng: Random) -> Broken | None:
    index = pick(rng, game.places("tsumo"))
    if index is None:
        return None
    actor = game.log[index]["actor"]
    other = rng.choice([seat for seat in range(len(game.at(index).hands)) if seat != actor])
    return Broken(changed(game, index, actor=other), {index, index + 1})


def a_discard_by_another(game: Game, rng: Random) -> Broken | None:
    index = pick(rng, game.places("dahai"))
    if index is None:
        return None
    actor = game.log[index]["actor"]
    other = rng.choice([seat for seat in range(len(game.at(index).hands)) if seat != actor])
    return Broken(changed(game, index, actor=other), {index})


def two_discards_swapped(game: Game, rng: Random) -> Broken | None:
    # Two messages of different players change places.
    found = [
        index
        for index in game.places("dahai")
        if game.kind(index + 1) == "tsumo" and game.kind(index + 2) == "dahai"
    ]
    index = pick(rng, found)
    if index is None:
        return None
    log = changed(game, index)
    log[index], log[index + 2] = log[index + 2], log[index]
    return Broken(log, {index})


def tsumogiri_of_a_tile_not_drawn(game: Game, rng: Random) -> Broken | None:
    found = [i for i in game.places("dahai") if game.at(i).drawn not in (None, game.log[i]["pai"])]
    index = pick(rng, found)
    return None if index is None else Broken(changed(game, index, tsumogiri=True), {index})


def the_drawn_tile_said_to_come_from_the_hand(game: Game, rng: Random) -> Broken | None:
    # The only copy is the one just drawn.
    found = []
    for index in game.places("dahai"):
        tile, before = game.log[index]["pai"], game.at(index)
        if before.drawn == tile and before.hands[game.log[index]["actor"]].count(tile) == 1:
            found.append(index)
    index = pick(rng, found)
    return None if index is None else Broken(changed(game, index, tsumogiri=False), {index})


# Tiles of the set.


def a_fifth_copy_drawn(game: Game, rng: Random) -> Broken | None:
    # A tile drawn and discarded at once becomes one whose four copies the round shows elsewhere.
    found = []
    for index in game.places("tsumo"):
        message, after = game.log[index], game.log[index + 1]
        at_once = after["type"] == "dahai" and after["pai"] == message["pai"] and after.get("tsumogiri")
        if at_once and game.kind(index + 2) == "tsumo":
            found.append(index)
    rng.shuffle(found)
    for index in found:
        counts = game.seen_in_round(game.at(index).deal)
        full = [kind for kind, count in counts.items() if count == 4 and kind not in REDS]
        if full:
            tile = rng.choice(full)
            log = changed(game, index, pai=tile)
            log[index + 1]["pai"] = tile
            return Broken(log, range(index, game.end_of_round(index) + 1))
    return None


def a_fifth_copy_dealt(game: Game, rng: Random) -> Broken | None:
    deals = game.places("start_kyoku")
    deal = pick(rng, deals)
    if deal is None:
        return None
    log = changed(game, deal)
    counts = game.seen_in_round(deal)
    full = [kind for kind, count in counts.items() if count == 4 and kind not in REDS]
    if not full:
        return None
    tile = rng.choice(full)
    hand = log[deal]["tehais"][rng.randrange(len(log[deal]["tehais"]))]
    places = [place for place, own in enumerate(hand) if own != tile]
    hand[rng.choice(places)] = tile
    return Broken(log, range(deal, game.end_of_round(deal) + 1))


def a_second_red_five(game: Game, rng: Random) -> Broken | None:
    # A plain five dealt becomes red, where the round shows the red one elsewhere.
    deal = pick(rng, game.places("start_kyoku"))
    if deal is None:
        return None
    end = game.end_of_round(deal)
    red = {tile for message in game.log[deal:end] for tile in _tiles(message)} & set(REDS.values())
    log = changed(game, deal)
    places = [
        (hand, place) for hand in log[deal]["tehais"] for place, tile in enumerate(hand) if REDS.get(tile) in red
    ]
    if not places:
        return None
    hand, place = rng.choice(places)
    hand[place] = REDS[hand[place]]
    return Broken(log, range(deal, end + 1))


def a_red_five_turned_plain_in_the_river(game: Game, rng: Random) -> Broken | None:
    found = [index for index in game.places("dahai") if game.log[index]["pai"] in REDS.values()]
    found = [i for i in found if plain(game.log[i]["pai"]) not in game.at(i).hands[game.log[i]["actor"]]]
    index = pick(rng, found)
    return None if index is None else Broken(changed(game, index, pai=plain(game.log[index]["pai"])), {index})


def _tiles(message: dict[str, object]) -> list[str]:
    if message["type"] == "start_kyoku":
        hands = message["tehais"]
        return [tile for hand in hands for tile in hand]  # type: ignore[attr-defined]
    return [str(message["pai"])] if message["type"] == "tsumo" else []


# Calls.


def a_call_from_another(game: Game, rng: Random) -> Broken | None:
    index = pick(rng, game.places(*CALLS))
    if index is None:
        return None
    message = game.log[index]
    seats = range(len(game.at(index).hands))
    other = rng.choice([seat for seat in seats if seat not in (message["target"], message["actor"])])
    return Broken(changed(game, index, target=other), {index})


def a_call_on_ones_own_discard(game: Game, rng: Random) -> Broken | None:
    # A pon of the player's own discard, of tiles that they hold.
    found = []
    for index in game.places("dahai"):
        actor, tile = game.log[index]["actor"], game.log[index]["pai"]
        if game.kind(index + 1) == "tsumo" and game.at(index + 1).hands[actor].count(tile) >= 2:
            found.append(index)
    index = pick(rng, found)
    if index is None:
        return None
    actor, tile = game.log[index]["actor"], game.log[index]["pai"]
    pon = {"type": "pon", "actor": actor, "target": actor, "pai": tile, "consumed": [tile, tile]}
    return Broken(inserted(game, index + 1, pon), {index + 1})


def a_chi_not_from_the_left(game: Game, rng: Random) -> Broken | None:
    # A discard that the player across could take for a run.
    found = []
    for index in game.places("dahai"):
        seats = len(game.at(index).hands)
        across = (game.log[index]["actor"] + 2) % seats
        tile = plain(game.log[index]["pai"])
        if seats == 4 and game.kind(index + 1) == "tsumo" and tile[-1] in "mps" and int(tile[0]) < 8:
            pair = [f"{int(tile[0]) + step}{tile[1]}" for step in (1, 2)]
            if all(own in game.at(index + 1).hands[across] for own in pair):
                found.append((index, across, pair))
    choice = pick(rng, found)
    if choice is None:
        return None
    index, actor, pair = choice
    message = game.log[index]
    chi = {"type": "chi", "actor": actor, "target": message["actor"], "pai": message["pai"], "consumed": pair}
    return Broken(inserted(game, index + 1, chi), {index + 1})


def a_chi_of_no_run(game: Game, rng: Random) -> Broken | None:
    index = pick(rng, game.places("chi"))
    if index is None:
        return None
    message = game.log[index]
    hand = game.at(index).hands[message["actor"]]
    others = [tile for tile in hand if tile[-1] not in "mpsr"]
    if not others:
        return None
    consumed = [message["consumed"][0], rng.choice(others)]
    return Broken(changed(game, index, consumed=consumed), {index})


def a_pon_of_unlike_tiles(game: Game, rng: Random) -> Broken | None:
    index = pick(rng, game.places("pon"))
    if index is None:
        return None
    message = game.log[index]
    others = [t for t in game.at(index).hands[message["actor"]] if plain(t) != plain(message["pai"])]
    consumed = [message["consumed"][0], rng.choice(others)]
    return Broken(changed(game, index, consumed=consumed), {index})


def a_call_of_another_tile(game: Game, rng: Random) -> Broken | None:
    # Another tile is called than was discarded, of the same kind of meld.
    index = pick(rng, game.places("pon", "daiminkan"))
    if index is None:
        return None
    called = plain(game.log[index]["pai"])
    tile = rng.choice([kind for kind in KINDS if kind != called])
    count = len(game.log[index]["consumed"])
    return Broken(changed(game, index, pai=tile, consumed=[tile] * count), {index})


def a_call_with_tiles_not_held(game: Game, rng: Random) -> Broken | None:
    # A pon of a discard by a player who does not hold two such tiles.
    found = []
    for index in game.places("dahai"):
        tile, actor = plain(game.log[index]["pai"]), game.log[index]["actor"]
        if game.kind(index + 1) != "tsumo":
            continue
        hands = game.at(index + 1).hands
        for seat, hand in enumerate(hands):
            if seat != actor and sum(plain(own) == tile for own in hand) < 2:
                found.append((index, seat))
    choice = pick(rng, found)
    if choice is None:
        return None
    index, seat = choice
    message = game.log[index]
    own = [plain(message["pai"])] * 2
    pon = {"type": "pon", "actor": seat, "target": message["actor"], "pai": message["pai"], "consumed": own}
    return Broken(inserted(game, index + 1, pon), {index + 1})


def swap_calling(game: Game, rng: Random) -> Broken | None:
    # After a pon or chi the tile that was called is discarded from the hand.
    found = []
    for index in game.places("chi", "pon"):
        message = game.log[index]
        if game.kind(index + 1) == "dahai" and message["pai"] in game.at(index + 1).hands[message["actor"]]:
            found.append(index)
    index = pick(rng, found)
    if index is None:
        return None
    tile = game.log[index]["pai"]
    return Broken(changed(game, index + 1, pai=tile, tsumogiri=False), {index + 1})


# Kans.


def a_kakan_without_its_pon(game: Game, rng: Random) -> Broken | None:
    # A tile is added to a pon that the player does not have.
    found = [
        index
        for index in game.places("dahai")
        if game.kind(index - 1) == "tsumo" and not game.at(index).melds[game.log[index]["actor"]]
    ]
    index = pick(rng, found)
    if index is None:
        return None
    actor, tile = game.log[index]["actor"], game.at(index).hands[game.log[index]["actor"]][0]
    kakan = {"type": "kakan", "actor": actor, "pai": tile, "consumed": [plain(tile)] * 3}
    return Broken(inserted(game, index, kakan), {index})


def an_ankan_of_three(game: Game, rng: Random) -> Broken | None:
    # A concealed kan of tiles of which the hand holds but three.
    found = []
    for index in game.places("dahai"):
        actor = game.log[index]["actor"]
        hand = [plain(own) for own in game.at(index).hands[actor]]
        three = [kind for kind in set(hand) if hand.count(kind) == 3]
        if game.kind(index - 1) == "tsumo" and three and not game.at(index).riichi[actor]:
            found.append((index, sorted(three)))
    choice = pick(rng, found)
    if choice is None:
        return None
    index, three = choice
    ankan = {"type": "ankan", "actor": game.log[index]["actor"], "consumed": [rng.choice(three)] * 4}
    return Broken(inserted(game, index, ankan), {index})


def a_kan_without_its_draw(game: Game, rng: Random) -> Broken | None:
    found = []
    for index in game.places("ankan", "kakan", "daiminkan", "nukidora", "kita"):
        draw = next((place for place in (index + 1, index + 2) if game.kind(place) == "tsumo"), None)
        if draw is not None:
            found.append(draw)
    index = pick(rng, found)
    return None if index is None else Broken(without(game, index), {index})


def a_kan_of_unlike_tiles(game: Game, rng: Random) -> Broken | None:
    index = pick(rng, game.places("ankan", "daiminkan"))
    if index is None:
        return None
    message = game.log[index]
    kind = plain(message["consumed"][0])
    others = [tile for tile in game.at(index).hands[message["actor"]] if plain(tile) != kind]
    if not others:
        return None
    consumed = [*message["consumed"][1:], rng.choice(others)]
    return Broken(changed(game, index, consumed=consumed), {index})


def a_kakan_of_another_pon(game: Game, rng: Random) -> Broken | None:
    # The kakan names other tiles than those of its pon.
    index = pick(rng, game.places("kakan"))
    if index is None:
        return None
    other = rng.choice([kind for kind in KINDS if kind != plain(game.log[index]["pai"])])
    return Broken(changed(game, index, consumed=[other] * 3), {index})


# Dora.


def a_dora_dropped(game: Game, rng: Random) -> Broken | None:
    index = pick(rng, game.places("dora"))
    if index is None:
        return None
    return Broken(without(game, index), range(index - 4, game.end_of_round(index)), game.at(index).deal)


def a_dora_doubled(game: Game, rng: Random) -> Broken | None:
    index = pick(rng, game.places("dora"))
    if index is None:
        return None
    return Broken(inserted(game, index, game.log[index]), range(index, index + 2))


def a_dora_without_a_kan(game: Game, rng: Random) -> Broken | None:
    found = []
    for index in game.places("dahai"):
        deal = game.at(index).deal
        if not any(game.kind(place) in ("ankan", "kakan", "daiminkan") for place in range(deal, index)):
            found.append(index)
    index = pick(rng, found)
    if index is None:
        return None
    counts = game.seen_in_round(game.at(index).deal)
    tile = rng.choice([kind for kind in KINDS if counts[kind] < 4])
    return Broken(inserted(game, index, {"type": "dora", "dora_marker": tile}), {index})


# Riichi.


def riichi_with_an_open_hand(game: Game, rng: Random) -> Broken | None:
    found = []
    for index in game.places("dahai"):
        actor, before = game.log[index]["actor"], game.at(index)
        is_open = any(meld.kind in ("chi", "pon", "daiminkan", "kakan") for meld in before.melds[actor])
        if is_open and game.kind(index - 1) == "tsumo":
            found.append(index)
    index = pick(rng, found)
    return None if index is None else Broken(*_declared(game, index))


def riichi_without_tenpai(game: Game, rng: Random) -> Broken | None:
    # In the first turns, before anyone is near.
    found = []
    for index in game.places("dahai"):
        actor, before = game.log[index]["actor"], game.at(index)
        may = game.kind(index - 1) == "tsumo" and not before.melds[actor] and not before.riichi[actor]
        if may and is_far(before.hands[actor]):
            found.append(index)
    index = pick(rng, found)
    return None if index is None else Broken(*_declared(game, index))


def _declared(game: Game, index: int) -> tuple[list[dict[str, object]], set[int]]:
    actor = game.log[index]["actor"]
    log = inserted(game, index, {"type": "reach", "actor": actor})
    if game.kind(index + 1) != "hora":
        log.insert(index + 2, {"type": "reach_accepted", "actor": actor})
    return log, {index, index + 1, index + 2}


def riichi_without_its_discard(game: Game, rng: Random) -> Broken | None:
    found = [index for index in game.places("reach") if game.kind(index + 1) == "dahai"]
    index = pick(rng, found)
    return None if index is None else Broken(without(game, index + 1), {index + 1})


def riichi_declared_twice(game: Game, rng: Random) -> Broken | None:
    index = pick(rng, game.places("reach"))
    return None if index is None else Broken(inserted(game, index, game.log[index]), {index + 1})


def riichi_accepted_dropped(game: Game, rng: Random) -> Broken | None:
    found = [index for index in game.places("reach_accepted") if game.kind(index + 1) != "ryukyoku"]
    index = pick(rng, found)
    return None if index is None else Broken(without(game, index), {index - 1, index})


def riichi_accepted_without_riichi(game: Game, rng: Random) -> Broken | None:
    found = [i for i in game.places("dahai") if not any(game.at(i).riichi) and game.kind(i + 1) == "tsumo"]
    index = pick(rng, found)
    if index is None:
        return None
    accepted = {"type": "reach_accepted", "actor": game.log[index]["actor"]}
    return Broken(inserted(game, index + 1, accepted), {index + 1})


def another_tile_discarded_in_riichi(game: Game, rng: Random) -> Broken | None:
    found = []
    for index in game.places("dahai"):
        actor, before = game.log[index]["actor"], game.at(index)
        others = [tile for tile in before.hands[actor] if plain(tile) != plain(game.log[index]["pai"])]
        if before.riichi[actor] == 2 and others:
            found.append((index, others))
    choice = pick(rng, found)
    if choice is None:
        return None
    index, others = choice
    return Broken(changed(game, index, pai=rng.choice(others), tsumogiri=False), {index})


def a_call_in_riichi(game: Game, rng: Random) -> Broken | None:
    # A player in riichi makes a pon.
    found = []
    for index in game.places("dahai"):
        tile, actor, before = plain(game.log[index]["pai"]), game.log[index]["actor"], game.at(index)
        if game.kind(index + 1) != "tsumo":
            continue
        for seat, hand in enumerate(before.hands):
            own = [held for held in hand if plain(held) == tile]
            if seat != actor and before.riichi[seat] == 2 and len(own) >= 2:
                found.append((index, seat, own[:2]))
    choice = pick(rng, found)
    if choice is None:
        return None
    index, seat, own = choice
    message = game.log[index]
    pon = {"type": "pon", "actor": seat, "target": message["actor"], "pai": message["pai"], "consumed": own}
    return Broken(inserted(game, index + 1, pon), {index + 1})


def riichi_without_points(game: Game, rng: Random) -> Broken | None:
    # Who declares riichi had 900 points at the deal; another has the rest.
    found = []
    for index in game.places("reach"):
        scores = game.log[game.at(index).deal].get("scores")
        if scores:
            found.append(index)
    index = pick(rng, found)
    if index is None:
        return None
    deal, actor = game.at(index).deal, game.log[index]["actor"]
    scores = list(game.log[deal]["scores"])
    other = (actor + 1) % len(scores)
    scores[other] += scores[actor] - 900
    scores[actor] = 900
    log = changed(game, deal, scores=scores)
    return Broken(log, {index}, deal)


def a_kan_in_riichi_of_another_tile(game: Game, rng: Random) -> Broken | None:
    # After riichi, a concealed kan without the tile just drawn.
    found = []
    for index in game.places("dahai"):
        actor, before = game.log[index]["actor"], game.at(index)
        hand = [plain(tile) for tile in before.hands[actor]]
        three = [k for k in set(hand) if hand.count(k) == 3 and k != plain(before.drawn or "")]
        if before.riichi[actor] == 2 and three:
            found.append((index, sorted(three)))
    choice = pick(rng, found)
    if choice is None:
        return None
    index, three = choice
    ankan = {"type": "ankan", "actor": game.log[index]["actor"], "consumed": [rng.choice(three)] * 4}
    return Broken(inserted(game, index, ankan), {index})
