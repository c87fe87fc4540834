"""Make the pages of the site, and build it: ``python docs/site.py``. It needs the extra `docs`, and no network.

The pages of this folder and of the root become pages of the site. Three pages are made: the gallery, the options
of the command, and the functions and classes of the library. `site/html` holds the result.
"""

from __future__ import annotations

import inspect
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import typer.main

import mjconv
from mjconv.command.cli import app
from mjconv.converters import hub
from mjconv.converters.formats import FORMATS
from mjconv.converters.interface import WriteOptions
from mjconv.ir.errors import MjconvError
from mjconv.ir.losses import Report

ROOT: Final = Path(__file__).resolve().parents[1]
DOCS: Final = ROOT / "docs"
PAGES: Final = ROOT / "site" / "pages"
#: The game of the gallery and of its replay page.
GAME: Final = ROOT / "corpus" / "sample" / "game.mjson"
#: How much of each notation the gallery shows, in characters.
_SHOWN: Final = 2_500
#: The pages outside of this folder, and their names in the site.
OUTSIDE: Final = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "benchmarks/README.md": "benchmarks.md",
}
_LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
#: A doctest in a docstring, up to the next empty line.
_DOCTEST: Final = re.compile(r"^(>>> .*?\n)(?=\n|\Z)", re.MULTILINE | re.DOTALL)
#: The address of a default value in a signature.
_ADDRESS: Final = re.compile(r" at 0x[0-9a-f]+")
_CODE: Final = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def main() -> int:
    """Make the pages, and build the site. Returns the exit status of the build."""
    shutil.rmtree(PAGES.parent, ignore_errors=True)
    PAGES.mkdir(parents=True)
    for path in DOCS.glob("*.md"):
        (PAGES / path.name).write_text(linked(path.read_text("utf-8"), DOCS), "utf-8")
    for name, page in OUTSIDE.items():
        path = ROOT / name
        (PAGES / page).write_text(linked(path.read_text("utf-8"), path.parent), "utf-8")
    shutil.copytree(DOCS / "pictures", PAGES / "pictures")
    (PAGES / "gallery.md").write_text("\n".join(gallery()), "utf-8")
    (PAGES / "options.md").write_text("\n".join(options()), "utf-8")
    (PAGES / "api.md").write_text("\n".join(library()), "utf-8")
    if wrong := unlisted():
        print(f"mkdocs.yml and the pages disagree: {', '.join(wrong)}", file=sys.stderr)
        return 1
    mjconv_command = [sys.executable, "-m", "mjconv"]
    subprocess.run([*mjconv_command, "view", GAME, "-o", PAGES / "replay.html", "--quiet"], check=True)
    build = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    return subprocess.run(build, cwd=ROOT, check=False).returncode


def linked(text: str, folder: Path) -> str:
    """Return the text of a page with its links as the site has them. `folder` holds the page.

    A link to a page leads to that page of the site. A file of the project is copied to the site. A link to a
    folder becomes its words.
    """
    parts = _CODE.split(text)
    parts[::2] = [_LINK.sub(lambda link: _link(link, folder), part) for part in parts[::2]]
    return "".join(parts)


def _link(link: re.Match[str], folder: Path) -> str:
    picture, words, address = link.groups()
    if "://" in address or address.startswith("#"):
        return link[0]
    name, mark, place = address.partition("#")
    path = (folder / name).resolve()
    inside = path.relative_to(ROOT).as_posix()
    if path.is_dir() or not path.exists():
        return words if path.is_dir() else link[0]
    if path.parent == DOCS or inside.startswith("docs/pictures/"):
        shown = path.relative_to(DOCS).as_posix()
    elif inside in OUTSIDE:
        shown = OUTSIDE[inside]
    else:
        shown = f"files/{inside}"
        (PAGES / shown).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, PAGES / shown)
    return f"{picture}[{words}]({shown}{mark}{place})"


def gallery() -> Iterator[str]:
    """Yield the page that shows the first round of the sample in every notation that holds it."""
    yield "# Gallery\n"
    yield "The same round in every notation that holds it, as mjconv writes it without notes."
    yield "The [replay page](replay.html) shows the whole match: `mjconv view game.mjson -o replay.html` makes it."
    match = mjconv.read(GAME)
    match.rounds = match.rounds[:1]
    for form in FORMATS:
        for flavour in ("", *form.flavours) if form.writes else ():
            try:
                data = hub.written(form, [match], Report(), WriteOptions(flavour, plain=True, lossy=True))
            except MjconvError:
                continue
            name = f"{form.id}, {flavour}" if flavour else form.id
            text = data.decode()
            cut = f"{text[:_SHOWN].rstrip()}\n…" if len(text) > _SHOWN else text.rstrip()
            yield f"\n## {name}\n\n[The page of {form.id}]({form.id}.md)\n\n```text\n{cut}\n```"


def options() -> Iterator[str]:
    """Yield the page of all commands with their options, as the command prints them."""
    yield "# All options\n\nEach command, as `mjconv COMMAND --help` prints it.\n"
    group: Any = typer.main.get_command(app)
    yield from _help(group, ["mjconv"])


def _help(command: Any, words: list[str]) -> Iterator[str]:
    context = command.make_context(words[-1], [], resilient_parsing=True)
    yield f"## {' '.join(words)}\n\n{(command.help or '').partition(chr(12))[0].strip()}\n"
    rows = [found for option in command.params if (found := option.get_help_record(context)) is not None]
    if rows:
        yield "| Option | Does |\n| --- | --- |"
        yield from (f"| `{_cell(names)}` | {_cell(does)} |" for names, does in rows)
        yield ""
    for name, inner in getattr(command, "commands", {}).items():
        if not inner.hidden:
            yield from _help(inner, [*words, name])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def library() -> Iterator[str]:
    """Yield the page of the public names of the library, with their signatures and docstrings."""
    yield "# All functions and classes\n\nThe names that `import mjconv` offers.\n"
    for name in sorted(vars(mjconv)["__all__"], key=str.lower):
        value: Any = getattr(mjconv, name)
        if not callable(value):
            yield f"## {name}\n\nA {type(value).__name__}.\n"
            continue
        yield from _entry(f"## {name}", name, value)
        for method, inner in vars(value).items() if inspect.isclass(value) else ():
            inner = inner.__func__ if isinstance(inner, staticmethod | classmethod) else inner
            inner = inner.fget if isinstance(inner, property) else inner
            if not method.startswith("_") and inspect.isfunction(inner) and inner.__doc__:
                yield from _entry(f"### {name}.{method}", method, inner)


class _Type:
    """An annotation that is shown as the source spells it."""

    def __init__(self, text: object) -> None:
        self.text = text

    def __repr__(self) -> str:
        return str(self.text)


def _entry(heading: str, name: str, value: Any) -> Iterator[str]:
    yield f"{heading}\n\n```python\n{name}{_signature(value)}\n```\n"
    yield _DOCTEST.sub(r"```python\n\1```\n", f"{inspect.getdoc(value) or ''}\n\n")


def _signature(value: Any) -> str:
    if fields := getattr(value, "__struct_fields__", ()):
        types = {
            key: kind for base in reversed(value.__mro__) for key, kind in inspect.get_annotations(base).items()
        }
        return f"({', '.join(f'{field}: {types[field]}' for field in fields)})"
    if inspect.isclass(value) and issubclass(value, Exception):
        return ""
    signature = inspect.signature(value)
    parameters = [
        one if one.annotation is one.empty else one.replace(annotation=_Type(one.annotation))
        for one in signature.parameters.values()
    ]
    result = signature.return_annotation
    shown = signature.replace(
        parameters=parameters, return_annotation=result if result is signature.empty else _Type(result)
    )
    return _ADDRESS.sub("", str(shown))


def unlisted() -> list[str]:
    """Return the pages that the navigation of mkdocs.yml lacks, and those that it names and that are not there."""
    named = set(re.findall(r"^ +- .+: (\S+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE))
    return sorted(named ^ {path.name for path in PAGES.glob("*.md")})


if __name__ == "__main__":
    sys.exit(main())
