"""The table of answers: the page shows it, and the streams of the tests follow it."""

from collections.abc import Sequence
from itertools import pairwise, takewhile

from order_rows import messages_after
from test_order_page import section

from answer_table import ANSWERS, REPLIES, answers
from logs import Message
from looped import looped
from mjconv.ir.events import KEYS
from test_streams import CASES, case_of

PLAYERS = {answer for row in ANSWERS for answer in row.answers}
#: The messages that the order of messages lets follow a message.
FOLLOWING = {message: messages_after(message) for message in KEYS}


def quoted(names: Sequence[str]) -> str:
    return " ".join(f"`{name}`" for name in names) or "nothing"


def test_the_page_shows_the_answers() -> None:
    """A row has all messages of the same players with the same answers."""
    alike: dict[tuple[str, str], list[str]] = {}
    for row in ANSWERS:
        alike.setdefault((row.whose, quoted(row.answers)), []).append(row.message)
    below = section("Answers", "###").partition("| The host sends | Whose | The player answers |\n")[2]
    rows = takewhile(lambda line: line.startswith("|"), below.splitlines()[1:])
    assert [[cell.strip() for cell in row[1:-1].split("|")] for row in rows] == [
        [quoted(messages), *cells] for cells, messages in alike.items()
    ]


def test_the_tables_hold_every_message_with_its_answers() -> None:
    # The host sends all messages but a player's own, and each message of a player has its replies.
    assert {row.message for row in ANSWERS} == set(KEYS) - {"none", "join"}
    assert {*PLAYERS, "error"} == {*REPLIES, "none"}
    assert {reply for replies in REPLIES.values() for reply in replies} <= {row.message for row in ANSWERS}
    # A message of a player has answers for the player and for others.
    for message in {row.message for row in ANSWERS}:
        whose = sorted(row.whose for row in ANSWERS if row.message == message)
        assert whose in ([""], ["another player", "the player"])
    # An action of a player is repeated by the host.
    assert all(message in REPLIES[message] for message in PLAYERS - {"none", "join"})


@looped("case", *CASES)
def test_the_answers_of_streams_are_in_the_table(case: str) -> None:
    seat, said = case_of(case)
    for (who, message), (answering, answer) in pairwise(said):
        if who == "host" and answering == "player":
            assert answer["type"] in answers(message, seat), (message, answer)


def test_the_messages_after_an_answer_are_in_the_table() -> None:
    for case in CASES:
        _, said = case_of(case)
        for (_, message), (who, answer), (_, following) in zip(said, said[1:], said[2:], strict=False):
            if who == "player" and not impossible(answer, following):
                # A host may send an error at any time.
                allowed = {*REPLIES.get(answer["type"], FOLLOWING[message["type"]]), "error"}
                assert following["type"] in allowed, (message, answer, following)


def impossible(answer: Message, following: Message) -> bool:
    """Return whether the player of the tests claims a triplet that they cannot have."""
    return answer["type"] == "pon" and following["type"] in ("chi", "daiminkan")
