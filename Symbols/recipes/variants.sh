# Inside: small debug files that each show one thing to a reader.
. /app/recipes/shell.sh

variants=$out/variants
build=/app/build
mkdir -p $variants
rm -rf $build && mkdir $build
sources variants 1.0.0
cd /app/src

# c COMPILER FLAGS...: compiles the C sources to $build/*.o
c() {
  rm -f $build/*.o
  local compiler=$1 source
  shift
  for source in steepest clamp start; do
    $compiler -std=c11 -ffreestanding -fno-stack-protector -fno-asynchronous-unwind-tables "$@" -c $source.c \
      -o $build/$source.o
  done
}

# lld NAME FLAGS...: links what c left.
lld() {
  local name=$1
  shift
  $toolchain/ld.lld -e _start --build-id=sha1 "$@" $build/*.o -o $variants/$name
}

# Versions of DWARF, by both compilers.
for version in 2 3 4 5; do
  c $clang -O1 -gdwarf-$version
  lld dwarf$version-clang
  c gcc -O1 -gdwarf-$version
  lld dwarf$version-gcc
done
c $clang -O1 -g -gdwarf64
lld dwarf64-clang
c $clang -O0 -g
lld unoptimised-clang
c gcc -O0 -g
lld unoptimised-gcc

# C++ beside C, once with the inlining across units that link-time optimisation does.
c $clang -O2 -g
$clangxx -std=c++17 -ffreestanding -fno-exceptions -fno-rtti -O2 -g -c harbour.cpp -o $build/harbour.o
lld cpp-clang -u harbour_open
c gcc -O2 -g
g++ -std=c++17 -ffreestanding -fno-exceptions -fno-rtti -fno-asynchronous-unwind-tables -O2 -g -c harbour.cpp \
  -o $build/harbour.o
lld cpp-gcc -u harbour_open
c $clang -O2 -g -flto
lld lto-clang
c $clang -O2 -g
g++ -std=c++17 -ffreestanding -fno-exceptions -fno-rtti -fno-asynchronous-unwind-tables -O2 -g \
  -fdebug-types-section -c harbour.cpp -o $build/harbour.o
lld type-units-gcc -u harbour_open

# What dwz takes out of several units and leaves once, in a partial unit.
cp $variants/cpp-gcc $variants/dwz-gcc
dwz $variants/dwz-gcc

# Other processors: 32 bits, the other byte order.
for target in i386-linux-gnu armv7a-linux-gnueabihf aarch64-linux-gnu riscv64-linux-gnu s390x-linux-gnu \
  powerpc64-linux-gnu powerpc-linux-gnu mips-linux-gnu; do
  flags=
  [ ${target%%-*} != powerpc64 ] || flags=-mabi=elfv2
  c $clang --target=$target $flags -O1 -gdwarf-4
  lld ${target%%-*}
done

# Compressed sections.
c $clang -O1 -gdwarf-5
lld plain
for format in zlib zlib-gnu zstd; do
  objcopy --compress-debug-sections=$format $variants/plain $variants/compressed-$format
done

# The debug file apart, found by name and checksum; the small symbol table inside a stripped program.
objcopy --only-keep-debug $variants/plain $variants/debuglink.debug
(cd $variants && strip -o debuglink plain && objcopy --add-gnu-debuglink=debuglink.debug debuglink)
nm -D $variants/plain --format=posix --defined-only 2>/dev/null | awk '{print $1}' | sort >$build/dynamic
nm $variants/plain --format=posix --defined-only | awk '$2 == "T" || $2 == "t" {print $1}' | sort >$build/functions
comm -13 $build/dynamic $build/functions >$build/kept
objcopy -S --remove-section .gnu_debuglink --keep-symbols=$build/kept $variants/plain $build/mini
cp $build/mini $variants/minidebug.symbols
xz -9 --check=crc32 -k $build/mini
strip -o $variants/minidebug $variants/plain
objcopy --add-section .gnu_debugdata=$build/mini.xz $variants/minidebug

# Less and less.
objcopy --strip-debug $variants/plain $variants/symtab-only
strip -o $variants/stripped $variants/plain
c $clang -O1 -g -fPIC
lld dynsym-only -shared
strip $variants/dynsym-only
c $clang -O1 -g
lld no-build-id --build-id=none
c $clang -O2 -gline-tables-only
lld line-tables-only-clang
c gcc -O2 -g1
lld g1-gcc
cp $build/steepest.o $variants/relocatable-gcc.object
c $clang -O1 -g
cp $build/steepest.o $variants/relocatable-clang.object

# What linkers leave behind when they drop or fold functions.
c $clang -O1 -g -ffunction-sections
lld gc-sections-lld --gc-sections
ld.bfd -e _start --build-id=sha1 --gc-sections $build/*.o -o $variants/gc-sections-bfd
lld icf --icf=all
c gcc -O1 -gdwarf-4 -ffunction-sections
lld gc-sections-gcc-dwarf4 --gc-sections

# Functions in two parts.
g++ -std=c++17 -O2 -gdwarf-5 -no-pie cold.cpp -o $build/cold -Wl,--build-id=sha1
objcopy --only-keep-debug --compress-debug-sections=zlib $build/cold $variants/cold-split.debug
g++ -std=c++17 -O2 -gdwarf-4 -no-pie cold.cpp -o $build/cold4 -Wl,--build-id=sha1
objcopy --only-keep-debug --compress-debug-sections=zlib $build/cold4 $variants/cold-split-dwarf4.debug

. /app/recipes/variants-macho.sh
. /app/recipes/variants-wasm.sh

find $variants -type f -exec chmod 644 {} +
