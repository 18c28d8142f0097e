import CrashModel
import Identifiers
import Testing

@Suite struct ValueTests {
  // The pair is from the tests of Sentry's Android SDK.
  @Test("An ELF build id becomes the debug id that Breakpad computes")
  func debugID() throws {
    let code = try #require(CodeID("F1C3BCC0279865FE3058404B2831D9E64135386C"))
    #expect(DebugID(buildID: code.bytes).description == "c0bcc3f1-9827-fe65-3058-404b2831d9e6")
  }

  @Test(
    "A debug id is read in every spelling",
    arguments: [
      "c0bcc3f1-9827-fe65-3058-404b2831d9e6", "C0BCC3F19827FE653058404B2831D9E6",
      "{C0BCC3F1-9827-FE65-3058-404B2831D9E6}", "C0BCC3F19827FE653058404B2831D9E60",
    ])
  func spellings(text: String) {
    #expect(DebugID(text)?.description == "c0bcc3f1-9827-fe65-3058-404b2831d9e6")
  }

  @Test("An invalid debug id is refused", arguments: ["", "xyz", "c0bcc3f1", "12345678-"])
  func noDebugID(text: String) { #expect(DebugID(text) == nil) }

  @Test(
    "Times are read as reports spell them",
    arguments: zip(
      [
        "2022-08-05 13:24:19.00 +0400", "2022-08-05 13:24:19.1234 +0400",
        "2021-09-29 17:43:49+0200", "2026-11-21T03:07:12.275852Z", "2000-02-29 00:00:00 +0000",
        "1969-12-31T23:59:59Z",
      ],
      [
        "2022-08-05T09:24:19Z", "2022-08-05T09:24:19.1234Z", "2021-09-29T15:43:49Z",
        "2026-11-21T03:07:12.275852Z", "2000-02-29T00:00:00Z", "1969-12-31T23:59:59Z",
      ]))
  func times(text: String, expected: String) {
    #expect(Timestamp(text)?.description == expected)
  }

  @Test(
    "Microseconds before 1970 and of any size are a time",
    arguments: [
      (0, 0, 0), (1_500_000, 1, 500_000), (-1, -1, 999_999), (-1_000_000, -1, 0),
      (Int.max, 9_223_372_036_854, 775_807), (Int.min, -9_223_372_036_855, 224_192),
    ])
  func microseconds(count: Int, seconds: Int64, rest: Int32) {
    let time = Timestamp(microseconds: count)
    #expect(time.seconds == seconds && time.nanoseconds == rest * 1000)
  }

  @Test("A return address is looked up inside the call")
  func positions() {
    #expect(CodePosition.exact.lookUp(Address(16)) == Address(16))
    #expect(CodePosition.returnAddress.lookUp(Address(16)) == Address(15))
    #expect(CodePosition.adjusted.lookUp(ImageOffset(16)) == ImageOffset(16))
    #expect(CodePosition.returnAddress.lookUp(ImageOffset(0)) == ImageOffset(0))
  }

  @Test("A native crash without any names has no symbols")
  func coverage() {
    var report = CrashReport(format: .appCenter)
    #expect(SymbolCoverage(of: report) == .full)
    report.tags[.minidump] = "awaited"
    #expect(SymbolCoverage(of: report) == .missing)
    report.tags = [:]
    report.reason.signal = "SIGSEGV"
    #expect(SymbolCoverage(of: report) == .missing)
    // Addresses outside all images explain nothing either.
    report.threads = [
      CrashThread(index: 0, frames: [Frame(address: Address(16), position: .exact)])
    ]
    #expect(SymbolCoverage(of: report) == .missing)
    report.threads[0].frames.append(Frame(position: .returnAddress, function: "main"))
    #expect(SymbolCoverage(of: report) == .full)
    report.images = [LoadedImage(name: "a")]
    report.images[0].symbols = SymbolStatus(.missing)
    #expect(SymbolCoverage(of: report) == .missing)
    // An exception of a language needs none.
    var handled = CrashReport(format: .appCenter, kind: .handled)
    handled.reason.exception = LanguageException(type: "E")
    #expect(SymbolCoverage(of: handled) == .full)
  }

  @Test("A reason in one line has its type once")
  func reasonLine() {
    func line(_ type: String, _ message: String) -> String? {
      var reason = CrashReason()
      (reason.type, reason.message) = (type, message)
      reason.address = Address(0x18)
      return reason.line
    }
    #expect(line("WARNING", "WARNING: fs/tern.c:6") == "WARNING: fs/tern.c:6")
    #expect(
      line("BUG: unable to handle kernel paging request", "BUG: kernel paging fault, address: 18")
        == "BUG: kernel paging fault, address: 18")
    #expect(line("SIGSEGV", "no access") == "SIGSEGV at 0x18: no access")
    #expect(line("Error", "Errors: two") == "Error at 0x18: Errors: two")
  }
}
