"""
Referring expressions: resolve, generate, realise. Knows neither browser nor model.
"""
