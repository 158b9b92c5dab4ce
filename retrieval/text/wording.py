"""Words for people."""


def counted(number: int, noun: str) -> str:
    """Return the number with its noun, in the plural where there is not exactly one."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
