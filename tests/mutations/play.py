"""What can go wrong in play: draws, discards, calls, kans, riichi."""

from engine import is_far
from mjconv.ir.tiles import plain
from mutations.game import CALLS, KINDS, REDS, Broken, Make, Message, Site, add, changed, drop, mutation, without

KANS = ("ankan", "kakan", "daiminkan")


def before_a_draw(site: Site) -> bool:
    return site.kind(1) == "tsumo"


def after_a_draw(site: Site) -> bool:
    return site.kind(-1) == "tsumo"


def call(kind: str, site: Site, actor: int, own: list[str]) -> Message:
    """Return a call of the tile that the message of a site discards."""
    return {"type": kind, "actor": actor, "target": site.actor, "pai": site.message["pai"], "consumed": own}


# Draws and discards.


@mutation("R005 R006", "dahai")
def discard_of_a_tile_not_held(site: Site) -> Broken:
    hand = site.hand
    return Broken(site.changed(pai=site.rng.choice([kind for kind in KINDS if kind not in hand])), {site.index})


@mutation("R005 R006 R009 R016 R031 R034 R040 R041 R042 R043 R044 R045 R051 R053 R054 R055 R056 R058", "dahai")
def another_tile_of_the_hand_discarded(site: Site) -> Broken | None:
    others = [other for other in site.hand if other != site.message["pai"]]
    if not others:
        return None
    log = site.changed(pai=site.rng.choice(others), tsumogiri=False)
    return Broken(log, range(site.index, site.end + 1), site.deal)


@mutation("O002", "tsumo")
def a_draw_by_another(site: Site) -> Broken:
    return Broken(site.changed(actor=site.rng.choice(site.seats_but(site.actor))), {site.index, site.index + 1})


@mutation("O001 O002", "dahai", where=lambda site: before_a_draw(site) and site.kind(2) == "dahai")
def two_discards_swapped(site: Site) -> Broken:
    # Two messages of different players change places.
    log, index = site.changed(), site.index
    log[index], log[index + 2] = log[index + 2], log[index]
    return Broken(log, {index})


def only_copy_was_drawn(site: Site) -> bool:
    tile = site.message["pai"]
    return site.before.drawn == tile and site.hand.count(tile) == 1


# Tiles of the set.


def full_kinds(site: Site, deal: int) -> list[str]:
    """Return the kinds of which a round shows all four copies."""
    return [kind for kind, count in site.game.seen_in_round(deal).items() if count == 4 and kind not in REDS]


def drawn_and_discarded(site: Site) -> bool:
    """Return whether a tile is drawn and discarded at once, and nobody calls it."""
    after = site.game.log[site.index + 1]
    at_once = after["type"] == "dahai" and after["pai"] == site.message["pai"] and after.get("tsumogiri")
    return bool(at_once) and site.kind(2) == "tsumo"


@mutation("R001", "tsumo", where=lambda site: drawn_and_discarded(site) and bool(full_kinds(site, site.deal)))
def a_fifth_copy_drawn(site: Site) -> Broken:
    tile = site.rng.choice(full_kinds(site, site.deal))
    log = site.changed(pai=tile)
    log[site.index + 1]["pai"] = tile
    return Broken(log, range(site.index, site.end + 1))


@mutation("R001 R005", "start_kyoku")
def a_fifth_copy_dealt(site: Site) -> Broken | None:
    full = full_kinds(site, site.index)
    if not full:
        return None
    log, tile = site.changed(), site.rng.choice(full)
    hands = log[site.index]["tehais"]
    hand = hands[site.rng.randrange(len(hands))]
    hand[site.rng.choice([place for place, own in enumerate(hand) if own != tile])] = tile
    return Broken(log, range(site.index, site.end + 1))


@mutation("R002 R005", "start_kyoku")
def a_second_red_five(site: Site) -> Broken | None:
    # A plain five dealt becomes red, where the round shows the red one elsewhere.
    round_log = site.game.log[site.index : site.end]
    drawn = {message["pai"] for message in round_log if message["type"] == "tsumo"}
    red = drawn.union(*site.message["tehais"]) & set(REDS.values())
    log = site.changed()
    hands = log[site.index]["tehais"]
    places = [(hand, place) for hand in hands for place, tile in enumerate(hand) if REDS.get(tile) in red]
    if not places:
        return None
    hand, place = site.rng.choice(places)
    hand[place] = REDS[hand[place]]
    return Broken(log, range(site.index, site.end + 1))


# Calls.


@mutation("O003 R010", *CALLS)
def a_call_from_another(site: Site) -> Broken:
    other = site.rng.choice(site.seats_but(site.message["target"], site.actor))
    return Broken(site.changed(target=other), {site.index})


def held_twice_by_the_discarder(site: Site) -> bool:
    if not before_a_draw(site):
        return False
    return site.game.at(site.index + 1).hands[site.actor].count(site.message["pai"]) >= 2


@mutation("O002 O003", "dahai", where=held_twice_by_the_discarder)
def a_call_on_ones_own_discard(site: Site) -> Broken:
    pon = call("pon", site, site.actor, [site.message["pai"]] * 2)
    return Broken(site.inserted(pon, step=1), {site.index + 1})


def runs_across(site: Site) -> list[tuple[int, list[str]]]:
    """Return the player across and the two tiles that make a run of the discard in that hand."""
    seats, tile = len(site.before.hands), plain(site.message["pai"])
    if seats == 4 and before_a_draw(site) and tile[-1] in "mps" and int(tile[0]) < 8:
        across = (site.actor + 2) % seats
        pair = [f"{int(tile[0]) + step}{tile[1]}" for step in (1, 2)]
        if all(own in site.game.at(site.index + 1).hands[across] for own in pair):
            return [(across, pair)]
    return []


@mutation("R011", "chi")
def a_chi_of_no_run(site: Site) -> Broken | None:
    others = [tile for tile in site.hand if tile[-1] not in "mpsr"]
    if not others:
        return None
    return Broken(site.changed(consumed=[site.message["consumed"][0], site.rng.choice(others)]), {site.index})


@mutation("R011", "pon")
def a_pon_of_unlike_tiles(site: Site) -> Broken:
    others = [tile for tile in site.hand if plain(tile) != plain(site.message["pai"])]
    return Broken(site.changed(consumed=[site.message["consumed"][0], site.rng.choice(others)]), {site.index})


@mutation("R009", "pon", "daiminkan")
def a_call_of_another_tile(site: Site) -> Broken:
    # Another tile is called than was discarded, of the same kind of meld.
    called = plain(site.message["pai"])
    tile = site.rng.choice([kind for kind in KINDS if kind != called])
    return Broken(site.changed(pai=tile, consumed=[tile] * len(site.message["consumed"])), {site.index})


def held_less_than_twice(site: Site) -> list[int]:
    """Return the players who do not hold two tiles like the discard."""
    if not before_a_draw(site):
        return []
    hands, tile = site.game.at(site.index + 1).hands, plain(site.message["pai"])
    return [seat for seat in site.seats_but(site.actor) if sum(plain(own) == tile for own in hands[seat]) < 2]


@mutation("R005", "dahai", where=held_less_than_twice)
def a_call_with_tiles_not_held(site: Site) -> Broken:
    pon = call("pon", site, site.chosen, [plain(site.message["pai"])] * 2)
    return Broken(site.inserted(pon, step=1), {site.index + 1})


def holds_the_called_tile(site: Site) -> bool:
    return site.kind(1) == "dahai" and site.message["pai"] in site.game.at(site.index + 1).hands[site.actor]


@mutation("R016", "chi", "pon", where=holds_the_called_tile)
def swap_calling(site: Site) -> Broken:
    after = site.index + 1
    return Broken(changed(site.game, after, pai=site.message["pai"], tsumogiri=False), {after})


# Kans.


@mutation("R012", "dahai", where=lambda site: after_a_draw(site) and not site.before.melds[site.actor])
def a_kakan_without_its_pon(site: Site) -> Broken:
    tile = site.hand[0]
    kakan = {"type": "kakan", "actor": site.actor, "pai": tile, "consumed": [plain(tile)] * 3}
    return Broken(site.inserted(kakan), {site.index})


def triplets(site: Site, but: str = "") -> list[str]:
    """Return the kinds of which the hand holds but three."""
    hand = [plain(own) for own in site.hand]
    return sorted(kind for kind in set(hand) if hand.count(kind) == 3 and kind != but)


def ankan_of_three(site: Site) -> Broken:
    ankan = {"type": "ankan", "actor": site.actor, "consumed": [site.rng.choice(site.chosen)] * 4}
    return Broken(site.inserted(ankan), {site.index})


def triplets_before_riichi(site: Site) -> list[list[str]]:
    three = triplets(site)
    return [three] if after_a_draw(site) and three and not site.before.riichi[site.actor] else []


def draws_after(site: Site) -> list[int]:
    """Return the index of the draw from the end of the wall."""
    return [site.index + step for step in (1, 2) if site.kind(step) == "tsumo"][:1]


@mutation("R011", "ankan", "daiminkan")
def a_kan_of_unlike_tiles(site: Site) -> Broken | None:
    own = site.message["consumed"]
    others = [tile for tile in site.hand if plain(tile) != plain(own[0])]
    return Broken(site.changed(consumed=[*own[1:], site.rng.choice(others)]), {site.index}) if others else None


@mutation("R013", "kakan")
def a_kakan_of_another_pon(site: Site) -> Broken:
    other = site.rng.choice([kind for kind in KINDS if kind != plain(site.message["pai"])])
    return Broken(site.changed(consumed=[other] * 3), {site.index})


# Dora.


def before_any_kan(site: Site) -> bool:
    return not any(site.game.kind(place) in KANS for place in range(site.deal, site.index))


# Riichi.


def declared(site: Site) -> Broken:
    log = site.inserted({"type": "reach", "actor": site.actor})
    if site.kind(1) != "hora":
        log.insert(site.index + 2, {"type": "reach_accepted", "actor": site.actor})
    return Broken(log, range(site.index, site.index + 3))


def is_open(site: Site) -> bool:
    return after_a_draw(site) and any(meld.kind in (*CALLS, "kakan") for meld in site.before.melds[site.actor])


def is_closed_and_far(site: Site) -> bool:
    """Return whether the player is far from tenpai, as in the first turns."""
    may = after_a_draw(site) and not site.before.melds[site.actor] and not site.before.riichi[site.actor]
    return may and is_far(site.hand)


@mutation("O005 R036", "dahai", where=lambda site: not any(site.before.riichi) and before_a_draw(site))
def riichi_accepted_without_riichi(site: Site) -> Broken:
    accepted = {"type": "reach_accepted", "actor": site.actor}
    return Broken(site.inserted(accepted, step=1), {site.index + 1})


def others_in_riichi(site: Site) -> list[list[str]]:
    """Return the tiles of a hand in riichi that are unlike the discard."""
    others = [tile for tile in site.hand if plain(tile) != plain(site.message["pai"])]
    return [others] if site.before.riichi[site.actor] == 2 and others else []


@mutation("R034 R005", "dahai", where=others_in_riichi)
def another_tile_discarded_in_riichi(site: Site) -> Broken:
    return Broken(site.changed(pai=site.rng.choice(site.chosen), tsumogiri=False), {site.index})


def pairs_in_riichi(site: Site) -> list[tuple[int, list[str]]]:
    """Return the other players in riichi who hold two tiles like the discard, with these tiles."""
    found = []
    for seat in site.seats_but(site.actor) if before_a_draw(site) else ():
        own = [held for held in site.before.hands[seat] if plain(held) == plain(site.message["pai"])]
        if site.before.riichi[seat] == 2 and len(own) >= 2:
            found.append((seat, own[:2]))
    return found


@mutation("R032", "reach", where=lambda site: bool(site.game.log[site.deal].get("scores")))
def riichi_without_points(site: Site) -> Broken:
    # Who declares riichi had 900 points at the deal; another has the rest.
    scores = list(site.game.log[site.deal]["scores"])
    scores[(site.actor + 1) % len(scores)] += scores[site.actor] - 900
    scores[site.actor] = 900
    return Broken(changed(site.game, site.deal, scores=scores), {site.index}, site.deal)


def triplets_in_riichi(site: Site) -> list[list[str]]:
    three = triplets(site, but=plain(site.before.drawn or ""))
    return [three] if site.before.riichi[site.actor] == 2 and three else []


def dropped(site: Site) -> Broken:
    return Broken(site.without(), {site.index})


def doubled(site: Site) -> Broken:
    return Broken(site.inserted(site.message), {site.index + 1})


def by_another(site: Site) -> Broken:
    return Broken(site.changed(actor=site.rng.choice(site.seats_but(site.actor))), {site.index})


def not_drawn(site: Site) -> bool:
    return site.before.drawn not in (None, site.message["pai"])


def turned_plain(site: Site) -> Broken:
    return Broken(site.changed(pai=plain(site.message["pai"])), {site.index})


def is_red(site: Site) -> bool:
    return site.message["pai"] in REDS.values() and plain(site.message["pai"]) not in site.hand


def marked(tsumogiri: bool) -> Make:
    return lambda site: Broken(site.changed(tsumogiri=tsumogiri), {site.index})


def called(kind: str) -> Make:
    return lambda site: Broken(site.inserted(call(kind, site, *site.chosen), step=1), {site.index + 1})


def without_chosen(site: Site) -> Broken:
    return Broken(without(site.game, site.chosen), {site.chosen})


def turned(site: Site) -> Broken:
    return Broken(site.inserted({"type": "dora", "dora_marker": site.unseen()}), {site.index})


def discard_after(site: Site) -> list[int]:
    return [site.index + 1] if site.kind(1) == "dahai" else []


# Mutations of a line: their name, the codes, the kinds of their message, what they do, and where.
add("a draw dropped", "O001 O002 O009", "tsumo", dropped)
add("a discard dropped", "O001 O002 O005", "dahai", dropped)
add("a draw doubled", "O001 O002", "tsumo", doubled)
add("a discard doubled", "O001 O002", "dahai", doubled)
add("a discard by another", "O002", "dahai", by_another)
add("tsumogiri of a tile not drawn", "R006", "dahai", marked(True), not_drawn)
add("the drawn tile marked as from the hand", "R006", "dahai", marked(False), only_copy_was_drawn)
add("a red five turned plain in the river", "R005 R006", "dahai", turned_plain, is_red)
add("a chi not from the left", "O002 R010", "dahai", called("chi"), runs_across)
add("an ankan of three", "R005", "dahai", ankan_of_three, triplets_before_riichi)
add("a kan without its draw", "O001 O002 R072", "ankan kakan daiminkan nukidora kita", without_chosen, draws_after)
add(
    "a dora dropped",
    "R071 R051",
    "dora",
    lambda site: Broken(site.without(), range(site.index - 4, site.end), site.deal),
)
add("a dora doubled", "R070", "dora", lambda site: Broken(doubled(site).log, range(site.index, site.index + 2)))
add("a dora without a kan", "R070", "dahai", turned, before_any_kan)
add("riichi with an open hand", "R030", "dahai", declared, is_open)
add("riichi without tenpai", "R031", "dahai", declared, is_closed_and_far)
add("riichi without its discard", "O001 O002 O005", "reach", without_chosen, discard_after)
add("riichi declared twice", "O001 R036", "reach", doubled)
add("riichi accepted dropped", "O004", "reach_accepted", drop, lambda site: site.kind(1) != "ryukyoku")
add("a call in riichi", "R015", "dahai", called("pon"), pairs_in_riichi)
add("a kan in riichi of another tile", "R035 R005", "dahai", ankan_of_three, triplets_in_riichi)
