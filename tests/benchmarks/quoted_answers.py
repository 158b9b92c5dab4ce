"""C on answers that quote the documents: for each gold triple, the sentence that states it.

Run by hand: ``python tests/benchmarks/quoted_answers.py ../shared/data/2wikimultihopqa/questions.jsonl``
(questions with ``passages`` and gold ``evidences``). The whole answer must get C = 1, and each answer
with one of the quotations left out C = 0, where no other quotation states the same value.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from retrieval.text import bare_title, name_key, sentence_spans
from scoring.extract import Statement, extract
from scoring.logicscore import score
from scoring.validate.worlds import Excluded, build_world


def quotations(row: dict[str, Any]) -> list[Statement] | None:
    found: list[Statement] = []
    for subject, _, value in row["evidences"]:
        passage = next((p for p in row["passages"] if name_key(p["title"]) == name_key(subject)), None)
        if passage is None:
            return None
        sentences = [passage["text"][a:b] for a, b in sentence_spans(passage["text"])]
        stated = next((s for s in sentences if name_key(bare_title(value)) in name_key(s) or value in s), None)
        if stated is None:
            return None
        found.append(Statement(stated, passage["title"]))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="C on answers that quote the documents.")
    parser.add_argument("questions", type=Path)
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--misses", type=int, default=0)
    args = parser.parse_args()
    whole: list[int | None] = []
    cut: list[int | None] = []
    for line in args.questions.read_text(encoding="utf-8").splitlines()[: args.limit]:
        row = json.loads(line)
        world = build_world(row) if row.get("evidences") else None
        statements = quotations(row) if world is not None and not isinstance(world, Excluded) else None
        if world is None or isinstance(world, Excluded) or statements is None:
            continue
        if len({one.text for one in statements}) < len(statements):
            continue
        hops = max(map(len, world.branch_facts), default=len(world.facts))

        def completeness(
            kept: list[Statement], row: dict[str, Any] = row, hops: int = hops, form: Any = world.form
        ) -> tuple[int | None, Any, Any]:
            found = extract(row["question"], kept, row["answer"], form=form, plan_hops=hops)
            verdict = score(found, short_answer=row["answer"])
            return verdict.completeness, verdict.failure_class, found

        got, failure, found = completeness(statements)
        whole.append(got)
        if got != 1 and args.misses > 0:
            args.misses -= 1
            print(row["question"], "|", row["answer"], "|", failure, found.question_entities, found.branches)
            for one in found.propositions:
                print(
                    "   ",
                    one.role,
                    one.text[:110],
                    [(t.subject, t.object) for t in one.triples][:8],
                    [(c.mention, c.entity) for c in one.coreferences],
                )
        cut += [completeness(statements[:gone] + statements[gone + 1 :])[0] for gone in range(len(statements))]
    for name, values, right in (("whole answers with C = 1", whole, 1), ("cut answers with C = 0", cut, 0)):
        known = [value for value in values if value is not None]
        print(
            f"{name}: {sum(v == right for v in known)} of {len(known)} ({len(values) - len(known)} not applicable)"
        )


if __name__ == "__main__":
    main()
