import Bytes
import CrashModel
import Testing

@testable import ReportFormats

@Suite("Exceptions in Apple's reports")
struct AppleReasonTests {
  @Test(
    "Exceptions in words",
    arguments: [
      (
        "*** Terminating app due to uncaught exception 'EggError', reason: 'isn't 'one''\nabort() called",
        "EggError", "isn't 'one'"
      ),
      (
        "*** Terminating app due to uncaught exception 'EggError', reason: 'two\nlines'\nterminating with uncaught exception of type NSException",
        "EggError", "two\nlines"
      ),
      (
        "*** Terminating app due to uncaught exception 'EggError', reason: unquoted", "EggError",
        "unquoted"
      ),
      ("*** Terminating app due to uncaught exception 'EggError'", "EggError", nil),
      (
        "abort() called\nterminating due to uncaught exception of type std::out_of_range: map::at: no\nmore",
        "std::out_of_range", "map::at: no"
      ),
      ("terminating with uncaught exception of type NSException", "NSException", nil),
      ("Crashing on exception: no egg\nmore", nil, "no egg"), ("abort() called", nil, nil),
      ("uncaught exception 'open", nil, nil),
    ] as [(String, String?, String?)])
  func exceptions(text: String, type: String?, message: String?) {
    let exception = LanguageException(appleText: text)
    #expect(exception?.type == type && exception?.message == message)
  }

  @Test(
    "Systems under today's names",
    arguments: [
      ("iPhone OS 16.0 (20A362)", "iOS", "16.0", "20A362"),
      ("iPhone OS 14.2 (Build 18B5072f)", "iOS", "14.2", "18B5072f"),
      ("Mac OS X 10.15.7 (19H2)", "macOS", "10.15.7", "19H2"),
      ("macOS 12.4", "macOS", "12.4", nil),
      ("Bridge OS 2.4.1 (15P6703)", "bridgeOS", "2.4.1", "15P6703"),
      ("??? ??? (Build ???)", nil, nil, nil), ("", nil, nil, nil), ("Nest", "Nest", nil, nil),
    ] as [(String, String?, String?, String?)])
  func systems(text: String, name: String?, version: String?, build: String?) {
    #expect(
      OperatingSystem(apple: text) == OperatingSystem(name: name, version: version, build: build))
  }

  @Test("The message of a termination on the next line")
  func terminationBelow() throws {
    let report = try AppleCrashReaderTests.report(
      """
      Process: Tern [1]
      Exception Type: EXC_CRASH (SIGKILL)
      Termination Reason: FRONTBOARD 2343432205
      <RBSTerminateContext| domain:10 code:0x8BADF00D
      explanation:too slow>
      Triggered by Thread: 0
      """)
    #expect(
      report.reason.message
        == "<RBSTerminateContext| domain:10 code:0x8BADF00D\nexplanation:too slow>")
    #expect(report.tags[.terminationCode] == "0x8badf00d")
  }

  @Test(
    "Of the texts beside it, Swift's own is the message",
    arguments: [
      ("Tern/Nest.swift:7: Fatal error: no egg", "Tern/Nest.swift:7: Fatal error: no egg"),
      (
        "abort() called\nFatal error: no egg: file Nest.swift, line 7",
        "Fatal error: no egg: file Nest.swift, line 7"
      ),
      ("Nest.swift:7: Fatal error: a\nb\nabort() called", "Nest.swift:7: Fatal error: a\nb"),
      ("x\nNest.swift:7: Precondition failed", "Nest.swift:7: Precondition failed"),
      ("Fatal error: a\nFatal error: b", "Fatal error: a"),
      ("Assertion failed: (egg), function hatch, file nest.c, line 7.", nil),
      ("no Fatal error: here", nil), ("Fatal errors", nil), ("abort() called", nil),
    ] as [(String, String?)])
  func fatalError(text: String, message: String?) {
    #expect(SwiftFatalError.message(in: text) == message)
    // Both forms of a report hold the same lines.
    var reason = CrashReason()
    reason.applyApplicationInformation([text])
    var other = CrashReason()
    other.applyApplicationInformation(text.split(separator: "\n").map(String.init))
    #expect(reason == other && reason.message == message ?? text)
  }

  /// Reports of one incident, as JSON and as text.
  static let terminations: [(json: String, text: String, message: String)] = [
    (
      #"{"namespace":"DYLD","code":4,"indicator":"Symbol missing","reasons":["Symbol not found: _egg","Referenced from: <1> /Tern","Reason: tried: '/Gull'"],"details":["(terminated at launch; ignore backtrace)"]}"#,
      """
      Termination Reason: Namespace DYLD, Code 4 Symbol missing
      Symbol not found: _egg
      Referenced from: <1> /Tern
      Reason: tried: '/Gull'
      (terminated at launch; ignore backtrace)
      """,
      """
      Symbol not found: _egg
      Referenced from: <1> /Tern
      Reason: tried: '/Gull'
      (terminated at launch; ignore backtrace)
      """
    ),
    (
      #"{"namespace":"DYLD","code":1,"indicator":"Library missing"}"#,
      "Termination Reason: DYLD 1 Library missing", "Library missing"
    ),
    (
      #"{"namespace":"FRONTBOARD","code":2343432205,"reasons":["<RBSTerminateContext| domain:10","explanation:too slow>"]}"#,
      "Termination Reason: FRONTBOARD 2343432205 <RBSTerminateContext| domain:10\nexplanation:too slow>",
      "<RBSTerminateContext| domain:10\nexplanation:too slow>"
    ),
  ]

  @Test("A termination reads the same as JSON and as text", arguments: terminations)
  func sameTermination(json: String, text: String, message: String) throws {
    let ips = try AppleIPSReader.reports(
      in: ByteView(
        (AppleSamples.header
          + #"{"procName":"Tern","exception":{"type":"EXC_CRASH","signal":"SIGKILL"},"termination":\#(json),"threads":[],"usedImages":[]}"#)
          .utf8))[0]
    let crash = try AppleCrashReaderTests.report(
      """
      Process: Tern [1]
      Exception Type: EXC_CRASH (SIGKILL)
      \(text)
      Terminating Process: Tern [1]

      Thread 0:
      """)
    #expect(ips.reason == crash.reason && ips.reason.message == message)
    for tag in [ReportTag.terminationNamespace, .terminationCode] {
      #expect(ips.tags[tag] != nil && ips.tags[tag] == crash.tags[tag])
    }
  }

  @Test("dyld's message in a block of its own")
  func dyldMessage() throws {
    let report = try AppleCrashReaderTests.report(
      """
      Process: Tern [1]
      Exception Type: EXC_CRASH (SIGABRT)
      Termination Reason: DYLD, [0x1] Library missing

      Application Specific Information:
      dyld: launch, loading dependent libraries

      Dyld Error Message:
        Library not loaded: @rpath/Gull
        Reason: image not found

      Thread 0:
      """)
    #expect(report.reason.message == "Library not loaded: @rpath/Gull\nReason: image not found")
    #expect(report.threads.count == 1)
  }
}
