"""Run notebooks in a kernel. Without the packages of Jupyter, the tests that import this module are skipped."""

from typing import Any

import pytest

_MISSING = "is not installed: pip install -e '.[browser]'"
nbformat = pytest.importorskip("nbformat", reason=f"nbformat {_MISSING}")
nbclient = pytest.importorskip("nbclient", reason=f"nbclient {_MISSING}")
pytest.importorskip("ipykernel", reason=f"ipykernel {_MISSING}")


def executed(*cells: str) -> Any:
    """Return a notebook of these cells of code, with the outputs that a kernel gave."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    return notebook
