"""The action of `mjconv lsp`: the language server for editors."""

from importlib.util import find_spec

from mjconv.ir.errors import UsageError


def serve() -> None:
    """Serve an editor on standard input and output until it ends. Raises `UsageError` without pygls."""
    if find_spec("pygls") is None:
        raise UsageError("lsp needs pygls: pip install 'pygls>=2'")
    # Imported here: nothing else needs pygls.
    from mjconv.typist.lsp import make_server

    make_server().start_io()
