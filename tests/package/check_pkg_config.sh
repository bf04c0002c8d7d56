#!/usr/bin/env bash
# check_pkg_config.sh COMPILER PKGCONFIG_DIR WORK_DIR VERSION - builds the consumer as a plain makefile would.
set -euo pipefail
compiler=$1 pkgconfig=$2 work=$3 version=$4
export PKG_CONFIG_PATH=$pkgconfig

# pkg-config quotes paths with spaces for a shell, so a shell reads them.
declare -a flags
eval "flags=($(pkg-config --cflags --libs tact))"
consumer=$(dirname "$0")/consumer/main.cpp
"$compiler" -std=c++20 -DEXPECTED_VERSION="\"$version\"" "$consumer" "${flags[@]}" -o "$work/pkg_config_consumer"
"$work/pkg_config_consumer"
[[ $(pkg-config --modversion tact) == "$version" ]]
