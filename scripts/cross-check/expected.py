"""What a corpus itself expects of its files.

`X.expected.json` in the form of ClusterFuzz's tests holds a list of {crash_type, crash_address, crash_state}: the
address must be the report's, and each line of the state a function of its stacks or a part of what it says.
`X.expected-apple-text.txt` is X.json as Apple's text, `X.expected.snap` what Sentry's parser reads of Apple's text X.
"""
import json
import os
import re

import apple_crash
from documents import documents

ENDING = ".expected.json"
ARGUED = [
    ("*", "address ABRT", "an aborting process has the sender of the signal in place of an address"),
    ("*cfi_*", "state", "ClusterFuzz's own words for a cast"),
    ("*bad_cast*", "state", "ClusterFuzz's own words for a cast"),
    ("*centipede_timeout*", "state", "the name is given on the fuzzer's command line only"),
    ("*centipede_uaf*", "state", "the logger's words before each line are taken for a function by ClusterFuzz"),
    ("*mock*", "state", "the name of the fuzzer, which is not in the log"),
    ("*process_oom*", "state", "the name of the fuzzer, which is not in the log"),
    ("*sanitizer_signal_abrt*", "state", "the name of the file that ClusterFuzz wrote, not a function"),
    ("*lkl_libfuzzer_unsymbolized*", "state", "the names follow from the file of the program"),
    ("*libfuzzer_oom_malloc*", "state", "the name of the fuzzer, which is not in the stack"),
    ("*v8_generic_segfault*", "state", "the name of the fuzzer, which is not in the log"),
    ("*android_null_stack*", "state", "the name of the process, which Mayday has as such"),
    ("*drt_string*", "reports", "no crash: an assertion of a test's text"),
    ("*gdb_sigtrap*", "address *", "the address is that of an instruction that gdb printed"),
    ("*CrashInHandler*", "threads.count", "KSCrash's text adds the thread of the crash in the handler"),
    ("*no_closing*", "state", "the log has control characters in the name"),
    ("*linux_gate*", "state", "ClusterFuzz replaces numbers"),
    ("*no_parens*", "address WARNING", "ClusterFuzz takes the program counter for the address of the fault"),
    ("*v8_unimplemented_code*", "state", "the file of the check is a tag and in the title; no frame has a name"),
    ("*address_in_state*", "state", "other frames contradict the name, which is that of the nearest export"),
]


def plain(text):
    """Names and words without what their writers spell differently."""
    text = re.sub(r"\(anonymous namespace\)::|`anonymous namespace'::", "", text)
    return re.sub(r"[^A-Za-z0-9_~]", "", text)


def bare(text):
    """As plain, without what stands in angle brackets: the arguments of templates."""
    return plain(re.sub(r"<[^<>]*>", "", text))


def stacks(report):
    for thread in report.get("threads", []):
        yield from thread["frames"]
    for stack in report.get("other_stacks", []):
        yield from stack["frames"]
    exceptions = [report.get("reason", {}).get("exception")]
    while exceptions:
        exception = exceptions.pop()
        if exception:
            yield from exception["frames"]
            exceptions += exception["inner"]


def ending_with(corpus, ending):
    return sorted(os.path.relpath(os.path.join(folder, name), corpus) for folder, _, files in os.walk(corpus)
                  for name in files if name.endswith(ending))


def check_texts(corpus, mayday, tally):
    """Addresses of all threads, as Apple's text has them."""
    ending = ".expected-apple-text.txt"
    names = ending_with(corpus, ending)
    for name, found in zip(names, documents(mayday, [
            os.path.join(corpus, name)[:-len(ending)] + ".json" for name in names])):
        with open(os.path.join(corpus, name), "rb") as file:
            report = apple_crash.parse(file.read())[0]
        expected = {"threads": [{"frames": [{"address": frame["address"]} for frame in thread["frames"]]}
                                for thread in report["threads"]]}
        # Of a report with another one inside, the text is the first's.
        tally.compare(name, [expected], found if isinstance(found, str) else found[:1])


def check_snapshots(corpus, mayday, tally):
    """Instruction addresses of all threads, in YAML."""
    ending = ".expected.snap"
    names = [name for name in ending_with(corpus, ending) if name.startswith("apple-crash-text")]
    for name, found in zip(names, documents(mayday, [os.path.join(corpus, name)[:-len(ending)] for name in names])):
        with open(os.path.join(corpus, name), encoding="utf-8") as file:
            text = file.read().partition("\nthreads:")[2].partition("\nbinary_images")[0]
        threads = [{"frames": [{"address": address} for address in re.findall('instruction_addr: "?(0x[0-9a-f]+)', part)]}
                   for part in re.split(r"\n  - id: ", text)[1:]]
        tally.compare(name, [{"threads": threads}], found)


def check(corpus, mayday, tally):
    check_texts(corpus, mayday, tally)
    check_snapshots(corpus, mayday, tally)
    check_states(corpus, mayday, tally)


def check_states(corpus, mayday, tally):
    names = ending_with(corpus, ENDING)
    for name, reports in zip(names, documents(mayday, [os.path.join(corpus, name)[:-len(ENDING)] for name in names])):
        with open(os.path.join(corpus, name), encoding="utf-8") as file:
            values = json.load(file)
        if not isinstance(values, list) or not values or "crash_state" not in values[0]:
            continue
        name = name[:-len(ENDING)]
        tally.files += 1
        tally.reports += 1
        if isinstance(reports, str):
            tally.add(name, "reports", 1, reports)
            continue
        address = values[0].get("crash_address") or ""
        if address.startswith("0x") and int(address, 16):
            tally.fields += 1
            found = [report.get("reason", {}).get("address") for report in reports]
            if hex(int(address, 16)) not in found:
                kinds = [report.get("reason", {}).get("type") for report in reports]
                tally.add(name, "address " + str(kinds[0]), address, found)
        words = [spelled(json.dumps(report.get("reason", {}))) for report in reports for spelled in (plain, bare)]
        frames = [frame for report in reports for frame in stacks(report)]
        calls = [spelled(frame.get(name) or "") for frame in frames for name in ("function", "symbol")
                 for spelled in (plain, bare)]
        for line in (values[0].get("crash_state") or "").strip().split("\n"):
            line = line.strip()
            if not line or line == "NULL":
                continue
            tally.fields += 1
            # A failed check is given with its file, and cut.
            condition = plain(re.sub(r" in [\w.-]*$", "", line))[:60]
            if not any(condition in text for text in calls + words) and not any(
                    line in (frame.get("file") or "") for frame in frames):
                tally.add(name, "state", line, calls[:3])
