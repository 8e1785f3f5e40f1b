"""
The record of finished units: one SQLite file in a folder, one writer, nothing lost.
"""

from surefoot.core.ledger.records import (
    FILE,
    Done,
    Failure,
    Ledger,
    LedgerRow,
    lock_folder,
    note_hint,
    read_plan,
)

__all__ = [
    "FILE",
    "Done",
    "Failure",
    "Ledger",
    "LedgerRow",
    "lock_folder",
    "note_hint",
    "read_plan",
]
