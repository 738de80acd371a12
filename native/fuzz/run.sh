#!/bin/sh
# Builds the fuzzer of the kernels under the address and undefined-behaviour sanitizers and runs it.
# Usage: native/fuzz/run.sh [SECONDS] [SEED]
set -eu
native=$(cd "$(dirname "$0")/.." && pwd)
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
sources=$(ls "$native"/*.cpp | grep -v bindings.cpp)
# shellcheck disable=SC2086
"${CXX:-g++}" -std=c++20 -O1 -g -Wall -Wextra -fsanitize=address,undefined -fno-sanitize-recover=all -pthread \
  -o "$build/fuzz" "$native/fuzz/fuzz.cpp" $sources
"$build/fuzz" "${1:-60}" "${2:-1}"
