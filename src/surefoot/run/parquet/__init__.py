"""
The published form of a BENCH: parquet shards, a manifest and a card.
"""
