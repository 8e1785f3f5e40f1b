"""Faults that others planted, by the set: ``surefoot-studies planted BENCH --faults FILE``."""
