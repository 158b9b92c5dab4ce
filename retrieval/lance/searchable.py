"""The indexes of the passages: of words always, of vectors where there are many."""

from __future__ import annotations

from typing import Any

from retrieval.lance.failures import talking
from retrieval.lance.tables import NEVER, Tables

#: Up to this many passages a query compares every vector; above, an index over them is made.
EXACT_UP_TO = 20_000
#: Passages in a cell of the index over vectors.
_CELL = 1000


def tend(tables: Tables, table: Any, count: int) -> bool:
    """Make the indexes hold every passage; return whether nothing was to do."""
    if count == 0:
        return True
    from lancedb.index import FTS, IvfSq

    with talking(tables.uri):
        table.checkout_latest()
        made = {index.columns[0]: index for index in table.list_indices()}
        done = True
        if "words" not in made:
            # The words are tokens already; LanceDB is to take them as they are.
            table.create_index(
                "words",
                config=FTS(
                    base_tokenizer="whitespace",
                    lower_case=False,
                    stem=False,
                    remove_stop_words=False,
                    ascii_folding=False,
                    max_token_length=None,
                ),
            )
            done = False
        if "vector" not in made and count > EXACT_UP_TO:
            table.create_index("vector", config=IvfSq(distance_type="dot", num_partitions=count // _CELL))
            done = False
        if any(index.num_unindexed_rows for index in made.values()):
            table.optimize(cleanup_older_than=NEVER)
            done = False
    return done


def is_approximate(tables: Tables, table: Any) -> bool:
    """Return whether a version of the table has an index over its vectors."""
    with talking(tables.uri):
        return any(index.columns[0] == "vector" for index in table.list_indices())
