"""Free processors by number, as intervals; a job takes the lowest.

The gaps stand highest first, because most is taken and given at the low end of the machine,
which is the end of the array.
"""

from __future__ import annotations

from typing import Any

from ..decorators import kernel


@kernel
def take_lowest(gaps: Any, size: int, count: int, cells: Any, filled: int) -> tuple[int, int]:
    """Take `count` free processors, write them to `cells`; return numbers of gaps and cells."""
    while count > 0:
        gap = gaps[size - 1]
        cells[filled].first, past = gap.first, gap.past
        if past - gap.first <= count:
            count -= past - gap.first
            size -= 1
        else:
            past = gap.first + count
            gap.first = past
            count = 0
        cells[filled].past = past
        filled += 1
    return size, filled


@kernel
def _place(gaps: Any, size: int, processor: int) -> int:
    """Return the place of the first gap, in this order, that begins at or below `processor`."""
    low, high = 0, size
    while low < high:
        middle = (low + high) >> 1
        if gaps[middle].first > processor:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _remove(gaps: Any, size: int, place: int) -> int:
    for later in range(place + 1, size):
        gaps[later - 1].first, gaps[later - 1].past = gaps[later].first, gaps[later].past
    return size - 1


@kernel
def _insert(gaps: Any, size: int, place: int, first: int, past: int) -> int:
    for later in range(size, place, -1):
        gaps[later].first, gaps[later].past = gaps[later - 1].first, gaps[later - 1].past
    gaps[place].first, gaps[place].past = first, past
    return size + 1


@kernel
def give(gaps: Any, size: int, first: int, past: int) -> int:
    """Free [first, past), of which nothing is free; return the number of gaps."""
    place = _place(gaps, size, first)
    joins_lower = place < size and gaps[place].past == first
    if place > 0 and gaps[place - 1].first == past:
        if joins_lower:
            gaps[place - 1].first = gaps[place].first
            return _remove(gaps, size, place)
        gaps[place - 1].first = first
        return size
    if joins_lower:
        gaps[place].past = past
        return size
    return _insert(gaps, size, place, first, past)


@kernel
def give_all(gaps: Any, size: int, cells: Any, cell: int, past: int, room: Any) -> int:
    """Free the cells [cell, past), increasing, of which nothing is free; return number of gaps."""
    if past - cell == 1:
        return int(give(gaps, size, cells[cell].first, cells[cell].past))
    top = _place(gaps, size, cells[past - 1].past)
    gap, kept = size - 1, 0
    while gap >= top or cell < past:
        if cell == past or (gap >= top and gaps[gap].first < cells[cell].first):
            one = gaps[gap]
            gap -= 1
        else:
            one = cells[cell]
            cell += 1
        if kept and room[kept - 1].past == one.first:
            room[kept - 1].past = one.past
        else:
            room[kept].first, room[kept].past = one.first, one.past
            kept += 1
    for place in range(kept):
        one = room[kept - 1 - place]
        gaps[top + place].first, gaps[top + place].past = one.first, one.past
    return top + kept


@kernel
def take_these(gaps: Any, size: int, first: int, past: int) -> int:
    """Take [first, past), which is free; return the number of gaps."""
    place = _place(gaps, size, first)
    begin, end = gaps[place].first, gaps[place].past
    if begin == first and end == past:
        return _remove(gaps, size, place)
    if begin == first:
        gaps[place].first = past
        return size
    gaps[place].past = first
    if end == past:
        return size
    return _insert(gaps, size, place, past, end)


@kernel
def is_free(gaps: Any, size: int, first: int, past: int) -> bool:
    """Return whether all of [first, past) is free."""
    place = _place(gaps, size, first)
    return bool(place < size and gaps[place].past >= past)
