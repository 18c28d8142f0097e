#!/bin/bash
# Writes what whole.sh cannot run: dumps of its programs, and programs for Android, iOS and Windows with their code
# and debug information, with the reports that compose-whole.py makes of their code.
#
#     Symbols/recipes/whole-systems.sh
#
# Needs the programs of whole.sh, the clang and lld of a Swift toolchain (SWIFT_HOME) and from Debian 12:
#
#     apt-get install gcc gdb llvm-14 lld-14 g++-mingw-w64-x86-64-win32 chromium-common python3 util-linux
. "$(dirname "$0")/whole-scratch.sh"
export SOURCE_DATE_EPOCH=1767225600
whole=$symbols/whole
toolchain=$SWIFT_HOME/usr/bin
mkdir -p "$whole/apple" /srv/bin
cd /srv

# Crashpad's dumps of the fault, and of the abort in its handler.
gcc -shared -fPIC -O1 -o client.so "$recipes/dumps/client.c"
dump() {
  cp "$whole/$1" bin/
  rm -rf dumps && mkdir dumps
  (cd bin && ulimit -s 128 && DUMPS=/srv/dumps PRODUCT=skiff VERSION=1.0.0 LD_PRELOAD=/srv/client.so \
    HANDLER=/usr/lib/chromium/chrome_crashpad_handler setarch -R "./$1" >/dev/null 2>&1) || :
  mv dumps/pending/*.dmp "$samples/minidump/$2.dmp"
  chmod 644 "$samples/minidump/$2.dmp"
}
dump skiff-core null-read-whole
dump skiff-pie handler-abort-whole

# gdb's stack of the core of a stripped program at a fixed address, which has no names.
strip -o bin/skiff-fixed "$whole/skiff-fixed"
(cd bin && rm -f core* && ulimit -c unlimited && { setarch -R ./skiff-fixed >/dev/null 2>&1 || :; }
 gdb -batch -nx -ex 'set width 80' -ex 'thread apply all bt' ./skiff-fixed core* 2>/dev/null) \
  >"$samples/debugger/handler-abort-whole-gdb.txt"

cp "$recipes"/whole/* "$recipes"/mac/*.tbd .
flags="-g -O1 -fno-exceptions -fno-stack-protector -fno-optimize-sibling-calls -ffile-prefix-map=/srv=/app/src"

# Android: a library without a build id.
"$toolchain/clang++" --target=aarch64-linux-android29 $flags -fno-omit-frame-pointer -fPIC -c app.cpp -o android.o
"$toolchain/ld.lld" -shared --build-id=none -z max-page-size=4096 -soname libskiff.so android.o -o "$whole/libskiff.so"

# iOS: the program, which has a symbol table and names its object files, and its dSYM.
for source in app main; do
  "$toolchain/clang++" --target=arm64-apple-ios15 $flags -gdwarf-4 -fno-omit-frame-pointer -c $source.cpp -o $source.o
done
# Their dates go into the symbol table, and so into the UUID.
touch -d "@$SOURCE_DATE_EPOCH" app.o main.o
ld64.lld-14 -arch arm64 -platform_version ios 15.0 15.0 -L. -lSystem -o "$whole/apple/Skiff" app.o main.o
rm -rf "$whole/apple/Skiff.app.dSYM"
dsymutil-14 "$whole/apple/Skiff" -o "$whole/apple/Skiff.app.dSYM"

# Windows: a program with a PDB, and one of MinGW with DWARF inside.
flags+=" -ffreestanding -fomit-frame-pointer -fasynchronous-unwind-tables"
for source in app main; do
  "$toolchain/clang++" --target=x86_64-pc-windows-msvc $flags -gcodeview -c $source.cpp -o $source.obj
done
# A PDB names the folder in which it was linked.
"$toolchain/lld-link" /nologo /debug /brepro /subsystem:console /entry:main /nodefaultlib \
  app.obj main.obj /out:skiff-pdb.exe /pdb:skiff-pdb.pdb /pdbaltpath:%_PDB% /map:skiff.map
cp skiff-pdb.exe skiff-pdb.pdb "$whole"
x86_64-w64-mingw32-g++ $flags -nostdlib -Wl,-e,main -Wl,--no-insert-timestamp app.cpp main.cpp -o "$whole/skiff-mingw.exe"
chmod -R u=rwX,go=rX "$whole"
chmod 755 "$whole"/skiff-* && chmod 644 "$whole"/*.pdb

"$recipes/compose-whole.py" "$whole" "$samples" /srv
ls -l "$whole"
