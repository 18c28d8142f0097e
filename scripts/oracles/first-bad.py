#!/usr/bin/env python3
"""Prints what FirstBadTestTests compares with: random apps, and in which build each group became more frequent.

    first-bad.py > Tests/Ground/StatisticsTests/Golden/first-bad.jsonl

Written from docs/use/regressions.md. Probabilities are exact fractions; comparisons are made between these.
"""

import json
import random
from fractions import Fraction
from math import comb

LEAST_CASES = 3
LEAST_FACTOR = 2


def fisher(c, n, d, m):
    ways = sum(
        comb(c + d, k) * comb(n + m - c - d, n - k) for k in range(c, min(c + d, n) + 1)
    )
    return Fraction(ways, comb(n + m, n))


def ends(start, builds):
    lengths = {builds - start}
    length = 1
    while length < builds - start:
        lengths.add(length)
        length *= 2
    return sorted(start + length for length in lengths)


def among(table, sessions, group, start, end, window):
    """What the cases of a group in some builds are counted among."""
    if sessions is not None:
        return sum(sessions[build] for build in window)
    total = 0
    for index, row in enumerate(table):
        is_shared = any(row[:start]) and any(row[end - 1:])
        if index == group or is_shared:
            total += sum(row[build] for build in window)
    return total


def finding(table, sessions, group):
    row = table[group]
    builds = len(row)
    if sum(row) < LEAST_CASES:
        return None
    best = None
    for start in range(1, builds):
        if row[start] == 0:
            continue
        for end in ends(start, builds):
            c, d = sum(row[start:end]), sum(row[:start])
            m = among(table, sessions, group, start, end, range(start))
            n = among(table, sessions, group, start, end, range(start, end))
            if m == 0 or n == 0 or c * m < LEAST_FACTOR * d * n:
                continue
            p = fisher(c, n, d, m)
            if best is None or p < best[0]:
                last = max(build for build in range(start, end) if row[build])
                best = (p, [start, last], [c, n], [d, m])
    if best is None:
        return None
    return {"p": float(best[0]), "builds": best[1], "new": best[2], "former": best[3]}


def app(chance):
    builds = chance.randint(1, 9)
    size = [chance.choice([5, 20, 60]) for _ in range(builds)]
    table = []
    for _ in range(chance.randint(1, 7)):
        begin, end = sorted((chance.randint(0, builds - 1), chance.randint(1, builds)))
        rates = [chance.choice([0, 0, 0.02, 0.1]), chance.choice([0.02, 0.1, 0.3])]
        table.append([
            sum(chance.random() < rates[begin <= build < end] / 2 for _ in range(size[build]))
            for build in range(builds)
        ])
    table = [row for row in table if any(row)] or [[1] * builds]
    sessions = None
    if chance.random() < 0.5:
        sessions = [max(size[build], sum(row[build] for row in table)) for build in range(builds)]
    return builds, table, sessions


if __name__ == "__main__":
    chance = random.Random(19)
    for _ in range(250):
        builds, table, sessions = app(chance)
        tested = sum(sum(row) >= LEAST_CASES for row in table)
        windows = sum(len(ends(start, builds)) for start in range(1, builds))
        print(json.dumps({
            "builds": builds, "groups": table, "sessions": sessions,
            "comparisons": max(tested, 1) * max(windows, 1),
            "findings": [finding(table, sessions, group) for group in range(len(table))],
        }))
