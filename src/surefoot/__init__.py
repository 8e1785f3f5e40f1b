"""
Surefoot finds out whether a GUI agent keeps its footing when the ground shifts.

The folders are the nouns of the data flow; ARCHITECTURE.md is the map.
"""

__version__ = "0.1.0"

__all__ = ["__version__"]
