"""What several scripts use: paths, Python environments, and servers to ask."""
