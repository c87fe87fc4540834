"""The language server: findings, hover, completion and more in any editor, over standard input and output.

It needs pygls (`pip install 'mjconv[lsp]'`). All knowledge of texts is in `mjconv.typist.document`.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from mjconv.converters import formats
from mjconv.converters.interface import HEAD
from mjconv.ir.errors import MjconvError
from mjconv.ir.losses import Report
from mjconv.languages import translated
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
#: The settings: to do the same before each save, and to show how far each hand is from tenpai.
FILL_ON_SAVE: Final = "fillOnSave"
SHANTEN: Final = "shanten"


#: The time in seconds for which no other change may come before findings are sent.
_PAUSE: Final = 0.01


class TypistServer(LanguageServer):
    """The server, the last state of each open text, and the settings."""

    def __init__(self) -> None:
        super().__init__("mjconv", VERSION)
        self.states: dict[str, Document] = {}
        self.settings: dict[str, object] = {}

    def state(self, uri: str) -> Document | None:
        """Return the state of an open text; None if it is not open, or its format is none that people type."""
        document = self.workspace.text_documents.get(uri)
        if document is None:
            return None
        state = self.states.get(uri)
        if state is None or state.text != document.source:
            head = document.source.encode("utf-8", "replace")[:HEAD]
            form = formats.of_file(uri, head) if state is None else state.form
            if form is None or not form.code.typed:
                return None
            self.states[uri] = state = Document(document.source, form, document.filename or uri, state)
        return state

    def position(self, state: Document, spot: Spot) -> types.Position:
        """Return the position of a place for the editor, which counts in its own units."""
        position = types.Position(spot.line, spot.column)
        return self.workspace.position_codec.position_to_client_units(state.lines, position)

    def spot(self, state: Document, position: types.Position) -> Spot:
        """Return the place of a position of the editor."""
        own = self.workspace.position_codec.position_from_client_units(state.lines, position)
        return Spot(own.line, own.character)

    def range(self, state: Document, begin: Spot, end: Spot) -> types.Range:
        """Return the range between two places."""
        return types.Range(self.position(state, begin), self.position(state, end))

    def edits(self, state: Document, fixes: Sequence[Fix]) -> list[types.TextEdit]:
        """Return the edits that make changes."""
        return [types.TextEdit(self.range(state, fix.begin, fix.end), fix.text) for fix in fixes]

    def filled(self, state: Document) -> list[types.TextEdit]:
        """Return the edits that insert what follows from a text. Raises `MjconvError` if it cannot be read."""
        fill = state.form.for_typed("fill", "filled")
        return [] if fill is None else self.edits(state, state.changed(fill(state.data, Report())))

    def show(self, error: MjconvError) -> None:
        """Show an error."""
        self.window_show_message(types.ShowMessageParams(types.MessageType.Error, error.message))

    def publish(self, uri: str) -> None:
        """Send the findings of a text."""
        state = self.state(uri)
        if state is not None:
            version = self.workspace.get_text_document(uri).version
            diagnostics = self.diagnostics(uri, state)
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))

    def diagnostics(self, uri: str, state: Document) -> list[types.Diagnostic]:
        """Return the findings of a text, each with the beginning of its round."""
        rounds = {each.label: each for each in state.rounds} if state.findings else {}
        diagnostics = []
        for finding in state.findings:
            place = finding.place
            begin = Spot(0, 0) if place is None else Spot(place.line - 1, place.column - 1)
            word = len(state.line(begin.line).partition(" ")[0]) if begin.column == 0 else 0
            shown = self.range(state, begin, Spot(begin.line, max(begin.column + 1, word)))
            message, severity = translated(finding.message), _SEVERITIES[finding.severity]
            diagnostic = types.Diagnostic(shown, message, severity, code=finding.code, source="mjconv")
            if (home := rounds.get(finding.label or "")) is not None:
                at = types.Location(uri, self.range(state, home.begin, home.begin))
                diagnostic.related_information = [types.DiagnosticRelatedInformation(at, f"round {home.label}")]
            diagnostics.append(diagnostic)
        return diagnostics


def make_server() -> TypistServer:
    """Return the server with all its features."""
    server = TypistServer()

    def answers(feature: str, options: Any = None) -> Callable[[Callable[[Document, Any], object]], None]:
        """Register a function that answers requests about a text that people type, by its state."""

        def register(answer: Callable[[Document, Any], object]) -> None:
            @server.feature(feature, options)
            def asked(params: Any) -> object:
                state = server.state(params.text_document.uri)
                return None if state is None else answer(state, params)

        return register

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        server.publish(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(params: types.DidChangeTextDocumentParams) -> None:
        # Who types fast waits for the findings of the last state alone.
        await asyncio.sleep(_PAUSE)
        uri, version = params.text_document.uri, params.text_document.version
        if uri in server.workspace.text_documents and server.workspace.get_text_document(uri).version == version:
            server.publish(uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        if server.states.pop(uri, None) is not None:
            # The editor keeps the findings of a file that is renamed, which it closes and opens.
            server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.settings = params.initialization_options if isinstance(params.initialization_options, dict) else {}

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configure(params: types.DidChangeConfigurationParams) -> None:
        own = params.settings.get("mjconv") if isinstance(params.settings, dict) else None
        server.settings = own if isinstance(own, dict) else server.settings

    @answers(types.TEXT_DOCUMENT_WILL_SAVE_WAIT_UNTIL)
    def will_save(state: Document, _: types.WillSaveTextDocumentParams) -> list[types.TextEdit]:
        try:
            return server.filled(state) if server.settings.get(FILL_ON_SAVE) is True else []
        except MjconvError:
            # The findings show the error.
            return []

    @answers(types.TEXT_DOCUMENT_HOVER)
    def hover(state: Document, params: types.HoverParams) -> types.Hover | None:
        text = state.hover(server.spot(state, params.position))
        return types.Hover(types.MarkupContent(types.MarkupKind.PlainText, text)) if text else None

    @answers(types.TEXT_DOCUMENT_INLAY_HINT)
    def inlay_hint(state: Document, params: types.InlayHintParams) -> list[types.InlayHint]:
        lines = range(params.range.start.line, params.range.end.line + 1)
        shown = state.hints(lines, distances=server.settings.get(SHANTEN) is True)
        return [types.InlayHint(server.position(state, spot), text, padding_left=True) for spot, text in shown]

    @answers(
        types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=["(", "[", ",", ".", " ", "="])
    )
    def completion(state: Document, params: types.CompletionParams) -> list[types.CompletionItem]:
        begin, tokens = state.completions(server.spot(state, params.position))
        typed = types.Range(server.position(state, begin), params.position)
        items = [types.CompletionItem(token, kind=types.CompletionItemKind.Value) for token in tokens]
        for number, item in enumerate(items):
            item.sort_text, item.text_edit = f"{number:04}", types.TextEdit(typed, item.label)
        return items

    @answers(types.TEXT_DOCUMENT_CODE_ACTION)
    def code_action(state: Document, params: types.CodeActionParams) -> list[types.CodeAction]:
        lines = range(params.range.start.line, params.range.end.line + 1)
        actions = []
        for fix in filter(None, map(state.fix, state.findings)):
            if fix.begin.line in lines:
                edit = types.WorkspaceEdit({params.text_document.uri: server.edits(state, [fix])})
                title = translated(f"Write {fix.text}")
                actions.append(types.CodeAction(title, types.CodeActionKind.QuickFix, edit=edit))
        return actions

    @answers(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(state: Document, _: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        return [
            types.DocumentSymbol(
                each.label,
                types.SymbolKind.Event,
                server.range(state, each.begin, Spot(each.end.line, len(state.line(each.end.line)))),
                server.range(state, each.begin, each.begin),
            )
            for each in state.rounds
        ]

    @answers(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(state: Document, _: types.FoldingRangeParams) -> list[types.FoldingRange]:
        return [types.FoldingRange(each.begin.line, each.end.line) for each in state.rounds]

    @answers(types.TEXT_DOCUMENT_FORMATTING)
    def formatting(state: Document, _: types.DocumentFormattingParams) -> list[types.TextEdit]:
        try:
            tidy = "tidy" in state.form.code.typed
            return server.edits(state, state.changed(state.form.tidied(state.data))) if tidy else []
        except MjconvError as error:
            server.show(error)
            return []

    @answers(
        types.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
        types.DocumentOnTypeFormattingOptions(first_trigger_character="(", more_trigger_character=[*"mpswdgk"]),
    )
    def on_type(state: Document, params: types.DocumentOnTypeFormattingParams) -> list[types.TextEdit]:
        text = state.follows(server.spot(state, params.position))
        return [types.TextEdit(types.Range(params.position, params.position), text)] if text else []

    @answers(types.TEXT_DOCUMENT_RENAME)
    def rename(state: Document, params: types.RenameParams) -> types.WorkspaceEdit | None:
        fixes = state.renamed(server.spot(state, params.position), params.new_name)
        return types.WorkspaceEdit({params.text_document.uri: server.edits(state, fixes)}) if fixes else None

    @server.command(FILL)
    def fill(uri: str) -> None:
        state = server.state(uri)
        try:
            edits = server.filled(state) if state else []
        except MjconvError as error:
            server.show(error)
            return
        if edits:
            change = types.WorkspaceEdit({uri: edits})
            server.workspace_apply_edit(types.ApplyWorkspaceEditParams(change, "mjconv: fill"))

    return server
