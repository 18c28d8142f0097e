"""`--smoke`, the smallest form of a measurement: it shows that the script works, and its figures mean nothing."""
import sys

# What is measured lies in a folder of its own, so this has to be known before options are read.
IS_SMOKE = "--smoke" in sys.argv[1:]


def add_option(parser):
    """The option, for the help and so that it is allowed."""
    parser.add_argument("--smoke", action="store_true",
                        help="the smallest form, without peers that are fetched: shows that the script works")


def smaller(size, smoke):
    """A size, or another one in the smallest form."""
    return smoke if IS_SMOKE else size
