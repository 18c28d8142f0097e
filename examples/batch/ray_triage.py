"""A triage by Ray: a task for each share, then a tree of merges.

    python ray_triage.py dumps/ --symbols build/ --groups groups.json [--address auto]
"""
import argparse
import os

import ray
from mayday_parts import merged, part_of_share


@ray.remote(max_retries=3, retry_exceptions=True)
def share(paths, number, count, symbols):
    return part_of_share(paths, number, count, symbols)


@ray.remote(max_retries=3, retry_exceptions=True)
def merge(*parts):
    return merged(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--symbols", action="append", default=[])
    parser.add_argument("--shares", type=int, default=16)
    parser.add_argument("--address")
    parser.add_argument("--groups", required=True)
    options = parser.parse_args()
    here = os.path.dirname(os.path.abspath(__file__))
    ray.init(
        address=options.address, include_dashboard=None if options.address else False,
        runtime_env={"env_vars": {"PYTHONPATH": here, "MAYDAY": os.environ.get("MAYDAY", "mayday")}})
    parts = [share.remote(options.paths, number + 1, options.shares, options.symbols)
             for number in range(options.shares)]
    while len(parts) > 1:
        parts = [merge.remote(*parts[start:start + 8]) for start in range(0, len(parts), 8)]
    whole = ray.get(parts[0])
    with open(options.groups, "wb") as file:
        file.write(merged([whole], "--json"))


if __name__ == "__main__":
    main()
