"""Answers of symbolizers as chains of frames, and what two of them differ in."""
import os
import re
from collections import namedtuple

from .symbols import bare

Frame = namedtuple("Frame", "name file line column")

# Differences that may leave the answer the same: another spelling of one place or one function. That ours is
# one of the right spellings is judged each time, as of every other difference.
SPELLING = ("column", "path", "names of one address", "plain name", "cold part", "underscore")


def chain(frames):
    """The frames without the trailing ones that say nothing."""
    frames = [f for f in frames if f.name or f.file or f.line]
    return tuple(frames)


def clean(name):
    return "" if name in ("??", "<invalid>") else name


def clean_path(path):
    return "" if path in ("??", "<invalid>") else path


def same_path(a, b):
    """0 for equal paths, 1 for two spellings of one, 2 for different ones."""
    if a == b:
        return 0
    if not a or not b:
        return 2
    if os.path.normpath(a) == os.path.normpath(b):
        return 1
    # Producers repeat directories, and symbolizers join them or not.
    return 1 if os.path.basename(a) == os.path.basename(b) else 2


COLD = re.compile(r"(\.(cold|part|isra|constprop|lto_priv|llvm|resume|destroy|cleanup)(\.\d+)?)+$")


def name_class(ours, theirs, address, symbols):
    """What kind of difference two names of one frame are."""
    ours, theirs = bare(ours), bare(theirs)
    if ours == theirs:
        return None
    if not ours:
        return "name missing (ours)"
    if not theirs:
        return "name missing (peer's)"
    if COLD.sub("", ours) == COLD.sub("", theirs):
        return "cold part"
    if symbols.is_windows and COLD.sub("", ours) == "_" + COLD.sub("", theirs):
        return "underscore"
    here = symbols.covering(address)
    if ours in here and theirs in here:
        return "names of one address"
    if plain_of(ours, theirs) or plain_of(theirs, ours) or ours.endswith("::" + theirs):
        return "plain name"
    # With the types of its arguments, which a PDB has apart from the name.
    if theirs.startswith(ours + "(") or ours.startswith(theirs + "("):
        return "plain name"
    if ours in here or theirs in here:
        return "symbol for function"
    return "name"


def plain_of(mangled, plain):
    """Whether `plain` is the last part of a mangled name, as a function without a linkage name has it."""
    stem = re.sub(r"[^A-Za-z0-9_].*", "", plain)
    if not stem or not mangled.startswith(("_Z", "_R", "$s", "?")):
        return False
    return f"{len(stem)}{stem}" in mangled or stem.startswith(("operator", "~")) \
        or stem in mangled or plain.startswith(("operator", "~"))


def difference(ours, theirs, address, symbols, has_columns):
    """The class of what two chains differ in; None where they are the same."""
    if ours == theirs:
        return None
    if not ours:
        return "no answer (ours)" if any(f.line for f in theirs) else "symbol only (peer's)"
    if not theirs:
        return "no answer (peer's)" if any(f.line for f in ours) else "symbol only (ours)"
    if len(ours) != len(theirs):
        # Without a place there is nothing to go by but the symbol.
        if len(ours) > len(theirs):
            return "inlined calls missing (peer's)"
        return "inlined calls missing (ours)"
    found = set()
    for own, peer in zip(ours, theirs):
        name = name_class(own.name, peer.name, address, symbols)
        if name:
            found.add(name)
        path = same_path(own.file, peer.file)
        if path == 1:
            found.add("path")
        elif path == 2:
            if not own.line and not peer.line and bool(own.file) != bool(peer.file):
                # Not from the debug information, where a file has lines.
                found.add("file of the symbol table")
            else:
                found.add("file missing (ours)" if not own.file else
                          "file missing (peer's)" if not peer.file else "file")
        if own.line != peer.line:
            found.add("line 0 (ours)" if own.line == 0 else
                      "line 0 (peer's)" if peer.line == 0 else "line")
        elif has_columns and own.column != peer.column:
            found.add("column")
    if not found:
        return None
    order = ["line", "line 0 (ours)", "line 0 (peer's)", "file", "file missing (ours)",
             "file missing (peer's)", "name", "name missing (ours)", "name missing (peer's)",
             "file of the symbol table", "symbol for function", "plain name", "underscore",
             "names of one address", "cold part", "path", "column"]
    return min(found, key=order.index)
