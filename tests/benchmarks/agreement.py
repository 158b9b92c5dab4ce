"""Do the measures agree with people? AUROC and thresholds beside two simple baselines.

Run by hand: ``python tests/benchmarks/agreement.py ../shared/data`` (a folder with
``judged/hotpotadv_explanations.jsonl`` and ``llm_answers/hagrid_gpt35_human_labels.jsonl``).

Rationales: people said whether each is consistent with its own short answer, and whether it is
factual. Cited sentences: people said whether each is attributable to what it cites.

With ``--model NAME --base-url URL`` the model extracts the rationales' facts, two calls each; ``--limit``
bounds them. Cited sentences are checked without a model.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pinakes_ask.cli.endpoint import ModelSession, model_session
from retrieval.text import content_words, sentence_spans
from retrieval.text.errors import PinakesAskError
from scoring.citations import CitedStatement, check_citations
from scoring.extract import extract
from scoring.extract.model import extract_with
from scoring.identity import Names
from scoring.logicscore import score
from scoring.types import Extraction

Labelled = list[tuple[float | None, bool]]
Extractor = Callable[[str, list[str], str], Extraction]


def auroc(scores: Labelled) -> tuple[float | None, int, int]:
    """Area under the ROC curve (ties count half) over the scored, with positives and negatives used."""
    good = sorted(value for value, label in scores if label and value is not None)
    bad = sorted(value for value, label in scores if not label and value is not None)
    if not good or not bad:
        return None, len(good), len(bad)
    wins = sum((g > b) + 0.5 * (g == b) for g in good for b in bad)
    return wins / (len(good) * len(bad)), len(good), len(bad)


def table(name: str, columns: dict[str, Labelled]) -> None:
    print(f"\n{name}")
    print(f"  {'signal':<40}{'AUROC':>7}{'yes':>6}{'no':>6}{'n/a':>6}")
    for signal, scores in columns.items():
        area, good, bad = auroc(scores)
        missing = sum(value is None for value, _ in scores)
        print(f"  {signal:<40}{'-' if area is None else format(area, '.3f'):>7}{good:>6}{bad:>6}{missing:>6}")
    for signal, scores in columns.items():
        rows = [(value, label) for value, label in scores if value is not None]
        print(f"  {signal}: threshold, kept, precision, recall")
        for cut in (0.01, 0.25, 0.5, 0.75, 1.0):
            kept = [label for value, label in rows if value >= cut]
            total = sum(label for _, label in rows)
            if kept and total:
                print(f"    >= {cut:<5} {len(kept):>5} {sum(kept) / len(kept):>7.3f} {sum(kept) / total:>7.3f}")


def overlap(text: str, source: str) -> float:
    wanted = set(content_words(text))
    return len(wanted & set(content_words(source))) / len(wanted) if wanted else 0.0


def by_model(session: ModelSession, question: str, parts: list[str], short_answer: str) -> Extraction:
    """The model's extraction; where it fails, the measures do not apply to that rationale."""
    try:
        return session.run(extract_with(session.extraction, question, parts, short_answer))
    except PinakesAskError as error:
        session.raise_if_refused()
        return Extraction(failed=str(error), method="model")


def rationales(rows: Sequence[dict[str, Any]], extractor: Extractor) -> None:
    consistent: dict[str, Labelled] = {}
    factual: dict[str, Labelled] = {}
    for row in rows:
        text = row["answer_text"]
        parts = [
            re.sub(r"^(?:First|Second|Third|Fourth|Finally),\s*", "", text[a:b]) for a, b in sentence_spans(text)
        ]
        found = extractor(row["question"], parts, row["short_answer"])
        verdict = score(found, short_answer=row["short_answer"])
        evidence = {
            n: [d["text"][a:b] for a, b in sentence_spans(d["text"])] for n, d in enumerate(row["documents"])
        }
        every = tuple((n, s) for n, sentences in evidence.items() for s in range(len(sentences)))
        report = check_citations([CitedStatement(part, every) for part in parts], evidence)
        names = Names(Extraction())
        ends = [names.key(t.object) for p in found.propositions for t in p.triples] + [
            names.key(t.subject) for p in found.propositions for t in p.triples
        ]
        source = " ".join(d["text"] for d in row["documents"])
        yes, true = row["consistent"] == "T", row["factual"] == "T"
        stated = row["short_answer"].lower() in text.lower()
        for signal, value in {
            "C (self)": verdict.completeness,
            **({"D": verdict.determinateness} if found.method == "model" else {}),
            "C and E, mean": None
            if verdict.completeness is None or verdict.essentiality is None
            else (verdict.completeness + verdict.essentiality) / 2,
            "answer is an argument of a fact": float(names.key(row["short_answer"]) in ends),
            "baseline: word overlap with question": overlap(row["question"], text),
            "baseline: answer string present": float(stated),
        }.items():
            consistent.setdefault(signal, []).append((value, yes))
        for signal, value in {
            "citation recall": report.recall,
            "no unsupported name, date, number": float(not any(s.unsupported for s in report.statements)),
            "baseline: word overlap with passages": overlap(text, source),
            "baseline: answer string in passages": float(row["short_answer"].lower() in source.lower()),
        }.items():
            factual.setdefault(signal, []).append((value, true))
    table(f"Consistent with its own short answer ({len(rows)} rationales)", consistent)
    table(f"Factual ({len(rows)} rationales)", factual)


def cited(rows: Sequence[dict[str, Any]]) -> None:
    columns: dict[str, Labelled] = {}
    skipped = 0
    for row in rows:
        evidence = {
            n: [d["text"][a:b] for a, b in sentence_spans(d["text"])]
            for n, d in enumerate(row["documents"], start=1)
        }
        for sentence in row["sentences"]:
            label = sentence.get("attributable")
            numbers = [
                int(n)
                for group in re.findall(r"\[([\d,\s]+)\]", sentence["text"])
                for n in group.split(",")
                if n.strip()
            ]
            if label is None or not numbers:
                skipped += 1
                continue
            text = re.sub(r"\s*\[[\d,\s]+\]", "", sentence["text"])
            citations = tuple((n, s) for n in numbers for s in range(max(1, len(evidence.get(n, ())))))
            (one,) = check_citations([CitedStatement(text, citations)], evidence).statements
            source = " ".join(part for n in numbers for part in evidence.get(n, ()))
            names = [part.lower() for part in re.findall(r"[A-Z]\w+", text)]
            for signal, value in {
                "supported": float(one.supported),
                "supported share and overlap": (1.0 - min(1.0, 0.5 * len(one.unsupported))) * 0.5
                + 0.5 * overlap(text, source),
                "baseline: word overlap": overlap(text, source),
                "baseline: capitalised words present": sum(n in source.lower() for n in names) / len(names)
                if names
                else 0.0,
            }.items():
                columns.setdefault(signal, []).append((value, bool(label)))
    table(f"Attributable to what it cites ({skipped} sentences without a citation or a label left out)", columns)


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def main() -> None:
    parser = argparse.ArgumentParser(description="Agreement of the measures with people.")
    parser.add_argument("data", type=Path)
    parser.add_argument("--patterns", action="store_true", help="extract without the English parser")
    parser.add_argument("--model", help="extract the rationales' facts by this language model")
    parser.add_argument("--base-url", help="its server")
    parser.add_argument("--max-calls", type=int, help="make at most so many calls to it")
    parser.add_argument("--limit", type=int, help="only so many rationales")
    args = parser.parse_args()
    rows = read(args.data / "judged/hotpotadv_explanations.jsonl")[: args.limit]
    with model_session(args.model, args.base_url, max_calls=args.max_calls) as session:
        if session is None:
            rationales(rows, partial(extract, use_parser=not args.patterns))
        else:
            rationales(rows, partial(by_model, session))
            print(f"\n{session.summary()}")
    cited(read(args.data / "llm_answers/hagrid_gpt35_human_labels.jsonl"))


if __name__ == "__main__":
    main()
