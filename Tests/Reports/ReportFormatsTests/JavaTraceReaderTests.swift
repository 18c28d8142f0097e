import CrashModel
import Testing

@testable import ReportFormats

@Suite("Java traces")
struct JavaTraceReaderTests {
  private func one(_ text: String) throws -> CrashReport {
    let reports = try LogReaderChecks.reports(text)
    try #require(reports.count == 1)
    #expect(reports[0].format == .javaTrace)
    return reports[0]
  }

  @Test(
    "A trace without message and places is one",
    arguments: [
      "java.lang.NullPointerException", "Exception in thread \"main\" java.lang.StackOverflowError",
      "java.lang.NullPointerException: no price",
    ])
  func noPlaces(head: String) throws {
    for end in ["\n", "\r\n"] {
      let report = try one(
        ["tern starts", head, "\tat a.b.a(Unknown Source)", "\tat a.c.main(Unknown Source)", ""]
          .joined(separator: end))
      #expect(report.reason.exception?.frames.map(\.function) == ["a.b.a", "a.c.main"])
    }
  }

  @Test("Empty lines in a message, and files without lines")
  func gaps() throws {
    let report = try one(
      """
      tern starts

      java.lang.IllegalStateException: no till
      at desk 3

      ask a colleague
      \tat Tern.charge(Tern.java:3)
      \tat Tern.main(Tern.kt)
      Caused by: java.io.IOException: read

      failed
      \tat Tern.read(Tern.java:14)
      \t... 1 more

      """)
    let exception = try #require(report.reason.exception)
    #expect(exception.type == "java.lang.IllegalStateException")
    #expect(exception.message == "no till\nat desk 3\n\nask a colleague")
    #expect(exception.frames.map(\.function) == ["Tern.charge", "Tern.main"])
    #expect(exception.inner.map(\.message) == ["read\n\nfailed"])
    for words in ["", "\nfor desk 3\nand desk 4"] {
      let first = try one(
        "java.lang.Error: lost\(words)\n\tat Tern.charge(Tern.java)\n\tat Tern.main(Tern.java:3)\n")
      #expect(first.reason.exception?.message == "lost\(words)")
      #expect(first.reason.exception?.frames.map(\.function) == ["Tern.charge", "Tern.main"])
    }
    let alone = try one("java.lang.Error: lost\n\tat Tern.charge(Tern.java)\n")
    #expect(alone.reason.exception?.frames.map(\.file) == ["Tern.java"])
  }

  @Test("Calls may name R8's mapping, or nothing, instead of the source file")
  func shortened() throws {
    let report = try one(try LogReaderChecks.sample("java-trace/shortened.txt"))
    let exception = try #require(report.reason.exception)
    #expect(exception.type == "java.lang.RuntimeException")
    #expect(exception.inner.map(\.type) == ["c.c"])
    #expect(exception.frames.count == 9 && exception.inner[0].frames.count == 8)
    #expect(exception.frames[0].function == "c.a.b" && exception.frames[0].line == nil)
    #expect(exception.frames[1].file?.hasPrefix("r8-map-id-") == true)
    #expect(exception.frames[1].line == 1)
    let bare = try one("java.lang.Error: lost\n\tat a.a.a(SourceFile:3)\n\tat a.a.b(SourceFile)\n")
    #expect(bare.reason.exception?.frames.map(\.function) == ["a.a.a", "a.a.b"])
    #expect(bare.reason.exception?.frames.map(\.file) == ["SourceFile", "SourceFile"])
  }

  @Test("Causes are expanded, suppressed exceptions are separate from the stack")
  func chain() throws {
    let report = try one(try LogReaderChecks.sample("java-trace/chain.txt"))
    let exception = try #require(report.reason.exception)
    #expect(report.kind == .crash && report.tags[.threadName] == "till 3")
    #expect(exception.type == "java.lang.RuntimeException")
    #expect(exception.message == "desk 3 is closed\ntry another")
    let own = "com.example.tern.Tern."
    #expect(
      exception.frames.map(\.function) == [
        own + "charge", own + "lambda$main$2", "java.lang.Thread.run",
      ])
    #expect(exception.frames.map(\.line) == [22, 52, 840])
    #expect(exception.frames[0].file == "Tern.java")
    let cause = try #require(exception.inner.first)
    #expect(cause.type == "java.lang.NegativeArraySizeException" && cause.message == "-3")
    // `... 2 more` are the oldest two of the enclosing trace.
    try #require(cause.frames.count == 4)
    #expect(cause.frames[2...] == exception.frames[1...])
    #expect(cause.inner.isEmpty)
    #expect(
      report.otherStacks.map(\.title) == [
        "Suppressed: java.lang.IllegalStateException: till is empty"
      ])
    #expect(report.otherStacks.first?.frames.count == 4)
  }

  @Test("A thread dump of a deadlock names the holder of the lock")
  func deadlock() throws {
    let report = try one(try LogReaderChecks.sample("java-trace/deadlock.txt"))
    #expect(report.kind == .hang && report.reason.type == "deadlock")
    #expect(report.tags[.runtimeName]?.hasPrefix("OpenJDK 64-Bit Server VM") == true)
    let crashed = try #require(report.crashedThread)
    let holder = try #require(report.tags[.lockHolder].flatMap { Int($0) })
    #expect(Set([crashed, holder].map { report.threads[$0].name }) == ["till 3", "till 4"])
    #expect(report.threads[crashed].frames.first?.function == "com.example.tern.Tern.take")
    #expect(report.threads.allSatisfy { $0.name?.isEmpty == false })
  }

  @Test(
    "Loggers' forms",
    arguments: [
      (
        "2026-05-01 10:11:12 ERROR [main] c.e.Tern - failed\njava.io.IOException: no boat\n"
          + "\tat a.B.c(B.java:9) ~[tern-1.2.jar:1.2]\n\tat java.base/java.lang.Thread.run(Thread.java:840) [?:?]\n",
        "java.io.IOException", ReportKind.handled, ["a.B.c", "java.lang.Thread.run"]
      ),
      (
        "10:11:12.000 [main] WARN a.B - failed: java.io.IOException: no boat\n    at a.B.c(B.kt:9)\n",
        "java.io.IOException", .handled, ["a.B.c"]
      ),
      (
        "05-01 10:11:12.000  900  901 E AndroidRuntime: FATAL EXCEPTION: main\n"
          + "05-01 10:11:12.000  900  901 E AndroidRuntime: Process: com.example.tern, PID: 900\n"
          + "05-01 10:11:12.000  900  901 E AndroidRuntime: java.lang.IllegalStateException: no boat\n"
          + "05-01 10:11:12.000  900  901 E AndroidRuntime: \tat a.b.c(SourceFile:7)\n"
          + "05-01 10:11:12.000  900  901 E AndroidRuntime: \tat android.os.Handler.post(Handler.java:9)\n",
        "java.lang.IllegalStateException", .crash, ["a.b.c", "android.os.Handler.post"]
      ),
      (
        "Exception in thread \"main\" java.lang.StackOverflowError\n\tat app//a.B.c(Native Method)\n"
          + "\tat loader/mod@1.2/a.B$$Lambda$14/0x0000000800c03000.run(Unknown Source)\n\tat a.B.d(B.scala:3)\n",
        "java.lang.StackOverflowError", .crash,
        ["a.B.c", "a.B$$Lambda$14/0x0000000800c03000.run", "a.B.d"]
      ),
      ("a.b.c: no boat\n\tat a.b.d(Unknown Source:12)\n", "a.b.c", .crash, ["a.b.d"]),
    ] as [(String, String, ReportKind, [String])])
  func forms(text: String, type: String, kind: ReportKind, functions: [String]) throws {
    let report = try one(text)
    #expect(report.reason.exception?.type == type && report.kind == kind)
    #expect(report.reason.exception?.frames.map(\.function) == functions)
    if text.contains("AndroidRuntime") {
      #expect(report.process.pid == 900 && report.app.identifier == "com.example.tern")
      #expect(report.tags[.threadName] == "main" && report.os.name == "Android")
    }
  }

  @Test("logback's order with the root first, and its common frames")
  func rootFirst() throws {
    let report = try one(
      """
      java.io.IOException: root
      \tat a.B.c(B.java:1)
      Wrapped by: java.lang.RuntimeException: outer
      \tat a.B.d(B.java:2)
      """)
    #expect(report.reason.exception?.message == "outer")
    #expect(report.reason.exception?.inner.map(\.message) == ["root"])
    let omitted = try one(
      "a.OuterException: x\n\tat a.B.c(B.java:1)\n\tat a.B.d(B.java:2)\nCaused by: a.InnerException: y\n"
        + "\t... 1 common frames omitted\n")
    #expect(omitted.reason.exception?.inner.first?.frames.map(\.line) == [2])
  }

  @Test("A cycle of causes ends")
  func circular() throws {
    let report = try one(
      "Exception in thread \"main\" java.lang.Exception: b\n\tat a.B.c(B.java:22)\nCaused by: java.lang.Exception: a\n"
        + "\t... 1 more\nCaused by: [CIRCULAR REFERENCE: java.lang.Exception: b]\n")
    #expect(report.reason.exception?.inner.map(\.message) == ["a"])
    #expect(report.notes == ["the causes are circular"])
  }

  @Test("Several traces in one log, each with its own message")
  func several() throws {
    let log = (1...3).map {
      "Exception in thread \"t\($0)\" a.BException: \($0)\n\tat a.B.c(B.java:\($0))\n\tat a.B.d(B.java:9)\n"
    }.joined(separator: "next\n")
    let reports = try LogReaderChecks.reports(log)
    #expect(reports.map(\.reason.message) == ["1", "2", "3"])
    #expect(reports.map(\.tags[.threadName]) == ["t1", "t2", "t3"])
  }

  @Test("Under Jazzer it is the fuzzer's exception")
  func fuzzer() throws {
    let reports = try LogReaderChecks.reports(
      "== Java Exception: java.lang.IllegalStateException: no boat\n\tat a.B.c(B.java:9)\nDEDUP_TOKEN: 1\n"
        + "== libFuzzer crashing input ==\n==7== ERROR: libFuzzer: deadly signal\nSUMMARY: libFuzzer: deadly signal\n"
    )
    #expect(reports.map(\.format) == [.sanitizer])
    #expect(reports.first?.reason.exception?.type == "java.lang.IllegalStateException")
  }

  @Test(
    "Other lines are not traces",
    arguments: [
      "Error: no boat\n    at charge (/app/desk.js:9:1)\n", "see Desk.java:9 at the office\n",
      "ValueError: x\n", "\tat a.B.c(B.java:9)\n\tat a.B.d(B.java:9)\n",
      "   at Tern.Desk.Charge() in C:\\Desk.cs:line 9\n",
    ])
  func others(text: String) throws {
    #expect(try LogReaderChecks.reports(text).allSatisfy { $0.format != .javaTrace })
  }

  @Test("Prefixed and repeated, it is the same; truncated and damaged, it is read or refused")
  func hostile() throws {
    let text = try LogReaderChecks.sample("java-trace/chain.txt")
    try LogReaderChecks.expectSame(text, in: .javaTrace)
    try LogReaderChecks.expectBounded(text)
    try LogReaderChecks.expectBounded(
      try LogReaderChecks.sample("java-trace/deadlock.txt"), copies: 50)
  }

  @Test("Time is proportional to the length, whatever the calls look like")
  func linear() throws {
    for line in [
      "\tat a.B.c(Native Method)\n", "\tat a.B.c(B.java:9)\n", "x.java:9)\n", "Caused by: a.B: c\n",
    ] {
      let text = String(repeating: line, count: 5_000)
      let clock = ContinuousClock()
      let time = try clock.measure { _ = try LogReaderChecks.reports(text) }
      // A quadratic search would need minutes.
      #expect(time < .seconds(20))
    }
  }
}
