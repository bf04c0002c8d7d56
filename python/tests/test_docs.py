"""Programs of the documents run as they stand, and print what they say."""

import contextlib
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import tact.viewer
from support import SOURCE

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def stand_in(folder):
    """Where the viewer page is not part of the build, an empty one."""
    if tact.viewer.PAGE.exists():
        return tact.viewer.PAGE
    page = pathlib.Path(folder) / "page.html"
    page.write_text(f"<!doctype html><body>{tact.viewer.MARKER}</body>")
    return page


class DocumentsTest(unittest.TestCase):
    def run_blocks(self, path, least):
        blocks = BLOCK.findall(path.read_text(encoding="utf-8"))
        self.assertGreaterEqual(len(blocks), least, path.name)
        here, page = os.getcwd(), tact.viewer.PAGE
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
            (pathlib.Path(folder) / "scenes").symlink_to(SOURCE / "scenes")
            tact.viewer.PAGE = stand_in(folder)
            os.chdir(folder)
            names = {"__name__": "__main__"}
            try:
                for number, block in enumerate(blocks, 1):
                    exec(compile(block, f"{path.name}, block {number}", "exec"), names)
            finally:
                os.chdir(here)
                tact.viewer.PAGE = page
            files = {p.name for p in pathlib.Path(folder).iterdir()}
        return said.getvalue(), files

    def test_readme(self):
        said, files = self.run_blocks(SOURCE / "README.md", 1)
        self.assertIn("centre of pressure", said)
        self.assertIn("box.html", files)

    def test_tutorial(self):
        said, _ = self.run_blocks(SOURCE / "docs" / "python.md", 8)
        self.assertIn("tip_edge", said)


class ExamplesTest(unittest.TestCase):
    """The twins of the C++ examples print what those print (examples/CMakeLists.txt)."""

    EXPECTED = {
        "01_patch.py": r"^tip_edge\n$",
        "02_solve.py": r"^converged, slide at 0.0309 m/s\n$",
        "03_touch_down.py": r"^in the air: 0.1[12].* m behind .*\ntouch-down: 0.1[12].*\n$",
        "04_soft_port.py": r"^3.15 mm deep, leaves with 0.837 m/s\n.*the rest is rounding\n$",
        "05_other_engine.py": r"(?s)^violated: .*friction.*as it should be: converged, slide, slide, slide, slide\n",
    }

    def test_examples(self):
        for path in sorted((SOURCE / "examples").glob("*.py")):
            with self.subTest(path.name):
                done = subprocess.run([sys.executable, "-B", str(path)], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stdout, self.EXPECTED[path.name])


if __name__ == "__main__":
    unittest.main()
