"""
Pages become screens, and screens become questions: the verbs ``capture`` and ``build``.
"""
