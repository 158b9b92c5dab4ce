"""How many gold triples the model-free extraction recovers from the passages that state them.

Run by hand: ``python tests/benchmarks/extraction_recall.py ../shared/data/2wikimultihopqa/questions.jsonl``
(questions with ``passages`` and gold ``evidences``). A triple counts where its object stands, as its
own mention, in a fact of its subject's passage; "with subject" where that fact's subject is right.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from retrieval.text import name_key, sentence_spans
from scoring.extract import Statement, extract
from scoring.graph import BODY, Graph
from scoring.identity import Names


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--patterns", action="store_true", help="without the parser")
    parser.add_argument("--misses", type=int, default=0, help="print so many misses")
    args = parser.parse_args()
    total = objects = subjects = stated = connected = 0
    for line in args.questions.read_text(encoding="utf-8").splitlines()[: args.limit]:
        row = json.loads(line)
        for subject, relation, value in row["evidences"]:
            passage = next((one for one in row["passages"] if name_key(one["title"]) == name_key(subject)), None)
            if passage is None:
                continue
            total += 1
            text = passage["text"]
            if value not in text:
                continue
            stated += 1
            statements = [Statement(text[start:end], passage["title"]) for start, end in sentence_spans(text)]
            found = extract(subject, statements, value, use_parser=not args.patterns)
            names = Names(found)
            hit = right = False
            graph = Graph(found.propositions, names, BODY)
            reached = graph.reach([names.key(passage["title"])])
            connected += names.key(value) in reached
            for proposition in found.propositions:
                for triple in proposition.triples:
                    ends = [names.key_in(one, proposition, "") for one in (triple.subject, triple.object)]
                    if names.key(value) in ends:
                        hit = True
                        right = right or names.key(passage["title"]) in ends
            objects += hit
            subjects += right
            if names.key(value) not in reached and args.misses:
                args.misses -= 1
                print("MISS", subject, "|", relation, "|", value, "|", text[:300])
                for proposition in found.propositions:
                    if value in proposition.text:
                        print(
                            "    ",
                            [(t.subject, t.relation, t.object) for t in proposition.triples],
                            proposition.coreferences,
                        )
    print(f"gold triples whose passage is there: {total}; object stated literally: {stated}")
    print(
        f"object recovered: {objects / stated:.3f}; with the right subject: "
        f"{subjects / stated:.3f}; connected to it: {connected / stated:.3f}"
    )


if __name__ == "__main__":
    main()
