"""
Web pages in Chromium: visited, edited, measured, photographed.
"""
