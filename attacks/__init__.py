"""
Attacks on the promises of ARCHITECTURE.md, each counted: tried, held, not held.

A module attacks one side of Surefoot and lists its `ATTACKS`; ``python -m attacks`` runs all
of them and draws the table of studies/docs/attacks.md.
"""
