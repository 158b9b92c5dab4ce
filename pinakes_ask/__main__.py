"""``python -m pinakes_ask`` is ``pnk``."""

from pinakes_ask.cli.app import main

main()
