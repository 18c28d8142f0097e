"""Traces of languages that print a message and calls."""
import re

from reading import lines

FOLDERS = ["language-trace", "other-langs"]
FORMATS = ["language-trace"]
ARGUED = [
    ("*.r.txt", "*", "the calls that R prints in one line are not read by the parser"),
    ("*.odin.txt", "*", "Odin's traces are not read by the parser"),
    ("*.ada.txt", "*", "Ada's traces are not read by the parser"),
    ("*lua*", "*.count", "calls of C without a name are no frames"),
    ("*.smalltalk.txt", "*", "Smalltalk's traces are not read by the parser"),
]
# Language, a line of the trace's beginning, the pattern of a call (name, file, line), whether the oldest is first.
LANGUAGES = [
    ("clean", r"^\S+ \[module: \w+\]$", r"^(?P<name>\S+) \[module: \w+\]$", False),
    ("crystal", r"^Unhandled exception: .*\(\w+\)$|^Unhandled exception: ", r"^  from (?:(?P<file>\S+):(?P<line>\d+):\d+|\S+) in '(?P<name>.*)'$", False),
    ("d", r"^\S+@\S+\(\d+\): |^object\.\w+@", r"^(?P<file>\S+):(?P<line>\d+|\?) (?P<name>.+?) \[0x[0-9a-f]+\]$", False),
    ("elixir", r"^\*\* \(\w", r"^    (?:\(\S+ \S+\) )?(?:(?P<file>\S+\.[a-z]+):(?P<line>\d+): (?P<name>.*)|:\w+\.\w+.*)$", False),
    ("erlang", r"^\s*(?:\w+: )?\*{0,3} ?exception (?:error|exit|throw): ", r"^ +in (?:call from|function|operator) +(?P<name>\S+?)(?: .*?\((?P<file>\S+), line (?P<line>\d+)\))?\s*$", False),
    ("haskell", r"^CallStack \(from", r"^  (?P<name>\S+)(?:, called at (?P<file>\S+?):(?P<line>\d+):\d+ in \S+| \((?P<file2>\S+?):\S*\))$", False),
    ("julia", r"^ERROR: ", r"^ +\[\d+\] (?P<name>.*?)(?:\(.*)?$", False),
    ("lua", r"^stack traceback:", r"^\t(?P<file>\S+?):(?:(?P<line>\d+):)? in (?:(?:function|local|upvalue|method|field|global) )?[<'`]?(?P<name>.*?)['>]?$", False),
    ("nim", r"^Error: unhandled exception: ", r"^(?P<file>\S+\.nim)\((?P<line>\d+)\) (?P<name>\S+)$", True),
    ("ocaml", r"^Fatal error: exception ", r'^(?:Raised (?:by primitive operation )?at|Called from|Re-raised at) (?:(?P<name>\S+) in )?file "(?P<file>.*)"(?: \(inlined\))?, line (?P<line>\d+)', False),
    ("v", r"=+ V panic =+|^V panic: ", r"^(?P<file>\S+):(?P<line>\d+): (?:by|at) (?P<name>\S+)", False),
    ("zig", r"^thread \d+ panic: ", r"^(?P<file>\S+):(?P<line>\d+):\d+: 0x[0-9a-f]+ in (?P<name>\S+) \(", False),
]


def haskell(text):
    """A function is called at a place in the function of the next line; of the last one only the module is known."""
    frames, caller = [], {}
    for line in text:
        call = re.match(r"^  (\S+), called at (\S+?):(\d+):\d+ in (\S+)$", line)
        profiled = re.match(r"^  (\S+) \((\S+?):\(?(\d+)\S*\)$|^  (\S+) \(<", line)
        if call:
            frames.append(dict(caller, function=call.group(1)))
            caller = {"file": call.group(2), "line": int(call.group(3)), "function": call.group(4)}
        elif caller:
            frames.append(caller)
            caller = {}
        if profiled:
            frames.append({"function": profiled.group(1) or profiled.group(4)})
            if profiled.group(3):
                frames[-1]["line"] = int(profiled.group(3))
    return frames + ([caller] if caller else [])


def parse(data):
    text = lines(data)
    for name, begins, call, reverse in LANGUAGES:
        if not any(re.search(begins, line) for line in text):
            continue
        frames = []
        for line in text:
            match = re.match(call, line)
            if match:
                frames.append({"line": int(match["line"])} if (match.groupdict().get("line") or "").isdigit() else {})
        if name == "haskell":
            frames = haskell(text)
        # Julia prints the place in the next line.
        if name == "julia":
            places = [re.match(r"^\s+@ .*?:(\d+)(?: \[inlined\])?$", line) for line in text]
            places = [match for match in places if match]
            frames = [{"line": int(place.group(1))} for place in places] if len(places) == len(frames) else len(frames)
        elif reverse:
            frames.reverse()
        return [{"format": "language-trace", "tags": {"language": name}, "reason": {"exception": {"frames": frames}}}]
    return []
