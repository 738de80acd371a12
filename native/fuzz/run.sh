#!/bin/sh
# Builds the fuzzer of the kernels under the address and undefined-behaviour sanitizers and runs it.
# Usage: native/fuzz/run.sh [SECONDS] [SEED], or native/fuzz/run.sh large for texts of extreme sizes (minutes, 4 GB).
set -eu
native=$(cd "$(dirname "$0")/.." && pwd)
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
driver=fuzz
[ "${1:-}" = large ] && driver=large
sources=$(ls "$native"/*.cpp | grep -v bindings)
# shellcheck disable=SC2086
"${CXX:-g++}" -std=c++20 -O1 -g -Wall -Wextra -fsanitize=address,undefined -fno-sanitize-recover=all -pthread \
  -o "$build/driver" "$native/fuzz/$driver.cpp" $sources
"$build/driver" "${1:-60}" "${2:-1}"
