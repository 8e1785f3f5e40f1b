"""
Plan, engine, workers, resume.
"""
