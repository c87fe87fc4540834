"""Make the pages of the site, and build it: ``python docs/site.py``. It needs the extra `docs`, and no network.

The pages of this folder and of the root become pages of the site. Four pages are made: the home page from the
README, the gallery, the options of the command, and the functions and classes of the library. `site/html` holds
the result.
"""

from __future__ import annotations

import inspect
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
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
from mjconv.viewer.tiles import PREFIX, symbols

ROOT: Final = Path(__file__).resolve().parents[1]
DOCS: Final = ROOT / "docs"
PAGES: Final = ROOT / "site" / "pages"
#: The game of the gallery, and the steps of its first round that are drawn: a riichi, and the win.
GAME: Final = ROOT / "corpus" / "sample" / "game.mjson"
_DRAWN: Final = (9, 23)
#: The game of the home page, and the place where it begins to play: four steps before a riichi.
REPLAY: Final = ROOT / "corpus" / "tenhou" / "hanchan.mjlog"
_PLACE: Final = "E3-0.66"
#: How much of each notation the gallery shows, in characters.
_SHOWN: Final = 2_500
#: The pages outside of this folder, and their names in the site.
OUTSIDE: Final = {
    "README.md": "readme.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "benchmarks/README.md": "benchmarks.md",
}
_LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
#: The language of a page by its name. All others are English.
_LANGUAGE: Final = re.compile(r"(ja|zh)[-.]")
#: The end of a line between two characters that have no space between them: a browser would show one.
_BROKEN: Final = re.compile(r"(?<=[^\x00-\u2e7f])\n *(?=[^\x00-\u2e7f])")
#: The first paragraph of a page.
_FIRST: Final = re.compile(r"^(?!#|English ·|```|[-|!<]).+(?:\n.+)*", re.MULTILINE)
#: A row of the README's table of readers: what they want to do, who they are, and what they read.
_DOOR: Final = re.compile(r"^\| (.+) \((.+)\) \| (.+) \|$", re.MULTILINE)
#: A doctest in a docstring, up to the next empty line.
_DOCTEST: Final = re.compile(r"^(>>> .*?\n)(?=\n|\Z)", re.MULTILINE | re.DOTALL)
#: The address of a default value in a signature.
_ADDRESS: Final = re.compile(r" at 0x[0-9a-f]+")
_CODE: Final = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def main() -> int:
    """Make the pages, and build the site. Returns the exit status of the build."""
    shutil.rmtree(PAGES.parent, ignore_errors=True)
    PAGES.mkdir(parents=True)
    shutil.copytree(DOCS / "pictures", PAGES / "pictures")
    (PAGES / "pictures" / "favicon.svg").write_text(favicon(), "utf-8")
    for step in _DRAWN:
        mjconv.view(mjconv.read(GAME), step=step).write(PAGES / "pictures" / f"gallery-{step}.svg")
    sources = {path.name: path for path in DOCS.glob("*.md")}
    sources |= {page: ROOT / name for name, page in OUTSIDE.items()}
    for page, path in sources.items():
        write_page(page, linked(path.read_text("utf-8"), path.parent))
    for page, lines in MADE.items():
        write_page(page, "\n".join(lines()))
    if wrong := unlisted():
        print(f"mkdocs.yml and the pages disagree: {', '.join(wrong)}", file=sys.stderr)
        return 1
    mjconv_command = [sys.executable, "-m", "mjconv"]
    subprocess.run([*mjconv_command, "view", REPLAY, "--step", _PLACE, "-o", PAGES / "replay.html"], check=True)
    build = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    return subprocess.run(build, cwd=ROOT, check=False).returncode


def write_page(page: str, text: str) -> None:
    """Write a page of the site. Its head has its language, and its first paragraph as the description."""
    found = _FIRST.search(_CODE.sub("", text))
    summary = _LINK.sub(r"\2", " ".join(found[0].split())) if found else ""
    if language := _LANGUAGE.match(page):
        text = outside(lambda part: _BROKEN.sub("", part), text)
    head = {
        "description": json.dumps(re.sub(r"[*`]|<.*?>", "", summary), ensure_ascii=False),
        **({"lang": language[1]} if language else {}),
        **({"hide": "[navigation, toc]"} if page == "index.md" else {}),
    }
    lines = "".join(f"{key}: {value}\n" for key, value in head.items())
    (PAGES / page).write_text(f"---\n{lines}---\n{text}", "utf-8")


def favicon() -> str:
    """Return the icon of the site, a red dragon, as SVG."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 408">'
        f"<style>.face{{fill:#fff}}.edge{{fill:#cbbf9f}}</style>{symbols({'C'})}"
        f'<use href="#{PREFIX}C" width="300" height="408"/></svg>'
    )


def linked(text: str, folder: Path) -> str:
    """Return the text of a page with its links as the site has them. `folder` holds the page.

    A link to a page leads to that page of the site. A file of the project is copied to the site. A link to a
    folder becomes its words.
    """
    shown = outside(lambda part: _LINK.sub(lambda link: _link(link, folder), part), text)
    # The copy button takes the input alone of a session.
    return shown.replace("```python\n>>> ", "```pycon\n>>> ")


def outside(change: Callable[[str], str], text: str) -> str:
    """Return the text with its parts outside of code changed."""
    parts = _CODE.split(text)
    parts[::2] = map(change, parts[::2])
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


def home() -> Iterator[str]:
    """Yield the home page: the README's first sentence and lines, a game that plays, a door for each reader."""
    text = linked((ROOT / "README.md").read_text("utf-8"), ROOT)
    text = text.replace("](#", "](readme.md#")
    [_, sentence, _, lines, after, formats] = text.split("\n\n", 7)[1:7]
    yield f"# mjconv\n\n{sentence}\n"
    yield '<div class="opening" markdown>\n'
    yield '<iframe class="replay" src="replay.html#embed" title="A game of riichi, step by step"></iframe>\n'
    yield f"<div markdown>\n\n{lines}\n\n{after}\n\n{formats}\n\n</div>\n\n</div>\n"
    yield '<div class="grid cards" markdown>\n'
    for does, who, pages in _DOOR.findall(text):
        yield f"- **{who.capitalize()}**\n\n    {does}\n\n    {pages}\n"
    yield "</div>"


def gallery() -> Iterator[str]:
    """Yield the page that shows the first round of the sample in every notation that holds it."""
    yield "# Gallery\n"
    yield "Screenshots of the [replay page](view.md), drawings of two positions of a round, and then this round in"
    yield "every notation that holds it, as mjconv writes it without notes.\n"
    for name, words in (
        ("table", "A replay on a wide screen"),
        ("wall", "A wall"),
        ("answers", "Answers of a program"),
    ):
        yield f"![{words}](pictures/{name}.webp)\n"
    match = mjconv.read(GAME)
    for step in _DRAWN:
        yield f"![Step {step} of the round](pictures/gallery-{step}.svg){{ width=49% }}"
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
    yield _DOCTEST.sub(r"```pycon\n\1```\n", f"{inspect.getdoc(value) or ''}\n\n")


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


#: The pages that are made.
MADE: Final = {"index.md": home, "gallery.md": gallery, "options.md": options, "api.md": library}

if __name__ == "__main__":
    sys.exit(main())
