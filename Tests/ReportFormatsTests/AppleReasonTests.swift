import CrashModel
import Testing

@testable import ReportFormats

@Suite("What Apple's reports say of an exception")
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

  @Test("The words of a termination on the next line")
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
    #expect(report.tags["termination.code"] == "0x8badf00d")
  }
}
