"""Comparing rules by which stacks are walked with others' reading of the same files."""
