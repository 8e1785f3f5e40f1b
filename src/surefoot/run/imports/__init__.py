"""
Published runs, public datasets and our own parquet become folders: the verb ``import``.
"""
