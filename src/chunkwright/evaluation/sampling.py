"""A few of many, told by a seed: the same on every platform and with every version of numpy, which
promises to keep PCG64's stream. What is sampled is not known here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")


def some_of(items: Sequence[T], most: int, seed: int) -> list[T]:
    """`most` of the items, each as likely as another, in their own order; all where there are not
    more."""
    if len(items) <= most:
        return list(items)
    keys = np.random.PCG64(seed).random_raw(len(items))
    chosen = np.argsort(keys, kind="stable")[:most]
    return [items[place] for place in sorted(chosen.tolist())]
