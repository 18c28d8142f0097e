import CrashModel
import Testing

@testable import ReportFormats

/// Ruby, JavaScript, PHP and React Native as pasted, logged and thrown through other runtimes.
@Suite("Shapes of scripts' exceptions") struct ScriptShapeTests {
  private static let callers =
    "\tfrom /app/lib/tern/desk.rb:16:in `each'\n\tfrom /app/bin/tern:12:in `<main>'\n"

  @Test(
    "A message of Ruby's may have several lines, and its type stands after the first or the last",
    arguments: [
      ("Desk failed (Tern::DeskError)\ndesk 9\nis gone", "Desk failed\ndesk 9\nis gone"),
      ("Desk failed\ndesk 9\nis gone (Tern::DeskError)", "Desk failed\ndesk 9\nis gone"),
      ("Failed\nall (at once)\nis gone (Tern::DeskError)", "Failed\nall (at once)\nis gone"),
      ("gone (at once) (Tern::DeskError)", "gone (at once)"),
    ])
  func ruby(words: String, message: String) throws {
    let call = "/app/lib/tern/desk.rb:17:in `block (2 levels) in take': "
    for end in ["", "make: *** [Makefile:12: check] Error 1\n"] {
      let report = try LogReaderChecks.only(call + words + "\n" + Self.callers + end)
      #expect(report.reason.type == "Tern::DeskError" && report.reason.message == message)
      #expect(
        report.reason.exception?.frames.map(\.function) == [
          "block (2 levels) in take", "each", "<main>",
        ])
    }
    let alone = try LogReaderChecks.only("\(call)boom (RuntimeError)\nmake: *** [x] Error 1\n")
    #expect(alone.reason.message == "boom")
  }

  @Test("A message of PHP's and of JavaScript's ends before the program that ran it continues")
  func ends() throws {
    let php = try LogReaderChecks.only(
      "PHP Fatal error:  Uncaught Error: no desk\nmake: *** [x] Error 1\n")
    #expect(php.reason.message == "no desk")
  }

  @Test("Safari prints only the location if a function has no name")
  func safari() throws {
    let report = try LogReaderChecks.only(
      """
      TypeError: undefined is not an object (evaluating 'this.desks[id].value')
      https://tern.example/assets/desks.js:171:27
      take@https://tern.example/assets/desks.js:140:12
      https://tern.example/assets/desks.js:120:1
      run@https://tern.example/assets/worker.js:88:22
      """)
    let frames = try #require(report.reason.exception?.frames)
    #expect(frames.map(\.function) == [nil, "take", nil, "run"])
    #expect(frames.map(\.line) == [171, 140, 120, 88])
    let single = try LogReaderChecks.only(
      "TypeError: undefined is not an object\nhttps://tern.example/assets/desks.js:171:27\n")
    #expect(single.reason.exception?.frames.map(\.line) == [171])
    #expect(try LogReaderChecks.reports("https://tern.example/desks.js:171:27\n").isEmpty)
  }

  @Test("V8's check without a location")
  func check() throws {
    let report = try LogReaderChecks.only(
      """
      #
      # Fatal error
      # Check failed: !is_null().
      #
      #FailureMessage Object: 0x75f8bcf49860
      ==== C stack trace ===============================

          /app/d8(V8_Fatal+0x93) [0x5d2f5a678e93]
          /app/d8(tern::Desk::take()+0x1a) [0x5d2f5a674c1a]
      Received signal 6
      """)
    #expect(report.reason.type == "Check failed" && report.reason.message == "!is_null().")
  }

  @Test("A stack of D's is not one of the C library's")
  func d() throws {
    let report = try LogReaderChecks.only(
      """
      core.exception.ArrayIndexError@source/desk.d(171): index [9] is out of bounds
      ----------------
      source/desk.d:171 int desk.take(int) [0x55d155d1]
      ??:? void rt.dmain2._d_run_main2() [0x55d155d3]
      source/app.d:12 _Dmain [0x55d155d2]
      """)
    #expect(report.format.description == "language-trace")
    #expect(report.reason.exception?.frames.count == 3)
  }

  @Test("The calls of a recursion do not share a logger's prefix")
  func recursion() throws {
    let calls = String(
      repeating: "source/desk.d:9 int desk.sum(int[], int) [0x55d155d4]\n", count: 40)
    let report = try LogReaderChecks.only(
      """
      core.exception.ArrayIndexError@source/desk.d(4): index [9] is out of bounds
      ----------------
      source/desk.d:4 int desk.take(int[], int) [0x55d155d1]
      \(calls)source/app.d:12 _Dmain [0x55d155d2]
      """)
    #expect(report.reason.exception?.frames.count == 42)
  }

  // MARK: React Native

  private static let words =
    "TypeError: undefined is not a function, js engine: hermes, stack:\n"
    + "renderDraft@1:482911\nanonymous@12.js:3:14\nDraftScreen@1:483002\n"

  private func expectScript(_ report: CrashReport, bundle: String) throws {
    let exception = try #require(report.reason.exception)
    #expect(exception.type == "TypeError" && exception.message == "undefined is not a function")
    #expect(report.reason.type == "TypeError")
    #expect(report.reason.message == "undefined is not a function")
    #expect(exception.frames.map(\.function) == ["renderDraft", nil, "DraftScreen"])
    #expect(exception.frames.map(\.file) == [bundle, "12.js", bundle])
    #expect(exception.frames.map(\.column) == [482_912, 15, 483_003])
  }

  @Test("React Native's exception on Android is that of JavaScript, with its stack")
  func android() throws {
    let report = try LogReaderChecks.only(
      """
      FATAL EXCEPTION: mqt_native_modules
      Process: com.example.tern, PID: 6321
      com.facebook.react.common.JavascriptException: \(Self.words)
      \tat com.facebook.react.modules.core.ExceptionsManagerModule.reportException(ExceptionsManagerModule.java:83)
      \tat java.lang.Thread.run(Thread.java:1012)
      """)
    try expectScript(report, bundle: "index.android.bundle")
    #expect(
      report.otherStacks.map(\.title) == [
        "thrown as com.facebook.react.common.JavascriptException"
      ])
    #expect(report.app.identifier == "com.example.tern")
  }

  @Test("And on Apple's systems, in the console")
  func console() throws {
    let report = try LogReaderChecks.only(
      """
      *** Terminating app due to uncaught exception 'RCTFatalException: Unhandled JS Exception: TypeError: undefined is not a function', reason: 'Unhandled JS Exception: \(Self.words)'
      *** First throw call stack:
      (
      \t0   CoreFoundation                      0x00000001804b910c __exceptionPreprocess + 172
      \t1   Tern                                0x0000000102a5c1d0 RCTFormatError + 124
      )
      libc++abi: terminating due to uncaught exception of type NSException
      """)
    try expectScript(report, bundle: "main.jsbundle")
    #expect(report.threads.first?.frames.count == 2)
  }

  @Test("Without a stack, the class of React Native is meaningless, too")
  func stackless() throws {
    let report = try LogReaderChecks.only(
      """
      com.facebook.react.common.JavascriptException: Error: no till
      \tat com.facebook.react.modules.core.ExceptionsManagerModule.reportException(ExceptionsManagerModule.java:83)
      """)
    #expect(report.reason.type == "Error" && report.reason.message == "no till")
    #expect(report.reason.exception?.frames.isEmpty == true && report.otherStacks.count == 1)
  }

  @Test("In App Center's logs")
  func appCenter() throws {
    let words = Self.words.replacing("\n", with: "\\n")
    let report = try LogReaderChecks.only(
      """
      {"logs": [{"type": "managedError", "id": "00000001-0000-4000-8000-000000000000",
        "timestamp": "2026-06-01T09:41:00.000Z", "processName": "com.example.tern", "fatal": true,
        "device": {"osName": "Android", "appVersion": "1.0", "appBuild": "1"},
        "exception": {"type": "com.facebook.react.common.JavascriptException", "message": "\(words)",
          "frames": [{"className": "com.facebook.react.modules.core.ExceptionsManagerModule",
            "methodName": "reportException", "lineNumber": 83}]}}]}
      """)
    try expectScript(report, bundle: "index.android.bundle")
  }
}
