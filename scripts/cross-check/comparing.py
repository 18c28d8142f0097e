"""Compares the reports of a parser with documents, and counts."""
import fnmatch
import re


def leaves(value):
    """How many fields a parser's value has."""
    if isinstance(value, dict):
        return sum(leaves(member) for member in value.values())
    if isinstance(value, list):
        return 1 + sum(leaves(member) for member in value)
    return 1


# What a parser can say of a document beside its members.
DERIVED = {
    "image ids": lambda found, _: sorted({image["debug_id"] for image in found["images"] if "debug_id" in image}),
    "image names": lambda found, _: sorted({image["name"] for image in found["images"]}),
    "crashed frames": lambda found, _: found["threads"][found["crashed_thread"]]["frames"]
    if "crashed_thread" in found else [],
    # Without stacks that the program printed itself, which belong to another format.
    "own stacks": lambda found, _: [stack for stack in found.get("other_stacks", [])
                                    if stack["title"] != "printed by the program"],
    "first images": lambda found, value: found.get("images", [])[:len(value)],
    # The beginning of a stack.
    "first frames": lambda found, value: found.get("frames", [])[:len(value)],
    "first line": lambda found, _: found.get("message", "").split("\n")[0] or None,
    "thread names": lambda found, _: [thread.get("name") for thread in found["threads"]],
}


def differ(expected, found, path="", partial=False):
    """Where a document differs from what a parser says: (path, expected, found).

    If partial, members that are not found are not compared.

    Only members that the parser names are compared. None is a member that must be absent, a number in place of a list
    its length. A function may have the name that was printed as its symbol.
    """
    if isinstance(expected, dict):
        found = {} if found is None else found
        if not isinstance(found, dict):
            yield path, expected, found
            return
        for name, value in expected.items():
            if partial and name not in found:
                continue
            if name == "function" and "symbol" in found and found["symbol"] == value:
                continue
            answer = found.get(name) if name in found or name not in DERIVED else DERIVED[name](found, value)
            yield from differ(value, answer, path + "." + name if path else name, partial)
    elif isinstance(expected, list):
        found = found or []
        if isinstance(found, int):
            # Another parser gave the length only.
            if len(expected) != found:
                yield path + ".count", len(expected), found
            return
        if not isinstance(found, list):
            yield path, expected, found
            return
        if len(expected) != len(found):
            yield path + ".count", len(expected), len(found)
        for number, (one, other) in enumerate(zip(expected, found)):
            yield from differ(one, other, "%s[%d]" % (path, number), partial)
    elif isinstance(found, list) and isinstance(expected, int):
        if len(found) != expected:
            yield path + ".count", expected, len(found)
    elif expected == 0 and found is None and path.endswith(("frames", "threads", "images", "other_stacks", "inner")):
        return
    elif expected != found:
        yield path, expected, found


class Tally:
    """What was compared of a family and what differed."""

    def __init__(self, family, argued):
        self.family = family
        # Pattern of the file's name, pattern of the field, the reason in words.
        self.arguments = argued
        self.files = self.reports = self.fields = self.kept = 0
        # Files of which the parser reads nothing, so that nobody judges what Mayday makes of them.
        self.unread = set()
        self.unargued = {}
        self.argued = {}
        self.remarks = {}

    def differences(self):
        return sum(len(entries) for entries in self.unargued.values())

    def add(self, name, path, expected, found):
        kind = re.sub(r"\[\d+\]", "[]", path.split(": ")[-1])
        for pattern, field, reason in self.arguments:
            if fnmatch.fnmatchcase(name, pattern) and fnmatch.fnmatchcase(kind, field.replace("[]", "[[][]]")):
                self.argued.setdefault((name, kind, reason), []).append((path, expected, found))
                if kind == "reports":
                    self.unread.add(name)
                return
        self.unargued.setdefault((name, kind), []).append((path, expected, found))

    def failed(self, name, error):
        self.add(name, "parser", "an answer", "%s: %s" % (type(error).__name__, error))

    def remark(self, name, words):
        self.remarks.setdefault(name, []).append(words)

    def compare(self, name, expected, found, partial=False):
        """Compares a file's reports; those of a parser, which may lack members, if partial."""
        if not partial:
            self.files += 1
            self.reports += len(expected)
            self.fields += 1 + sum(leaves(report) for report in expected)
        if isinstance(found, str):
            if expected:
                self.add(name, "reports", len(expected), found)
            return
        if len(expected) != len(found):
            self.add(name, "reports", [title(report) for report in expected], [title(report) for report in found])
            return
        for number, (one, other) in enumerate(zip(expected, found)):
            for path, value, answer in differ(one, other, partial=partial):
                self.add(name, ("report %d: " % (number + 1) if len(expected) > 1 else "") + path, value, answer)

    def row(self):
        argued = sum(len(entries) for entries in self.argued.values())
        return [self.family, self.files, self.reports, self.fields, self.differences(), argued, len(self.unread)]

    def print(self, everything):
        for (name, kind), entries in self.unargued.items():
            path, expected, found = entries[0]
            more = " (and %d more)" % (len(entries) - 1) if len(entries) > 1 else ""
            print("%s: %s: %s%s\n    expected %s\n    found    %s" % (
                self.family, name, path, more, shown(expected), shown(found)))
        for name, words in self.remarks.items():
            print("%s: %s: %s" % (self.family, name, ", ".join(words)))
        if everything:
            for (name, kind, reason), entries in self.argued.items():
                print("%s: %s: %s, %d times: %s" % (self.family, name, kind, len(entries), reason))


def title(report):
    reason = report.get("reason") or {}
    return " ".join(str(word) for word in [report.get("format"), reason.get("type"), reason.get("message")] if word)[:100]


def shown(value):
    text = repr(value)
    return text if len(text) <= 400 else text[:397] + "..."
