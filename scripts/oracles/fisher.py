#!/usr/bin/env python3
"""Prints the values that FisherTestTests compares with: Fisher's exact test, one-sided, in exact fractions.

    fisher.py [CRASHED ALL FORMER_CRASHED FORMER_ALL]...

With --scipy they are those of scipy.stats.fisher_exact.
"""

import os
import sys
from fractions import Fraction
from math import comb

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from shared import environment

CASES = [
    (0, 100, 0, 100), (3, 100, 3, 100), (8, 100, 2, 100), (10, 10, 0, 10), (1, 100, 20, 1000),
    (40, 1000, 10, 1000), (12, 400, 30, 4000), (5, 100, 0, 100), (0, 100, 5, 100),
    (150, 20000, 100, 20000), (700, 50000, 9000, 1000000),
]


def exact(crashed, sessions, former_crashed, former_sessions):
    drawn, marked = sessions, crashed + former_crashed
    everything = sessions + former_sessions
    ways = sum(
        comb(marked, count) * comb(everything - marked, drawn - count)
        for count in range(crashed, min(marked, drawn) + 1)
    )
    return float(Fraction(ways, comb(everything, drawn)))


def scipy(crashed, sessions, former_crashed, former_sessions):
    environment.enter("peers")
    from scipy.stats import fisher_exact

    table = [
        [crashed, sessions - crashed],
        [former_crashed, former_sessions - former_crashed],
    ]
    return fisher_exact(table, alternative="greater")[1]


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--scipy"]
    numbers = [int(word) for word in words]
    cases = list(zip(*[iter(numbers)] * 4)) or CASES
    test = scipy if "--scipy" in sys.argv else exact
    for case in cases:
        print(case, repr(float(test(*case))))
