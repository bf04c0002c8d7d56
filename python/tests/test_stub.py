"""Types: the stub is that of the module, every name has its place, and every public thing its words."""

import ast
import importlib.util
import inspect
import os
import subprocess
import sys
import tempfile
import unittest

import tact
from support import SOURCE
from tact import _tact

sys.path.insert(0, str(SOURCE / "tools"))
import python_reference  # noqa: E402
import python_stubs  # noqa: E402


class StubTest(unittest.TestCase):
    def setUp(self):
        self.text = (SOURCE / "python" / "tact" / "_tact.pyi").read_text(encoding="utf-8")
        self.tree = ast.parse(self.text)

    def test_the_stub_is_up_to_date(self):
        self.assertEqual(self.text, python_stubs.stub(_tact), "run tools/python_stubs.py")

    def test_the_reference_is_up_to_date_and_has_every_public_name_once(self):
        text = (SOURCE / "docs" / "python-reference.md").read_text(encoding="utf-8")
        self.assertEqual(text, python_reference.page(), "run tools/python_reference.py")
        placed = [name for names in python_reference.SUBJECTS.values() for name in names]
        public = {n for n in tact.__all__ if not n.startswith("_")} - {"interop"}
        functions = {n for n, f in vars(tact.interop).items() if inspect.isfunction(f) and not n.startswith("_")}
        self.assertEqual(sorted(placed), sorted(public | {"interop." + n for n in functions}))

    def names(self, body):
        out = set()
        for node in body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                out.add(node.name)
            if isinstance(node, ast.AnnAssign):
                out.add(node.target.id)
        return out

    def test_every_name_of_the_module_is_in_the_stub_and_the_reverse(self):
        module = {n for n in vars(_tact) if not n.startswith("_")} | {"__version__"}
        self.assertEqual(self.names(self.tree.body), module)
        for node in self.tree.body:
            if isinstance(node, ast.ClassDef):
                own = {n for n in vars(getattr(_tact, node.name)) if not n.startswith("__")}
                stubbed = {n for n in self.names(node.body) if not n.startswith("__")}
                self.assertEqual(stubbed, own, node.name)

    def test_the_package_says_what_is_public(self):
        for name in tact.__all__:
            self.assertTrue(hasattr(tact, name), name)
        bound = {n for n in vars(_tact) if not n.startswith("_")}
        self.assertEqual(bound - set(tact.__all__), set(), "bound but not public")

    def test_every_public_thing_has_a_docstring(self):
        for name in tact.__all__:
            value = getattr(tact, name)
            if name.startswith("_") or not (inspect.isclass(value) or callable(value)):
                continue
            self.assertTrue(value.__doc__, name)
            for member, own in vars(value).items() if inspect.isclass(value) else ():
                if member.startswith("_"):
                    continue
                said = (own.__doc__ or "").strip()
                self.assertGreater(len(said.split("\n\n")[-1]), 2, f"{name}.{member}")

    def test_typed(self):
        self.assertTrue((SOURCE / "python" / "tact" / "py.typed").exists())

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
    def test_a_type_checker_agrees(self):
        with tempfile.TemporaryDirectory() as cache:
            for example in [None, *sorted((SOURCE / "examples").glob("*.py"))]:
                words = ["-p", "tact"] if example is None else [str(example)]
                done = subprocess.run(
                    [sys.executable, "-m", "mypy", "--cache-dir", cache, "--ignore-missing-imports", *words],
                    env={**os.environ, "MYPYPATH": str(SOURCE / "python")}, capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
