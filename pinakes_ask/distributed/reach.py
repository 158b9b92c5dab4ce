"""Tries to join a cluster, in a process that may hang: ``python -m pinakes_ask.distributed.reach``."""

from __future__ import annotations

import logging
import sys


def main(address: str) -> int:
    """Join the cluster and leave it again; print why that failed."""
    import ray

    logging.getLogger("ray").setLevel(logging.ERROR)
    try:
        ray.init(address=address, log_to_driver=False, configure_logging=False)
    except (RuntimeError, OSError, ValueError) as error:
        sys.stdout.write(str(error))
        return 1
    ray.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
