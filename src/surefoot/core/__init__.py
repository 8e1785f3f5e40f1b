"""
The words of Surefoot: geometry, screens, edits, questions, errors, seeds, registry, ledger.
"""
