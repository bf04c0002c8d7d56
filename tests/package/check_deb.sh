#!/usr/bin/env bash
# check_deb.sh BUILD_DIR OUT_DIR VERSION - packs the build and looks into what was packed.
set -euo pipefail
build=$1 out=$2 version=$3

rm -rf "$out"
(cd "$build" && cpack -B "$out")
deb=$(echo "$out"/tact_"${version}"_*.deb)
ls "$out"/tact-"$version"-*.tar.gz

content=$(dpkg-deb -c "$deb" | awk '{print $6}')
echo "$content"
for path in bin/tact lib/libtact.a lib/pkgconfig/tact.pc lib/cmake/tact/tactConfig.cmake \
            include/tact/base/result.hpp share/doc/tact/copyright share/man/man1/tact.1 \
            share/bash-completion/completions/tact share/zsh/vendor-completions/_tact \
            share/fish/vendor_completions.d/tact.fish; do
  grep -qx "./usr/$path" <<<"$content" || { echo "$deb: /usr/$path is missing"; exit 1; }
done
if grep -E '_test|/tests/|/generated/' <<<"$content"; then
  echo "$deb: holds files that are not for users"
  exit 1
fi

# The Python module, where the build has it, is found where Debian's Python looks.
if grep -q dist-packages <<<"$content"; then
  grep -q '/usr/lib/python3/dist-packages/tact/_tact\..*so$' <<<"$content" || { echo "$deb: _tact is missing"; exit 1; }
  [[ $(dpkg-deb -f "$deb" Recommends) == *python3-numpy* ]] || { echo "$deb: does not recommend NumPy"; exit 1; }
fi

# Depends is written by hand: every shared library the command names must come from a package named there
# (what those need in turn comes with them).
depends=$(dpkg-deb -f "$deb" Depends)
dpkg-deb -x "$deb" "$out/root"
"$out/root/usr/bin/tact" --version
needed=$(objdump -p "$out/root/usr/bin/tact" | awk '$1 == "NEEDED" {print $2}')
ldd "$out/root/usr/bin/tact" | awk '$3 ~ "^/" {print $1, $3}' | while read -r name library; do
  grep -qx -- "$name" <<<"$needed" || continue
  # The package knows the file by its real name or by its name before /lib became a link.
  package=$(dpkg-query -S "$(readlink -f "$library")" "$library" 2>/dev/null | head -1 | cut -d: -f1) || true
  grep -qw -- "${package:-unknown package of $library}" <<<"$depends" ||
    { echo "$deb: $library needs ${package:-an unknown package}, which is not in Depends"; exit 1; }
done

if [[ -d $out/root/usr/lib/python3/dist-packages/tact ]]; then
  PYTHONPATH=$out/root/usr/lib/python3/dist-packages /usr/bin/python3 -B -c \
    'import tact; assert tact.__file__.startswith("'"$out"'"), tact.__file__; print("tact", tact.__version__)'
fi
