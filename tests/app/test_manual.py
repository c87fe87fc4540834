"""The man page and the completions are made from the command itself, and they work."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from mjconv.command import manual
from mjconv.command.cli import app
from mjconv.command.console import Exit
from mjconv.command.group import DEFAULT
from mjconv.converters.formats import FORMATS


@pytest.fixture
def share() -> Path:
    """Write the files as a release does."""
    files = ["man/man1/mjconv.1", "bash-completion/completions/mjconv", "zsh/site-functions/_mjconv"]
    files = [*files, "fish/vendor_completions.d/mjconv.fish"]
    assert manual.write("share") == [f"share/{name}" for name in files]
    return Path("share")


@pytest.fixture
def commands(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which this Python is the command ``mjconv``."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/mjconv").write_text(f'#!/bin/sh\nexec {sys.executable} -m mjconv "$@"\n')
    (tmp_path / "bin/mjconv").chmod(0o755)
    return {**os.environ, "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path)}


def printed(words: list[str], environment: dict[str, str]) -> str:
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=True, timeout=60).stdout


class TestManPage:
    def test_it_has_every_command_and_every_option(self) -> None:
        page = manual.man_page()
        for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
            assert f"\n.SS mjconv {name} " in page or f"\n.SS mjconv {name}\n" in page
            # The options of the page itself are those of convert.
            own = page if name == DEFAULT else page.partition(f"\n.SS mjconv {name} ")[2].partition("\n.S")[0]
            for param in command.params:
                for option in param.opts if param.param_type_name == "option" and not param.hidden else ():
                    assert option.replace("-", "\\-") in own
                    assert param.help.replace("\\", "\\e").replace("-", "\\-") in own

    def test_it_has_every_format_and_every_exit_status(self) -> None:
        page = manual.man_page()
        assert set(manual.STATUSES) == set(Exit)
        assert all(f".TP\n.B {form.id}\n" in page for form in FORMATS)
        assert all(f".TP\n.B {int(status)}\n" in page for status in Exit)

    @pytest.mark.skipif(shutil.which("groff") is None, reason="no groff to format the page with")
    def test_it_can_be_formatted(self, share: Path) -> None:
        words = ["groff", "-man", "-Tutf8", "-P-cbou", "-ww", str(share / manual.MAN_PAGE)]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        assert done.stderr == ""
        assert "mjconv batch logs.zip -o out/ --to jmjp" in done.stdout
        # A help text that begins with a dot or a quote is no request of roff.
        assert ".zip .tar .tar.gz" in done.stdout
        assert "Ùzje" in done.stdout

    def test_a_line_that_begins_like_a_request_is_text(self) -> None:
        assert manual._roff(".TH x \\n") == "\\&.TH x \\en"
        assert manual._roff("'quoted'") == "\\&'quoted'"


class TestCompletions:
    def test_of_bash(self, share: Path, commands: dict[str, str]) -> None:
        script = (
            f"source {share / manual.COMPLETIONS['bash']}; COMP_WORDS=(mjconv val); COMP_CWORD=1; "
            '_mjconv_completion mjconv; echo "${COMPREPLY[@]}"; complete -p mjconv'
        )
        shown = "validate\ncomplete -o default -F _mjconv_completion mjconv\n"
        assert printed(["bash", "--norc", "-c", script], commands) == shown

    @pytest.mark.skipif(shutil.which("fish") is None, reason="no fish to complete in")
    def test_of_fish(self, share: Path, commands: dict[str, str]) -> None:
        script = f"source {share / manual.COMPLETIONS['fish']}; complete -C 'mjconv batch logs --to uzje-l'"
        assert printed(["fish", "--no-config", "-c", script], commands).split() == ["uzje-long"]

    @pytest.mark.skipif(shutil.which("zsh") is None, reason="no zsh to complete in")
    def test_of_zsh(self, share: Path, commands: dict[str, str]) -> None:
        folder = (share / manual.COMPLETIONS["zsh"]).parent.resolve()
        script = f"fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D; print $_comps[mjconv]"
        assert printed(["zsh", "-fc", script], commands) == "_mjconv\n"
        assert printed(["zsh", "-n", str(share / manual.COMPLETIONS["zsh"])], commands) == ""


def test_it_is_a_command_of_its_own(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["manual", "share"])
    manual.main()
    assert capsys.readouterr().out.splitlines()[0] == "share/man/man1/mjconv.1"
    monkeypatch.setattr(sys, "argv", ["manual"])
    with pytest.raises(SystemExit, match=r"usage: python -m mjconv\.manual FOLDER"):
        manual.main()
