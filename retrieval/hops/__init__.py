"""Documents name each other: what they are called, where those names stand, and the hops that follow."""
