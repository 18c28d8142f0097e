import CrashModel
import Identifiers
import Testing

@testable import ReportFormats

@Suite("Python tracebacks")
struct PythonTracebackReaderTests {
  private func one(_ text: String) throws -> CrashReport {
    let reports = try LogReaderChecks.reports(text)
    try #require(reports.count == 1)
    #expect(reports[0].format == .pythonTraceback)
    return reports[0]
  }

  @Test("The exception that surfaced has the previous one as its cause")
  func chained() throws {
    let report = try one(try LogReaderChecks.sample("python-traceback/thread.txt"))
    let exception = try #require(report.reason.exception)
    #expect(report.tags[.threadName] == "till 3" && report.kind == .crash)
    #expect(exception.type == "Declined" && exception.message == "desk 3 is closed")
    #expect(exception.frames.map(\.function) == ["charge", "run", "_bootstrap_inner"])
    #expect(exception.frames[0].file == "/opt/tern.py" && exception.frames[0].line == 20)
    let cause = try #require(exception.inner.first)
    #expect(cause.type == "IndexError" && cause.message == "list index out of range")
    #expect(cause.frames.map(\.function) == ["line", "charge"])
    #expect(exception.inner.count == 1 && cause.inner.isEmpty && report.notes.isEmpty)
  }

  @Test("Members of a group are siblings, each with its own causes and notes")
  func group() throws {
    let report = try one(try LogReaderChecks.sample("python-traceback/group.txt"))
    let exception = try #require(report.reason.exception)
    #expect(exception.type == "ExceptionGroup")
    #expect(exception.message == "charging 2 desks (2 sub-exceptions)")
    #expect(exception.frames.map(\.function) == ["charge_all", "main", "<module>"])
    #expect(
      exception.inner.map(\.message) == [
        "desk 3 is closed\nretry later", "desk 4 is closed\nretry later",
      ])
    #expect(exception.inner.map { $0.inner.map(\.type) } == [["IndexError"], ["IndexError"]])
    #expect(exception.inner.last?.inner.first?.frames.map(\.line) == [13, 18])
  }

  @Test("Groups inside groups, and a traceback after one")
  func nested() throws {
    let report = try one(
      """
        + Exception Group Traceback (most recent call last):
        |   File "a.py", line 31, in main
        | ExceptionGroup: batch failed (3 sub-exceptions)
        +-+---------------- 1 ----------------
          | ValueError: bad sku
          +---------------- 2 ----------------
          | ExceptionGroup: inner (1 sub-exception)
          +-+---------------- 1 ----------------
            | KeyError: 'k'
            +------------------------------------
          +---------------- 3 ----------------
          | TypeError
          +------------------------------------

      During handling of the above exception, another exception occurred:

      Traceback (most recent call last):
        File "a.py", line 40, in <module>
      OSError: gone
      """)
    let exception = try #require(report.reason.exception)
    #expect(exception.type == "OSError")
    let group = try #require(exception.inner.first)
    #expect(group.inner.map(\.type) == ["ValueError", "ExceptionGroup", "TypeError"])
    #expect(group.inner.dropFirst().first?.inner.map(\.type) == ["KeyError"])
  }

  @Test("A fatal error has all threads, the current one crashed")
  func fault() throws {
    let report = try one(try LogReaderChecks.sample("python-traceback/fault.txt"))
    #expect(report.reason.type == "Fatal Python error" && report.reason.signal == "SIGSEGV")
    try #require(report.threads.count == 2 && report.crashedThread == 1)
    #expect(report.threads[1].frames.map(\.function) == ["fault", "main", "<module>"])
    #expect(report.threads[0].frames.map(\.function) == ["run", "_bootstrap_inner", "_bootstrap"])
    #expect(report.threads.allSatisfy { $0.id != nil })
  }

  @Test("Names of threads, C stacks and modules of Python 3.14")
  func newFault() throws {
    let report = try one(
      """
      Fatal Python error: Aborted

      Current thread 0x00007f85944a0040 [till 3] (most recent call first):
        <no Python frame>

      Current thread's C stack trace (most recent call first):
        Binary file "/usr/lib/libpython3.14.so.1.0", at _Py_DumpStack+0x4b [0x7f6c5d41ae1b]
        Binary file "/usr/lib/libc.so.6", at +0x3c050 [0x7f6c5d03c050]
        Binary file "/usr/bin/python3.14" [0x55e0]

      Extension modules: numpy.core._multiarray_umath (total: 1)
      later
      """)
    #expect(report.threads.map(\.name) == ["till 3"] && report.threads[0].frames.isEmpty)
    let stack = try #require(report.otherStacks.first)
    #expect(stack.frames.map(\.function) == ["_Py_DumpStack", nil, nil])
    #expect(stack.frames.map(\.imageOffset?.value) == [nil, 0x3c050, nil])
    #expect(stack.frames.map(\.image) == [0, 1, 2])
    #expect(
      report.tags[.extensionModules] == "numpy.core._multiarray_umath (total: 1)")
  }

  @Test("Threads on request are a snapshot, after a timeout a hang")
  func dumps() throws {
    let threads = """
      Thread 0x00007f85937ff6c0 (most recent call first):
        File "a.py", line 3 in wait

      Current thread 0x00007f85944a0040 (most recent call first):
        File "a.py", line 9 in main
      """
    #expect(try one(threads).kind == .other && (try one(threads).threads.count) == 2)
    #expect(try one("Timeout (0:00:05)!\n" + threads).kind == .hang)
  }

  @Test(
    "Other forms",
    arguments: [
      (
        "Traceback (most recent call last):\n  File \"<string>\", line 2, in f\nZeroDivisionError: division by zero",
        "ZeroDivisionError", "division by zero", ["f"]
      ),
      (
        "Traceback (most recent call last):\n  File \"a.py\", line 2, in f\n    x()\n__main__.E: a\nb\n\nnext",
        "E",
        "a\nb", ["f"]
      ),
      (
        "Traceback (most recent call last):\n  File \"a.py\", line 2, in f\nshop.main.<locals>.E\nINFO:root:next",
        "shop.main.<locals>.E", nil, ["f"]
      ),
      (
        "Traceback (most recent call last):\n  File \"a\"b.py\", line 2, in f\n    exec(x)\n  File \"p.py\", line 1\n"
          + "    def f(:\n          ^\nSyntaxError: invalid syntax", "SyntaxError",
        "invalid syntax", [nil, "f"]
      ),
      (
        "boot\n\n  File \"/usr/bin/tern\", line 43\n    print render(data)\n               ^\n"
          + "SyntaxError: invalid syntax", "SyntaxError", "invalid syntax", [nil]
      ),
      (
        "===BUG DETECTED: PySecSan: Command injection ===\n[PYSECSAN] Stacktrace:\n"
          + "  File \"a.py\", line 43, in main\n  File \"b.py\", line 4, in run\n[PYSECSAN] Exiting",
        "PySecSan",
        "Command injection", ["run", "main"]
      ),
    ] as [(String, String, String?, [String?])])
  func forms(text: String, type: String, message: String?, functions: [String?]) throws {
    let report = try one(text)
    #expect(report.reason.exception?.type == type)
    #expect(report.reason.exception?.message == message)
    #expect(report.reason.exception?.frames.map(\.function) == functions)
  }

  @Test("Exceptions that Python ignores are handled, repeated ones are counted")
  func ignored() throws {
    let report = try one(
      """
      Exception ignored in: <function main.<locals>.D.__del__ at 0x7f404337b2e0>
      Traceback (most recent call last):
        File "a.py", line 11, in recurse
          return recurse(n + 1)
        [Previous line repeated 974 more times]
      RecursionError: maximum recursion depth exceeded
      """)
    #expect(report.kind == .handled)
    #expect(
      report.tags[.exceptionLocation] == "<function main.<locals>.D.__del__ at 0x7f404337b2e0>")
    #expect(report.notes == ["974 repeated calls were left out by Python"])
  }

  @Test("A traceback under Atheris is the fuzzer's exception")
  func fuzzer() throws {
    let reports = try LogReaderChecks.reports(
      "\n === Uncaught Python exception: ===\nValueError: no boat\nTraceback (most recent call last):\n"
        + "  File \"a.py\", line 7, in TestOneInput\nValueError: no boat\n\n==7== ERROR: libFuzzer: fuzz target exited\n"
        + "SUMMARY: libFuzzer: fuzz target exited\n")
    #expect(reports.map(\.format) == [.sanitizer])
    #expect(reports.first?.reason.exception?.frames.map(\.function) == ["TestOneInput"])
  }

  @Test("A truncated traceback has a note")
  func cut() throws {
    let report = try one(
      "Traceback (most recent call last):\n  File \"a.py\", line 7, in f\n    g()")
    #expect(report.notes == ["the report is cut off: the exception is missing"])
  }

  @Test("Prefixed and repeated, it is the same; truncated and damaged, it is read or refused")
  func hostile() throws {
    for name in ["thread", "group", "fault"] {
      let text = try LogReaderChecks.sample("python-traceback/\(name).txt")
      if name != "thread" { try LogReaderChecks.expectSame(text, in: .pythonTraceback) }
      try LogReaderChecks.expectBounded(text)
    }
    let lines = try LogReaderChecks.sample("python-traceback/thread.txt").split(
      separator: "\n", omittingEmptySubsequences: false)
    let log = lines.map { "10:11:12 tern | \($0)\n" }.joined()
    let reports = try LogReaderChecks.reports(log + log)
    #expect(reports.map(\.tags[.threadName]) == ["till 3", "till 3"])
    #expect(reports.map { $0.reason.exception?.inner.count } == [1, 1])
  }
}
