"""``pnk batch run``: answer a file of questions, unattended."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pinakes_ask.cli import common
from pinakes_ask.cli.common import (
    KbOption,
    ModifiedAfterOption,
    ModifiedBeforeOption,
    PathPrefixOption,
    SourceTypeOption,
    StateOption,
    TagOption,
)
from pinakes_ask.cli.endpoint import BaseUrlOption, ModelOption
from pinakes_ask.cli.options import (
    AsksOption,
    ForceAnswerOption,
    MaxCallsOption,
    MaxCostOption,
    MaxRoundsOption,
    MaxTokensOption,
    PassagesOption,
    YesOption,
    given,
)
from pinakes_ask.cli.ray import RayOption, WorkersOption, check_workers
from retrieval.errors import UsageError

if TYPE_CHECKING:
    from pinakes_ask.batch.questions import Item, Reading

#: Bad lines that are shown one by one; the rest is counted.
_SHOWN = 50


class Form(StrEnum):
    """How a row of answers is written."""

    NATIVE = "native"
    OPENAI = "openai"


def run(
    questions: Annotated[
        str,
        typer.Argument(
            help='Questions, one a line: plain text, {"id", "question"}, or rows of an OpenAI batch. '
            "- reads standard input."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The answers, a JSON row for each question.")],
    kb: KbOption = None,
    state: StateOption = None,
    form: Annotated[
        Form, typer.Option("--format", help="native rows, or the response rows of an OpenAI batch.")
    ] = Form.NATIVE,
    jobs: Annotated[
        int | None,
        typer.Option("-j", "--jobs", min=1, max=64, show_default="4", help="Questions under way at once."),
    ] = None,
    ordered: Annotated[
        bool, typer.Option("--ordered", help="Write the rows in the questions' order, not as they end.")
    ] = False,
    k: PassagesOption = None,
    tag: TagOption = None,
    path_prefix: PathPrefixOption = "",
    source_type: SourceTypeOption = "",
    modified_after: ModifiedAfterOption = "",
    modified_before: ModifiedBeforeOption = "",
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    max_rounds: MaxRoundsOption = None,
    force_answer: ForceAnswerOption = False,
    max_cost: MaxCostOption = None,
    max_calls: MaxCallsOption = None,
    max_tokens: MaxTokensOption = None,
    deadline: Annotated[
        str, typer.Option("--deadline", metavar="TIME", help="Begin nothing after this: 90s, 30m or 6h from now.")
    ] = "",
    retry_failed: Annotated[
        bool,
        typer.Option("--retry-failed", help="Ask again what failed, or was cut short by a budget or deadline."),
    ] = False,
    skip_bad_lines: Annotated[
        bool,
        typer.Option("--skip-bad-lines", help="Give lines that cannot be asked a failed row, and ask the rest."),
    ] = False,
    shard: Annotated[
        str,
        typer.Option("--shard", metavar="I/N", help="Only this part of the questions, by the hash of their ids."),
    ] = "",
    ray: RayOption = "",
    ray_workers: WorkersOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be asked and what it can take; ask nothing.")
    ] = False,
    summary: Annotated[
        Path | None,
        typer.Option("--summary", metavar="FILE", show_default=False, help="Write the summary as JSON."),
    ] = None,
    asks: AsksOption = None,
    commit: Annotated[
        bool | None,
        typer.Option(
            "--commit/--no-commit", show_default=False, help="Commit the transcripts with git, once in the end."
        ),
    ] = None,
    yes: YesOption = False,
    quiet: Annotated[
        bool,
        typer.Option("-q", "--quiet", help="Say nothing when every question has an answer that did not fail."),
    ] = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Say how each question ended.")] = False,
    log_file: Annotated[
        Path | None,
        typer.Option("--log-file", metavar="FILE", show_default=False, help="Append every event, with its time."),
    ] = None,
) -> int:
    """Answer a file of questions: a row and a transcript for each.

    A rerun asks only what has no row yet: what the questions, their ids and the settings say, counts. Nothing
    is paid twice, also after a kill. Ends with 5 where rows failed, with 130 or 143 when it was stopped.
    """
    from pinakes_ask.batch.errors import BatchRunning
    from pinakes_ask.batch.lock import only_writer
    from pinakes_ask.batch.preflight import check_place
    from pinakes_ask.batch.shard import Shard
    from pinakes_ask.budget import Limits
    from pinakes_ask.cli.batch_night import Night, Wanted
    from pinakes_ask.cli.batch_report import Report, read_duration
    from retrieval.sources.scan import check
    from retrieval.state import state_dir

    check_workers(ray, ray_workers)
    part = Shard.parse(shard) if shard else None
    seconds = read_duration(deadline) if deadline else None
    filters = common.read_filters(tag, path_prefix, source_type, modified_after, modified_before)
    library = common.find_library(kb)
    check(library.expanduser().resolve())
    flags: dict[str, dict[str, Any]] = {
        "ask": given(k=k, max_rounds=max_rounds, force_answer=force_answer or None),
        "model": given(name=model, base_url=base_url, concurrency=jobs),
        "transcripts": given(commit=commit, folder=str(asks.absolute()) if asks else None),
    }
    config = common.read_config(library, flags).config
    check_place(out, None if questions == "-" else Path(questions))
    items = _items(questions, skip_bad_lines)
    wanted = Wanted(
        items=tuple(item for item in items if part is None or part.holds(item.id)),
        out=out,
        library=library,
        state=state,
        config=config,
        filters=filters,
        limits=Limits(max_calls, max_tokens, max_cost, seconds),
        form="openai" if form is Form.OPENAI else "native",
        ordered=ordered,
        retry_failed=retry_failed,
        yes=yes,
        ray=ray,
        workers=ray_workers,
    )
    with Report(quiet=quiet, verbose=verbose, log_file=log_file, summary=summary) as report:
        night = Night(wanted, report)
        if dry_run:
            return night.dry_run()
        try:
            with only_writer(out, state_dir(library.resolve(), state, writing=True)):
                return night.run()
        except BatchRunning as running:
            report.say(str(running), always=True)
            return running.exit_code


def _items(questions: str, skip_bad_lines: bool) -> tuple[Item, ...]:
    """Read the questions, and say every line that cannot be asked.

    :raises QuestionsUnusable: when there is such a line and it may not be skipped.
    """
    from pinakes_ask.batch.errors import QuestionsUnusable
    from pinakes_ask.batch.questions import read_questions, with_bad_lines

    source = "standard input" if questions == "-" else questions
    try:
        data = sys.stdin.buffer.read() if questions == "-" else Path(questions).read_bytes()
    except OSError as error:
        why = error.strerror or str(error)
        raise UsageError(f"The questions in {source} cannot be read", why, "Check the path") from error
    reading: Reading = read_questions(data)
    for bad in reading.bad[:_SHOWN]:
        common.notice(f"{source}, line {bad.line}: {bad.why}")
    if len(reading.bad) > _SHOWN:
        common.notice(f"{source}: {len(reading.bad) - _SHOWN} more lines cannot be asked")
    if reading.bad and not skip_bad_lines:
        raise QuestionsUnusable(source, reading.bad, "Correct the lines, or say --skip-bad-lines")
    if not reading.items:
        raise UsageError(f"There is nothing to ask in {source}", "it holds no question", "Write one on each line")
    return with_bad_lines(reading) if skip_bad_lines else reading.items
