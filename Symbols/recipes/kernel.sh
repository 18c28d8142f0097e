#!/bin/sh
# Makes Symbols/kernel: a module in the manner of the Linux kernel's (a relocatable file, with two functions of one
# name) and what stands for the kernel itself, with the addresses of one and without a build id.
set -eu
cd "$(dirname "$0")/kernel"
out=../../kernel
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in desk till head; do
  gcc -g -gdwarf-5 -O1 -fno-pic -mcmodel=kernel -fno-stack-protector -fcf-protection=none \
    -fno-asynchronous-unwind-tables -fdebug-prefix-map="$PWD"=/usr/src/tern -c "$name.c" -o "$work/$name.o"
done
ld -r --build-id=sha1 "$work/desk.o" "$work/till.o" -o "$out/tern.ko"
ld -static -nostdlib --build-id=none -Ttext=0xffffffff81000000 -e do_syscall_64 "$work/head.o" \
  -o "$out/vmlinux"
chmod 644 "$out/tern.ko" "$out/vmlinux"
