"""Run notebooks in a kernel. Without the packages of Jupyter, the tests that do are skipped."""

from typing import Any

import pytest

_MISSING = "is not installed: pip install -e '.[browser]'"


def executed(*cells: str) -> Any:
    """Return a notebook of these cells of code, with the outputs that a kernel gave."""
    nbformat, nbclient, _ = (
        pytest.importorskip(name, reason=f"{name} {_MISSING}") for name in ("nbformat", "nbclient", "ipykernel")
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    return notebook
