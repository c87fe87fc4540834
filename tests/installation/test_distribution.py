"""What a release consists of, and the workflows of a hosted runner, which do what `.ci/run` does."""

import importlib.util
import re
import subprocess
import sys
from types import ModuleType

import pytest

from installation import tree
from installation.tree import ROOT
from mjconv.converters.formats import FORMATS

README = (tree.ROOT / "README.md").read_text("utf-8")
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HOOKS = (tree.ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")


@pytest.fixture(scope="module")
def setup_file() -> ModuleType:
    """Import setup.py, which builds only when it is the program."""
    described = importlib.util.spec_from_file_location("setup_file", tree.ROOT / "setup.py")
    assert described is not None
    assert described.loader is not None
    module = importlib.util.module_from_spec(described)
    described.loader.exec_module(module)
    return module


class TestReadmeForAnIndex:
    """A package index has no other file of the tree, so no link may lead to one."""

    def test_with_an_address_every_link_leads_there(self, setup_file: ModuleType) -> None:
        shown = setup_file.readme_for_index(README, "https://example.org/tree/")
        links = LINK.findall(CODE.sub("", shown))
        assert len(links) == len(LINK.findall(CODE.sub("", README)))
        assert all(link.startswith("https://") for link in links)
        for link in links:
            path = link.removeprefix("https://example.org/tree/").partition("#")[0]
            assert "://" in path or (tree.ROOT / path).exists()

    def test_without_an_address_only_the_texts_of_links_are_kept(self, setup_file: ModuleType) -> None:
        shown = setup_file.readme_for_index(README, None)
        assert all(link.startswith("https://") for link in LINK.findall(CODE.sub("", shown)))
        assert CODE.findall(shown) == CODE.findall(README)
        assert "| type a paifu after a video |" in shown

    def test_the_address_names_the_version(self, setup_file: ModuleType) -> None:
        project = {"tool": {"mjconv": {"pages": "https://example.org/v{version}/"}}}
        assert re.fullmatch(r"https://example\.org/v\d+\.\d+\.\d+/", setup_file.pages(project))
        assert setup_file.pages({}) is None


#: The id, the command and the pattern of files of each hook.
EACH_HOOK = re.findall(
    r"^- id: (\S+)$.*?^  entry: mjconv (.+?)$.*?^  files: (.*?)$", HOOKS, re.MULTILINE | re.DOTALL
)


class TestTheHooks:
    @pytest.mark.parametrize(("name", "entry", "pattern"), EACH_HOOK)
    def test_each_runs_a_command_that_exists(self, name: str, entry: str, pattern: str) -> None:
        assert name == f"mjconv-{entry}"
        samples = [str(path) for path in sorted((tree.ROOT / "corpus" / "sample").iterdir())]
        words = [sys.executable, "-m", "mjconv", entry, *filter(re.compile(pattern).search, samples)]
        assert len(words) > 4
        assert subprocess.run(words, cwd=tree.ROOT, capture_output=True, check=False, timeout=60).returncode == 0

    def test_the_pages_name_each(self) -> None:
        names = ("validation", "type-a-paifu")
        pages = "".join((tree.ROOT / "docs" / f"{page}.md").read_text("utf-8") for page in names)
        assert [name for name, _, _ in EACH_HOOK] == ["mjconv-validate", "mjconv-fmt"]
        assert all(name in pages for name, _, _ in EACH_HOOK)

    def test_the_check_takes_the_files_of_every_format(self) -> None:
        pattern = EACH_HOOK[0][2]
        usual = {next(iter(form.files.extensions)): form for form in FORMATS if form.reads}
        own = {f"game{extension}" for extension, form in usual.items() if extension not in form.files.shared}
        assert {name for name in own if not re.search(pattern, name)} == set()
        listed = re.findall(r"\w+", pattern.partition("(")[2])
        assert {f"game.{extension}" for extension in listed} <= own

    def test_the_layout_takes_the_files_that_people_type(self) -> None:
        typed = {next(iter(form.files.extensions)) for form in FORMATS if "tidy" in form.code.typed}
        assert {f".{each}" for each in re.findall(r"\w+", EACH_HOOK[1][2].partition("(")[2])} == typed


# The workflows of a hosted runner do what `.ci/run` and CONTRIBUTING.md do.
WORKFLOWS = {path.stem: path.read_text("utf-8") for path in (ROOT / ".github" / "workflows").glob("*.yml")}
CHECKS = (ROOT / ".ci/run").read_text("utf-8")
SHOWN = CHECKS + (ROOT / "CONTRIBUTING.md").read_text("utf-8")
#: What only a runner needs.
OWN = {'git config --global --add safe.directory "$PWD"', "npm publish ./npm --access public", "|"}


def test_each_command_is_one_of_those_that_people_run() -> None:
    """People have an environment in `.venv`, and the runner has one Python."""
    shown = SHOWN.replace(".venv/bin/", "").replace(" --quiet", "").replace('"$work/game.jmjp"', "game.jmjp")
    for name, text in WORKFLOWS.items():
        for command in re.findall(r"- run: (.+)", text):
            parts = [] if command in OWN else command.split(" && ")
            assert [part for part in parts if not re.search(rf"(?m)^\W*{re.escape(part)}", shown)] == [], name


def test_the_tests_run_on_three_systems_and_on_the_pythons_of_all_checks() -> None:
    matrix = dict(re.findall(r"^        (\w+): \[(.+)\]$", WORKFLOWS["tests"], re.MULTILINE))
    assert matrix["system"] == "ubuntu-latest, macos-latest, windows-latest"
    assert (
        re.findall(r"3\.\d+", matrix["python"])
        == re.findall(r"python(3\.\d+)", CHECKS.replace("/usr/bin", ""))[-4:]
    )


@pytest.mark.slow
def test_they_are_of_the_form_that_the_runner_reads() -> None:
    pytest.importorskip("check_jsonschema", reason="the extra `dev` is not installed: no check-jsonschema")
    files = {"github-workflows": sorted(WORKFLOWS), "dependabot": ["../dependabot"]}
    for schema, names in files.items():
        paths = [str(ROOT / ".github" / "workflows" / f"{name}.yml") for name in names]
        words = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *paths]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stdout
