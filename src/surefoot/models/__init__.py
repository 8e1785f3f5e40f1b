"""
From a question to an answer: formats (prompt, space, parser) and backends (where it runs).
"""
