#!/bin/sh
# Builds the fuzzer of the kernels under the address and undefined-behaviour sanitizers and runs it.
# Usage: native/fuzz/run.sh [SECONDS] [SEED], native/fuzz/run.sh large for texts of extreme sizes (minutes, 4 GB), or
# native/fuzz/run.sh coverage [SECONDS] for the lines and branches of the stemmer and of Arrow that the fuzzer reaches.
set -eu
native=$(cd "$(dirname "$0")/.." && pwd)
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
sources=$(ls "$native"/*.cpp | grep -v bindings)
flags="-std=c++20 -g -Wall -Wextra -pthread"
if [ "${1:-}" = coverage ]; then
  cd "$build"
  # shellcheck disable=SC2086
  "${CXX:-g++}" $flags -O0 --coverage -o driver "$native/fuzz/fuzz.cpp" $sources
  ./driver "${2:-20}" 1
  gcov -b -o . driver-stem.gcda driver-arrow.gcda | grep -A4 "File.*native/\(stem\|arrow\).cpp"
  grep -c "^ *#####:" stem.cpp.gcov arrow.cpp.gcov || true
  grep "^ *#####:" stem.cpp.gcov arrow.cpp.gcov || true
  exit
fi
driver=fuzz
[ "${1:-}" = large ] && driver=large
# shellcheck disable=SC2086
"${CXX:-g++}" $flags -O2 -fsanitize=address,undefined -fno-sanitize-recover=all \
  -o "$build/driver" "$native/fuzz/$driver.cpp" $sources
"$build/driver" "${1:-60}" "${2:-1}"
