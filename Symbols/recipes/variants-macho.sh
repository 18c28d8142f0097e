# Sourced by variants.sh: Mach-O files that keep their debug information elsewhere, or in little.

# objects ARCH TRIPLE FLAGS...: compiles the C sources and one in C++ to $objects/*.object.
objects() {
  local arch=$1 triple=$2 source
  shift 2
  objects=$build/macho-$arch
  rm -rf "$objects" && mkdir -p "$objects"
  for source in steepest clamp start; do
    $clang --target="$triple" -std=c11 -O1 -ffreestanding -fno-stack-protector "$@" -c $source.c -o "$objects/$source.object"
  done
  $clangxx --target="$triple" -std=c++17 -O1 -ffreestanding -fno-exceptions -fno-stack-protector "$@" -c harbour.cpp \
    -o "$objects/harbour.object"
  # Their dates go into the debug map.
  touch -d "@$SOURCE_DATE_EPOCH" "$objects"/*.object
}

link_macho() {
  local arch=$1 name=$2
  shift 2
  ld64.lld-14 -arch "$arch" -platform_version macos 11.0 11.0 -dylib -undefined dynamic_lookup \
    -install_name @rpath/libtide.dylib -o "$variants/$name" "$@"
}

# Nothing but a symbol table; and not even that, only where functions begin.
for arch in arm64 x86_64; do
  c $clang --target=$arch-apple-macos11 -O1
  link_macho $arch macho-symtab-only-$arch.dylib $build/*.o
done
llvm-objcopy-14 --strip-all $variants/macho-symtab-only-arm64.dylib $variants/macho-stripped-arm64.dylib

# A library that remembers its object files, two of them in an archive; the same as a dSYM, which is
# made by that map.
for arch in arm64 x86_64; do
  objects $arch $arch-apple-macos11 -g
  (cd "$objects" && llvm-ar-14 rcsD libtide.archive steepest.object clamp.object)
  link_macho $arch macho-map-$arch.dylib "$objects/start.object" "$objects/harbour.object" "$objects/libtide.archive"
  rm -rf $build/map.dSYM
  dsymutil-14 $variants/macho-map-$arch.dylib -o $build/map.dSYM
  cp $build/map.dSYM/Contents/Resources/DWARF/* $variants/macho-map-$arch.dsym
  mkdir -p $variants/macho-map/$arch
  cp "$objects/start.object" "$objects/harbour.object" "$objects/libtide.archive" $variants/macho-map/$arch/
done

# Objects before linking: the processors of phones, watches and old computers.
for target in arm64e-apple-ios14 armv7k-apple-watchos5 arm64_32-apple-watchos5 i386-apple-macos10.13 x86_64h-apple-macos11; do
  objects ${target%%-*} $target -gdwarf-4
  cp "$objects/start.object" $variants/macho-${target%%-*}.object
done
