# Inside: programs for Windows, with PDBs and with DWARF, and what llvm-symbolizer says about them.
. /app/recipes/shell.sh

windows=$out/windows
build=/app/build
mkdir -p $windows
rm -rf $build && mkdir $build
sources variants 1.0.0
cp /app/recipes/windows/* /app/src/
cd /app/src

# objects TRIPLE FLAGS...: compiles the C sources and the C++ ones to $build/*.obj
objects() {
  local triple=$1 source
  shift
  rm -f $build/*.obj
  for source in steepest clamp start; do
    $clang --target=$triple -std=c11 -ffreestanding "$@" -c $source.c -o $build/$source.obj
  done
  for source in harbour crane; do
    $clangxx --target=$triple -std=c++17 -ffreestanding -fno-exceptions -fno-rtti "$@" -c $source.cpp \
      -o $build/$source.obj
  done
}

# link NAME MACHINE FLAGS...: links what objects left, with a PDB beside.
link() {
  local name=$1 machine=$2 mark=
  shift 2
  # Names of C functions have an underscore more there.
  [ $machine != x86 ] || mark=_
  # /brepro makes time stamp and id out of the contents.
  (cd $windows && $toolchain/lld-link /nologo /debug /brepro /machine:$machine /subsystem:console /nodefaultlib \
    /entry:_start /include:${mark}harbour_open /include:${mark}crane_lift "$@" $build/*.obj \
    /out:$name.exe /pdb:$name.pdb /pdbaltpath:%_PDB%)
}

for level in O0 O1 O2; do
  objects x86_64-pc-windows-msvc -$level -g -gcodeview
  link pdb-x86_64-$level x64
done
objects aarch64-pc-windows-msvc -O2 -g -gcodeview
link pdb-aarch64 arm64
objects thumbv7-pc-windows-msvc -O1 -g -gcodeview
link pdb-arm arm
objects i686-pc-windows-msvc -O2 -g -gcodeview
link pdb-i386 x86 /safeseh:no
# Lines only; with columns; across units; equal functions folded and unused ones dropped.
objects x86_64-pc-windows-msvc -O2 -gline-tables-only -gcodeview
link pdb-lines x64
objects x86_64-pc-windows-msvc -O1 -g -gcodeview -gcolumn-info
link pdb-columns x64
objects x86_64-pc-windows-msvc -O2 -g -gcodeview -flto
link pdb-lto x64
objects x86_64-pc-windows-msvc -O1 -g -gcodeview -ffunction-sections
link pdb-folded x64 /opt:ref /opt:icf
# A source file inside the PDB.
objects x86_64-pc-windows-msvc -O1 -g -gcodeview
link pdb-embedded x64 /natvis:/app/src/tide.natvis

# MinGW: DWARF in the program, in sections with long names.
for target in x86_64-w64-mingw32 i686-w64-mingw32; do
  rm -f $build/*.obj
  for source in steepest clamp start; do
    $target-gcc -std=c11 -ffreestanding -O1 -g -c $source.c -o $build/$source.obj
  done
  entry=_start
  [ ${target%%-*} != i686 ] || entry=__start
  $target-gcc -nostdlib -Wl,-e,$entry -Wl,--build-id -Wl,--no-insert-timestamp $build/*.obj \
    -o $windows/mingw-${target%%-*}.exe
done
x86_64-w64-mingw32-strip -o $windows/mingw-stripped.exe $windows/mingw-x86_64.exe
# A library that says no more than what it exports.
rm -f $build/*.obj
for source in steepest clamp start; do
  x86_64-w64-mingw32-gcc -std=c11 -ffreestanding -O1 -c $source.c -o $build/$source.obj
done
x86_64-w64-mingw32-gcc -shared -nostdlib -Wl,-e,_start -Wl,--no-insert-timestamp -Wl,--export-all-symbols -s \
  $build/*.obj -o $windows/exports.dll

chmod 644 $windows/*
python3 /app/recipes/windows.py $toolchain/llvm-symbolizer $windows
