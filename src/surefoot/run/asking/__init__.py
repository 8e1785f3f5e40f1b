"""
Questions become answers: the verb ``run``, finished runs, and models that write.
"""
