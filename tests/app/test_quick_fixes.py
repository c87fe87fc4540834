"""A fix that an editor offers mends its error, and changes nothing else."""

from pathlib import Path

import pytest

from corpus_files import CORPUS, TYPED
from looped import looped
from mjconv.converters import formats
from mjconv.typist.document import MOST_CHARACTERS, Document, Fix, Spot

SAMPLE = TYPED.replace("mtp[,,,]", "mtp[20200607,sun,1930,]")
#: A text of the sample, and the same as people type it, in several ways.
MISTAKES = {
    "frm[E2-0": ["fmr[E2-0", "frm[東2-0", "frm[東2局0本場", "frm[e2"],
    "mtp[20200607": ["mtp[2020-06-07", "mtp[2020年6月7日"],
    "mtp[20200607,sun": ["mtp[20200607,Sunday", "mtp[20200607,日"],
    ",sun,1930,": [",sun,19:30,", ",sun,19時30分,"],
    "pfs[33.7": ["pfs[33700"],
    "pfs[33.7,25.0": ["pfs[33.7,25"],
    "(e,wd,4m)": ["(E,wd,4m)", "(東,wd,4m)", "(e,haku,4m)", "(e,白,4m)", "(e,5z,4m)", "(e,White,4m)", "(e,wd,4M)"],
    "(e,ew,2m)": ["(e,E,2m)"],
    "(w,0m,kk[0m])": ["(w,0m,kk0m)", "(w,5mr,kk[0m])", "(w,0m,kakan[0m])"],
    "(s,5p,rc[3s])": ["(s,5p,rc3s])", "(s,5p,RC[3s])", "(s,5p,riichi[3s])"],
    "(e,3p,tg)": ["(e,3p,TG)"],
    "(w,pn[5m5m],nw)": ["(w,pon[5m5m],nw)", "(w,pn5m5m,nw)"],
    "(s,rn,)": ["(s,ron,)"],
    "(s,4s,tm)": ["(s,4s,tumo)", "(s,4s，tm)"],
}


def typed(text: str, name: str, before: Document | None = None) -> Document:
    form = formats.of_file(name, text.encode())
    assert form is not None
    return Document(text, form, name, before)


def fixed(document: Document, fix: Fix) -> str:
    assert fix.begin.line == fix.end.line
    lines = list(document.lines)
    line = lines[fix.begin.line]
    lines[fix.begin.line] = line[: fix.begin.column] + fix.text + line[fix.end.column :]
    return "\n".join(lines)


#: The same of a text of Ùzje, whose tiles are spelled as elsewhere.
UZJE = "E 1 0 4\n1m 7t 3m 5t Z P\n"
MISTAKES_OF_UZJE = [("7t", "7p"), ("5t", "0p"), ("Z", "0t"), ("5t", "５t"), ("P", "5z")]


@looped(
    ("name", "text", "right", "wrong"),
    *(("a.jmjp", SAMPLE, right, wrong) for right, ways in MISTAKES.items() for wrong in ways),
    *(("a.uzje", UZJE, *mistake) for mistake in MISTAKES_OF_UZJE),
    ids=lambda value: value[:20],
)
def test_the_fix_of_a_mistake_gives_back_the_text(name: str, text: str, right: str, wrong: str) -> None:
    assert right in text
    document = typed(text.replace(right, wrong, 1), name)
    [fix] = [fix for finding in document.findings if (fix := document.fix(finding))]
    assert fixed(document, fix) == text


@looped(
    ("line", "message"),
    ("Aunt May Bob Carl Dora", "a blank inside a name is written %20, as in Aunt%20May"),
    ("3 May 2024", "write the year first, as in 2024-01-31"),
)
def test_a_line_of_hk_has_a_hint(line: str, message: str) -> None:
    assert message in typed(f"{line}\nA B C D\n- - - 3\n", "a.hk").findings[0].message


def broken() -> list[Path]:
    return [path for path in sorted(CORPUS.rglob("broken/*")) if path.suffix in (".jmjp", ".hk", ".uzje")]


def test_every_fix_of_the_corpus_of_mistakes_mends_its_error_alone() -> None:
    number = 0
    for path in broken():
        document = typed(path.read_bytes().decode("utf-8", "replace"), path.name)
        for finding in document.findings:
            if (fix := document.fix(finding)) is None:
                continue
            number += 1
            left = {(one.code, one.message) for one in typed(fixed(document, fix), path.name).findings}
            # What could not be read before may have mistakes of its own.
            assert (finding.code, finding.message) not in left, path
    assert number > 5


@pytest.mark.parametrize(
    ("name", "begin", "end"),
    [
        ("typed/game.jmjp", "(n,pn[wdwd]", "\n)\n"),
        ("grammar/calls.jmjp", "win anything", ""),
        ("uzje/commands.uzje", "Ec21t ", ""),
        ("hk/example.hk", "d - - 5", "\n- - - -"),
        ("uzje/actions.uzje", " 43.W?,6t", "\n\nE 3 1 4"),
    ],
)
def test_no_key_in_the_middle_of_a_text_shows_an_error(name: str, begin: str, end: str) -> None:
    text = (CORPUS / name).read_text("utf-8")
    first = text.index(begin)
    # Without a rest, the text ends where one types.
    last = text.index(end, first) if end else first + 80
    rest = text[last:] if end else ""
    document = typed(text[:first] + rest, name)
    for at in range(first + 1, last + 1):
        document = typed(text[:at] + rest, name, document)
        # Acts that are not yet typed are missing in the game.
        errors = [one.message for one in document.findings if one.severity == "error" and one.code == "S001"]
        assert errors == [], text[:at]


@looped("name", "hk/example.hk", "uzje/actions.uzje", "sample/game.jmjp")
def test_no_key_of_a_right_text_shows_an_error(name: str) -> None:
    text = (CORPUS / name).read_text("utf-8")
    begin = text.index("\n1.") if name.endswith("uzje") else len(text) // 2
    for end in range(begin, begin + 60, 4):
        findings = typed(text[:end], name).findings
        assert [one.message for one in findings if one.severity == "error"] == [], text[:end]


@looped(
    ("name", "text"), ("a.hk", "East South West North\n1 2 3 4 5\n- - - 3\n"), ("a.uzje", "E 1 0 4\n1m\n\nE 2")
)
def test_an_error_before_the_last_line_stays_one(name: str, text: str) -> None:
    assert any(one.severity == "error" for one in typed(text, name).findings)


def test_a_very_large_text_is_left_to_validate() -> None:
    document = typed("A B C D\n" + "- - - 3\n" * (MOST_CHARACTERS // 8), "a.hk")
    [finding] = document.findings
    assert (finding.severity, document.rounds, document.completions(Spot(1, 0))[1]) == ("note", [], [])
    assert "mjconv validate checks the file" in finding.message
