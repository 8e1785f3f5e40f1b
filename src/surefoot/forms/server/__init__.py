"""
The form server: runs with a token, events, uploads and submissions that are never lost.
"""
