"""MetricKit's payloads, read on their own: of each tree the heaviest path from a root to a leaf."""
import json

LISTS = ["crashDiagnostics", "hangDiagnostics", "cpuExceptionDiagnostics",
         "diskWriteExceptionDiagnostics", "appLaunchDiagnostics"]


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
    facts = diagnostic.get("diagnosticMetaData") or {}
    return {"format": "metrickit", "kind": kind, "threads": len(stacks),
            "frames": [len(frames) for frames in paths],
            "images": len({frame.get("binaryUUID") or frame.get("binaryName")
                           for frames in paths for frame in frames} - {None}),
            "build": facts.get("appBuildVersion") or None}


def parse(data):
    value = json.loads(data)
    reports = [one(entry, kind) for kind in LISTS for entry in value.get(kind, [])]
    if not reports:
        reports = [one(value if "callStackTree" in value else {"callStackTree": value}, "other")]
    return reports
