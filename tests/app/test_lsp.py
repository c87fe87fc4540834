"""`mjconv lsp`, through pygls's own client: on the whole corpus, and each feature by itself."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

import mjconv
from corpus_files import CORPUS, SAMPLE, TYPED
from looped import looped
from mjconv.converters.formats import find
from mjconv.typist.document import Document, Spot

FORMS = {".jmjp": "jmjp", ".uzje": "uzje", ".hk": "hk", ".mjson": "mjai"}
FILES = sorted(path for path in CORPUS.rglob("*") if path.suffix in FORMS and path.stat().st_size < 1 << 16)
URI = "file:///games/game.jmjp"
#: The players of the second round of the sample.
SEATS = "e 別府 夏子 33.7  s 千早 秋 25.0  w 堂本 冬美 24.0  n 朝倉 春 17.3"


class Editor:
    """An editor beside the client of pygls, and a server of its own."""

    def __init__(self, options: object = None) -> None:
        self.loop = asyncio.new_event_loop()
        self.client = LanguageClient("test", "1")
        self.found: dict[str, asyncio.Queue[types.PublishDiagnosticsParams]] = {}
        self.edits: list[types.WorkspaceEdit] = []
        self.version = 0

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.found.setdefault(params.uri, asyncio.Queue()).put_nowait(params)

        @self.client.feature(types.WORKSPACE_APPLY_EDIT)
        def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            self.edits.append(params.edit)
            return types.ApplyWorkspaceEditResult(applied=True)

        self.run(self.client.start_io(sys.executable, "-m", "mjconv", "lsp"))
        self.ask("initialize", types.InitializeParams(types.ClientCapabilities(), initialization_options=options))
        self.notify("initialized", types.InitializedParams())

    def run(self, work: Awaitable[Any]) -> Any:
        return self.loop.run_until_complete(asyncio.wait_for(work, 120))

    def ask(self, request: str, params: object) -> Any:
        """Return the answer of the server to a request, by its name in pygls."""
        return self.run(getattr(self.client, f"{request}_async")(params))

    def notify(self, notification: str, params: object) -> None:
        async def send() -> None:
            getattr(self.client, notification)(params)

        self.run(send())

    def close(self) -> None:
        self.ask("shutdown", None)
        self.notify("exit", None)
        assert self.client._server is not None
        assert self.run(self.client._server.wait()) == 0
        self.run(self.client.stop())
        self.loop.close()

    def findings(self, uri: str) -> list[types.Diagnostic]:
        async def next_of() -> types.PublishDiagnosticsParams:
            return await self.found.setdefault(uri, asyncio.Queue()).get()

        return list(self.run(next_of()).diagnostics)

    def open(self, text: str, uri: str = URI) -> list[types.Diagnostic]:
        self.version += 1
        item = types.TextDocumentItem(uri, "mahjong", self.version, text)
        self.notify("text_document_did_open", types.DidOpenTextDocumentParams(item))
        return self.findings(uri)

    def change(self, text: str) -> list[types.Diagnostic]:
        self.version += 1
        identity = types.VersionedTextDocumentIdentifier(uri=URI, version=self.version)
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.notify("text_document_did_change", types.DidChangeTextDocumentParams(identity, [whole]))
        return self.findings(URI)


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    made = Editor()
    yield made
    made.close()


def at(text: str, found: str, after: int = 0) -> types.Position:
    """Return the position of a text in another one, in UTF-16."""
    before = text[: text.index(found) + after]
    return types.Position(before.count("\n"), len(before.rpartition("\n")[2].encode("utf-16-le")) // 2)


def after(text: str, edits: Sequence[types.TextEdit]) -> str:
    """Return a text with edits, which count in UTF-16, as an editor makes them."""
    lines = text.split("\n")

    def offset(place: types.Position) -> int:
        before = "".join(f"{line}\n" for line in lines[: place.line])
        line = lines[place.line].encode("utf-16-le")[: 2 * place.character]
        return len(before) + len(line.decode("utf-16-le"))

    for edit in sorted(edits, key=lambda each: (each.range.start.line, each.range.start.character), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


HERE = types.TextDocumentIdentifier(URI)


def test_the_whole_corpus_has_the_findings_of_validate(editor: Editor) -> None:
    for path in FILES:
        text = path.read_bytes().decode("utf-8", "replace")
        found = editor.open(text, path.as_uri())
        expected = sorted(
            (str(each.code), each.message, each.place.line - 1 if each.place else 0)
            for each in mjconv.validate(text.encode(), format=FORMS[path.suffix], file=path.name)
        )
        assert sorted((str(each.code), each.message, each.range.start.line) for each in found) == expected, path


def test_findings_come_while_one_types_and_name_the_round(editor: Editor) -> None:
    assert editor.open(TYPED) == []
    [finding] = editor.change(TYPED.replace("(e,ww,tg)(s,7p,rc[8p])", "(e,ww,rd)(s,7p,rc[8p])"))
    assert editor.change(TYPED) == []
    assert (finding.code, finding.severity) == ("R005", types.DiagnosticSeverity.Error)
    assert finding.range.start == at(TYPED, "(e,ww,tg)", 6)
    [related] = finding.related_information or []
    assert related.location.range.start == at(TYPED, "frm[E1-0")


def test_a_house_rule_is_an_information(editor: Editor) -> None:
    hidden = json.dumps(["?"] * 13)
    hand = json.dumps(["2m", "3m", "4m", "5p", "6p", "7p", "2s", "3s", "4s", "5sr", "5s", "6s", "7s"])
    text = f"""\
{{"type":"start_game"}}
{{"type":"start_kyoku","bakaze":"S","dora_marker":"1m","kyoku":1,"honba":0,"kyotaku":0,"oya":0,\
"tehais":[{hand},{hidden},{hidden},{hidden}]}}
{{"type":"tsumo","actor":0,"pai":"W"}}
{{"type":"dahai","actor":0,"pai":"W","tsumogiri":true}}
{{"type":"tsumo","actor":1,"pai":"?"}}
{{"type":"dahai","actor":1,"pai":"8s","tsumogiri":false}}
{{"type":"hora","actor":0,"target":1,"deltas":[12000,-12000,0,0]}}
{{"type":"end_kyoku"}}
{{"type":"end_game"}}
"""
    found = {str(each.code): each.severity for each in editor.open(text, "file:///games/game.mjson")}
    assert found["R052"] == types.DiagnosticSeverity.Information


def test_hover_shows_the_table_at_that_moment_and_the_meaning_of_a_shorthand(editor: Editor) -> None:
    text = TYPED.replace("mtp[,,,]", "mtp[,,,mlg-std]")
    editor.open(text)
    places = [at(text, "(e,ww,tg)", 1), at(text, "mlg-std", 2), at(text, "jmjp")]
    table, code, nothing = (editor.ask("text_document_hover", types.HoverParams(HERE, place)) for place in places)
    assert nothing is None
    assert table.contents.value.startswith("E1-0, 65 tiles left to draw, dora indicators rd\ne, 25000 points")
    assert "+ ww" in table.contents.value
    assert "M League Studio" in code.contents.value


def test_half_a_character_is_an_unknown_one_and_a_closed_text_has_no_answer(editor: Editor) -> None:
    uri = "file:///half.jmjp"
    assert editor.open(TYPED.replace("春", "\ud800"), uri) == []
    here = types.TextDocumentIdentifier(uri)
    editor.notify("text_document_did_close", types.DidCloseTextDocumentParams(here))
    assert editor.ask("text_document_document_symbol", types.DocumentSymbolParams(here)) is None


def test_a_renamed_file_takes_its_findings_along(editor: Editor) -> None:
    old, new, wrong = "file:///old.jmjp", "file:///new.jmjp", TYPED.replace("(e,ww,tg)", "(e,ww,9p)")
    found = editor.open(wrong, old)
    assert found
    editor.notify("text_document_did_close", types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(old)))
    assert editor.findings(old) == []
    assert [each.message for each in editor.open(wrong, new)] == [each.message for each in found]


def test_the_last_good_state_stays_while_the_text_is_broken(editor: Editor) -> None:
    editor.open(TYPED)
    broken = TYPED.replace('(snt["朝倉 春"],)', '(snt["朝倉 春],)')
    editor.change(broken)
    hover = editor.ask("text_document_hover", types.HoverParams(HERE, at(broken, "(e,ww,tg)", 1)))
    outline = editor.ask("text_document_document_symbol", types.DocumentSymbolParams(HERE))
    assert "E1-0" in hover.contents.value
    assert [each.name for each in outline] == ["E1-0", "E2-0", "E3-0"]


def completed(editor: Editor, text: str, form: str = "jmjp") -> list[str]:
    """Return the texts that an editor proposes at the end of a text, with what is typed of them."""
    uri = f"file:///games/game.{form}"
    editor.open(text, uri)
    end = at(text + "\0", "\0")
    found = editor.ask("text_document_completion", types.CompletionParams(types.TextDocumentIdentifier(uri), end))
    items = found.items if isinstance(found, types.CompletionList) else found or []
    edits = [item.text_edit for item in items]
    assert all(isinstance(edit, types.TextEdit) and edit.range.end == end for edit in edits)
    assert all(after(text, [edit]).startswith(text) for edit in edits)
    return [item.label for item in sorted(items, key=lambda item: item.sort_text or "")]


def proposed(text: str, form: str = "jmjp") -> list[str]:
    """Return the tokens that a document proposes at the end of its text, without a server."""
    line = text.rpartition("\n")[2]
    begin, tokens = Document(text, find(form)[0], f"game.{form}").completions(Spot(text.count("\n"), len(line)))
    assert all(token.startswith(line[begin.column :]) for token in tokens)
    return tokens


@looped(
    ("name", "text"),
    ("game.jmjp", TYPED.replace('"]', '\n"]', 1)),  # a string that ends in a later line
    ("game.uzje", "E 1 0 4\n1t 2t] 3t\n1.1t"),  # a word of no game
    ("game.uzje", "E 1 0 43t 1t 4t\n1.1t"),  # another number of players
    ("game.mjson", SAMPLE.read_text("utf-8").replace('[["1m"', '[["1m","1m","1m","1m"', 1)),  # sixteen tiles
    ("game.mjson", SAMPLE.read_text("utf-8").replace(",25000", "", 1)),  # three scores
)
def test_a_wrong_text_is_answered_at_every_place(name: str, text: str) -> None:
    document = Document(text, find(FORMS[Path(name).suffix])[0], name)
    for number, line in enumerate(document.lines):
        for column in range(0, len(line) + 1, 9):
            spot = Spot(number, column)
            begin, _ = document.completions(spot)
            assert 0 <= begin.column <= column
            document.hover(spot)
    list(document.hints(range(len(document.lines)), distances=True))


@looped(
    ("end", "first", "absent"),
    ("(e,ww,", ["tg", "1m", "2m", "3m"], "gd["),
    ("(e,ww,tg)(s,", ["oy", "rn", "1m"], "tg"),
    ("(e,ww,t", ["tg", "tm"], "1m"),
    ("(e,ww,tg)(s,7p,rc[", ["2m", "3m", "4m"], "tg"),
)
def test_completion_has_what_the_grammar_allows_legal_tiles_first(end: str, first: list[str], absent: str) -> None:
    found = proposed(TYPED[: TYPED.index("(e,ww,tg)")] + end)
    assert (found[: len(first)], absent in found) == (first, False)


def test_completion_offers_the_calls_that_the_hand_allows() -> None:
    text = (CORPUS / "grammar" / "calls.jmjp").read_text("utf-8")
    place = text.index("(s,ch[") if "(s,ch[" in text else text.index(",ch[") - 2
    assert text[place : text.index("]", place) + 1][3:] in proposed(text[: place + 3])[:6]


DEAL = """frm[E1-0,0.0,,pfs[25.0,25.0,25.0,25.0],DORA,
(e,hnd[1m2m3m4m5m6m2p3p4p7s8s9sew,,])
(s,hnd[3p3p4p5p6p7p8p2s3s4s6swdgd,,])
(w,hnd[1m4m7m3p6p9p1s4s7sewswwwnw,,])
(n,hnd[2m5m8m1p4p7p2s5s8sewrdwdgd,,])
"""


@looped(
    ("call", "last"),
    ("(e,3p,tg)(s,ch[4p5p],", ["3p", "6p"]),
    ("(e,6p,tg)(s,ch[5p7p],", ["6p"]),
    ("(e,3p,tg)(s,pn[3p3p],", []),
    ("(e,3p,tg)(s,9p,", []),
)
@looped("dora", "", "5p" + 9 * "uk")
def test_tiles_that_kuikae_forbids_come_last(call: str, last: list[str], dora: str) -> None:
    found = proposed(f"{TYPED[: TYPED.index('frm[')]}{DEAL.replace('DORA', dora)}{call}")
    hand = {"6p", "7p", "8p", "2s", "3s", "4s", "6s", "wd", "gd"} - {*last, *re.findall("[5-7]p", call[9:])}
    for tile in last:
        assert found.index(tile) > found.index("gd")
    assert max(map(found.index, hand)) == found.index("gd")


def test_completion_in_version_0_has_its_calls() -> None:
    head = TYPED[: TYPED.index("frm[")].replace("jmjp[1.0]", "jmjp[0]")
    head = head.replace(',("', ',["').replace("(snt", "[snt").replace('"],),', '"],],')
    assert proposed(head + DEAL.replace("DORA", "") + "(e,3p,tg)(s,")[:2] == ["ch[4p5p]", "pn"]


def test_nothing_is_proposed_in_a_comment() -> None:
    assert proposed(TYPED[: TYPED.index("(e,ww,tg)")] + "// (e,") == []
    assert proposed("E 1 0 4\n:and ", "uzje") == proposed("A B C D\n- - # ", "hk") == []


UZJE = (CORPUS / "uzje" / "riichi.uzje").read_text()
UZJE = UZJE[: UZJE.index("3.WP,N")]


@looped(
    ("typed", "first", "present", "absent"),
    # West draws a 7s.
    ("", "3.4t", ["3.3s", "3.WP,", "3.?", "3.NR"], ["3.W3s"]),
    ("3.W", "3.W4t", ["3.WP,", "3.WR"], ["3.4t", "3.SP,"]),
    ("3.WP,", "3.WP,7m", ["3.WP,N"], ["3.WP,P,"]),
    ("3.?,K", "3.?,K2m", [], ["3.?,2m"]),
)
def test_uzje_proposes_possible_turns_first(typed: str, first: str, present: list[str], absent: list[str]) -> None:
    found = proposed(UZJE + typed, "uzje")
    assert found[0] == first
    assert set(present) <= set(found) - set(absent) == set(found)


def test_uzje_proposes_headers_tiles_and_commands() -> None:
    assert proposed("", "uzje")[:5] == ["E", "S", "W", "N", "Match:"]
    assert proposed("E 1 0 ", "uzje") == ["3", "4", "6", "0"]
    tiles = proposed("E 1 0 4 1t 1t 1t 1t h ", "uzje")
    assert ("2t" in tiles, "1t" in tiles, "h" in tiles) == (True, False, False)
    commands, _, _ = (CORPUS / "uzje" / "commands.uzje").read_text().partition("EdH")
    assert proposed(commands, "uzje")[0] == "Edfs"
    assert proposed(commands + "EdH S", "uzje") == ["S-", "Ss", "Sr"]


@looped(
    ("typed", "found"),
    ("M=3\nA B C D\n- ", ["-", "0", "1", "2", "3", "d", "S", "f"]),
    ("A B C D\n- 3 ", ["-", "d", "S"]),
    ("R=half\nA B C D\n- 3 ", ["-", "d", "D", "S"]),
    ("A B C D\n- 3 d - ", []),
    ("Ann Bo Cy Di\n- - - -\nBo ", ["Ann", "Cy", "Di"]),
    ("R", ["R=half", "R=full"]),
)
def test_hk_proposes_names_of_the_file_words_and_faan(typed: str, found: list[str]) -> None:
    assert proposed(typed, "hk") == found


def test_completion_of_other_formats_goes_through_the_server(editor: Editor) -> None:
    assert completed(editor, UZJE + "3.W", "uzje")[0] == "3.W4t"
    assert completed(editor, "𠮷 B C D\n- 3 # 𠮷\n𠮷 ", "hk") == ["B", "C", "D"]


def test_completion_knows_shorthand_tokens() -> None:
    assert proposed("jmjp[1.0](tnm[ml") == ["mlg"]
    assert "mlg-abm" in proposed("jmjp[1.0](mtp[,,,]ply[0,,mlg")


def test_a_quick_fix_writes_what_the_message_proposes(editor: Editor) -> None:
    wrong = TYPED.replace("(e,ww,tg)", "(e,5z,tg)")
    [finding] = editor.open(wrong)
    params = types.CodeActionParams(HERE, finding.range, types.CodeActionContext([finding]))
    [action] = editor.ask("text_document_code_action", params)
    assert isinstance(action, types.CodeAction)
    [edit] = action.edit.changes[URI]  # type: ignore[union-attr, index]
    assert (edit.new_text, edit.range.start) == ("wd", at(wrong, "5z"))


def test_folding_formatting_and_fill(editor: Editor) -> None:
    untidy = TYPED.replace("(s,2m,1p)", "\n(s,2m,1p)").replace(",pfe[17.3,33.7,25.0,24.0],]", ",,]")
    editor.open(untidy)
    folds = editor.ask("text_document_folding_range", types.FoldingRangeParams(HERE))
    options = types.FormattingOptions(tab_size=4, insert_spaces=True)
    laid = editor.ask("text_document_formatting", types.DocumentFormattingParams(HERE, options))
    editor.edits.clear()
    editor.ask("workspace_execute_command", types.ExecuteCommandParams("mjconv.fill", [URI]))
    assert folds[0].start_line == untidy[: untidy.index("frm[")].count("\n")
    assert after(untidy, laid) == TYPED.replace(",pfe[17.3,33.7,25.0,24.0],]", ",,]")
    [edit] = editor.edits
    assert edit.changes
    assert ",pfe[17.3,33.7,25.0,24.0],]" in after(untidy, edit.changes[URI])
    assert len(edit.changes[URI][0].new_text.splitlines()) == 1


def typed_by_keys(editor: Editor, before: str, keys: str) -> str:
    """Return what is added to a text by keys, and by what the server inserts after each key."""
    text = before
    editor.open(text)
    for key in keys:
        text += key
        editor.open(text)
        place, options = at(text + "\0", "\0"), types.FormattingOptions(4, insert_spaces=True)
        asked = types.DocumentOnTypeFormattingParams(types.TextDocumentIdentifier(URI), place, key, options)
        for edit in editor.ask("text_document_on_type_formatting", asked) or ():
            assert edit.range.start == edit.range.end == place
            text += edit.new_text
    return text.removeprefix(before)


def test_a_usual_act_takes_four_keys(editor: Editor) -> None:
    deal = TYPED[: TYPED.index("(e,wd,4m)")]
    assert typed_by_keys(editor, deal, "(wd4m3s5m") == "(e,wd,4m)(s,3s,5m)(w,"
    assert typed_by_keys(editor, deal, "(wd4m3stg") == "(e,wd,4m)(s,3s,tg)(w,"


@looped(
    ("before", "seat"),
    ("(w,0m,kk[0m])", "w"),
    ("(n,dk[1m1m1m],)", "n"),
    ("(n,pn[1m1m],2m)", "e"),
    ("(e,2m,rc[1m])", "s"),
)
def test_the_next_seat_and_the_next_round_come_first(before: str, seat: str) -> None:
    assert proposed(TYPED[: TYPED.index("(e,wd,4m)")] + before + "(")[0] == seat
    assert proposed(TYPED[: TYPED.index("frm[E2-0")] + "frm[")[0] == "E2-0"


@looped(
    ("name", "place", "text"),
    # East keeps 1m to 3m, 5m to 7m, 1p to 3p, 3s, 6s 7s, 9s.
    ("sample/game.jmjp", "(e,5p,tg)", "1"),
    ("sample/game.jmjp", "rc[8p])", "0"),
    ("sample/game.jmjp", "frm[E2-0,0.0,,pfs[33.7,25.0,24.0,17.3],nw1s9mwwukukukukukuk,", SEATS),
    ("uzje/riichi.uzje", "1.5t", "1"),
    ("uzje/riichi.uzje", "E 1 0 4", "E 朝倉 春 25000  S 別府 夏子 25000  W 千早 秋 25000  N 堂本 冬美 25000"),
)
def test_hints_show_names_and_points_and_the_distance_to_tenpai(name: str, place: str, text: str) -> None:
    source = (CORPUS / name).read_text("utf-8")
    document = Document(source, find(name.rpartition(".")[2])[0], name)
    lines = range(len(document.lines))
    shown = dict(document.hints(lines, distances=True))
    expected = Spot(at(source, place).line, at(source, place, len(place)).character)
    assert shown[expected] == text
    heads = dict(document.hints(lines, distances=False))
    assert heads.items() < shown.items()
    assert (expected in heads) == (len(text) > 1)


def test_hints_of_unknown_hands_and_other_lines_are_none() -> None:
    text = TYPED.replace("1m2m3m5m6m7m1p2p3p3s6s7s9s", "uk" * 13)
    document = Document(text, find("jmjp")[0], "a.jmjp")
    line = at(text, "(e,5p,tg)").line
    assert [shown for _, shown in document.hints(range(line, line + 1), distances=True)] == ["1", "1", "0"]


@looped(
    ("name", "number"),
    ("broken/draw-out-of-turn.mjson", 7),
    ("crashes/dealer-of-four.mjson", 0),
    ("grammar/absent.jmjp", 7),
)
def test_impossible_acts_and_absent_names_leave_the_other_hints(name: str, number: int) -> None:
    document = Document((CORPUS / name).read_text("utf-8"), find(FORMS[Path(name).suffix])[0], name)
    assert len(list(document.hints(range(len(document.lines)), distances=True))) == number


def test_settings_may_change() -> None:
    with closing(Editor({"fillOnSave": False})) as editor:
        asked = types.WillSaveTextDocumentParams(HERE, types.TextDocumentSaveReason.Manual)
        editor.open(TYPED.replace(",pfe[17.3,33.7,25.0,24.0],]", ",,]"))
        for wanted in (True, False):
            settings = types.DidChangeConfigurationParams({"mjconv": {"fillOnSave": wanted}})
            editor.notify("workspace_did_change_configuration", settings)
            assert bool(editor.ask("text_document_will_save_wait_until", asked)) is wanted
        settings = types.DidChangeConfigurationParams({"mjconv": {"shanten": True}})
        editor.notify("workspace_did_change_configuration", settings)
        line = types.Range(at(TYPED, "(e,5p,tg)"), at(TYPED, "(e,5p,tg)"))
        hints = editor.ask("text_document_inlay_hint", types.InlayHintParams(HERE, line))
        assert [hint.label for hint in hints] == ["1", "1", "1", "0"]


@pytest.mark.parametrize("options", [None, {"fillOnSave": "yes"}, {"fillOnSave": True}])
def test_a_text_is_filled_before_it_is_saved_only_if_the_user_asked_for_it(options: Any) -> None:
    bare = TYPED.replace(",pfe[17.3,33.7,25.0,24.0],]", ",,]").replace("\n", "\r\n").replace("朝倉", "𠮷倉")
    editor, saved = Editor(options), []
    for text in (bare, bare.replace("(e,ww,tg)", "(e,ww,%"), "no jmjp"):
        editor.open(text)
        params = types.WillSaveTextDocumentParams(HERE, types.TextDocumentSaveReason.Manual)
        saved.append(editor.ask("text_document_will_save_wait_until", params) or [])
    editor.close()
    whole, broken, other = saved
    filled = bare.replace("\n,,]", "\n,pfe[17.3,33.7,25.0,24.0],]")
    assert after(bare, whole) == (filled if options == {"fillOnSave": True} else bare)
    assert list(broken) == list(other) == []


def test_a_player_is_renamed_on_every_line_of_names(editor: Editor) -> None:
    uri = "file:///night.hk"
    editor.open("A B C D\n- - - -\n# A again\nB A C D\n", uri)
    params = types.RenameParams(types.TextDocumentIdentifier(uri), types.Position(0, 0), "Ann")
    done = editor.ask("text_document_rename", params)
    assert [(edit.range.start.line, edit.range.start.character) for edit in done.changes[uri]] == [(0, 0), (3, 2)]


@pytest.mark.slow
def test_neovim_shows_the_findings_and_fills_before_a_save(tmp_path: Path) -> None:
    nvim = shutil.which("nvim")
    if nvim is None:
        pytest.skip("needs Neovim: apt-get install neovim")
    game = tmp_path / "game.jmjp"
    game.write_text(TYPED.replace("(e,ww,tg)", "(e,ww,rd)"), "utf-8")
    page = (CORPUS.parent / "docs" / "type-a-paifu.md").read_text("utf-8")
    setup = page.partition("in `init.lua`:\n\n```text\n")[2].partition("```")[0]
    assert "fillOnSave = false" in setup
    init, script = tmp_path / "init.lua", tmp_path / "script.lua"
    init.write_text(setup.replace("fillOnSave = false", "fillOnSave = true"))
    script.write_text(
        f"""
vim.cmd("edit {game}")
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end)
local found = vim.diagnostic.get(0)[1]
io.stdout:write(found and (found.lnum .. " " .. found.message) or "nothing")
local saving = {{textDocument = vim.lsp.util.make_text_document_params(), reason = 1}}
for _, answer in pairs(vim.lsp.buf_request_sync(0, "textDocument/willSaveWaitUntil", saving, 60000)) do
  vim.lsp.util.apply_text_edits(answer.result, 0, "utf-16")
end
vim.cmd("write")
vim.cmd("qall!")
"""
    )
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = [nvim, "--headless", "-u", str(init), "-S", str(script)]
    env = {**os.environ, "PATH": path, "HOME": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, timeout=180, check=False, env=env)
    line = game.read_text("utf-8").partition("(e,ww,rd)")[0].count("\n")
    assert f"{line} e does not hold rd" in (done.stdout + done.stderr).decode()


@pytest.mark.slow
def test_vim_knows_the_files_and_their_colours(tmp_path: Path) -> None:
    vim = shutil.which("vim")
    if vim is None:
        pytest.skip("needs Vim: apt-get install vim")
    folder = CORPUS.parent / "editors" / "vim"
    shown = tmp_path / "shown.txt"
    for name in ("a.jmjp", "a.uzje", "a.hk"):
        start = ["set nocompatible", f"set runtimepath^={folder}", "filetype on", "syntax on"]
        words = [*start, f"edit {tmp_path / name}", f"call writefile([&filetype, b:current_syntax], '{shown}')"]
        options = [option for word in words for option in ("-c", word)]
        subprocess.run([vim, "-es", "-u", "NONE", *options, "-c", "qa!"], timeout=60, check=False)
        assert shown.read_text().split() == [name.removeprefix("a.")] * 2
