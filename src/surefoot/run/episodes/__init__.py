"""
A benchmark's questions as episodes of agents that drive a browser by themselves.
"""
