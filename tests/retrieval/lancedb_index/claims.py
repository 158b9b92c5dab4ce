"""Claim the numbers 1 to 40 of a log while others do the same, and print those that were got. Run as a program.

python claims.py URI NAME
"""

from __future__ import annotations

import sys
from contextlib import suppress
from datetime import timedelta

from retrieval.lance import schema
from retrieval.lance.failures import Contended, Gone, talking
from retrieval.lance.log import Generation, publish, read_log
from retrieval.lance.tables import Tables

if __name__ == "__main__":
    uri, name = sys.argv[1:]
    tables = Tables(uri)
    read_log(tables)
    # All begin together, when the one who started them has seen that they are ready.
    print("ready", flush=True)
    sys.stdin.readline()
    while (number := read_log(tables).number) < 40:
        with suppress(Contended):
            if publish(tables, number, Generation("model", name, "library", 1, 1, 1, {})):
                print(name, number + 1, flush=True)
        if name == "a":
            with suppress(Contended, Gone), talking(uri):
                tables.open(schema.LOG).optimize(cleanup_older_than=timedelta(days=1))
