"""
The report on what fails a model, and why.
"""
