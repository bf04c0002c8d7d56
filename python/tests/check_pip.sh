#!/usr/bin/env bash
# check_pip.sh PYTHON SOURCE WORK LIBRARY - pip install in a virtual environment without a network, over a library that was
# built before, and a program that uses it.
set -euo pipefail
python=$1 source=$2 work=$3
export TACT_LIBRARY=$4

rm -rf "$work"
mkdir -p "$work"
"$python" -m venv --system-site-packages "$work/venv"
"$work/venv/bin/pip" install --no-index --quiet "$source"
cd "$work"
unset PYTHONPATH
venv/bin/python - "$source" <<'END'
import sys
import tact

assert tact.__file__.startswith(sys.prefix), tact.__file__
assert tact.__version__ == open(sys.argv[1] + "/VERSION").read().strip()
run = tact.simulate(tact.Model.built_in("tipping-box"), 0.1)
run.raise_if_failed()
print("installed", tact.__version__, run.hash)
END
