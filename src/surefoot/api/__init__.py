"""
What `import surefoot` offers, and what the command line stands on: folders and verbs.
"""
