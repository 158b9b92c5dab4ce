"""The extractive model: no language model, no key, no network. It quotes, and never composes."""
