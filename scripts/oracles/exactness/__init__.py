"""Comparing look-ups with those of other symbolizers, and with the debug information itself."""
