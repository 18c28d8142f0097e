"""Walks the threads of a minidump by Breakpad's processor, with one symbol file: a line of JSON for each
thread, of frames with their trust and registers."""
import json
import sys

from symbolic.debuginfo import Archive
from symbolic.minidump import FrameInfoMap, ProcessState

object = next(iter(Archive.open(sys.argv[2]).iter_objects()))
rules = FrameInfoMap.new()
rules.add(object.debug_id.replace("-", ""), object.make_cficache())
state = ProcessState.from_minidump(sys.argv[1], rules)
for thread in state.threads():
    print(json.dumps([[frame.trust, frame.registers] for frame in thread.frames()]))
