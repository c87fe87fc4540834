from mjconv.converters.jmjp.detect import recognise


def test_jmjp_is_recognised() -> None:
    for head in (
        b"jmjp[1.0](mtp[,,,]",
        b"jmjp[0]",
        b"jmjp[2.0]",
        b"\xef\xbb\xbfjmjp[1.0]",
        b" \r\n\t jmjp[1.0]",
        b"j m j p [ 1.0 ]",
        b"// jmjp\n// and more\r\njmjp // here\n [1.0]",
        "// 牌譜\u3000\njmjp[1.0]".encode(),
    ):
        assert recognise(head), head


def test_other_files_are_not() -> None:
    for head in (
        b"",
        b"jmjp",
        b"jmjp(",
        b"JMJP[1.0]",
        b"x jmjp[1.0]",
        b"// jmjp[1.0]",
        b'{"type":"start_game","names":["jmjp["]}\n',
        b"\xff\xfej\x00m\x00j\x00p\x00[\x00",
        b"/ jmjp[1.0]",
    ):
        assert not recognise(head), head


def test_a_long_comment_before_the_head_is_read_to_64_kib_and_no_further() -> None:
    assert recognise(b"//" + b" " * 65000 + b"\njmjp[1.0]")
    assert not recognise(b"//" + b" " * 70000 + b"\njmjp[1.0]")
