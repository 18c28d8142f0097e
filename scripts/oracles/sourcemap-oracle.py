#!/usr/bin/env python3
"""Compares positions with what symbolic reads from the same source map.

    scripts/oracles/sourcemap-oracle.py MAP...

For each segment of a map, and for the columns beside it, source, line and column must be those of symbolic's
SourceMapView. symbolic answers with the segment of an earlier line where a line has
none before the column; that counts as no answer.

Prints the agreement of each map, and the first differences; exits with 1 where there is one.
MAYDAY is the program, ".build/release/mayday" unless given.
"""
import json
import os
import shlex
import subprocess
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from shared import environment
from shared.paths import MAYDAY

PROGRAM = shlex.split(os.environ.get("MAYDAY", MAYDAY))
SHOWN = int(os.environ.get("SHOWN", "12"))
FRAMES = 500
BATCH = 40


def tidy(path):
    """As Mayday shows paths."""
    path = path.replace("/./", "/")
    return path.rsplit("?", 1)[0] if path.startswith("webpack:") else path


def questions(view):
    """Positions from 1, and the answers of symbolic."""
    asked = set()
    for token in view:
        asked |= {(token.dst_line, token.dst_col + d) for d in (-1, 0, 1, 2) if token.dst_col + d >= 0}
    for line, column in sorted(asked):
        found = view.lookup(line, column)
        answer = None
        if found is not None and found.dst_line == line and found.src:
            answer = (tidy(found.src), found.src_line + 1, found.src_col + 1)
        yield (line + 1, column + 1), answer


def answers(map_path, positions):
    """Mayday's, of reports whose stacks are the positions."""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.basename(map_path).removesuffix(".map")
        script = script if script.endswith(".js") else script + ".js"
        copy = os.path.join(folder, script + ".map")
        with open(map_path, "rb") as source, open(copy, "wb") as target:
            target.write(source.read())
        files = []
        stacks = [positions[i:i + FRAMES] for i in range(0, len(positions), FRAMES)]
        for number, stack in enumerate(stacks):
            path = os.path.join(folder, f"{number:06}.txt")
            lines = "".join(f"    at f ({script}:{line}:{column})\n" for line, column in stack)
            with open(path, "w") as file:
                # A column that no script has shows that the map is wanted.
                file.write(f"Error: {number}\n{lines}    at f ({script}:999999999:99999)\n")
            files.append(path)
        for start in range(0, len(files), BATCH):
            part = files[start:start + BATCH]
            output = subprocess.run(
                PROGRAM + ["symbolicate", "--json", "--symbols", copy] + part, check=True,
                stdout=subprocess.PIPE).stdout
            reports = json.loads(output)
            for path, report in zip(part, reports if isinstance(reports, list) else [reports]):
                frames = report["reason"]["exception"]["frames"]
                stack = stacks[files.index(path)]
                if len(frames) != len(stack) + 1:
                    sys.exit(f"{map_path}: {len(frames)} frames of {len(stack) + 1}")
                for frame in frames[:-1]:
                    answer = (frame.get("file"), frame.get("line"), frame.get("column"))
                    yield None if answer[0] == script else answer


def main():
    environment.enter("peers")
    from symbolic.sourcemap import SourceMapView

    failed = False
    for path in sys.argv[1:]:
        with open(path, "rb") as file:
            view = SourceMapView.from_json_bytes(file.read())
        asked = list(questions(view))
        ours = list(answers(path, [position for position, _ in asked]))
        wrong = [
            (position, theirs, own) for (position, theirs), own in zip(asked, ours) if theirs != own]
        print(f"{len(asked) - len(wrong)} of {len(asked)} positions agree: {path}")
        for (line, column), theirs, own in wrong[:SHOWN]:
            print(f"  {line}:{column}: symbolic {theirs}, Mayday {own}")
        failed = failed or bool(wrong) or len(ours) != len(asked)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
