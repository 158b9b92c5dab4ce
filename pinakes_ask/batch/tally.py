"""What a batch came to: how its questions ended, what they took, and their mean scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

MEASURES = ("completeness", "essentiality", "determinateness")
STATUSES = ("answered", "partial", "no_evidence", "failed")


class Tally:
    """Sums over rows. Failed rows are counted and paid for, and are in no mean."""

    def __init__(self) -> None:
        self.statuses: Counter[str] = Counter()
        self._calls = self._prompt = self._completion = 0
        self._cost = 0.0
        self._unpriced = 0
        self._sums: dict[str, float] = dict.fromkeys(MEASURES, 0.0)
        self._measured: Counter[str] = Counter()
        self._not_applicable: Counter[str] = Counter()

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.statuses.total()

    @property
    def failed(self) -> int:
        """The number of rows with an error."""
        return self.statuses["failed"]

    def add(self, row: Mapping[str, Any]) -> None:
        """Count one row."""
        self.statuses[row["status"]] += 1
        usage = row["usage"]
        self._calls += usage["calls"]
        self._prompt += usage["prompt_tokens"]
        self._completion += usage["completion_tokens"]
        if usage["cost"] is None:
            self._unpriced += 1
        else:
            self._cost += usage["cost"]
        if row["status"] == "failed":
            return
        for measure in MEASURES:
            value = row["score"][measure]
            if value is None:
                self._not_applicable[measure] += 1
            else:
                self._measured[measure] += 1
                self._sums[measure] += value

    def __add__(self, other: Tally) -> Tally:
        both = Tally()
        for one in (self, other):
            both.statuses += one.statuses
            both._calls += one._calls
            both._prompt += one._prompt
            both._completion += one._completion
            both._cost += one._cost
            both._unpriced += one._unpriced
            both._measured += one._measured
            both._not_applicable += one._not_applicable
            both._sums = {measure: both._sums[measure] + one._sums[measure] for measure in MEASURES}
        return both

    def to_json(self) -> dict[str, Any]:
        """Return the sums; a mean of nothing, and a cost of which a part is unknown, are null."""
        return {
            "rows": self.rows,
            **{status: self.statuses[status] for status in STATUSES},
            "usage": {
                "calls": self._calls,
                "prompt_tokens": self._prompt,
                "completion_tokens": self._completion,
                "cost": None if self._unpriced else round(self._cost, 6),
                "rows_of_unknown_cost": self._unpriced,
            },
            "score": {
                measure: {
                    "mean": round(self._sums[measure] / self._measured[measure], 4)
                    if self._measured[measure]
                    else None,
                    "measured": self._measured[measure],
                    "not_applicable": self._not_applicable[measure],
                }
                for measure in MEASURES
            },
        }
