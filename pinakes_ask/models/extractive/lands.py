"""When a land and a word of belonging to it say the same: "Norway" and "Norwegian"."""

from __future__ import annotations

import re

from retrieval.text import name_key

_ENDING = re.compile(r"(?:ish|ese|ians?|ans?|ic|land|en|[aeyn])$")
#: Words of belonging that do not begin like their land.
_OTHERS = {
    "united states": "america",
    "united states of america": "america",
    "us": "america",
    "usa": "america",
    "united kingdom": "britain",
    "uk": "britain",
    "british": "britain",
    "great britain": "britain",
    "france": "french",
    "dutch": "netherlands",
    "greek": "greece",
    "welsh": "wales",
    "irish": "ireland",
    "swiss": "switzerland",
    "danish": "denmark",
    "spanish": "spain",
    "turkish": "turkey",
    "polish": "poland",
    "thai": "thailand",
    "filipino": "philippines",
    "iraqi": "iraq",
    "israeli": "israel",
    "pakistani": "pakistan",
}


def land_key(name: str) -> str:
    """Return a key that a land and its word of belonging share; other names keep their own."""
    key = name_key(name)
    key = _OTHERS.get(key, key)
    return _ENDING.sub("", key) if " " not in key and len(key) > 4 else key
