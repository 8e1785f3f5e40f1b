"""
Language views: spelling errors, synonyms and paraphrases of an instruction's text.
"""

from surefoot.perturb.wording.wordings import WORDINGS, Wording, wordings

__all__ = ["WORDINGS", "Wording", "wordings"]
