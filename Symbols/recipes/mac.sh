# Inside: the Tern app as Mach-O, for macOS on both architectures and for iOS, each with its dSYM.
# Nothing of it runs here; compose-apple.py takes call chains from the code.
. /app/recipes/shell.sh

# dsymutil joins the architectures by a program called lipo.
mkdir -p /app/tools
ln -sf /usr/bin/llvm-lipo-14 /app/tools/lipo
PATH=/app/tools:$PATH

# link PROGRAM ARCH PLATFORM TRIPLE
link() {
  local objects=/app/build/$3-$2
  rm -rf "$objects" && mkdir -p "$objects"
  (cd /app/src
   for source in *.c *.cpp; do
     case $source in *.c) std=c11 ;; *) std=c++17 ;; esac
     $clang --target="$4" -std=$std -O2 -gdwarf-4 -fno-optimize-sibling-calls -fno-omit-frame-pointer \
       -fno-stack-protector -c "/app/src/$source" -o "$objects/${source%.*}.o"
   done)
  # Their dates go into the symbol table, and so into the UUID.
  touch -d "@$SOURCE_DATE_EPOCH" "$objects"/*.o
  ld64.lld-14 -arch "$2" -platform_version "$3" "$(version_of "$3")" "$(version_of "$3")" \
    -L/app/src -lSystem -lc++ -lobjc -o "$1" "$objects"/*.o
}

version_of() { case $1 in ios) echo 15.0 ;; *) echo 11.0 ;; esac; }

for version in 1.0.0 1.1.0; do
  sources mac $version
  target=$out/apple/$version
  mkdir -p "$target/macos" "$target/ios" /app/build

  link /app/build/Tern-arm64 arm64 macos arm64-apple-macos11
  link /app/build/Tern-x86_64 x86_64 macos x86_64-apple-macos11
  llvm-lipo-14 -create /app/build/Tern-arm64 /app/build/Tern-x86_64 -output /app/build/Tern
  dsymutil-14 /app/build/Tern -o "$target/macos/Tern.app.dSYM"
  cp /app/build/Tern "$target/macos/Tern"

  link /app/build/Tern arm64 ios arm64-apple-ios15
  dsymutil-14 /app/build/Tern -o "$target/ios/Tern.app.dSYM"
  cp /app/build/Tern "$target/ios/Tern"
  chmod -R u=rwX,go=rX "$target"
done

(cd $out/apple && for dsym in */*/Tern.app.dSYM; do
  llvm-dwarfdump-14 --uuid "$dsym" | sed -nE "s#^UUID: (\S+) \((\S+)\).*#\1\tTern\tTern ${dsym%%/*} for ${dsym#*/}, \2, clang -O2 -gdwarf-4#p"
done | sed 's#/Tern.app.dSYM##' >build-ids.tsv)
