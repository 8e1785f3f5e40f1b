"""
The second resolver: judges expressions by the page of definitions alone.

It shares no code with ``refer.resolve``: what both say is checked twice.
"""

from surefoot.refer.judge.verdict import Judge, Verdict, judge

__all__ = ["Judge", "Verdict", "judge"]
