"""
Models whose weights lie on this machine: loaded from a folder, asked in batches.

Its modules import PyTorch; whoever needs them imports them where they are used.
"""
