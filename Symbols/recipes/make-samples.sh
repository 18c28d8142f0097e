#!/bin/bash
# Makes Samples/ and Symbols/ again: compiles the programs beside this script, runs them into their
# bugs, keeps what the runtimes printed, composes the Apple reports, and writes down what
# llvm-symbolizer says about every address (Symbols/expected).
#
#     Symbols/recipes/make-samples.sh [STEP...]
#         steps: tern dumps cores desk mac variants companions windows expected check sources
#
# Without a step all are taken in this order; each replaces the files it made before. The step "sources"
# is only taken when it is named: it needs sentry-cli (pip install sentry-cli) on the PATH.
#
# Needs Linux on x86_64, root or unprivileged user namespaces, a Swift toolchain (its clang, ld.lld,
# llvm-objcopy and llvm-symbolizer are used; SWIFT_HOME says where, otherwise the one on the PATH or
# /opt/swift) and from Debian 12:
#
#     apt-get install gcc g++ binutils dwz llvm-14 lld-14 patch python3 xz-utils util-linux \
#       gcc-mingw-w64-x86-64-win32 gcc-mingw-w64-i686-win32 chromium-common \
#       rustc golang-go gcc-aarch64-linux-gnu qemu-user
#
# Everything is built and run as /app/... in a mount namespace, so no report and no debug file holds
# a path, a host or a user of the machine that made it.
set -euo pipefail
export LC_ALL=C TZ=UTC SOURCE_DATE_EPOCH=1767225600
umask 022

recipes=$(cd "$(dirname "$0")" && pwd)
symbols=$(dirname "$recipes")
samples=$(dirname "$symbols")/Samples

fail() { echo "make-samples: $*" >&2; exit 1; }
say() { echo "make-samples: $*" >&2; }

swift_home() {
  if [ -n "${SWIFT_HOME:-}" ]; then echo "$SWIFT_HOME"; return; fi
  local swiftc
  if swiftc=$(command -v swiftc); then dirname "$(dirname "$(dirname "$(readlink -f "$swiftc")")")"; return; fi
  echo /opt/swift
}
SWIFT_HOME=$(swift_home)
export SWIFT_HOME

need() {
  local tool
  for tool in gcc g++ ld.bfd dwp objcopy strip strings nm readelf dwz patch python3 xz unshare setarch chroot \
    ld64.lld-14 dsymutil-14 llvm-dwp-14 llvm-lipo-14 llvm-ar-14 llvm-objcopy-14 llvm-objdump-14 llvm-dwarfdump-14 \
    x86_64-w64-mingw32-gcc i686-w64-mingw32-gcc aarch64-linux-gnu-gcc qemu-aarch64 /usr/bin/rustc /usr/bin/go; do
    command -v "$tool" >/dev/null || fail "$tool is missing; the head of this script lists the packages"
  done
  [ -x /usr/lib/chromium/chrome_crashpad_handler ] || fail "chrome_crashpad_handler is missing: chromium-common"
  for tool in clang clang++ swiftc ld.lld wasm-ld llvm-symbolizer llvm-nm; do
    [ -x "$SWIFT_HOME/usr/bin/$tool" ] || fail "$SWIFT_HOME/usr/bin/$tool is missing; set SWIFT_HOME"
  done
}

# inside STEP: runs STEP.sh with a root of its own in which $stage/app is /app.
inside() {
  local step=$1 own=
  [ "$(id -u)" = 0 ] || own=--map-root-user
  mkdir -p "$stage/app/src" "$stage/app/bin" "$stage/app/home" "$stage/app/out" "$stage/root"
  rm -rf "$stage/app/recipes"
  cp -r "$recipes" "$stage/app/recipes"
  # shellcheck disable=SC2086
  unshare $own --mount --uts --pid --fork /bin/bash -euc '
    root=$1/root step=$2
    mount -t tmpfs none "$root"
    mkdir -p "$root"/{app,usr,opt/swift,etc,dev,proc,tmp}
    ln -s usr/bin "$root/bin"; ln -s usr/lib "$root/lib"; ln -s usr/lib64 "$root/lib64"
    ln -s usr/sbin "$root/sbin"
    cat /etc/os-release > "$root/etc/os-release"
    for file in ld.so.cache ld.so.conf ld.so.conf.d alternatives; do
      [ ! -e "/etc/$file" ] || cp -dR "/etc/$file" "$root/etc/"
    done
    echo "root:x:0:0::/app/home:/bin/sh" > "$root/etc/passwd"
    mount --rbind /usr "$root/usr"
    mount --rbind "$SWIFT_HOME" "$root/opt/swift"
    mount --rbind /dev "$root/dev"
    mount --bind "$1/app" "$root/app"
    mount -t proc proc "$root/proc"
    hostname till
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/app/home LC_ALL=C TZ=UTC SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" \
      chroot "$root" /bin/bash -euo pipefail "/app/recipes/$step.sh"
  ' inside "$stage" "$step"
}

# keep FOLDER TARGET: what the step left below /app/out/FOLDER replaces TARGET.
keep() {
  rm -rf "$2"
  mkdir -p "$(dirname "$2")"
  cp -r "$stage/app/out/$1" "$2"
}

need
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
[ $# -gt 0 ] || set -- tern dumps cores desk mac variants companions windows expected check

for step in "$@"; do
  say "$step"
  rm -rf "$stage/app/out"
  case $step in
    tern)
      inside tern
      keep sanitizer "$samples/sanitizer"
      keep debug/gcc "$symbols/gcc"
      keep debug/tern "$symbols/tern"
      ;;
    dumps)
      inside dumps
      keep minidump "$samples/minidump"
      keep debug/dumps "$symbols/dumps"
      mkdir -p "$samples/microdump"
      "$recipes/microdump.py" "$samples/minidump/null-read-1.1.0-gcc-O2.dmp" \
        >"$samples/microdump/null-read-1.1.0-gcc-O2.txt"
      ;;
    cores)
      # The kernel writes a core where it is told, for all of the machine: to the file "core".
      [[ $(</proc/sys/kernel/core_pattern) != "|"* ]] || fail "core_pattern is a program: sysctl kernel.core_pattern=core"
      mkdir -p "$stage/app/programs"
      cp "$symbols"/dumps/tern-* "$stage/app/programs/"
      inside cores
      keep elf-core "$samples/elf-core"
      keep debug/cores "$symbols/cores"
      ;;
    desk)
      inside desk
      keep swift-backtrace "$samples/swift-backtrace"
      keep debug/desk "$symbols/desk"
      ;;
    mac)
      inside mac
      keep apple "$symbols/apple"
      rm -rf "$samples/apple-ips" "$samples/apple-crash"
      python3 "$recipes/compose-apple.py" "$symbols/apple" "$samples"
      python3 "$recipes/compose-mobile.py" "$samples"
      ;;
    variants)
      inside variants
      keep variants "$symbols/variants"
      ;;
    companions)
      inside companions
      keep companions "$symbols/companions"
      ;;
    windows)
      inside windows
      keep windows "$symbols/windows"
      ;;
    sources)
      mkdir -p "$stage/app/bin"
      cp "$(command -v sentry-cli)" "$stage/app/bin/"
      cp "$symbols/variants/plain" "$stage/app/plain"
      inside sources
      keep sources "$symbols/sources"
      ;;
    expected) python3 "$recipes/expected.py" "$SWIFT_HOME/usr/bin/llvm-symbolizer" "$symbols" "$samples" ;;
    check)
      python3 "$recipes/table.py" "$symbols"
      "$recipes/check-samples.sh" "$(uname -n)"
      ;;
    *) fail "no step $step" ;;
  esac
done
