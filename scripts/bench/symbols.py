#!/usr/bin/env python3
"""Measures Mayday beside its peers and prints medians and ratios.

Everything runs on this machine, in turn with its peer (A B A B ...), so that a ratio holds when the
machine's speed drifts. Inputs and peers are fetched and built under .bench/ on the first run.
"""
import argparse
import os
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from measuring import runs as processes
from measuring.batches import bench_batch
from measuring.compiling import bench_compile, bench_packed, bench_text
from measuring.curves import bench_curves
from measuring.figures import Figures
from measuring.inputs import prepare
from measuring.logs import bench_logs
from measuring.lookups import bench_first, bench_standard_input, bench_warm
from measuring.names import bench_names
from measuring.reports import bench_parse, bench_triage
from measuring.saved import leave_nothing, processor
from measuring.signing import bench_signatures
from measuring.walks import bench_walk
from shared.smoke import IS_SMOKE, add_option, smaller

PARTS = ["triage", "parse", "compile", "packed", "text", "warm", "stdin", "first", "names", "walk",
         "signatures", "log", "curves", "batch"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", choices=["small", "large"], default="small")
    parser.add_argument("--runs", type=int, default=smaller(5, 1))
    parser.add_argument("--addresses", type=int, default=smaller(100_000, 2_000))
    parser.add_argument("--as-is", action="store_true",
                        help="measure the inputs that are there; fetch and build no others")
    parser.add_argument("--ahead", action="store_true",
                        help="measured processes go before others that run (as root)")
    parser.add_argument("--input", action="append", help="only this input; may be given again")
    add_option(parser)
    parser.add_argument("only", nargs="*", metavar="PART", help=", ".join(PARTS) + "; else all")
    options = parser.parse_args()
    unknown = [name for name in options.only if name not in PARTS]
    if unknown:
        parser.error(f"no part {unknown[0]}; there are {', '.join(PARTS)}")
    if options.input:
        leave_nothing()
    if options.ahead:
        processes.go_ahead()
    inputs = [
        input for input in prepare(options.size, options.as_is)
        if not options.input or input.name in options.input]
    print(f"{os.cpu_count()} x {processor()}, medians of {options.runs} runs in turn")
    if IS_SMOKE:
        print("Peers that are fetched are left out: where one is measured, Mayday stands in its place")
    runs, figures = options.runs, Figures()
    parts = {
        "triage": lambda: bench_triage(runs),
        "parse": lambda: bench_parse(runs),
        "compile": lambda: bench_compile(inputs, runs, figures),
        "packed": lambda: bench_packed(inputs, runs, figures),
        "text": lambda: bench_text(runs),
        "warm": lambda: bench_warm(inputs, runs, options.addresses, figures),
        "stdin": lambda: bench_standard_input(inputs, runs, options.addresses, figures),
        "first": lambda: bench_first(inputs, runs, figures),
        "names": lambda: bench_names(inputs, runs, figures),
        "walk": lambda: bench_walk(runs, figures),
        "signatures": lambda: bench_signatures(runs),
        "log": lambda: bench_logs(runs),
        "curves": lambda: bench_curves(runs),
        "batch": lambda: bench_batch(runs),
    }
    for name in PARTS:
        if not options.only or name in options.only:
            parts[name]()
    figures.print()


if __name__ == "__main__":
    main()
