"""The workflows of a hosted runner do what `.ci/run` and CONTRIBUTING.md do."""

import re
import subprocess
import sys

import pytest

from installation.tree import ROOT

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
