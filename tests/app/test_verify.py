"""`--verify`: what was written is read again and compared with the source, before it appears."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from given import BAD_INPUT, DONE, GAME, ROUND, WRONG_USAGE, Run, put_files

import mjconv
from corpus_files import CORPUS
from looped import looped
from mjconv.batch import journal
from mjconv.batch.plan import Plan
from mjconv.batch.protocol import Outcome, Task
from mjconv.batch.worker import convert_member
from mjconv.converters import formats, hub
from mjconv.converters.interface import Files, Format, Part, Rendered, WriteOptions
from mjconv.ir.losses import Loss, Report
from mjconv.ir.match import Annotation
from mjconv.options import ConvertOptions
from mjconv.verification import Verified, verify

#: A key that jmjp cannot express: a note carries it, and plain jmjp drops it.
NOTED = ROUND.replace('"fan":3', '"fan":3,"remark":"kept"')


@pytest.fixture
def lying(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the writer of the tests write another name than the one that it claims, for the name ``honest``."""
    written: Callable[..., Rendered] = sys.modules["mjconv.converters.tally.writer"].render

    def render(match: mjconv.Match, before: object, last: bool, options: WriteOptions) -> Rendered:
        [head, *parts] = written(match, before, last, options).parts
        return Rendered([Part(head.text.replace(b"honest", b"a lie")), *parts], lambda: match, after="begun")

    monkeypatch.setattr(sys.modules["mjconv.converters.tally.writer"], "render", render)


class TestTheCommand:
    def test_an_output_that_reads_as_the_source_is_written(self, run: Run) -> None:
        Path("day.mjson").write_text(GAME + NOTED)
        outcome = run("day.mjson", "-o", "day.jmjp", "--verify").check(DONE)
        assert outcome.err.endswith("mjconv: verified: 2 matches read again, equal to the source\n")
        assert len(mjconv.read_all("day.jmjp")) == 2

    def test_without_notes_only_reported_losses_may_differ(self, run: Run) -> None:
        Path("day.mjson").write_text(GAME + NOTED)
        said = "mjconv: verified: 2 matches read again; 1 differs only in the losses reported\n"
        assert run("day.mjson", "-o", "day.jmjp", "--plain", "--verify").check(DONE).err.endswith(said)

    @looped("plain", ["--plain"], [])
    @pytest.mark.usefixtures("lying")
    def test_an_output_that_differs_is_not_written(self, run: Run, plain: list[str]) -> None:
        put_files({"in.tally": "tally\ntrue\nhonest\n", "out.tally": "old"})
        # Plain tally holds no names at all.
        reason = "holds fewer matches than" if plain else "does not read as"
        outcome = run("in.tally", "-o", "out.tally", "--verify", *plain).check(BAD_INPUT)
        assert outcome.err.startswith(f"mjconv: error: out.tally: the output {reason} the source: ")
        assert Path("out.tally").read_text() == "old"
        assert sorted(os.listdir()) == ["in.tally", "out.tally"]

    @pytest.mark.usefixtures("lying")
    def test_standard_output_and_compressed_files_are_verified(self, run: Run) -> None:
        put_files({"good.tally": "tally\ntrue\n", "in.tally": "tally\nhonest\n"})
        for output in ("-", "out.tally.gz"):
            run("good.tally", "-o", output, "--to", "tally", "--verify", "-q").check(DONE)
            run("in.tally", "-o", output, "--to", "tally", "--verify").check(BAD_INPUT, out="")

    @pytest.mark.usefixtures("lying")
    def test_merge_and_split_are_verified(self, run: Run) -> None:
        put_files({"good.tally": "tally\ntrue\nlossy\n", "in.tally": "tally\ntrue\nhonest\n"})
        Path("out").mkdir()
        run("merge", "good.tally", "good.tally", "-o", "two.tally", "--verify").check(DONE)
        merged = run("merge", "good.tally", "in.tally", "-o", "out.tally", "--verify")
        merged.check(BAD_INPUT, err="match 4, around the rounds: match.players")
        good = run("split", "good.tally", "-o", "out/%d.tally", "--verify").check(DONE)
        assert good.err.endswith("mjconv: verified: 2 matches read again, equal to the source\n")
        split = run("split", "in.tally", "-o", "out/new_%d.tally", "--verify")
        split.check(BAD_INPUT, err="error: out/new_2.tally: the output does not read as the source: match 2")
        assert sorted(os.listdir("out")) == ["1.tally", "2.tally"]

    def test_a_format_without_a_reader_is_refused_at_once(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("game.mjson").write_text(ROUND)
        only_written = Format("shown", "for the eye", files=Files({".shown": ""}), reads=False)
        monkeypatch.setattr(formats, "FORMATS", (*formats.FORMATS, only_written))
        for words, form in (
            ("game.mjson -o x.shown", "shown"),
            ("batch game.mjson -o out --to shown", "shown"),
            ("batch game.mjson -o x.parquet --to parquet", "parquet"),
        ):
            run(*words.split(), "--verify").check(WRONG_USAGE, err=f"cannot verify: {form} is written only")


class TestBatch:
    @pytest.mark.parametrize("output", ["out", "out.zip", "out.tar", "out.tar.gz", "out.tar.zst"])
    def test_the_packed_output_is_unpacked_and_read(self, run: Run, output: str) -> None:
        put_files({"logs/1.mjson": GAME + NOTED, "logs/2.mjson": ROUND})
        outcome = run("batch", "logs", "-o", output, "--to", "jmjp", "--verify", "--jobs", "1").check(DONE)
        assert outcome.err.endswith("mjconv: verified: 3 matches read again, equal to the source\n")

    def test_lines_and_plain_files_are_verified(self, run: Run) -> None:
        Path("day.mjson").write_text(GAME + NOTED)
        words = ("batch", "day.mjson", "--verify", "--jobs", "1", "-o")
        assert "2 matches read again, equal" in run(*words, "lines", "--to", "mjai", "--shards", "2").err
        assert "1 differs only in the losses" in run(*words, "plain", "--to", "jmjp", "--plain").err

    @pytest.mark.parametrize(
        "shape", [["-o", "out"], ["-o", "out.zip"], ["-o", "out.tar.gz"], ["--shards", "1", "-o", "l"]]
    )
    def test_other_bytes_stop_the_run(self, run: Run, monkeypatch: pytest.MonkeyPatch, shape: list[str]) -> None:
        """The disk of this test changes the last byte of every output."""
        put_files({"logs/1.mjson": ROUND, "logs/2.mjson": ROUND})
        words = ("batch", "logs", "--to", "mjai", "--jobs", "1", *shape)
        with monkeypatch.context() as broken:
            write = journal.write_fully

            def write_wrongly(handle: int, data: bytes, name: str) -> None:
                damaged = "journal" not in name and data
                write(handle, data[:-1] + b"?" if damaged else data, name)

            broken.setattr(journal, "write_fully", write_wrongly)
            outcome = run(*words, "--verify")
        outcome.check(BAD_INPUT, err="The file does not hold the bytes that were written")
        run(*words, "--verify", "--resume").check(DONE)
        assert len(list(mjconv.iter_matches(shape[-1]))) == 2

    @pytest.mark.usefixtures("lying")
    def test_a_member_that_differs_is_a_failure_of_its_own_kind(self) -> None:
        put_files({"in.tally": "tally\ntrue\nhonest\n", "good.tally": "tally\ntrue\nlossy\n"})

        def convert(name: str, *, verified: bool = True) -> Outcome:
            options = ConvertOptions(target="tally", verify=verified)
            plan = Plan(inputs=(), output="out", shape="zip", options=options)
            return convert_member(Task(0, next(mjconv.iter_members(name))), plan)

        failure = convert("in.tally").failure
        assert failure is not None
        assert (failure.member, failure.kind) == ("in.tally", "verify")
        assert failure.error == "the output does not read as the source: match 2, around the rounds: match.players"
        assert convert("in.tally", verified=False).failure is None
        good = convert("good.tally")
        assert (good.failure, good.counts.matches, good.counts.verified) == (None, 2, 2)


@pytest.mark.usefixtures("lying")
def test_the_library_verifies_too() -> None:
    assert mjconv.convert(b"tally\ntrue\n", target="tally", verify=True).data == b"tally\ntrue\n"
    with pytest.raises(mjconv.VerifyError, match="does not read as the source: match 1"):
        mjconv.convert(b"tally\nhonest\n", target="tally", verify=True)


def test_a_seed_gives_no_walls_where_the_source_has_none() -> None:
    record = (CORPUS / "tenhou" / "hanchan.mjlog").read_bytes()
    log = mjconv.convert(record, target="mjai", wall=False).data
    assert mjconv.convert(log, target="tenhou", verify=True).data == record


class TestWhatIsCompared:
    """The comparison on jmjp: with notes matches are equal, without notes each difference needs its own loss."""

    @pytest.fixture
    def match(self) -> mjconv.Match:
        return mjconv.read(NOTED.encode(), format="mjai")

    def plain(self, match: mjconv.Match) -> tuple[Format, bytes, list[Loss]]:
        form, report = formats.find("jmjp")[0], Report()
        return form, hub.written(form, [match], report, WriteOptions(plain=True)), report.losses

    def test_each_loss_is_needed(self, match: mjconv.Match) -> None:
        form, data, losses = self.plain(match)
        assert verify([match], form, data, losses, plain=True) == Verified(1, 1)
        needed = [loss for loss in losses if loss.what != "match.extras"]
        assert needed
        for loss in needed:
            rest = [other for other in losses if other != loss]
            with pytest.raises(mjconv.VerifyError, match=loss.what):
                verify([match], form, data, rest, plain=True)

    def test_a_loss_of_another_match_does_not_count(self, match: mjconv.Match) -> None:
        form, data, losses = self.plain(match)
        elsewhere = [mjconv.Loss(loss.what, loss.fate, 1, loss.round, loss.event, loss.label) for loss in losses]
        with pytest.raises(mjconv.VerifyError):
            verify([match], form, data, elsewhere, plain=True)

    def test_with_notes_a_reported_loss_is_no_excuse(self, match: mjconv.Match) -> None:
        form, data, losses = self.plain(match)
        with pytest.raises(mjconv.VerifyError, match=r"match 1, round S3-1, event 2: dahai\.tsumogiri"):
            verify([match], form, data, losses)

    def test_more_or_fewer_matches_and_rounds(self, match: mjconv.Match) -> None:
        for copies, text, plain, said in (
            (2, NOTED, False, "holds fewer matches than the source: 1 are in both"),
            (1, NOTED + NOTED, False, "holds more matches than the source: 1 are in both"),
            (1, GAME, True, "match 1, 0 rounds instead of 1"),
        ):
            with pytest.raises(mjconv.VerifyError, match=said):
                verify([match] * copies, formats.find("mjai")[0], text.encode(), [], plain=plain)

    def test_an_output_that_cannot_be_read(self, match: mjconv.Match) -> None:
        with pytest.raises(mjconv.VerifyError, match=r"^out.mjson:1:\d+: the output cannot be read again: "):
            verify([match], formats.find("mjai")[0], b"[", [], name="out.mjson")

    def test_a_round_without_a_result_is_left_out_of_plain_hk(self) -> None:
        match = mjconv.read(ROUND.encode(), format="mjai")
        match.rounds.insert(0, mjconv.Round(match.rounds[0].events[:3]))
        match.annotations = (Annotation(2, "comment", value="the last game"),)
        form, report = formats.find("hk")[0], Report()
        data = hub.written(form, [match], report, WriteOptions(plain=True))
        assert "match.rounds" in {loss.what for loss in report.losses}
        assert verify([match], form, data, report.losses, plain=True) == Verified(1, 1)
