#!/usr/bin/env python3
"""Writes python/tact/_tact.pyi from the signatures that the built module tells of itself.

  PYTHONPATH=build/release/python python3 tools/python_stubs.py > python/tact/_tact.pyi

python/tests/test_stub.py fails where the file and the module differ.
"""
import inspect
import re

HEAD = '''"""Types of the compiled part of tact; written by tools/python_stubs.py."""

import os
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union, overload

import numpy
import numpy.typing

'''

SIGNATURE = re.compile(r"^(\w*)\((.*)\) -> (.*)$")


def clean(kind):
    """A type of pybind11 as a type checker knows it."""
    kind = kind.strip()
    kind = re.sub(r"\b(?:tact\.)?_tact\.", "", kind)
    kind = re.sub(r"numpy\.ndarray\[numpy\.(\w+)\]", r"numpy.typing.NDArray[numpy.\1]", kind)
    kind = re.sub(r"numpy\.ndarray(?!\w)", "numpy.typing.NDArray[Any]", kind)
    kind = kind.replace("os.PathLike[str] | str", 'Union[str, "os.PathLike[str]"]')
    kind = re.sub(r"\bdtype\b", "numpy.dtype[Any]", kind)
    return re.sub(r"\bobject\b", "Any", kind)


def split(text):
    """Arguments at the commas that stand outside of brackets and quotes."""
    out, depth, quote, begin = [], 0, "", 0
    for at, c in enumerate(text):
        if quote:
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote = c
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif c == "," and depth == 0:
            out.append(text[begin:at])
            begin = at + 1
    return [part.strip() for part in out + [text[begin:]] if part.strip()]


def argument(text):
    if text in ("*", "/") or text.startswith("*args") or text.startswith("**"):
        return "*args: Any" if text.startswith("*args") else text
    name, _, rest = text.partition(":")
    kind, equals, default = rest.partition(" = ")
    kind = clean(kind)
    if name == "self":
        return "self"
    if default == "None" and not kind.startswith("Optional") and kind != "Any":
        kind = f"Optional[{kind}]"
    return f"{name}: {kind}" + (" = ..." if equals else "")


def signatures(doc):
    """(arguments, result, words) of every overload."""
    lines = (doc or "").split("\n")
    if len(lines) > 1 and lines[1] == "Overloaded function.":
        parts = re.split(r"\n\n\d+\. ", "\n".join(lines[1:]))[1:]
    else:
        parts = ["\n".join(lines)]
    for part in parts:
        first, _, words = part.partition("\n")
        found = SIGNATURE.match(first)
        if found:
            yield [argument(a) for a in split(found[2])], clean(found[3]), words.strip()


def doc_text(words, indent):
    if not words:
        return f"{indent}...\n"
    quoted = words.replace("\\", "\\\\").replace('"""', "'''")
    return f'{indent}"""{quoted}"""\n'


def function(name, doc, indent="", static=False):
    found = list(signatures(doc))
    out = ""
    for arguments, result, words in found:
        if len(found) > 1:
            out += f"{indent}@overload\n"
        if static:
            out += f"{indent}@staticmethod\n"
        out += f"{indent}def {name}({', '.join(arguments)}) -> {result}:\n" + doc_text(words, indent + "    ")
    return out


def property_of(name, value, indent):
    result, words = "Any", ""
    for _, found, said in signatures("f" + (value.fget.__doc__ or "")):
        result, words = found, said
    out = f"{indent}@property\n{indent}def {name}(self) -> {result}:\n" + doc_text(value.__doc__ or words, indent + "    ")
    if value.fset is not None:
        kind = "Any"
        for arguments, _, _ in signatures("f" + (value.fset.__doc__ or "")):
            kind = arguments[-1].partition(": ")[2]
        out += f"{indent}@{name}.setter\n{indent}def {name}(self, value: {kind}) -> None: ...\n"
    return out


SPECIAL = {"__init__", "__len__", "__iter__", "__next__", "__float__", "__enter__", "__exit__", "__copy__", "__deepcopy__"}


def class_text(name, kind):
    out = f"class {name}:\n" + doc_text(kind.__doc__, "    ")
    for member, value in sorted(vars(kind).items()):
        if member.startswith("__") and member not in SPECIAL:
            continue
        if isinstance(value, property):
            out += property_of(member, value, "    ")
        elif isinstance(value, staticmethod):
            out += function(member, value.__func__.__doc__, "    ", static=True)
        elif callable(value):
            text = function(member, value.__doc__, "    ")
            if "Initialize self.  See help" not in (value.__doc__ or ""):
                out += text
    return out + "\n"


def stub(module):
    out = HEAD + "__version__: str\n\n"
    members = sorted(vars(module).items())
    for name, value in members:
        if inspect.isclass(value):
            out += class_text(name, value)
    for name, value in members:
        if not name.startswith("_") and not inspect.isclass(value) and callable(value):
            out += function(name, value.__doc__) + "\n"
    return out


if __name__ == "__main__":
    from tact import _tact

    print(stub(_tact), end="")
