#!/bin/sh
# Writes microsoft.txt: the names that Clang gives to what microsoft.cpp declares, for Windows on x86-64 and
# x86, and after a tab what llvm-undname says of each.
#
#     Tests/DemanglingTests/Golden/microsoft.sh [CLANG [UNDNAME]]
set -e
cd "$(dirname "$0")"
clang=${1:-clang++} undname=${2:-llvm-undname-19}
for target in x86_64 i686; do
  "$clang" --target=$target-pc-windows-msvc -x c++ -std=c++20 -fms-extensions -fexceptions -fcxx-exceptions -w -O0 \
    -S -o - microsoft.cpp
done | grep -oE '"[?.][^" ]*"|^[?][^ :"]*' | tr -d '"' | sed 's,\\$,,' | grep -vE '^[.][^?A-Z]|^[?][?]@|^[.]L' |
  awk 'length < 1000' | LC_ALL=C sort -u >microsoft.names
# A name, what it means, an empty line; of a name that it refuses no meaning.
"$undname" <microsoft.names 2>/dev/null | awk '
  $0 == "" { if (name != "") print name "\t" text; name = text = ""; next }
  name == "" { name = $0; next }
  { text = $0 }' >microsoft.txt
rm microsoft.names
