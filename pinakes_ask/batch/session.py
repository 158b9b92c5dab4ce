"""One start of a batch: its account opened, its questions asked, its account closed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pinakes_ask.batch.answers import Answers
from pinakes_ask.batch.asking import Answering, Asker, Setup
from pinakes_ask.batch.database import Database
from pinakes_ask.batch.journal import Journal
from pinakes_ask.batch.ledger import Caps, Ledger, Total
from pinakes_ask.batch.lock import Lives
from pinakes_ask.batch.rows import Format
from pinakes_ask.batch.runner import Ended, Runner
from pinakes_ask.batch.todo import Todo


@dataclass(frozen=True)
class Manner:
    """How a batch goes about its questions.

    :param jobs: questions under way at once.
    :param ordered: write the rows in the order of the questions.
    """

    form: Format = "native"
    jobs: int = 4
    ordered: bool = False


async def answer_all(
    todo: Todo,
    setup: Setup,
    *,
    answers: Path,
    state: Path,
    caps: Caps,
    manner: Manner,
    answering: Answering | None = None,
    begun: Callable[[Runner], None] = lambda runner: None,
    watch: Callable[[str], None] = lambda event: None,
    progress: Callable[[int], None] = lambda done: None,
) -> tuple[Ended, dict[str, Total]]:
    """Ask what is to do, and return how it ended and what the library's batches have taken.

    The caller is the only writer of ``answers``, see :func:`pinakes_ask.batch.lock.only_writer`.

    :param state: the folder that holds the account of the library's batches.
    :param answering: where runs are brought to their end; in this process where none is given.
    :param begun: hears of the runner before the first question, to be able to stop it.
    :raises BatchError: when the account or the answers cannot be opened; nothing was asked then.
    """
    lives = Lives(state)
    name = setup.ids.new(setup.clock.now())
    database = Database(state)
    try:
        with lives.live(name), Answers(answers) as rows:
            ledger = Ledger(database, name, caps, setup.clock, lives.is_alive)
            asker = Asker(setup, Journal(database, answers), rows, manner.form, answering)
            runner = Runner(
                todo.ask,
                asker.ask,
                asker,
                ledger,
                setup.clock,
                settings=setup.hash,
                jobs=manner.jobs,
                ordered=manner.ordered,
                until=setup.until,
                watch=watch,
                progress=progress,
            )
            begun(runner)
            ended = await runner.run()
            spent = ledger.spent()
            ledger.leave()
            return ended, spent
    finally:
        database.close()
