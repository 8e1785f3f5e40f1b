"""
Interventions on a model that runs here: hidden states are read, kept, and added to (GUI-XLI).

Only `hook` and `speaking` meet PyTorch; whoever needs them imports them where they are used.
"""
