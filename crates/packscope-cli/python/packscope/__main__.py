"""`python -m packscope`: the command line, where its folder is not on PATH."""

import os
import subprocess
import sys

from ._program import program

arguments = [program(), *sys.argv[1:]]
if os.name == "nt":
    # There it would not be waited for.
    sys.exit(subprocess.run(arguments, check=False).returncode)
os.execv(arguments[0], arguments)
