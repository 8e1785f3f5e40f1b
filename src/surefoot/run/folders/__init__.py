"""
The folders SCREENS, BENCH and RUN: written, and read record by record.
"""
