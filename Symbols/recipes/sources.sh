# Inside: sources that lie with their debug files. Needs sentry-cli at /app/bin.
. /app/recipes/shell.sh

sources variants 1.0.0
cd /app/src
mkdir -p $out/sources

# A bundle for a program of the variants.
cp /app/recipes/../plain plain
/app/bin/sentry-cli debug-files bundle-sources --output $out/sources plain >/dev/null

# Embedded in the line table.
rm -f *.o
for source in steepest clamp start; do
  $clang -std=c11 -ffreestanding -fno-stack-protector -fno-asynchronous-unwind-tables -O1 -gdwarf-5 \
    -gembed-source -c $source.c -o $source.o
done
$toolchain/ld.lld -e _start --build-id=sha1 *.o -o $out/sources/embedded
chmod 644 $out/sources/*
