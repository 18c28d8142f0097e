"""The peer of the symbol-cache compile: symbolic's SymCache writer, through its Python package."""
import sys

from symbolic.debuginfo import Archive

with open(sys.argv[2], "wb") as out:
    next(Archive.open(sys.argv[1]).iter_objects()).make_symcache().dump_into(out)
