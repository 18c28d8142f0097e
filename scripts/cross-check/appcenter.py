"""Crash and error logs of App Center's SDKs; scripts/oracles/appcenter.py posts them and compares more."""
import json

from reading import dashed, hexadecimal, present

FOLDERS = ["appcenter", "appcenter/logs"]
FORMATS = ["appcenter"]
ARGUED = [
    ("*native*", "reason*", "a wrapper's exception goes before the native one"),
    ("*react-native*", "reason*", "a wrapper's exception goes before the native one"),
    ("*breakpad*", "*", "the stack is in the minidump"),
]


def number(text):
    return hexadecimal(int(text, 16))


def frame(value):
    found = {}
    if value.get("address"):
        found["address"] = number(value["address"])
    if value.get("lineNumber", 0) and int(value["lineNumber"]) > 0:
        found["line"] = int(value["lineNumber"])
    if value.get("className") and value.get("methodName"):
        found["function"] = value["className"] + "." + value["methodName"]
    return found


def exception(value):
    found = present(type=value.get("type"), message=value.get("message"))
    if value.get("frames"):
        found["frames"] = [frame(entry) for entry in value["frames"]]
    found["inner"] = [exception(inner) for inner in value.get("innerExceptions") or []]
    return found


def one(log):
    report = {"format": "appcenter", "incident": log["id"].lower() if log.get("id") else None}
    device = log.get("device") or {}
    report["app"] = present(identifier=device.get("appNamespace"), version=device.get("appVersion"), build=device.get("appBuild"))
    report["os"] = present(version=device.get("osVersion"), build=device.get("osBuild"))
    report["process"] = present(pid=int(log["processId"]) if log.get("processId") else None)
    if log.get("userId"):
        report["user"] = log["userId"]
    report["kind"] = "handled" if log["type"] == "handledError" or log.get("fatal") is False else "crash"
    if log["type"] == "appleError":
        report["reason"] = present(signal=log.get("osExceptionType"),
                                   address=number(log["osExceptionAddress"]) if log.get("osExceptionAddress") else None)
        report["images"] = [present(base=number(image["startAddress"]), debug_id=dashed(image.get("id") or ""),
                                    path=image.get("path")) for image in log.get("binaries") or []]
    else:
        report["reason"] = {"exception": exception(log["exception"])}
    if log.get("threads"):
        report["threads"] = [present(id=thread.get("id") if log["type"] != "appleError" else None, name=thread.get("name"), frames=[
            frame(value) for value in thread.get("frames") or []]) for thread in log["threads"]]
    return report


def parse(data):
    try:
        value = json.loads(data)
    except ValueError:
        return []
    logs = value.get("logs", [value])
    return [one(log) for log in logs if log.get("type") in ("appleError", "managedError", "handledError")]
