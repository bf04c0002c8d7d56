#!/bin/sh
# run.sh - all tests of the viewer: run.sh PATH_OF_TACT. Exit code 77: skipped, with the reason in one line.
set -eu
tact=${1:?usage: run.sh PATH_OF_TACT}
tact=$(cd "$(dirname "$tact")" && pwd)/$(basename "$tact")
cd "$(dirname "$0")/.."
skip() { echo "skipped: $1"; exit 77; }
command -v node >/dev/null || skip "no node"
[ -x "${TACT_CHROMIUM:-/usr/bin/chromium}" ] || skip "no chromium"
[ -x /usr/bin/python3 ] || skip "no python3"
if [ ! -d node_modules/esbuild ]; then
  command -v npm >/dev/null || skip "no npm, and node_modules is missing"
  npm ci --no-audit --no-fund >/dev/null 2>&1 || skip "npm ci cannot install the packages of viewer/package.json"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TACT="$tact" TACT_VIEWER_WORK="$work"
node_modules/.bin/tsc --noEmit
echo "types: clean"
# One file after the other: both make recordings in the same folder.
node --test --test-concurrency=1 tests/decoder.test.mjs tests/page.test.mjs
