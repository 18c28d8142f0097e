"""Runs a command and writes its wall seconds, CPU seconds, peak of memory in KB and wait status into a descriptor.

    python3 -I -S launch.py DESCRIPTOR COMMAND...

The kernel counts the peak of the process that starts a program as the program's own. So this one stays small, and
imports nothing that is not needed.
"""
import os
import sys
import time

os.set_inheritable(int(sys.argv[1]), False)
start = time.monotonic()
process = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(process, 0)
wall = time.monotonic() - start
os.write(int(sys.argv[1]), f"{wall} {usage.ru_utime + usage.ru_stime} {usage.ru_maxrss} {status}".encode())
