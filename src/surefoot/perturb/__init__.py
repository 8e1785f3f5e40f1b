"""
Seeded edits. Knows neither browser nor model: takes a screen, returns data.
"""
