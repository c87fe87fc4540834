"""The table of formats: names, extensions, contents."""

import re
from pathlib import Path

import pytest
from given import put_files

import mjconv
from looped import looped
from mjconv import UsageError
from mjconv.converters import formats
from mjconv.converters.formats import FORMATS, Format, by_extension, find, of_file, recognise

NAMES = {
    "mjai MJAI mjson": ("mjai", ""),
    "mjai-riichienv": ("mjai", "mjai-riichienv"),
    "mjai-batch": ("mjai", "mjai-batch"),
    "jmjp jmjp-1": ("jmjp", ""),
    "jmjp-0": ("jmjp", "jmjp-0"),
    "ujmj UZJE": ("uzje", ""),
    "uzje-long": ("uzje", "uzje-long"),
}


@looped(("name", "expected"), *[(name, found) for names, found in NAMES.items() for name in names.split()])
def test_a_format_is_found_by_id_alias_or_flavour(name: str, expected: tuple[str, str]) -> None:
    form, flavour = find(name)
    assert (form.id, flavour) == expected


def test_nothing_is_suggested_where_nothing_is_near() -> None:
    with pytest.raises(UsageError) as error:
        find("xyzzy")
    assert "did you mean" not in error.value.message


def test_the_extension_sets_format_and_flavour() -> None:
    for paths, found in (
        ("a.mjson a.jsonl folder.jmjp/a.json", ["mjai"]),
        ("a.jmjp A.JMJP.GZ", ["jmjp"]),
        ("a.hk", ["hk"]),
        ("a.xml", ["tenhou"]),
        ("a.gz a.txt a.xyz mjson", []),
    ):
        for path in paths.split():
            assert [(form.id, flavour) for form, flavour in by_extension(path)] == [(one, "") for one in found]


def test_a_shared_extension_does_not_set_the_format_of_an_input() -> None:
    assert by_extension("a.txt", reading=True) == []
    assert [form.id for form, _ in by_extension("a.hk", reading=True)] == ["hk"]


def test_where_formats_share_an_extension_the_contents_decide() -> None:
    for name in ("a.json", "a.jsonl"):
        assert getattr(of_file(name, b'{"type":"start_game"}'), "id", None) == "mjai"
        assert getattr(of_file(name, b'{"name":["A"],"log":[[[0,0,0],[25000'), "id", None) == "tenhou"
    # Nothing is recognised: the format that has the extension for itself explains what is wrong.
    assert getattr(of_file("a.json", b"[1,2"), "id", None) == "mjai"


def test_names_and_extensions_are_unique() -> None:
    names = [name for form in FORMATS for name in form.names]
    assert len(names) == len(set(names))
    for form in FORMATS:
        assert all(name.startswith(f"{form.id}-") for name in form.flavours)
        assert all(flavour == "" or flavour in form.flavours for flavour in form.files.extensions.values())
        assert next(iter(form.files.extensions.values())) == ""


def test_a_flavour_asked_for_by_name_has_an_extension_of_its_own() -> None:
    mjai = find("mjai")[0]
    assert (mjai.extension_for(""), mjai.extension_for("mjai-batch")) == (".mjson", ".json")
    assert mjai.own_extensions("mjai-riichienv") == []


def test_a_format_is_added_by_its_line_and_its_package(tally: Format) -> None:
    assert find("tally") == find("count") == (tally, "")
    assert find("tally-loud") == (tally, "tally-loud")
    assert recognise(b"tally\nA\n") is tally


def test_declared_facts_hold() -> None:
    for form in FORMATS:
        assert set(form.files.one_match_a_line) <= {form.id, *form.flavours}
        if form.code.score_table:
            assert callable(form.load_score_table().games_in)  # type: ignore[attr-defined]


def test_no_module_of_the_app_imports_a_format() -> None:
    root = Path(__file__).parents[2]
    formats = "|".join(path.parent.name for path in (root / "converters").glob("*/reader.py"))
    named = re.compile(rf"^\s*(?:from|import) mjconv\.converters\.(?:{formats})\b", re.MULTILINE)
    assert [path for path in (root / "app").rglob("*.py") if named.search(path.read_text("utf-8"))] == []


def test_an_entry_point_that_fails_leaves_out_its_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = "failing = failing_format:FORMAT\nother = json:loads\nagain = mjconv.converters.hk:FORMAT\n"
    put_files(
        {
            "failing_format.py": "import no_such_module\n",
            "failing-1.0.dist-info/entry_points.txt": f"[mjconv.formats]\n{names}",
            "failing-1.0.dist-info/METADATA": "Name: failing\nVersion: 1.0\n",
        }
    )
    monkeypatch.syspath_prepend(tmp_path)
    formats._added.cache_clear()
    try:
        with pytest.warns(RuntimeWarning) as caught:
            forms = formats.all_formats()
    finally:
        formats._added.cache_clear()
    assert [form.id for form in forms].count("hk") == 2
    messages = [str(one.message) for one in caught]
    assert [message.split("'")[1] for message in messages] == ["failing", "other"]
    assert "No module named 'no_such_module'" in messages[0]


def test_formats_of_others_are_asked_about_unknown_files(tally: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    """Formats share extensions such as ``.json``, also with formats of packages elsewhere."""
    monkeypatch.setattr(formats, "FORMATS", FORMATS)
    monkeypatch.setattr(formats, "_added", lambda: (tally,))
    assert getattr(of_file("a.json", b"tally\n"), "id", None) == "tally"
    assert "tally" in [form.id for form in mjconv.formats()]


def test_messages_about_missing_packages_name_no_clone() -> None:
    root = Path(__file__).parents[2]
    files = [path for name in ("app", "referee", "converters", "rules") for path in (root / name).rglob("*.py")]
    assert [path.name for path in files if "in the clone" in path.read_text("utf-8")] == []
