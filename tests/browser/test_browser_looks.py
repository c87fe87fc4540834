"""The page has room for everything at every width, for names of any length and script; axe finds no violation."""

from importlib.resources import files
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from chromium import NARROW, PHONE, WIDE, Browser
from pictures import PICTURES
from records import ANSWERED, COMMENTS, FLOWERS, FOUR, LIABLE, RESULTS, SIX, TENHOU, THREE, VALUED, Record

FIVE = [NARROW, (390, 844), (844, 390), (820, 1180), (1440, 900)]
#: The widest page of a telephone, and the narrowest page of a screen.
LIMIT = [(899, 700), (900, 640)]
#: Records with a page of their own: the others have parts of these.
KINDS = (TENHOU, SIX, COMMENTS, ANSWERED, RESULTS)
HOSTILE = {
    "markup": '</script><script>document.title = "harm"</script><img src=x onerror="document.title=1">',
    "right to left": "\u202eשלום \u0645\u0631\u062d\u0628\u0627 " * 3,
    "long": "x" * 10_000,
    "long Chinese": "千" * 10_000,
    "marks": "Z\u0351\u036b\u0343" * 500,
    "template": "{s0} {title} ${alert(1)} {{}}",
}
#: Names that need the most room. What the others do is the same at every width.
TALL = ("long", "long Chinese", "marks")
AXE = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ["violations"]}).then((found) => done(found.violations));
"""

#: Elements that would have to be narrower, or a smaller page: their names.
WIDER = """
const page = document.documentElement;
const over = page.scrollWidth > innerWidth ? ["page " + page.scrollWidth] : [];
const parts = document.querySelectorAll(".plate, .lane, .head, .controls, .sheet, .rounds, .legend li");
return over.concat([...parts].filter((element) => {
  const box = element.getBoundingClientRect();
  return box.width && (box.left < -1 || box.right > innerWidth + 1);
}).map((element) => element.className));
"""

#: Parts of the page whose contents reach over the next part: their names.
SPILLS = """
return [...document.querySelectorAll(".player > *, .dock > *, .lists > *")].filter((part) => {
  const clipped = getComputedStyle(part).overflowY !== "visible";
  return part.clientHeight && !clipped && part.scrollHeight > part.clientHeight + 1;
}).map((part) => part.className);
"""

#: Texts at the centre of the table, and of the graph, that leave their field.
OUTSIDE = """
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const texts = all(".strip").flatMap((strip) =>
  all("text", strip).map((text) => [text, strip.querySelector(".field")]));
texts.push(...all(".centre text").map((text) => [text, document.querySelector(".centre .field")]));
texts.push(...all(".graph text").map((text) => [text, document.querySelector(".graph")]));
return texts.filter(([text, field]) => {
  const [a, b] = [text.getBoundingClientRect(), field.getBoundingClientRect()];
  return a.width && (a.left < b.left - 1 || a.right > b.right + 1 || a.top < b.top - 4 || a.bottom > b.bottom + 4);
}).map(([text]) => text.textContent);
"""

#: Pairs of things on the table that lie over each other.
OVERLAPS = """
const zones = ["hand]", "melds]", "aside]", "river] [data-tile]"];
const parts = zones.map((zone) => `.board [data-zone=${zone}`).join();
const boxes = [...document.querySelectorAll(`${parts}, .plate, .centre > .field`)].map((part) => {
  const { zone, seat, plate } = part.dataset;
  return [`${zone ?? part.getAttribute("class")} ${seat ?? plate ?? ""}`, part.getBoundingClientRect()];
}).filter(([, box]) => box.width);
const over = [];
boxes.forEach(([name, a], index) => boxes.slice(index + 1).forEach(([other, b]) => {
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  if (across > 1.5 && down > 1.5) over.push(`${name} / ${other}`);
}));
return over;
"""

#: For each hand, the number of its lines.
LINES = """
const bottom = (tile) => Math.round(tile.getBoundingClientRect().bottom);
return [...document.querySelectorAll('span[data-zone="hand"]')].map((hand) =>
  new Set([...hand.querySelectorAll("[data-tile]")].map(bottom)).size);
"""

#: References to drawings that the page does not have; images without a name.
UNDRAWN = """
const has = (use) => document.getElementById(use.getAttribute("href").slice(1));
return [...document.querySelectorAll("use")].filter((use) => !has(use)).length;
"""
NAMELESS = """
return [...document.querySelectorAll("[role=img]")].filter((image) => !image.getAttribute("aria-label")).length;
"""
SAME_LINE = """
const line = document.querySelector(".caption");
window.line = window.line || line;
return window.line === line;
"""


@pytest.mark.parametrize(
    ("game", "limit"),
    [(game, LIMIT[place % 2]) for place, game in enumerate(KINDS)],
    ids=[game.name for game in KINDS],
)
def test_nothing_is_wider_than_the_page(browser: Browser, game: Record, limit: tuple[int, int]) -> None:
    """Each record has one of the two sizes where the layout changes. The next record has the other."""
    browser.open(game.data, size=NARROW)
    browser.press("w")
    for size in (NARROW, limit):
        browser.size(size)
        for step in ("Home", "End"):
            browser.press(step)
            assert browser.run(WIDER) == [], (size, step)


@pytest.mark.parametrize("game", [THREE, FLOWERS, LIABLE, TENHOU, COMMENTS], ids=lambda game: game.name)
def test_nothing_on_the_table_overlaps(browser: Browser, game: Record) -> None:
    data = game.data
    for player in data["players"]:
        player.update(name="千早 秋 " * 20, team="team " * 30, rank="七段")
    browser.open(data, size=WIDE)
    for game_round in data["rounds"]:
        for step in {len(game_round["steps"]) // 2, len(game_round["steps"]) - 1}:
            browser.run("location.hash = arguments[0]", f"#{game_round['label']}.{step}.s1")
            browser.wait(f"return document.getElementById('app').dataset.step === '{step}'")
            browser.press("Escape")
            assert browser.run(OVERLAPS) == [], (game_round["label"], step)


def test_the_longest_rivers_melds_and_flowers_have_room(browser: Browser) -> None:
    """Thirty discards, four kans, the first with an added tile, and eight flowers, for each player."""
    data = FOUR.data
    state = data["rounds"][0]["state"]
    turned = {"tile": "5p", "turned": True, "on": "5pr"}
    kan: dict[str, Any] = {"kind": "kakan", "tiles": [{"tile": "5p"}, {"tile": "5p"}, turned]}
    wide = {"kind": "kan", "tiles": [*[{"tile": "5s"}] * 3, {"tile": "5s", "turned": True}]}
    for seat in range(4):
        values = {"hands": "1m", "drawn": "9m", "melds": [kan, wide, wide, wide], "aside": ["N"] * 8}
        for name, value in values.items():
            state[name][seat] = value
        state["river"][seat] = [{"tile": "9m", **({"riichi": True} if index == 9 else {})} for index in range(30)]
    data["rounds"][0]["steps"] = data["rounds"][0]["steps"][:1]
    for count in (30, 22, 20):
        for seat in range(4):
            state["river"][seat] = state["river"][seat][:count]
        browser.open(data, size=WIDE)
        for size in (WIDE, PHONE, NARROW):
            browser.size(size)
            assert browser.run(OVERLAPS) == [], (count, size)


@pytest.mark.parametrize("game", [FOUR, TENHOU, VALUED, COMMENTS], ids=lambda game: game.name)
def test_a_wide_page_fits_without_scrolling(browser: Browser, game: Record) -> None:
    browser.open(game.data)
    board = "return document.querySelector('.board').getBoundingClientRect().height"
    for width, height in (WIDE, (1024, 700), (1920, 1080)):
        browser.size((width, height))
        for key in ("Home", "End", "w"):
            browser.press(key)
            assert browser.run("return document.documentElement.scrollHeight") <= height
            assert browser.run(SPILLS) == [], (width, key)
        assert browser.run(board) > height * 0.75


def test_the_largest_numbers_have_room(browser: Browser) -> None:
    """The hub holds points to a thousand million: the graph and the centre of the table have room for them."""
    most = 1_000_000_000
    data = FOUR.data
    first = data["rounds"][0]
    first["state"].update(points=[-most] * 4, gain=[0, 0, most, -most], honba=999, sticks=999)
    first["steps"] = first["steps"][:1]
    data["graph"]["lines"] = [[0, most, -most, 0]] * 4
    browser.open(data)
    assert browser.run(OUTSIDE) == []


@pytest.mark.parametrize("game", [FOUR, TENHOU, SIX], ids=lambda game: game.name)
def test_a_hand_has_two_lines_at_most_on_the_narrowest_screen(browser: Browser, game: Record) -> None:
    browser.open(game.data, "#.1", size=NARROW)
    browser.press("ArrowRight")
    assert max(browser.run(LINES)) <= 2


@pytest.mark.parametrize(
    ("name", "size"),
    [(HOSTILE[name], size) for size in (NARROW, WIDE) for name in HOSTILE if size == NARROW or name in TALL],
    ids=[*HOSTILE, *(f"{name}, wide" for name in TALL)],
)
def test_a_hostile_name_stays_text_and_in_its_place(browser: Browser, name: str, size: tuple[int, int]) -> None:
    # Results have one layout: where it is wide, it has more room.
    for game in (COMMENTS, RESULTS) if size == NARROW else (COMMENTS,):
        data = game.data
        for player in data["players"]:
            player.update(name=name, team=name, rank=name)
        data["title"] = name
        data["notes"] = [{"kind": "comment", "text": name, "round": 0}]
        browser.open({**data, "head": [["head.place", name]]}, size=size)
        browser.press("End", "n")
        assert name in browser.texts(".name")
        assert browser.run("return document.title") == " ".join(name.split())
        assert browser.run("return document.querySelectorAll('img, script[src], iframe, a').length") == 0
        assert browser.run(WIDER) == []
        if size == WIDE:
            assert browser.run(OVERLAPS) == []


def violations(browser: Browser) -> list[Any]:
    browser.run((files(pytest.importorskip("axe_core_python")) / "axe.min.js").read_text("utf-8"))
    found = browser.driver.execute_async_script(AXE)
    return [(one["id"], [node["html"][:200] for node in one["nodes"]][:3]) for one in found]


#: Each record is checked in one of two sizes and schemes.
WAYS = [(WIDE, "light"), (NARROW, "dark")]


@pytest.mark.parametrize(
    ("game", "step", "keys", "size", "scheme"),
    [
        *((game, "", ["w" if game is TENHOU else "", "End"], *WAYS[at % 2]) for at, game in enumerate(KINDS)),
        (TENHOU, "#E2-0.34", ["?"], NARROW, "light"),
        (VALUED, "#E2-0.34", ["t"], WIDE, "dark"),
    ],
    ids=[*(game.name for game in KINDS), "help", "table of values"],
)
def test_axe_finds_no_violation(
    browser: Browser, game: Record, step: str, keys: list[str], size: tuple[int, int], scheme: str
) -> None:
    """With the results of the first round, with the wall of one record, in help, and in the table of values."""
    browser.media(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
    browser.open(game.data, step, size=size)
    browser.press(*keys)
    assert violations(browser) == []


@pytest.mark.parametrize("game", [THREE, FLOWERS, *KINDS[:-1]], ids=lambda game: game.name)
def test_every_tile_on_the_page_has_a_drawing_and_every_line_a_name(browser: Browser, game: Record) -> None:
    browser.open(game.data)
    for _ in range(3):
        browser.press("End")
        assert (browser.run(UNDRAWN), browser.run(NAMELESS)) == (0, 0)
        assert "tile." not in browser.run("return document.body.innerHTML.replace(/<script.*/s, '')")
        browser.press("PageDown")


def test_a_screen_reader_hears_each_caption(browser: Browser) -> None:
    browser.open(FOUR.data)
    live = "return [...document.querySelectorAll('[aria-live]')].map((element) => element.className)"
    assert browser.run(live) == ["caption"]
    browser.run(SAME_LINE)
    browser.press("ArrowRight", "PageDown", "ArrowRight")
    assert browser.run(SAME_LINE)


def test_nothing_moves_for_those_who_ask_for_less_motion(browser: Browser) -> None:
    browser.media(prefers_reduced_motion="reduce")
    browser.open(FOUR.data)
    browser.press("End")
    assert browser.run("return document.getAnimations().length") == 0


def test_the_pictures_of_the_documentation_are_small_and_all_are_used() -> None:
    docs = Path(__file__).parents[2] / "docs"
    pictures = sorted((docs / "pictures").iterdir())
    assert sum(picture.stat().st_size for picture in pictures) < 200_000
    assert [picture.stem for picture in pictures] == sorted(picture.name for picture in PICTURES)
    text = "".join((docs / name).read_text("utf-8") for name in ("view.md", "serve.md"))
    assert all(f"(pictures/{picture.name})" in text for picture in pictures)


#: The places of all that stays while the reader steps: the parts of the page, the plates, and the buttons.
STAYS = """
const names = ".head, .stage, .square, .board, .plate, .lane, .lanehead, .rounds, .pointsbox, .say, .controls";
const parts = document.querySelectorAll(`${names}, button, input`);
return [scrollY, ...[...parts].filter((part) => !part.closest(".sheet, dialog")).map((part) => {
  const { left, top, width, height } = part.getBoundingClientRect();
  return [left, top, width, height].map(Math.round).join();
})].join(" ");
"""
WALK_STILL = (
    "const places = () => {" + STAYS + "};"
    """
    const before = places();
    const moved = [];
    for (let step = 0; step < arguments[0]; step += 1) {
      document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
      if (places() !== before) moved.push(document.getElementById("app").dataset.step);
    }
    return moved;
    """
)

#: The layouts, each with its sizes.
LAYOUTS = [*(("table", size) for size in FIVE), *(("lanes", size) for size in FIVE[::2])]


@pytest.mark.parametrize(
    ("game", "ways"),
    [(game, LAYOUTS[place % 4 :: 4]) for place, game in enumerate((TENHOU, THREE, SIX, COMMENTS, VALUED))],
    ids=["tenhou", "three", "six", "comments-double-ron", "valued"],
)
def test_only_what_changes_moves(browser: Browser, game: Record, ways: list[tuple[str, tuple[int, int]]]) -> None:
    """Each record has two of the layouts, the next records have the others. Each walks through another round."""
    browser.open(game.data)
    browser.press("t" if game in (VALUED, THREE) else "")
    rounds = [(number, len(each["steps"]) - 1) for number, each in enumerate(game.data["rounds"])]
    shown = "table"
    for (layout, size), (number, last) in zip(ways, cycle(rounds), strict=False):
        browser.press("v" if layout != shown else "")
        shown = layout
        browser.size(size)
        browser.run("document.querySelector(`[data-round='${arguments[0]}']`).click()", number)
        before = browser.run("return scrollY")
        assert browser.run(WALK_STILL, last) == [], (size, layout, number)
        browser.press("PageDown")
        assert browser.run("return scrollY") == before, (size, layout, number)


@pytest.mark.parametrize("game", [FOUR, THREE, FLOWERS, TENHOU, VALUED], ids=lambda game: game.name)
def test_at_every_size_the_table_is_whole_and_nothing_overlaps(browser: Browser, game: Record) -> None:
    browser.open(game.data)
    inside = """
        const box = document.querySelector("span.hand") || document.querySelector(".board");
        const bottom = box.getBoundingClientRect().bottom;
        return bottom <= Math.min(innerHeight, matchMedia("(min-aspect-ratio: 4/3)").matches ? innerHeight
          : document.querySelector(".dock").getBoundingClientRect().top);
    """
    for size in FIVE:
        browser.size(size)
        for key in ("Home", "End", "PageDown"):
            browser.press(key)
            assert browser.run("return scrollY") == 0, (size, key)
            assert browser.run(inside), (size, key)
            for script in (OVERLAPS, WIDER, COVERED):
                assert browser.run(script) == [], (size, key)


#: Parts of the centre of the table that the sheet of results covers.
COVERED = """
const sheet = document.querySelector(".sheet")?.getBoundingClientRect();
const field = document.querySelector(".centre > .field").getBoundingClientRect();
const across = sheet ? Math.min(sheet.right, field.right) - Math.max(sheet.left, field.left) : 0;
const down = sheet ? Math.min(sheet.bottom, field.bottom) - Math.max(sheet.top, field.top) : 0;
return across > 1 && down > 1 ? [across, down] : [];
"""


@pytest.mark.parametrize(("game", "counters"), [(FOUR, 2), (FLOWERS, 0)], ids=["dora", "no dora"])
def test_only_a_game_with_dora_counts_honba_and_sticks(browser: Browser, game: Record, counters: int) -> None:
    browser.open(game.data)
    for size in ((390, 844), (1440, 900)):
        browser.size(size)
        assert browser.run("return document.querySelectorAll('[data-zone=centre] .counter').length") == counters, (
            size
        )
