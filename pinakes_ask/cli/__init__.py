"""The command line: a thin layer that reads flags, calls the library and prints.

Nothing here is needed to use the packages from Python. Command modules import what is slow
inside their functions, so that ``pnk --help`` answers at once.
"""

from pinakes_ask.cli.app import main

__all__ = ["main"]
