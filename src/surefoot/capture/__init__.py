"""
From a live interface to a `Screen` with proof; applies edits. The only folder with a browser.
"""
