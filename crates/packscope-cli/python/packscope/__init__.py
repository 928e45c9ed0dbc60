"""How much of a model's training is padding: the page in a notebook, and the command line.

    packscope.notebook(lengths)    shows the page in a cell, with these lengths loaded
    packscope.program()            the path of the command line, which is also `python -m packscope`
"""

from ._notebook import Page, notebook
from ._program import program

__all__ = ["Page", "notebook", "program"]
