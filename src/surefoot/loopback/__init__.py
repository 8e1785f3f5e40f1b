"""
What every local web server of ours shares: who may ask, what is refused, loopback alone.
"""
