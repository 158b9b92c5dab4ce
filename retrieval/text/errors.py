"""The root of the error tree. It lies with the text, since every package may use that."""

from __future__ import annotations


class PinakesAskError(Exception):
    """An expected failure, told to the user without a traceback.

    :param what: what failed, without a full stop.
    :param why: the cause, without a full stop.
    :param do: what the user can do about it, without a full stop.
    """

    exit_code = 1

    def __init__(self, what: str, why: str, do: str) -> None:
        super().__init__(what, why, do)
        self.what, self.why, self.do = what, why, do

    def __str__(self) -> str:
        return f"{self.what}: {self.why}. {self.do}."
