"""What the tests share: where things are, and the command line to compare with."""

import json
import os
import pathlib
import subprocess
import unittest

SOURCE = pathlib.Path(os.environ.get("TACT_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
COMMAND = os.environ.get("TACT_COMMAND", "")
SCENES = SOURCE / "scenes"

needs_command = unittest.skipUnless(COMMAND, "the command line is not built here")


def command(*words):
    """What `tact WORDS --json` prints, as Python's own; violations (exit code 1) are answers too."""
    done = subprocess.run([COMMAND, *map(str, words), "--json"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def without(tree, *names):
    """The same tree without these fields, at any depth: times of computing, paths."""
    if isinstance(tree, dict):
        return {k: without(v, *names) for k, v in tree.items() if k not in names}
    if isinstance(tree, list):
        return [without(v, *names) for v in tree]
    return tree
