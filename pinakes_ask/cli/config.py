"""``pnk config``: the settings in force, and where each comes from."""

from __future__ import annotations

from pinakes_ask.cli.common import JsonOption, KbOption, find_library, print_json, print_result, read_config


def config(kb: KbOption = None, as_json: JsonOption = False) -> int:
    """Show the settings in force for a library, and where each comes from."""
    loaded = read_config(find_library(kb))
    if as_json:
        print_json({"schema_version": 1, "settings": loaded.config.model_dump(), "sources": loaded.sources})
        return 0
    for section, values in loaded.config.model_dump().items():
        print_result(f"[{section}]")
        for key, value in values.items():
            shown = "# not set" if value is None else f"= {_toml(value)}"
            print_result(f"{key} {shown}  # {loaded.sources.get(f'{section}.{key}', 'default')}")
    return 0


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)
