# Inside: programs whose debug information goes on in other files, and objects before linking; beside
# each what llvm-symbolizer says of it where all is at hand (companions.py).
. /app/recipes/shell.sh

build=/app/build
companions=$out/companions
sources variants 1.0.0
flags="-ffreestanding -fno-stack-protector -fno-asynchronous-unwind-tables"

# compile FOLDER CC CXX FLAGS...: compiles the sources to FOLDER, where debug information is left.
compile() {
  local folder=$1 cc=$2 cxx=$3 source
  shift 3
  rm -rf "$folder"
  mkdir -p "$folder"
  cd "$folder"
  for source in steepest clamp start; do
    $cc -std=c11 $flags "$@" -c /app/src/$source.c -o $source.o
  done
  $cxx -std=c++17 $flags -fno-exceptions -fno-rtti "$@" -c /app/src/harbour.cpp -o harbour.o
}

link() { $toolchain/ld.lld -e _start -u harbour_open --build-id=sha1 "$@" ./*.o; }

# ask NAME: keeps the folder and the answers for its program.
ask() {
  python3 /app/recipes/companions.py $toolchain/llvm-symbolizer tide >expected.jsonl
  mkdir -p "$companions/$1"
  cp -r . "$companions/$1"
}

# Split DWARF: a file beside each object, the objects themselves, and packages by both makers.
for version in 4 5; do
  compile $build $clang $clangxx -O2 -gdwarf-$version -gsplit-dwarf
  link -o tide
  rm ./*.o
  ask dwo$version-clang
  compile $build gcc g++ -O2 -gdwarf-$version -gsplit-dwarf
  link -o tide
  rm ./*.o
  ask dwo$version-gcc
  compile $build $clang $clangxx -O2 -gdwarf-$version -gsplit-dwarf=single
  link -o tide
  ask single$version-clang
  # gcc puts each type into a section of its own.
  compile $build gcc g++ -O2 -gdwarf-$version -gsplit-dwarf -fdebug-types-section
  link -o tide
  rm ./*.o
  ask types$version-gcc
done
compile $build $clang $clangxx -O2 -gdwarf-5 -gsplit-dwarf -fdebug-types-section
link -o tide
llvm-dwp-14 ./*.dwo -o tide.dwp
rm ./*.o ./*.dwo
ask package5-clang
compile $build gcc g++ -O2 -gdwarf-4 -gsplit-dwarf -fdebug-types-section
link -o tide
dwp ./*.dwo -o tide.dwp
rm ./*.o ./*.dwo
ask package4-gcc
compile $build $clang $clangxx --target=s390x-linux-gnu -O2 -gdwarf-4 -gsplit-dwarf
link -o tide
rm ./*.o
ask dwo4-s390x

# What two programs share, in a file of its own; the answers are those before it was taken out.
for version in 4 5; do
  compile $build gcc g++ -O2 -gdwarf-$version
  link -o tide
  link -o tide2 --entry=harbour_open
  rm ./*.o
  python3 /app/recipes/companions.py $toolchain/llvm-symbolizer tide >expected.jsonl
  [ $version = 4 ] || five=--dwarf-5
  dwz ${five:-} -m shared.debug -M shared.debug tide tide2
  rm tide2
  mkdir -p "$companions/shared$version"
  cp -r . "$companions/shared$version"
done

# Objects with several sections of code, and one that looks like a kernel module. The answers are for
# the same sections laid out by the linker in the same order.
for compiler in "$clang $clangxx" "gcc g++"; do
  read -r cc cxx <<<"$compiler"
  for version in 4 5; do
    # shellcheck disable=SC2086
    compile $build $cc $cxx -O2 -gdwarf-$version -ffunction-sections
    $toolchain/ld.lld -r --build-id=sha1 start.o clamp.o steepest.o harbour.o -o tide.ko
    # What runs once lies behind the rest, whatever its place in the file.
    objcopy --rename-section .text.tide_thrice=.init.text tide.ko
    cat >layout.ld <<END
SECTIONS { . = 0x100000; $(readelf -SW tide.ko | sed -n 's/^ *\[ *[0-9]*\] \(\.[a-zA-Z_.0-9]*\) .* AX .*/\1 : { *(\1) }/p' |
      awk '/^.init/ {last = last " " $0; next} {print} END {print last}')
  .rodata : { *(.rodata*) } /DISCARD/ : { *(.note*) } }
END
    $toolchain/ld.lld -T layout.ld -e _start tide.ko -o tide
    python3 /app/recipes/companions.py $toolchain/llvm-symbolizer tide 0x100000 >expected.jsonl
    mv tide.ko tide
    rm ./*.o layout.ld
    mkdir -p "$companions/object$version-$(basename $cc)"
    cp -r . "$companions/object$version-$(basename $cc)"
  done
done

find "$companions" -type f -exec chmod 644 {} +
