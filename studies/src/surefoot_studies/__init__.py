"""
Studies that check Surefoot from outside: it knows nothing of them.
"""
