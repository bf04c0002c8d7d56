"""Builds the wheel of the Python package: a PEP 517 backend that runs CMake and needs nothing but it.

The build tree is build/wheel, kept from one time to the next; ccache makes the first time quick where the library was
built before. TACT_WHEEL_JOBS says how many compilers run at once; TACT_LIBRARY names a libtact.a that was built from these
sources, to be used instead of building it again.
"""
import base64
import hashlib
import os
import pathlib
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
VERSION = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
INFO = f"tact-{VERSION}.dist-info"


def tag() -> str:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform}"


def metadata() -> str:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return (
        f"Metadata-Version: 2.1\nName: tact\nVersion: {VERSION}\n"
        "Summary: Contact mechanics that explains and certifies\nLicense: Apache-2.0\n"
        "Requires-Python: >=3.9\nRequires-Dist: numpy>=1.20\nDescription-Content-Type: text/markdown\n\n" + readme
    )


def wheel_file() -> str:
    return f"Wheel-Version: 1.0\nGenerator: tact ({VERSION})\nRoot-Is-Purelib: false\nTag: {tag()}\n"


def built(stage: pathlib.Path) -> None:
    """The package below `stage`, as `cmake --install` leaves it."""
    tree = ROOT / "build" / "wheel"
    options = {
        "CMAKE_BUILD_TYPE": "Release",
        "TACT_BUILD_PYTHON": "ON",
        "TACT_BUILD_APPS": "OFF",
        "TACT_BUILD_TESTS": "OFF",
        "TACT_INSTALL": "OFF",
        "TACT_LIBRARY": os.environ.get("TACT_LIBRARY", ""),
        "TACT_UNITY": "ON",
        "TACT_PRECOMPILE": "ON",
        "TACT_PYTHON": sys.executable,
        "TACT_PYTHON_DIR": ".",
        "Python3_EXECUTABLE": sys.executable,
    }
    # An interpreter of another environment than last time is looked at afresh.
    cache = tree / "CMakeCache.txt"
    if cache.exists() and f"Python3_EXECUTABLE:UNINITIALIZED={sys.executable}" not in cache.read_text(encoding="utf-8"):
        cache.unlink()
    run(["cmake", "-S", ROOT, "-B", tree, "-G", "Ninja"] + [f"-D{k}={v}" for k, v in options.items()])
    jobs = os.environ.get("TACT_WHEEL_JOBS", str(os.cpu_count() or 1))
    run(["cmake", "--build", tree, "--target", "tact_python", "--parallel", jobs])
    run(["cmake", "--install", tree, "--component", "python", "--prefix", stage, "--strip"])


def run(words) -> None:
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.stderr.write(done.stdout)
        raise SystemExit(f"{words[0]} failed; tact needs g++, cmake, ninja-build, pybind11-dev and the libraries that "
                         "docs/dependencies.md lists")


def record_line(name: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode("ascii")
    return f"{name},sha256={digest},{len(data)}\n"


# ---- what pip calls


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = pathlib.Path(metadata_directory) / INFO
    folder.mkdir()
    (folder / "METADATA").write_text(metadata(), encoding="utf-8")
    (folder / "WHEEL").write_text(wheel_file(), encoding="utf-8")
    return INFO


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"tact-{VERSION}-{tag()}.whl"
    with tempfile.TemporaryDirectory() as folder:
        stage = pathlib.Path(folder)
        built(stage)
        files = {p.relative_to(stage).as_posix(): p.read_bytes() for p in sorted((stage / "tact").rglob("*")) if p.is_file()}
    files[f"{INFO}/METADATA"] = metadata().encode("utf-8")
    files[f"{INFO}/WHEEL"] = wheel_file().encode("utf-8")
    files[f"{INFO}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = "".join(record_line(path, data) for path, data in files.items()) + f"{INFO}/RECORD,,\n"
    files[f"{INFO}/RECORD"] = record.encode("utf-8")
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))  # the same bytes whenever it is packed
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    return name


def build_sdist(sdist_directory, config_settings=None):
    base = f"tact-{VERSION}"
    name = f"{base}.tar.gz"
    skipped = {".git", "build", "site", "node_modules", "__pycache__"}

    def kept(entry):
        return None if skipped & set(pathlib.PurePosixPath(entry.name).parts) else entry

    with tempfile.TemporaryDirectory() as folder, tarfile.open(pathlib.Path(sdist_directory) / name, "w:gz") as archive:
        archive.add(ROOT, base, filter=kept)
        info = pathlib.Path(folder) / "PKG-INFO"
        info.write_text(metadata(), encoding="utf-8")
        archive.add(info, f"{base}/PKG-INFO")
    return name
