"""Tables out of the results of many files: a line for each group of inputs, one for each kind of
difference, and one for each thing that was wrong with peers' answers."""
from collections import Counter

from .frames import SPELLING

# Peers in the order of the columns, with what stands above them.
PEERS = {"llvm-symbolizer": "llvm", "llvm-symbolizer-14": "llvm-14", "addr2line": "addr2line",
         "eu-addr2line": "elfutils", "symbolic": "symbolic"}


def group(name):
    """What a file is counted under: what stands before the slash of its name."""
    return name.split("/")[0]


def spelled(result):
    return sum(count for kind, count in result["classes"].items() if kind in SPELLING)


def bad(result):
    """Answers of Mayday's that are wrong by the file itself, or that nobody judged."""
    return sum(result["wrong"].values()) + sum(result["unjudged"].values())


def share(count, asked):
    """Hundredths, cut off and not rounded: only what is whole is 100."""
    return f"{10000 * count // asked / 100:.2f}" if asked else ""


def agreement(results):
    """For each group how many answers of each peer agree but for spelling, and how many of Mayday's are wrong or
    not judged."""
    groups = {}
    for result in results:
        groups.setdefault(group(result["file"]), []).append(result)
    rows = []
    for name, members in groups.items():
        row = [name, len({member["file"] for member in members})]
        by_peer = {peer: [m for m in members if m["peer"] == peer] for peer in PEERS}
        row.append(sum(m["asked"] for m in by_peer["llvm-symbolizer"])
                   or max(sum(m["asked"] for m in own) for own in by_peer.values()))
        for own in by_peer.values():
            row.append(share(sum(m["same"] + spelled(m) for m in own), sum(m["asked"] for m in own)))
        other = sum(bad(member) for member in members)
        rows.append(row + [other])
    return ["input", "files", "asked"] + list(PEERS.values()) + ["wrong"], rows


def kinds(results):
    """For each kind of difference how often each peer has it, and who was found right."""
    counts, verdicts = {}, {}
    for result in results:
        for kind, count in result["classes"].items():
            counts.setdefault(kind, Counter())[result["peer"]] += count
            verdicts.setdefault(kind, Counter()).update(result["verdicts"].get(kind, {}))
    order = sorted(counts, key=lambda kind: (kind not in SPELLING, -sum(counts[kind].values())))
    rows = [[kind] + [counts[kind][peer] or "" for peer in PEERS]
            + [verdicts[kind][word] or "" for word in ("both", "ours", "peer's", "neither")]
            for kind in order]
    return ["kind"] + list(PEERS.values()) + ["both", "ours", "peer", "none"], rows


def faults(results):
    """What was wrong with how many of each peer's answers, of those that were looked up."""
    counts = {}
    for result in results:
        for found in result.get("faults", {}).values():
            for fault, count in found.items():
                counts.setdefault(fault, Counter())[result["peer"]] += count
    order = sorted(counts, key=lambda fault: -sum(counts[fault].values()))
    return ["what is wrong"] + list(PEERS.values()), [
        [fault] + [counts[fault][peer] or "" for peer in PEERS] for fault in order]


def as_markdown(header, rows):
    lines = [header, ["---"] + ["--:"] * (len(header) - 1)] + rows
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)
