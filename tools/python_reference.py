#!/usr/bin/env python3
"""Writes docs/python-reference.md from the stub of the module and its Python sources, without importing it.

  python3 tools/python_reference.py > docs/python-reference.md

python/tests/test_stub.py fails where the page and the sources differ, or where a public name has no place.
"""
import ast
import pathlib
import re

PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "python" / "tact"

SUBJECTS = {
    "Scenes in motion": ["Model", "State", "Simulation", "step", "simulate", "run_all", "Run", "StepReport", "ContactReport",
                         "contact_dtype", "built_in_scenes", "Recording"],
    "Inverse dynamics": ["inverse", "Inverse"],
    "Contact problems": ["ContactProblem", "Contact", "solve", "Solution", "Label", "residual", "Residual", "all_solutions",
                         "AllSolutions"],
    "Modes": ["modes", "ModeIterator", "Mode", "count_modes", "ModeCounts", "mode_cone", "ModeSystem", "mode_scenes"],
    "Impacts": ["impact", "ImpactOutcome", "certificate", "Certificate", "verify", "repair", "Repair", "audit_step"],
    "Patches and cones": ["Patch", "RegimeReport", "FrictionSet", "CoulombCone", "CoulombDual", "PlanarCone", "box_cone",
                          "pyramid_cone"],
    "Compliance": ["Surface", "facing", "hertz", "slip_return", "SoftPair", "SoftPort", "PortStep", "integrate_pose", "fit", "SoftFit"],
    "Pages": ["view", "Page", "write_still"],
    "Other engines": ["interop.mujoco_like"],
}

HEAD = """# Python reference

Everything that `import tact` gives, by subject; `docs/python.md` shows it at work. Written by `tools/python_reference.py` from the
types and words of the module itself, so that `help(tact.solve)` says the same. SI units; arrays in brackets with their shape. What
cannot be used raises `ValueError` or `TypeError` with the sentence of the command line and the name of the argument; a file that
is not there raises `FileNotFoundError`.
"""

CITATION = re.compile(r"\[([A-Z][A-Za-z0-9]+)\]((?:[ \t]*(?:secs?\.|app\.|eqs?\.|fig\.)?[ \t]*\(?[0-9A-Z][0-9A-Za-z.]*\)?,?)*)")


def definitions():
    """Name -> nodes (several where a function is overloaded); those of interop with their prefix."""
    found = {}
    for file, prefix in (("_tact.pyi", ""), ("__init__.py", ""), ("viewer.py", ""), ("interop.py", "interop.")):
        for node in ast.parse((PACKAGE / file).read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_"):
                found.setdefault(prefix + node.name, []).append(node)
    return found


def kind(node):
    """A type as a reader wants it: ndarray, X or None, path."""
    if node is None:
        return ""
    text = ast.unparse(node).strip("'")
    text = re.sub(r"Union\[str, '?os\.PathLike\[str\]'?\]|\bPathLike\b", "path", text)
    text = re.sub(r"(?:numpy\.typing\.)?NDArray\[(?:numpy\.(\w+)|Any)\]", lambda m: f"ndarray of {m[1]}" if m[1] not in (None, "float64") else "ndarray", text)
    text = re.sub(r"(?:numpy\.typing\.)?ArrayLike", "array", text)
    text = text.replace("numpy.dtype[Any]", "numpy.dtype").replace("np.ndarray", "ndarray")
    while (m := re.search(r"Optional\[((?:[^\[\]]|\[[^\[\]]*\])*)\]", text)):
        text = text[:m.start()] + m[1] + " or None" + text[m.end():]
    return re.sub(r"\b(List|Tuple|Dict)\b", lambda m: m[1].lower(), text)


def signature(name, node):
    a = node.args
    parts, defaults = [], [None] * (len(a.posonlyargs + a.args) - len(a.defaults)) + list(a.defaults)

    def one(arg, default):
        given = kind(arg.annotation)
        optional = default is not None
        shown = "" if not optional or ast.unparse(default) in ("...", "None") else f" = {ast.unparse(default)}"
        mark = "?" if optional and not shown else ""
        return f"{arg.arg}{mark}{': ' + given if given else ''}{shown}"
    for arg, default in zip(a.posonlyargs + a.args, defaults):
        if arg.arg not in ("self", "cls"):
            parts.append(one(arg, default))
    if a.vararg:
        parts.append("*" + a.vararg.arg)
    elif a.kwonlyargs:
        parts.append("*")
    parts += [one(arg, default) for arg, default in zip(a.kwonlyargs, a.kw_defaults)]
    if a.kwarg:
        parts.append("**" + a.kwarg.arg)
    result = kind(node.returns)
    return f"{name}({', '.join(parts)})" + (f" -> {result}" if result not in ("", "None") else "")


def wrapped(text, width=118):
    """A signature over several lines where it is long: one argument a line."""
    if len(text) <= width:
        return text
    head, _, rest = text.partition("(")
    body, _, result = rest.rpartition(")")
    parts, depth, begin = [], 0, 0
    for at, c in enumerate(body):
        depth += c in "([{"
        depth -= c in ")]}"
        if c == "," and depth == 0:
            parts.append(body[begin:at].strip())
            begin = at + 1
    parts.append(body[begin:].strip())
    return f"{head}(\n    " + ",\n    ".join(parts) + f"){result}"


def words(node):
    return (ast.get_docstring(node) or "").strip()


def prose(text):
    """Docstrings as Markdown: an indented table of arguments stays as it is."""
    text = text.replace("*", "\\*").replace("<", "&lt;")
    blocks = re.split(r"\n\s*\n", text)
    out = []
    for block in blocks:
        if re.search(r"^\w+ {2,}", block, re.MULTILINE):
            out.append("```text\n" + block.replace("\\*", "*").replace("&lt;", "<") + "\n```")
        else:
            out.append(" ".join(line.strip() for line in block.splitlines()))
    return "\n\n".join(out)


def is_property(node):
    return any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)


def described(name, nodes):
    out = [f"### {name}", ""]
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            out += class_lines(name, node)
        elif any(isinstance(d, ast.Name) and d.id == "overload" for d in node.decorator_list) or len(nodes) == 1:
            out += ["```text", wrapped(signature("tact." + name, node)), "```", ""]
        if isinstance(node, ast.FunctionDef) and words(node):
            out += [prose(words(node)), ""]
    return out


def class_lines(name, node):
    out = [prose(words(node)), ""] if words(node) else []
    made = [n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"]
    for n in made:
        out += ["```text", wrapped(signature("tact." + name, n)), "```", ""]
        if words(n):
            out += [prose(words(n)), ""]
    members = [n for n in node.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("_")]
    values = [n for n in members if is_property(n)]
    calls = [n for n in members if not is_property(n)]
    seen = set()
    if values:
        out += ["| value | type | |", "|---|---|---|"]
        out += [f"| `{n.name}` | {cell(kind(n.returns))} | {cell(words(n))} |" for n in values]
        out.append("")
    for n in calls:
        out += ["```text", wrapped(signature(n.name, n)), "```", ""]
        if words(n) and (n.name, words(n)) not in seen:
            seen.add((n.name, words(n)))
            out += [prose(words(n)), ""]
    return out


def cell(text):
    return " ".join(text.split()).replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;")


def equations(found):
    """Which public things say that they follow an equation of a paper."""
    by_paper = {}
    for name, nodes in found.items():
        for node in nodes:
            for inner in ast.walk(node):
                if not isinstance(inner, (ast.ClassDef, ast.FunctionDef)):
                    continue
                place = name if inner is node or inner.name == "__init__" else f"{name}.{inner.name}"
                for m in CITATION.finditer(words(inner)):
                    numbers = m[2].strip(" ,.") or "as a whole"
                    by_paper.setdefault(m[1], {}).setdefault(numbers, set()).add(place)
    out = ["## Equations", "", "Where the words above name a paper; what stands behind each is in `docs/equations.md`.", "",
           "| paper | place | in Python |", "|---|---|---|"]
    for paper in sorted(by_paper):
        for numbers in sorted(by_paper[paper]):
            out.append(f"| {paper} | {numbers} | {', '.join(f'`{p}`' for p in sorted(by_paper[paper][numbers]))} |")
    return out + [""]


def page():
    found = definitions()
    lines = [HEAD]
    for subject, names in SUBJECTS.items():
        lines += [f"## {subject}", ""]
        for name in names:
            lines += described(name, found[name])
    lines += equations({n: found[n] for names in SUBJECTS.values() for n in names})
    return "\n".join(lines).rstrip("\n") + "\n"


if __name__ == "__main__":
    print(page(), end="")
