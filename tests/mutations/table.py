"""The table of mutations: how each breaks a game, and the codes of which one must be reported."""

from __future__ import annotations

from typing import Final

from mutations import play, results
from mutations.game import Break, Mutation

_CODES: Final[dict[Break, str]] = {
    # Draws and discards.
    play.discard_of_a_tile_not_held: "R005 R006",
    play.another_tile_of_the_hand_discarded: (
        "R005 R006 R009 R016 R031 R034 R040 R041 R042 R043 R044 R045 R051 R053 R054 R055 R056 R058"
    ),
    play.a_draw_dropped: "O001 O002 O009",
    play.a_discard_dropped: "O001 O002 O005",
    play.a_draw_doubled: "O001 O002",
    play.a_discard_doubled: "O001 O002",
    play.a_draw_by_another: "O002",
    play.a_discard_by_another: "O002",
    play.two_discards_swapped: "O001 O002",
    play.tsumogiri_of_a_tile_not_drawn: "R006",
    play.the_drawn_tile_said_to_come_from_the_hand: "R006",
    # Tiles of the set.
    play.a_fifth_copy_drawn: "R001",
    play.a_fifth_copy_dealt: "R001 R005",
    play.a_second_red_five: "R002 R005",
    play.a_red_five_turned_plain_in_the_river: "R005 R006",
    # Calls.
    play.a_call_from_another: "O003 R010",
    play.a_call_on_ones_own_discard: "O002 O003",
    play.a_chi_not_from_the_left: "O002 R010",
    play.a_chi_of_no_run: "R011",
    play.a_pon_of_unlike_tiles: "R011",
    play.a_call_of_another_tile: "R009",
    play.a_call_with_tiles_not_held: "R005",
    play.swap_calling: "R016",
    # Kans.
    play.a_kakan_without_its_pon: "R012",
    play.an_ankan_of_three: "R005",
    play.a_kan_without_its_draw: "O001 O002 R072",
    play.a_kan_of_unlike_tiles: "R011",
    play.a_kakan_of_another_pon: "R013",
    # Dora.
    play.a_dora_dropped: "R071 R051",
    play.a_dora_doubled: "R070",
    play.a_dora_without_a_kan: "R070",
    # Riichi.
    play.riichi_with_an_open_hand: "R030",
    play.riichi_without_tenpai: "R031",
    play.riichi_without_its_discard: "O001 O002 O005",
    play.riichi_declared_twice: "O001 R036",
    play.riichi_accepted_dropped: "O004",
    play.riichi_accepted_without_riichi: "O005 R036",
    play.another_tile_discarded_in_riichi: "R034 R005",
    play.a_call_in_riichi: "R015",
    play.riichi_without_points: "R032",
    play.a_kan_in_riichi_of_another_tile: "R035 R005",
    # Wins.
    results.a_win_from_another: "O003",
    results.a_win_by_another: "R040 O006",
    results.a_ron_on_another_tile: "R040",
    results.a_self_drawn_win_on_another_tile: "R040",
    results.a_win_whose_riichi_is_taken_away: "R041 R051 R050 R073 R034 R046 R047",
    results.furiten: "R042 R043",
    results.a_win_told_twice: "O001 O002 O006",
    results.wins_out_of_order: "O006",
    results.ura_without_riichi: "R073",
    # Points.
    results.a_wrong_delta: "R050 R053 R057",
    results.a_win_worth_more: "R051",
    results.who_pays_swapped: "R051",
    results.tenpai_payments_turned: "R053 R054",
    # Draws.
    results.an_exhaustive_draw_with_tiles_left: "R056",
    results.a_draw_from_an_empty_wall: "R074 R056",
    results.nine_terminals_that_are_not: "R056",
    results.a_result_dropped: "O009",
    # The next round.
    results.wrong_honba: "R062",
    results.wrong_sticks: "R063",
    results.wrong_number: "R060",
    results.wrong_wind: "R060",
    results.wrong_scores: "R064",
    results.points_from_nowhere: "R064 R065",
    results.wrong_dealer: "R061",
    results.a_dealer_of_another_house: "R060",
    results.a_round_dropped: "R060 R062 R064",
    results.rounds_swapped: "R060 R062 R064",
    results.wrong_points_at_the_end: "R067",
    # The frame of messages.
    results.end_of_a_round_dropped: "O009 O010",
    results.a_message_after_the_end: "O001 O004 O007",
}

MUTATIONS: Final = tuple(
    Mutation(make.__name__.replace("_", " "), frozenset(codes.split()), make) for make, codes in _CODES.items()
)
