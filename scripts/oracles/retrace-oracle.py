#!/usr/bin/env python3
"""Compares retraced calls with what symbolic reads from the same mapping.

    scripts/oracles/retrace-oracle.py MAPPING...

MAPPING is a mapping of R8 or ProGuard. For the first, the middle and the last line of each range of lines, and
for a line outside of all, class, method, line and inlined calls must be those of symbolic's ProguardMapper.

Left out, since R8 itself says something else than symbolic: methods without a range that have a line of the
source (symbolic gives none), ranges that mean several chains (symbolic joins them), frames that R8 made and
outlines (symbolic keeps them when it is asked for a single frame).

Prints the agreement of each mapping, and the first differences; exits with 1 where there is one.
MAYDAY is the program, ".build/release/mayday" unless told.
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from shared import environment
from shared.paths import MAYDAY

PROGRAM = shlex.split(os.environ.get("MAYDAY", MAYDAY))
SHOWN = int(os.environ.get("SHOWN", "12"))
# One stack of a trace has 16,383 calls at the most.
BATCH = 4_000
CLASS = re.compile(r"^(\S+) -> (\S+):\s*$")
METHOD = re.compile(r"^\s+(?:(\d+):(\d+):)?\S+ ([^\s(]+)\([^)]*\)(?::(\d+))?(?::(\d+))? -> (\S+)\s*$")


def calls(path):
    """Each class and method of the app with the lines that are worth asking for."""
    asked, seen, name, skipped = [], set(), None, set()
    chains, bare = {}, set()
    for number, line in enumerate(open(path, encoding="utf-8", errors="replace")):
        if match := CLASS.match(line):
            name, last = match.group(2), None
        elif match := METHOD.match(line):
            low, high, _, first, _, method = match.groups()
            key = (name, method)
            last = key
            if low is None:
                bare.add(key)
                if first is not None:
                    skipped.add(key)
                continue
            low, high = int(low), int(high)
            # Ranges that come back after others are other chains.
            before = chains.setdefault(key, [])
            if before and before[-1][0] == (low, high) and before[-1][1] == number - 1:
                before[-1] = ((low, high), number)
            else:
                if any(low <= other[1] and other[0] <= high for other, _ in before):
                    skipped.add(key)
                before.append(((low, high), number))
            for asks in (low, (low + high) // 2, high):
                if asks > 0 and (key, asks) not in seen:
                    seen.add((key, asks))
                    asked.append((name, method, asks))
        elif "com.android.tools.r8.synthesized" in line or "com.android.tools.r8.outline" in line:
            if last:
                skipped.add(last)
            if last and chains.get(last):
                chains[last][-1] = (chains[last][-1][0], number)
        elif line.strip().startswith("#") and name and last and chains.get(last):
            chains[last][-1] = (chains[last][-1][0], number)
    # Outside of all ranges R8 takes a method without one.
    for key in set(chains) - bare:
        asked.append((*key, 65_000))
    return [call for call in asked if call[:2] not in skipped and "(" not in call[1]], len(skipped)


def retraced(mapping, batch):
    """For each call the frames that Mayday makes of it, innermost first."""
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace.txt")
        with open(trace, "w", encoding="utf-8") as file:
            file.write("java.lang.IllegalStateException: no boat\n\tat java.lang.Mark.mark(Mark.java:1)\n")
            for name, method, line in batch:
                file.write(f"\tat {name}.{method}(SourceFile:{line})\n\tat java.lang.Mark.mark(Mark.java:1)\n")
        done = subprocess.run(
            [*PROGRAM, "symbolicate", trace, "--symbols", mapping, "--json"], capture_output=True, text=True)
        if done.returncode not in (0, 6):
            sys.exit(done.stderr)
    frames = json.loads(done.stdout)["reason"]["exception"]["frames"]
    groups, group = [], None
    for frame in frames:
        if frame.get("function") == "java.lang.Mark.mark":
            if group is not None:
                groups.append(group)
            group = []
        else:
            group.append((frame["function"], frame.get("line") or 0))
    return groups


def main():
    environment.enter("peers")
    from symbolic.proguard import ProguardMapper

    worst = 0
    for path in sys.argv[1:]:
        mapper = ProguardMapper.open(path)
        asked, skipped = calls(path)
        same, shown = 0, 0
        for start in range(0, len(asked), BATCH):
            batch = asked[start:start + BATCH]
            groups = retraced(path, batch)
            if len(groups) != len(batch):
                sys.exit(f"{path}: {len(groups)} answers to {len(batch)} questions")
            for (name, method, line), ours in zip(batch, groups):
                theirs = [(f"{f.class_name}.{f.method}", f.line) for f in mapper.remap_frame(name, method, line)]
                if not theirs:
                    # Outside of all ranges the class alone is known.
                    theirs = [(f"{mapper.remap_class(name) or name}.{method}", line)]
                if ours == theirs:
                    same += 1
                    continue
                worst = 1
                if shown < SHOWN:
                    shown += 1
                    print(f"  {name}.{method}:{line}\n    ours   {ours}\n    theirs {theirs}")
        print(f"{path}: {same} of {len(asked)} calls alike; {skipped} methods left out")
    return worst


if __name__ == "__main__":
    sys.exit(main())
