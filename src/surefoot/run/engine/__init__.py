"""
Worker processes, lanes to a server, and the ledger behind both; knows no page and no model.
"""
