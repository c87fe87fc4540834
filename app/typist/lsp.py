"""The language server: findings, hover, completion and more in any editor, over standard input and output.

It needs pygls (`pip install 'mjconv[lsp]'`). All knowledge of texts is in `mjconv.typist.document`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from mjconv.converters import formats
from mjconv.converters.interface import HEAD
from mjconv.ir.errors import MjconvError
from mjconv.ir.losses import Report
from mjconv.referee.findings import Severity
from mjconv.typist.document import Document, Fix, Spot
from mjconv.version import VERSION

_SEVERITIES: Final[dict[Severity, types.DiagnosticSeverity]] = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
#: The command that inserts what follows from a jmjp text.
FILL: Final = "mjconv.fill"


class TypistServer(LanguageServer):
    """The server, and the last state of each open text."""

    def __init__(self) -> None:
        super().__init__("mjconv", VERSION)
        self.states: dict[str, Document] = {}

    def state(self, uri: str) -> Document | None:
        """Return the state of an open text; None if its format is none that people type."""
        document = self.workspace.get_text_document(uri)
        state = self.states.get(uri)
        if state is None or state.text != document.source:
            form = state.form if state is not None else formats.of_file(uri, document.source.encode()[:HEAD])
            if form is None or not form.typed:
                return None
            self.states[uri] = state = Document(document.source, form, document.filename or uri, state)
        return state

    def position(self, document: TextDocument, spot: Spot) -> types.Position:
        """Return the position of a place for the editor, which counts in its own units."""
        position = types.Position(spot.line, spot.column)
        return document.position_codec.position_to_client_units(document.lines, position)

    def spot(self, document: TextDocument, position: types.Position) -> Spot:
        """Return the place of a position of the editor."""
        own = document.position_codec.position_from_client_units(document.lines, position)
        return Spot(own.line, own.character)

    def range(self, document: TextDocument, begin: Spot, end: Spot) -> types.Range:
        """Return the range between two places."""
        return types.Range(self.position(document, begin), self.position(document, end))

    def edit(self, document: TextDocument, fix: Fix) -> types.TextEdit:
        """Return an edit."""
        return types.TextEdit(self.range(document, fix.begin, fix.end), fix.text)

    def whole(self, document: TextDocument, text: str) -> list[types.TextEdit]:
        """Return the edits that make a text of the whole document; none if it is that text."""
        end = Spot(len(document.lines), 0)
        return [] if text == document.source else [self.edit(document, Fix(Spot(0, 0), end, text))]

    def publish(self, uri: str) -> None:
        """Send the findings of a text."""
        state = self.state(uri)
        if state is not None:
            document = self.workspace.get_text_document(uri)
            found = self.diagnostics(document, state)
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, document.version))

    def diagnostics(self, document: TextDocument, state: Document) -> list[types.Diagnostic]:
        """Return the findings of a text, each with the beginning of its round."""
        rounds = {each.label: each for each in state.rounds()} if state.findings else {}
        found = []
        for finding in state.findings:
            place = finding.place
            begin = Spot(0, 0) if place is None else Spot(place.line - 1, place.column - 1)
            line = state.line(begin.line)
            end = Spot(begin.line, max(begin.column + 1, len(line.partition(" ")[0]) if begin.column == 0 else 0))
            home = rounds.get(finding.label or "")
            related = home and [
                types.DiagnosticRelatedInformation(
                    types.Location(document.uri, self.range(document, home.begin, home.begin)),
                    f"round {home.label}",
                )
            ]
            found.append(
                types.Diagnostic(
                    self.range(document, begin, Spot(end.line, min(end.column, max(len(line), begin.column + 1)))),
                    finding.message,
                    _SEVERITIES[finding.severity],
                    code=finding.code,
                    source="mjconv",
                    related_information=related or None,
                )
            )
        return found


def make_server() -> TypistServer:
    """Return the server with all its features."""
    server = TypistServer()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        server.publish(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        server.publish(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        server.states.pop(params.text_document.uri, None)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        document = server.workspace.get_text_document(params.text_document.uri)
        state = server.state(document.uri)
        text = state and state.hover(server.spot(document, params.position))
        return types.Hover(types.MarkupContent(types.MarkupKind.PlainText, text)) if text else None

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=["(", "[", ","]))
    def completion(params: types.CompletionParams) -> list[types.CompletionItem]:
        document = server.workspace.get_text_document(params.text_document.uri)
        state = server.state(document.uri)
        found = state.completions(server.spot(document, params.position)) if state else []
        return [
            types.CompletionItem(token, sort_text=f"{number:04}", kind=types.CompletionItemKind.Value)
            for number, token in enumerate(found)
        ]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
    def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        document = server.workspace.get_text_document(params.text_document.uri)
        state = server.state(document.uri)
        lines = range(params.range.start.line, params.range.end.line + 1)
        found = []
        for finding in state.findings if state else ():
            fix = state.fix(finding) if state else None
            if fix is not None and fix.begin.line in lines:
                edit = types.WorkspaceEdit({document.uri: [server.edit(document, fix)]})
                found.append(types.CodeAction(f"Write {fix.text}", types.CodeActionKind.QuickFix, edit=edit))
        return found

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        document = server.workspace.get_text_document(params.text_document.uri)
        state = server.state(document.uri)
        return [
            types.DocumentSymbol(
                each.label,
                types.SymbolKind.Event,
                server.range(document, each.begin, Spot(each.end.line, len(state.line(each.end.line)))),
                server.range(document, each.begin, each.begin),
            )
            for each in (state.rounds() if state else ())
            if state
        ]

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        state = server.state(params.text_document.uri)
        return [types.FoldingRange(each.begin.line, each.end.line) for each in (state.rounds() if state else ())]

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatting(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        document = server.workspace.get_text_document(params.text_document.uri)
        state = server.state(document.uri)
        if state is None or "tidy" not in state.form.typed:
            return []
        try:
            return server.whole(document, state.form.tidied(state.data).decode())
        except MjconvError as error:
            server.window_show_message(types.ShowMessageParams(types.MessageType.Error, error.message))
            return []

    @server.feature(types.TEXT_DOCUMENT_RENAME)
    def rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        document = server.workspace.get_text_document(params.text_document.uri)
        state = server.state(document.uri)
        fixes = state.renamed(server.spot(document, params.position), params.new_name) if state else []
        return (
            types.WorkspaceEdit({document.uri: [server.edit(document, fix) for fix in fixes]}) if fixes else None
        )

    @server.command(FILL)
    def fill(uri: str) -> None:
        document = server.workspace.get_text_document(uri)
        state = server.state(uri)
        fill_text = None if state is None else state.form.for_typed("fill", "filled")
        if state is None or fill_text is None:
            return
        try:
            edits: Sequence[types.TextEdit] = server.whole(document, fill_text(state.data, Report()).decode())
        except MjconvError as error:
            server.window_show_message(types.ShowMessageParams(types.MessageType.Error, error.message))
            return
        if edits:
            change = types.WorkspaceEdit({uri: list(edits)})
            server.workspace_apply_edit(types.ApplyWorkspaceEditParams(change, "mjconv: fill"))

    return server
