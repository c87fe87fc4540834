"""Imports follow the layers, never run in a circle, and no format knows another.

The tests read the files, so they see each import wherever it is in a file: at the top, inside a function, or under
``TYPE_CHECKING``. An import inside a function counts for circles too. It only moves the circle from the start of
the program to the first call, and a reader of the code still needs both files to understand one.

One kind of import does not count: Python imports the packages above a module before the module itself. Only the
``__init__`` that a file names counts, or every module of ``mjconv.batch`` would import ``mjconv.batch``.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from looped import looped
from mjconv.converters import formats
from mjconv.ir.vocabulary import YAKU
from mjconv.rules.rulesets import RULE_SETS

ROOT = Path(__file__).parent.parent
#: The folders, and the packages that they install as.
PACKAGES = {
    "app": "mjconv",
    **{name: f"mjconv.{name}" for name in ("ir", "rules", "referee", "converters", "schemas", "testing")},
}
#: The folders that the files of each folder may import from, besides their own.
LAYERS = {
    "ir": set(),
    "schemas": set(),
    "rules": {"ir"},
    "referee": {"ir", "rules"},
    "converters": {"ir", "rules", "schemas"},
    "app": {"ir", "rules", "referee", "converters", "schemas"},
    "testing": {"app", "ir", "rules", "referee", "converters"},
}
#: The modules of `converters/` that a format may import, besides its own.
FOR_FORMATS = ("mjconv.converters.interface", "mjconv.converters.shared")
#: The one file that names formats, and the packages of formats.
TABLE = "mjconv.converters.formats"
FORMATS = sorted(form.id for form in formats.FORMATS)
#: Every name of a format: ids, aliases and flavours.
NAMES = sorted({name for form in formats.FORMATS for name in form.names})
#: The tables of yaku: one yaku, the heavenly hand, has the name of a site.
YAKU_TABLES = {"mjconv.ir.vocabulary", "mjconv.ir.message_names", "mjconv.rules.mahjong_package"}
NAME = re.compile(rf"(?:{'|'.join(map(re.escape, NAMES))})|.*converters\.(?:{'|'.join(FORMATS)})(?:[.:].*)?")


class Module(NamedTuple):
    folder: str
    path: Path
    tree: ast.Module


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a tree, as `ast.walk` does, but sooner."""
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        for value in vars(node).values():
            if isinstance(value, ast.AST):
                todo.append(value)
            elif isinstance(value, list):
                todo += [each for each in value if isinstance(each, ast.AST)]


@cache
def modules() -> dict[str, Module]:
    found = {}
    for folder, package in PACKAGES.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            name = ".".join((package, *parts)).removesuffix(".__init__")
            found[name] = Module(folder, path, ast.parse(path.read_text("utf-8")))
    return found


@cache
def imports() -> dict[str, set[str]]:
    """Return for each module the modules of mjconv that it imports."""
    return {name: set(imported_by(name, module.tree, modules())) for name, module in modules().items()}


def imported_by(importer: str, tree: ast.Module, known: Mapping[str, object]) -> Iterator[str]:
    """Yield each module of `known` that a module imports, by a statement or by its whole name in a string."""
    for node in nodes(tree):
        if isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = importer if is_package(importer) else importer.rpartition(".")[0]
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([base] if base else [])])
            names = [f"{base}.{alias.name}" for alias in node.names]
            yield from (name if name in known else base for name in names if {name, base} & known.keys())
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.Constant) and node.value in known and node.value != "mjconv":
            # `import_module` takes such a string. "mjconv" alone is also the name of the command.
            yield str(node.value)


def is_package(name: str) -> bool:
    return name in modules() and modules()[name].path.name == "__init__.py"


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """List the groups of modules that import each other, over any number of steps."""
    reached = {name: reachable(name, graph) for name in graph}
    groups = {
        tuple(sorted(other for other in reached[name] if name in reached[other]))
        for name in graph
        if name in reached[name]
    }
    return [list(group) for group in sorted(groups)]


def reachable(name: str, graph: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    todo = [*graph[name]]
    while todo:
        step = todo.pop()
        if step not in found:
            found.add(step)
            todo.extend(graph[step])
    return found


def strings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the strings that the program uses, with their lines: all strings but docstrings."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docs = {
        id(node.body[0].value)
        for node in nodes(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in nodes(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.lineno, node.value


def package_of(module: str) -> str:
    """Return the part of `converters/` that a module is in: a format, ``shared``, or the module itself."""
    return module.removeprefix("mjconv.converters.").partition(".")[0]


# The tests of the reading itself.


def test_all_files_are_read() -> None:
    assert {module.folder for module in modules().values()} == set(PACKAGES)
    assert {"mjconv", "mjconv.ir.table", "mjconv.batch", TABLE, "mjconv.converters.shared"} <= set(modules())
    assert {f"mjconv.converters.{form}" for form in FORMATS} <= set(modules())


def test_every_way_to_import_is_seen() -> None:
    text = """
import mjconv.ir.table
from mjconv.ir import tiles, events as other
from mjconv.ir.errors import Place
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from mjconv import rules
def late():
    from mjconv.referee import order
    return import_module("mjconv.schemas")
"""
    assert set(imported_by("mjconv.api", ast.parse(text), modules())) == {
        *("mjconv.ir.table", "mjconv.ir.tiles", "mjconv.ir.events", "mjconv.ir.errors"),
        *("mjconv.rules", "mjconv.referee.order", "mjconv.schemas"),
    }
    relative = ast.parse("from . import tiles\nfrom .table import Table\nfrom .. import api")
    assert set(imported_by("mjconv.ir.events", relative, modules())) == {
        *("mjconv.ir.tiles", "mjconv.ir.table", "mjconv.api")
    }


def test_a_circle_is_seen() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a", "e"}, "e": set(), "f": {"f"}}
    assert circles(graph) == [["a", "b", "c"], ["f"]]


# The tests of the package.


def test_imports_follow_the_layers() -> None:
    assert [
        f"{name} imports {other}"
        for name, imported in imports().items()
        for other in sorted(imported)
        if modules()[other].folder not in {modules()[name].folder, *LAYERS[modules()[name].folder]}
    ] == []


def test_no_module_imports_in_a_circle() -> None:
    assert circles(imports()) == []


def test_the_parts_of_the_library_do_not_import_in_a_circle() -> None:
    """A part is a package of `app`, or a module that is in none. Only `__main__` is above the command."""
    graph: dict[str, set[str]] = {}
    for name, imported in imports().items():
        if modules()[name].folder == "app":
            others = {part_of(other) for other in imported if modules()[other].folder == "app"}
            graph.setdefault(part_of(name), set()).update(others - {part_of(name)})
    assert circles(graph) == []
    assert {part for part, others in graph.items() if "command" in others} == {"__main__"}


def part_of(module: str) -> str:
    """Return the part of `app/` that a module is in: its package, or the module itself."""
    return module.removeprefix("mjconv").removeprefix(".").partition(".")[0]


@looped("form", *FORMATS)
def test_a_format_imports_only_what_formats_share(form: str) -> None:
    own = f"mjconv.converters.{form}"
    assert [
        f"{name} imports {other}"
        for name, imported in imports().items()
        if f"{name}.".startswith(f"{own}.")
        for other in sorted(imported)
        if modules()[other].folder == "converters" and not f"{other}.".startswith(f"{own}.")
        if not any(f"{other}.".startswith(f"{shared}.") for shared in FOR_FORMATS)
    ] == []


def test_only_the_table_imports_formats() -> None:
    assert [
        f"{name} imports {other}"
        for name, imported in imports().items()
        for other in sorted(imported)
        if other.startswith("mjconv.converters.") and package_of(other) in FORMATS
        if name != TABLE and package_of(name) != package_of(other)
    ] == []


def test_only_the_table_names_formats() -> None:
    """A format may use its own names. All other files take formats from the table, or from their arguments."""
    assert [
        f"{module.path.relative_to(ROOT)}:{line}: {text!r}"
        for name, module in modules().items()
        for line, text in strings(module.tree)
        if NAME.fullmatch(text) and name != TABLE and package_of(name) not in FORMATS
        if not (text in YAKU and name in YAKU_TABLES)
        # A game may have the name of its format.
        if not (text in {rules.id for rules in RULE_SETS} and name == "mjconv.rules.rulesets")
    ] == []
