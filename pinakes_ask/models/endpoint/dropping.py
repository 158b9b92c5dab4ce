"""A reply of which one item cannot be read: that item is left out and named, and the rest is taken."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

ReplyT = TypeVar("ReplyT", bound=BaseModel)

#: Lists that are taken whole or not at all: a score would rise by what is left out of them.
_WHOLE = frozenset({"propositions", "branches", "question_entities"})
#: A list whose items are referred to by their place; its last item is what the others lead to.
_PLACED = "sub_questions"
#: Items that are left out, at most; a reply with more of them is none.
_MOST = 20


class Unreadable(ValueError):
    """A reply that no item can be left out of to make it readable; the message says why."""


def validated(value: dict[str, Any], model: type[ReplyT]) -> tuple[ReplyT, tuple[str, ...]]:
    """Return the reply, and a note on each item that was left out of it. ``value`` is changed.

    Left out is the innermost item that is wrong: of a finding with one wrong citation, that citation. A
    choice that is none of those offered is taken for not made.

    :raises Unreadable: when something else is wrong, or nothing of a list is left.
    """
    notes: list[str] = []
    while True:
        try:
            return model.model_validate(value), tuple(notes)
        except ValidationError as error:
            first = error.errors()[0]
            place, why = first["loc"], first["msg"]
        said = f"{'.'.join(map(str, place)) or 'the object'}: {why}"
        if len(notes) >= _MOST or not _leave_out(value, place, choice=first["type"] == "literal_error"):
            raise Unreadable(said)
        notes.append(f"Part of the model's reply could not be read and was left out: {said}.")


def _leave_out(value: dict[str, Any], place: tuple[int | str, ...], *, choice: bool) -> bool:
    """Leave out what is wrong at ``place``; return whether that could be done."""
    if choice:
        parent = _at(value, place[:-1])
        if isinstance(parent, dict):
            del parent[place[-1]]
            return True
    depth = next((n for n in range(len(place) - 1, 0, -1) if isinstance(place[n], int)), 0)
    index, name, items = place[depth], place[depth - 1], _at(value, place[:depth])
    if not isinstance(index, int) or not isinstance(items, list) or name in _WHOLE:
        return False
    if name == _PLACED:
        items[index] = {"question": ""}
        return index < len(items) - 1
    del items[index]
    return bool(items) or depth > 1


def _at(value: Any, place: tuple[int | str, ...]) -> Any:
    for key in place:
        value = value[key]
    return value
