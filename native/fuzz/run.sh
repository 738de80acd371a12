#!/bin/sh
# Builds the fuzzer of the kernels under the address and undefined-behaviour sanitizers and runs it.
# Usage: native/fuzz/run.sh [SECONDS] [SEED] [arrow]  with `arrow`, nothing but Arrow columns
#        native/fuzz/run.sh large                     texts of extreme sizes (minutes, 4 GB)
#        native/fuzz/run.sh bindings [SECONDS] [SEED] calls from Python, and the Polars plugin (needs .envs/dev)
#        native/fuzz/run.sh coverage [SECONDS]        lines and branches of stemmer and Arrow that the fuzzer reaches
set -eu
native=$(cd "$(dirname "$0")/.." && pwd)
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
sources=$(ls "$native"/*.cpp | grep -v bindings)
flags="-std=c++20 -g -Wall -Wextra -pthread"
sanitizers="-fsanitize=address,undefined -fno-sanitize-recover=all"
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
if [ "${1:-}" = bindings ]; then
  python=$native/../.envs/dev/bin/python
  nanobind=$build/packages/nanobind  # of the version that builds the kernels; .envs/dev does not keep it
  "$python" -m pip install -qq --disable-pip-version-check --no-deps --target "$build/packages" \
    "$(sed -n 's/.*"\(nanobind==[^"]*\)".*/\1/p' "$native/../pyproject.toml")"
  include=$("$python" -c "import sysconfig; print(sysconfig.get_path('include'))")
  # shellcheck disable=SC2086
  "${CXX:-g++}" $flags $sanitizers -w -O1 -fPIC -shared -fvisibility=hidden -I"$nanobind/include" \
    -I"$nanobind/ext/robin_map/include" -I"$include" -o "$build/_native.so" "$native"/*.cpp "$nanobind/src/nb_combined.cpp"
  preload="$("${CXX:-g++}" -print-file-name=libasan.so) $("${CXX:-g++}" -print-file-name=libubsan.so)"
  ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 LD_PRELOAD=$preload \
    "$python" "$native/fuzz/bindings.py" "$build/_native.so" "${2:-60}" "${3:-1}"
  exit
fi
driver=fuzz
[ "${1:-}" = large ] && driver=large
# shellcheck disable=SC2086
"${CXX:-g++}" $flags $sanitizers -O2 -o "$build/driver" "$native/fuzz/$driver.cpp" $sources
# shellcheck disable=SC2086
"$build/driver" "${1:-60}" "${2:-1}" ${3:-}
