"""MetricKit's payloads: of each tree the heaviest path from a root to a leaf."""
import json

from reading import dashed, hexadecimal, present

FOLDERS = ["metrickit"]
FORMATS = ["metrickit"]
LISTS = ["crashDiagnostics", "hangDiagnostics", "cpuExceptionDiagnostics",
         "diskWriteExceptionDiagnostics", "appLaunchDiagnostics"]
KINDS = {"crashDiagnostics": "crash", "hangDiagnostics": "hang"}
ENDS = ("start", "thread_start", "_pthread_start")


def path(roots):
    frames = []
    while roots:
        frame = max(roots, key=lambda frame: frame.get("sampleCount", 1))
        frames.append(frame)
        roots = frame.get("subFrames")
    return frames


def one(diagnostic, kind):
    stacks = (diagnostic.get("callStackTree") or {}).get("callStacks") or []
    paths = [path(stack["callStackRootFrames"]) for stack in stacks]
    if kind != "crashDiagnostics":
        threads = [{"frames": len(frames)} for frames in paths]
    else:
        threads = [{"frames": [present(address=hexadecimal(frame["address"])) for frame in frames]} for frames in paths]
    ids = {dashed(frame["binaryUUID"]) for frames in paths for frame in frames if frame.get("binaryUUID")}
    facts = diagnostic.get("diagnosticMetaData") or {}
    report = {"format": "metrickit", "threads": threads, "image ids": sorted(ids - {None}),
              "app": present(build=facts.get("appBuildVersion") or None, version=facts.get("appVersion"),
                             identifier=facts.get("bundleIdentifier")),
              "device": present(model=facts.get("deviceType"), arch=facts.get("platformArchitecture")),
              "process": present(pid=facts.get("pid"))}
    attributed = [stack.get("threadAttributed") for stack in stacks]
    if True in attributed:
        report["crashed_thread"] = attributed.index(True)
    if kind in KINDS:
        report["kind"] = KINDS[kind]
    return report


def parse(data):
    value = json.loads(data)
    reports = [one(entry, kind) for kind in LISTS for entry in value.get(kind, [])]
    if not reports:
        reports = [one(value if "callStackTree" in value else {"callStackTree": value}, "other")]
    return reports
