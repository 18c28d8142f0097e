"""Problems of ABRT: reports for servers and satyr's stacks, of programs and of exceptions."""
import json

from reading import hexadecimal, present

FOLDERS = ["abrt-problem-dir", "abrt"]
FORMATS = ["abrt"]
ARGUED = []
SIGNALS = {4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 11: "SIGSEGV"}


def native(frame):
    return present(address=hexadecimal(frame["address"]) if "address" in frame else None,
                   image_offset=hexadecimal(frame["build_id_offset"]) if "build_id_offset" in frame else None,
                   function=frame.get("function_name"))


def call(frame):
    return present(function=frame.get("name") or frame.get("function_name") or frame.get("special_function"),
                   file=frame.get("file_name"), line=frame.get("file_line"))


def java(threads):
    chain = []
    for frame in threads[0]["frames"]:
        if frame.get("is_exception"):
            chain.append({"type": frame["name"], "message": frame.get("message"), "frames": []})
        elif chain:
            chain[-1]["frames"].append(call(frame))
    # The root cause is written first.
    exception = None
    for one in chain:
        one["inner"] = [exception] if exception else []
        exception = one
    return exception


def parse(data):
    value = json.loads(data)
    problem = value.get("problem", value)
    if problem.get("type") == "kerneloops" or "raw_oops" in problem:
        return []
    report = {"format": "abrt"}
    stacks = problem.get("stacktrace") or []
    if problem.get("threads"):
        report["reason"] = {"exception": java(problem["threads"])}
    elif any("frames" in stack for stack in stacks):
        report["threads"] = [{"frames": [native(frame) for frame in stack["frames"]]} for stack in stacks]
        crashed = [bool(stack.get("crash_thread")) for stack in stacks]
        report["crashed_thread"] = crashed.index(True) if True in crashed else 0
        report["reason"] = present(signal=SIGNALS.get(problem.get("signal")))
        files = {frame.get("file_name") for stack in stacks for frame in stack["frames"]} - {None}
        report["images"] = len(files)
    else:
        report["reason"] = {"exception": {"type": problem.get("exception_name"), "frames": [call(one) for one in stacks]}}
    affected = [one for one in value.get("packages", []) if one.get("package_role") == "affected"]
    if affected:
        report["app"] = {"name": affected[0]["name"], "version": affected[0]["version"] + "-" + affected[0]["release"]}
    return [report]
