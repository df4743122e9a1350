"""The five chunkers, and what they share: see `base`, `packing` and `budgeting`."""
