"""The program that the wheel has brought."""

import os
import shutil
import sysconfig
from pathlib import Path


def program() -> str:
    """The path of the program `packscope`. Raises FileNotFoundError where there is none."""
    name = "packscope" + (sysconfig.get_config_var("EXE") or "")
    folders = [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", "nt_user" if os.name == "nt" else "posix_user"),
        # `pip install --target` puts it beside the package.
        str(Path(__file__).parents[1] / "bin"),
    ]
    for folder in folders:
        path = Path(folder, name)
        if path.is_file():
            return str(path)
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError(f"there is no {name} in {', '.join(folders)} nor on PATH: `pip install packscope` brings it")
    return found
