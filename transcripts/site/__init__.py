"""The review site: pages over stored records, as files or served on this machine.

:mod:`build` writes it into a folder, :mod:`server` serves it with buttons to accept and reject.
"""
