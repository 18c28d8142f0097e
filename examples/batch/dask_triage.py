"""A triage by Dask: a task for each share, then a tree of merges.

    python dask_triage.py dumps/ --symbols build/ --groups groups.json [--scheduler tcp://host:8786]
"""
import argparse

from dask.distributed import Client
from mayday_parts import merged, part_of_share


def triage(client, paths, shares, symbols):
    parts = [
        client.submit(part_of_share, paths, number + 1, shares, symbols, pure=False, retries=3)
        for number in range(shares)]
    while len(parts) > 1:
        parts = [
            client.submit(merged, parts[start:start + 8], pure=False, retries=3)
            for start in range(0, len(parts), 8)]
    return parts[0].result()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--symbols", action="append", default=[])
    parser.add_argument("--shares", type=int, default=16)
    parser.add_argument("--scheduler")
    parser.add_argument("--groups", required=True)
    options = parser.parse_args()
    local = {} if options.scheduler else {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with Client(options.scheduler, **local) as client:
        whole = triage(client, options.paths, options.shares, options.symbols)
    with open(options.groups, "wb") as file:
        file.write(merged([whole], "--json"))


if __name__ == "__main__":
    main()
